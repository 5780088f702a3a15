import type { Draw } from '../support/draw.js';

/** Values of kinds that hardly any field declares. */
const others: readonly unknown[] = [
  ...[null, undefined, NaN, 5, -1, 0, '', 'a', '5', 'true', 'soon', '10.0.0.300', true, false, [], {}, ['a']],
  ...[{ k: 'a' }, [null], new Date(NaN), Symbol('other'), () => true, new Set(['a']), new Map([['k', 'a']])],
];

/**
 * Returns a copy of a row in which one value, at any depth, is missing, null, NaN or of another kind. Lists and objects that contain
 * it are copied.
 */
export function damage(draw: Draw, row: unknown): unknown {
  const kind = draw.below(4);
  if (kind === 3 || typeof row !== 'object' || row === null || row instanceof Date) return draw.pick(others);
  const keys = Object.keys(row);
  if (keys.length === 0) return draw.pick(others);
  const key = draw.pick(keys);
  const own = (row as Record<string, unknown>)[key];
  const values = kind === 1 ? [null, NaN, undefined] : [damage(draw, own)];
  if (Array.isArray(row))
    return row.map((each: unknown, at) => (String(at) === key ? draw.pick([null, ...values]) : each));
  const rest = Object.entries(row).filter(([name]) => name !== key);
  return Object.fromEntries(kind === 0 ? rest : [...rest, [key, draw.pick(values)]]);
}
