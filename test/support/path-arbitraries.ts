import fc from 'fast-check';
import type { Selector } from '../../src/language/syntax/ast.js';
import type { OracleSchema, OracleType } from './oracle-value.js';

/** What a selector may start from: the row and the names bound around it. */
export interface Surroundings {
  readonly shape: OracleSchema;
  readonly names: readonly string[];
  readonly paths: readonly TypedPath[];
}

/** A path and the type that it leads to. */
export interface TypedPath {
  readonly path: readonly string[];
  readonly type: OracleType;
}

export const noSpan = Object.freeze({ start: 0, end: 0 });
export const anything: OracleType = { kind: 'any' };

const name = /^[a-zA-Z][a-zA-Z0-9_/]*$/;
const pointerSegments = /^[\p{L}\p{N}\-_.~:|/]+$/u;

/** A path as a selector, in either form that can write it. */
export function selectorOf(path: readonly string[]): fc.Arbitrary<Selector> {
  const partSpans = path.map(() => noSpan);
  const select = (form: Selector['form']): Selector => ({
    kind: 'selector',
    form,
    path,
    partSpans,
    span: noSpan,
  });
  const canBePointer =
    path.every((part) => pointerSegments.test(part)) || (path.length === 1 && path[0] === '');
  if (!name.test(path[0] ?? '')) return fc.constant(select('pointer'));
  return canBePointer
    ? fc.constantFrom(select('bexpr'), select('bexpr'), select('pointer'))
    : fc.constant(select('bexpr'));
}

const oddParts = [
  ...[
    'k',
    'x',
    'length',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'x.y',
    'a b',
    'é',
    '"',
    'a/b',
    '~',
  ],
  ...['0', '1', '2', '-1', '+0', '0x1', '1_0', '', '007', '1.0', '99999999999999999999'],
];
const oddHeads = ['nosuch', 'constructor', '__proto__', 'toString', '', 'a/b', 'x'];

/** A path that the shape has, or one that it may not have. */
export function pathWithin({ names, paths }: Surroundings): fc.Arbitrary<TypedPath> {
  const heads = fc.constantFrom(...oddHeads, ...names, ...paths.map(({ path }) => path[0] ?? ''));
  const strange = fc
    .tuple(heads, fc.array(fc.constantFrom(...oddParts), { maxLength: 3 }))
    .filter(([head, rest]) => name.test(head) || canPoint([head, ...rest]))
    .map(([head, rest]) => ({ path: [head, ...rest], type: anything }));
  const extensible = paths.filter(({ path: [head = ''] }) => name.test(head));
  const longer =
    extensible.length === 0
      ? null
      : fc
          .tuple(fc.constantFrom(...extensible), fc.constantFrom(...oddParts))
          .map(([{ path }, part]) => ({ path: [...path, part], type: anything }));
  const known = paths.filter(({ path }) => name.test(path[0] ?? '') || canPoint(path));
  const others = longer === null ? strange : fc.oneof(strange, longer);
  // Short paths are few, but what filters are about.
  const short = known.filter(({ path }) => path.length === 1);
  const long = known.filter(({ path }) => path.length > 1);
  return fc.oneof(
    { weight: 1, arbitrary: mostly(short, others) },
    { weight: 1, arbitrary: mostly(long, others) },
  );
}

function canPoint(path: readonly string[]): boolean {
  return path.every((part) => pointerSegments.test(part)) || (path.length === 1 && path[0] === '');
}

/** All paths of a type that are at most four parts longer than where they start. */
export function pathsOf(
  type: OracleType,
  shape: OracleSchema,
  start: readonly string[],
  steps = 4,
): TypedPath[] {
  const here = start.length === 0 ? [] : [{ path: start, type }];
  if (steps === 0) return here;
  const below = partsOf(type, shape).flatMap(([part, of]) => pathsOf(of, shape, [...start, part], steps - 1));
  return [...here, ...below];
}

function partsOf(type: OracleType, shape: OracleSchema): (readonly [string, OracleType])[] {
  const of = type.of ?? anything;
  switch (type.kind) {
    case 'struct':
      return Object.entries(shape.structs[type.name ?? '']?.fields ?? {})
        .filter(([, field]) => field.hidden !== true)
        .map(([property, field]) => [field.selectorName ?? property, field] as const);
    case 'list':
      return [
        ['0', of],
        ['1', of],
      ];
    case 'array':
      return [[String((type.len ?? 0) - 1), of]];
    case 'map':
      return type.key === 'int' || type.key === 'uint'
        ? [['1', of]]
        : [
            ['k', of],
            ['x.y', of],
          ];
    default:
      return [];
  }
}

/** One of the likely ones nine times in ten. */
export function mostly<T>(likely: readonly T[], other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  if (likely.length === 0) return other;
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...likely) }, { weight: 1, arbitrary: other });
}
