import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/language/schema/define.js';
import { fromJSONSchema } from '../../src/language/schema/json-schema.js';
import { parseSchema } from '../../src/language/schema/parse-schema.js';
import { isRowOf } from '../../src/language/schema/row-guard.js';
import type { Type } from '../../src/language/schema/type.js';

const group = t.struct({ Name: t.string, Count: t.int });

describe('isRowOf', () => {
  it.each<[string, Type, accepted: readonly unknown[], refused: readonly unknown[]]>([
    ['string', t.string, ['', 'x'], [5, null, undefined, Object('x')]],
    ['time', t.time, ['2024-01-01T00:00:00Z'], [new Date(0), 0]],
    ['time in ns', t.time('ns'), [0, 5n, -1], ['2024-01-01T00:00:00Z', new Date(0), 0.5, 2n ** 63n]],
    ['duration', t.duration, ['1h30m', '0s'], ['7d', '', 5, null]],
    ['duration in ms', t.duration('ms'), [0, 5n], ['1h', 0.5]],
    ['bytes', t.bytes('MiB'), [0, 5n], ['1MiB', 0.5, 2n ** 63n]],
    ['ip', t.ip, ['10.0.0.1', '::1'], ['10.0.0.1:80', 'localhost', 5]],
    ['ip with port', t.ip({ port: true }), ['10.0.0.1', '10.0.0.1:80'], ['localhost:80']],
    ['version', t.version, ['1.2.3', 'v1.2.3-rc.1'], ['1.2', 1.2]],
    ['bool', t.bool, [true, false], ['true', 0, null]],
    ['int', t.int, [0, -5, 5n, 2 ** 53 - 1, -(2n ** 63n)], [0.5, 2 ** 53, NaN, '5', 2n ** 63n, null]],
    ['uint', t.uint, [0, 5n, 2n ** 64n - 1n], [-1, -1n, 2n ** 64n, 0.5, 2 ** 53]],
    ['safe int', t.int({ safe: true }), [0, -5, 2 ** 53 - 1], [5n, 0.5, 2 ** 53, NaN, '5', null]],
    ['safe uint', t.uint({ safe: true }), [0, 2 ** 53 - 1], [-1, 1n, 2 ** 53]],
    ['float64', t.float64, [0.5, NaN, -Infinity], ['5', null, 5n]],
    ['float32', t.float32, [0.1], [true]],
    ['any', t.any, [null, undefined, [], {}, 5], []],
    ['list', t.list(t.string), [[], ['a', 'b']], [['a', 5], {}, null, 'a', new Array(2), { length: 0 }]],
    ['array', t.array(t.float64, 2), [[1, 2]], [[1], [1, 2, 3], null]],
    ['map', t.map(t.int), [{}, { a: 1, b: 2n }], [{ a: 'x' }, [], null, 'x']],
    [
      'struct',
      group,
      [
        { Name: 'a', Count: 1 },
        { Name: 'a', Count: 1, More: 1 },
      ],
      [{ Name: 'a' }, { Name: null, Count: 1 }, [], null],
    ],
    ['nullable string', t.nullable(t.string), ['x', null], [undefined, 5]],
    ['nullable struct', t.nullable(group), [null, { Name: 'a', Count: 1 }], [{}, undefined]],
    [
      'list of nullable structs',
      t.list(t.nullable(group)),
      [[null, { Name: 'a', Count: 1 }]],
      [[{}], [undefined]],
    ],
    ['map of lists', t.map(t.list(t.bool)), [{ a: [true] }], [{ a: true }, { a: [1] }]],
  ])('knows a %s', (_, type, accepted, refused) => {
    const isRow = isRowOf(defineSchema({ F: type }));
    for (const F of accepted) expect(isRow({ F }), String(F)).toBe(true);
    for (const F of refused) expect(isRow({ F }), String(F)).toBe(false);
  });

  it('wants every field, hidden and renamed ones under their own names', () => {
    const isRow = isRowOf(defineSchema({ Secret: t.hidden(t.string), kind: t.renamed('Type', t.string) }));
    expect(isRow({ Secret: 's', kind: 'k' })).toBe(true);
    expect(isRow({ kind: 'k' })).toBe(false);
    expect(isRow({ Secret: 's', Type: 'k' })).toBe(false);
  });

  it('takes nothing for a field that every object inherits', () => {
    expect(isRowOf(defineSchema({ toString: t.any, constructor: t.string }))({})).toBe(false);
    expect(isRowOf(defineSchema({ constructor: t.string }))({ constructor: 'x' })).toBe(true);
  });

  it.each([null, undefined, 5, 'x', [], [{}], () => undefined])('refuses %s for a row', (value) => {
    expect(isRowOf(defineSchema({ A: t.any }))(value)).toBe(false);
  });

  it('follows rows that contain rows', () => {
    const node = { kind: 'struct', name: 'Node', nullable: true };
    const isNode = isRowOf(
      parseSchema({
        root: 'Node',
        structs: { Node: { fields: { Name: { kind: 'string' }, Left: node, Right: node } } },
      }),
    );
    const leaf = (Name: unknown): object => ({ Name, Left: null, Right: null });
    expect(isNode({ Name: 'a', Left: leaf('b'), Right: leaf('c') })).toBe(true);
    expect(isNode({ Name: 'a', Left: leaf('b'), Right: leaf(5) })).toBe(false);

    const circle = { Name: 'a', Left: {}, Right: {} };
    circle.Left = circle;
    circle.Right = { Name: 'b', Left: circle, Right: null };
    expect(isNode(circle)).toBe(true);
    circle.Right = { Name: 'b', Left: circle, Right: leaf(5) };
    expect(isNode(circle)).toBe(false);

    let shared = leaf('shared');
    for (let depth = 0; depth < 300; depth += 1) shared = { Name: 'x', Left: shared, Right: shared };
    expect(isNode(shared)).toBe(true);
    for (let depth = 0; depth < 100_000; depth += 1) shared = { Name: 'x', Left: shared, Right: null };
    expect(isNode(shared)).toBe(false);
  });

  it('guards the rows of a JSON Schema', () => {
    const isRow = isRowOf(
      fromJSONSchema({
        properties: { Tags: { items: { type: 'string' } }, N: { type: ['integer', 'null'] } },
      }),
    );
    expect(isRow({ Tags: ['a'], N: null })).toBe(true);
    expect(isRow({ Tags: [1], N: null })).toBe(false);
  });
});
