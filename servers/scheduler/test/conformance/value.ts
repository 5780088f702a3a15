import { isDeepStrictEqual } from 'node:util';

/** Equality of values from YAML and JSON: an integer is an integer, however it was read. */
export function isEqual(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(canonical(a), canonical(b));
}

/** The same value with every integer as a bigint. */
function canonical(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, canonical(item)]));
}

/** A value in a message, cut to a length that can be read. */
export function print(value: unknown): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : (JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item)) ??
        'nothing');
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
