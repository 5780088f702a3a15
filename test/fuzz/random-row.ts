import type { Random } from './random.js';

const keys = [
  'a',
  'b',
  'x',
  'm',
  'l',
  's',
  'n',
  'k',
  'x.y',
  'a/b',
  '',
  '0',
  '1',
  'Meta',
  'TaskGroups',
  'ID',
  'Name',
  'Status',
];
const oddKeys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'valueOf',
  'then',
  'toJSON',
];

class Job {
  readonly ID = 'a';
  readonly m = { k: 'v' };
  get s(): string {
    return 'text';
  }
}

/** Values that no JSON text gives. */
const unknownFields: readonly (() => unknown)[] = [
  () => undefined,
  () => NaN,
  () => -0,
  () => Infinity,
  () => 9007199254740993n,
  () => 10n ** 400n,
  () => '\ud800',
  () => Symbol('s'),
  () => () => 1,
  () => new Date(0),
  () => new Date(NaN),
  () => new Map([['k', 'v']]),
  () => new Set(['a']),
  () => new Job(),
  () => Job,
  () => /a/g,
  () => new Uint8Array([1, 2, 3]),
  () => new String('a'),
  () => new Number(5),
  () => Promise.resolve(1),
  () => new WeakMap(),
  () => new Error('e'),
  () => Object.create(null) as unknown,
  () => Object.create({ a: 1, m: { k: 'v' } }) as unknown,
  () => new Proxy({ a: 1, k: 'v' }, {}),
  () => new Proxy(['a', 'b'], {}),
  () => new Array(5),
  () => Object.assign(['a'], { k: 'v', length: 3 }),
  () => globalThis.Math,
  () => cyclicRow(),
  () => deepRow(200),
];

/** Any value: JSON data mostly, with other objects among them. */
export function randomValue(random: Random, depth = 4): unknown {
  const choice = random.below(depth === 0 ? 6 : 11);
  switch (choice) {
    case 0:
      return random.pick(['', 'a', 'x', 'web', 'true', '5', 'é', '😀', '/srv/x', 'a'.repeat(50)]);
    case 1:
      return random.pick([0, 1, 5, -5, 1.5, 1e21, 2 ** 53, 5e-324]);
    case 2:
      return random.pick([true, false]);
    case 3:
      return null;
    case 4:
    case 5:
      return random.pick(unknownFields)();
    case 6:
    case 7:
      return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
    default:
      return randomRecord(random, depth);
  }
}

/** A row for the names that token soups use. */
export function randomRecord(random: Random, depth = 4): Record<string, unknown> {
  const count = 2 + random.below(8);
  const entries = Array.from({ length: count }, (): [string, unknown] => {
    const key = random.chance(0.08) ? random.pick(oddKeys) : random.pick(keys);
    return [key, randomValue(random, depth - 1)];
  });
  return Object.fromEntries(entries);
}

/** A row that holds itself, in a map and in a list. */
export function cyclicRow(): Record<string, unknown> {
  const row: Record<string, unknown> = { a: 1, s: 'text', l: [] };
  row.m = row;
  row.x = row;
  row.k = row;
  (row.l as unknown[]).push(row, row.l);
  return row;
}

/** Maps within maps. */
export function deepRow(depth: number): unknown {
  let row: unknown = { k: 'v' };
  for (let level = 0; level < depth; level += 1) row = { m: row, l: [row] };
  return row;
}
