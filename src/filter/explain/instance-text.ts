import type { Type } from '../../language/schema/type.js';
import { instanceKindOf } from '../../language/values/instance/index.js';
import { integerText, isShort } from '../../language/values/instance/quantity.js';
import type { Instant } from '../../language/values/instance/time.js';

/** Maximum time of a Date, in ms since 1970. */
const lastMillis = 8.64e15;

/**
 * Returns an instant in RFC 3339, to the nanosecond if needed; in milliseconds since 1970 for years that RFC 3339 cannot express.
 */
export function instantText(instant: Instant): string {
  const { millis, nanos } = typeof instant === 'number' ? { millis: instant, nanos: 0 } : instant;
  if (typeof millis === 'bigint' || Math.abs(millis) > lastMillis) return `${millis} ms since 1970`;
  const text = new Date(millis).toISOString();
  const fraction = `${text.slice(-4, -1)}${String(nanos).padStart(6, '0')}`.replace(/0+$/, '');
  return `${text.slice(0, -5)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** Returns the meaning of an integer in a row: `5400 s`, `1795338000000000000 (2026-11-22T09:00:00Z)`. */
export function quantityText(value: unknown, type: Type): string | null {
  if (!('unit' in type) || type.unit === undefined) return null;
  if (typeof value !== 'number' && typeof value !== 'bigint') return null;
  if (type.kind !== 'time') return `${integerText(value)} ${type.unit}`;
  if (typeof value === 'bigint' && !isShort(value)) return null;
  const instant = instanceKindOf(type)?.read(value) ?? null;
  return instant === null ? null : `${value} (${instantText(instant as Instant)})`;
}
