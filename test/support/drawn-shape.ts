import type { Draw } from './draw.js';
import type { OracleSchema, OracleType } from './oracle-value.js';

/** Names that are words of the language somewhere. */
const words = [
  ...['starts', 'with', 'ends', 'like', 'len', 'now', 'in', 'is', 'as', 'i', 'matches', 'contains', 'empty'],
  ...['and', 'or', 'not', 'any', 'all', 'nil', 'd', 'h', 'constructor', '__proto__', 'a/b', 'x.y', 'é', ''],
];
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const later = [...letters, ...'0123456789_'];

/** A name of a field, seldom one that was there before. */
export function drawName(draw: Draw): string {
  if (draw.oneIn(8)) return draw.pick(words);
  return draw.pick(letters) + draw.list(0, 5, () => draw.pick(later)).join('');
}

const timeUnits = ['s', 'ms', 'us', 'ns'];
const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'kB', 'MB', 'GB'];

/** A schema of three structs; the second and third may be nested in the first, and in themselves. */
export function drawShape(draw: Draw): OracleSchema {
  const names = ['Row', 'Inner', 'Leaf'] as const;
  const structs = names.map((name, depth) => {
    const fields = draw.list(
      depth === 0 ? 3 : 1,
      depth === 0 ? 9 : 3,
      () => [drawName(draw), drawType(draw, 2)] as const,
    );
    return [name, { fields: Object.fromEntries(fields) }] as const;
  });
  return { root: 'Row', structs: Object.fromEntries(structs) };
}

function drawType(draw: Draw, depth: number): OracleType {
  const type = draw.either<OracleType>(
    [14, () => drawScalar(draw)],
    [1, () => ({ kind: 'any' })],
    ...(depth === 0
      ? []
      : ([
          [3, () => ({ kind: 'list', of: drawType(draw, depth - 1) })],
          [2, () => ({ kind: 'map', of: drawType(draw, depth - 1) })],
          [1, () => ({ kind: 'struct', name: draw.pick(['Leaf', 'Inner']) })],
          [1, () => ({ kind: 'array', of: drawType(draw, depth - 1), len: 2 })],
        ] as const)),
  );
  return type.kind !== 'any' && draw.oneIn(7) ? { ...type, nullable: true } : type;
}

/** A kind of value that is not made of others. */
export function drawScalar(draw: Draw): OracleType {
  return draw.either<OracleType>(
    [6, () => ({ kind: 'string' })],
    [6, () => ({ kind: draw.pick(['int', 'float64', 'uint', 'float32', 'bool']) })],
    [3, () => ({ kind: 'time' })],
    [2, () => ({ kind: 'time', unit: draw.pick(timeUnits) })],
    [2, () => ({ kind: 'duration' })],
    [2, () => ({ kind: 'duration', unit: draw.pick(timeUnits) })],
    [3, () => ({ kind: 'bytes', unit: draw.pick(sizeUnits) })],
    [2, () => ({ kind: 'ip' })],
    [1, () => ({ kind: 'ip', port: true })],
    [3, () => ({ kind: 'version' })],
  );
}
