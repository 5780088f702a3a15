import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t, type FilterOptions } from '../../src/index.js';

/**
 * Quick checks handle the most common kind of value and delegate the rest. Each line has rows for both sides: both code paths
 * must return the results of the language.
 */
describe('quick checks hand on what they are not made for', () => {
  const schema = defineSchema({
    Status: t.string,
    Priority: t.int,
    Stop: t.bool,
    Datacenters: t.list(t.string),
    Meta: t.map(t.string),
    Note: t.nullable(t.string),
    Inner: t.struct({ Name: t.string }),
    Groups: t.list(t.struct({ Name: t.string })),
  });

  it.each<[text: string, rows: readonly unknown[], results: readonly boolean[], options?: FilterOptions]>([
    [
      'Status == 5',
      [{ Status: '5' }, { Status: 5 }, { Status: 5n }, { Status: 6 }],
      [true, true, true, false],
    ],
    ['Status == true', [{ Status: true }, { Status: 'true' }, { Status: false }], [true, true, false]],
    [
      'Status == ""',
      [{}, { Status: null }, { Status: '' }, { Status: 'x' }],
      [true, true, true, false],
      { schema },
    ],
    ['Status != x', [{}, { Status: 'x' }], [true, false], { schema }],
    ['Priority == 0', [{}, { Priority: 0n }, { Priority: 1 }], [true, true, false], { schema }],
    ['Stop != true', [{}, { Stop: true }, { Stop: false }], [true, false, true], { schema }],
    [
      'x in Datacenters',
      [{}, { Datacenters: null }, { Datacenters: ['a', 'x'] }],
      [false, false, true],
      { schema },
    ],
    ['"" in Datacenters', [{ Datacenters: [null] }, { Datacenters: ['a'] }], [true, false], { schema }],
    [
      '5 in L',
      [{ L: ['5'] }, { L: [5] }, { L: ['a', 5] }, { L: '15' }, { L: { 5: 0 } }],
      [true, true, true, true, true],
    ],
    [
      'Meta is empty',
      [{}, { Meta: {} }, { Meta: { a: 1 } }, { Meta: { a: undefined } }],
      [true, true, false, true],
      { schema },
    ],
    ['M is empty', [{ M: [] }, { M: '' }, { M: {} }, { M: [1] }], [true, true, true, false]],
    [
      'Meta["cpu.arch"] == x',
      [{ Meta: { 'cpu.arch': 'x' } }, { Meta: {} }, { Meta: null }, {}],
      [true, false, false, false],
      { schema },
    ],
    ['Meta["cpu.arch"] != x', [{ Meta: { 'cpu.arch': 'x' } }, { Meta: {} }], [false, true]],
    ['Meta.x matches "^a"', [{ Meta: { x: 'ab' } }, { Meta: {} }], [true, false]],
    ['Inner.Name == x', [{ Inner: { Name: 'x' } }, { Inner: {} }, {}], [true, false, false], { schema }],
    ['R == a or R == b or R == c', [{ R: 'b' }, { R: 'd' }], [true, false]],
    [
      'Status == a or Status == "" or Status == c',
      [{}, { Status: 'c' }, { Status: 'd' }],
      [true, true, false],
      { schema },
    ],
    ['R != a and R != b and R != c', [{ R: 'b' }, { R: 'd' }], [false, true]],
    [
      'any Groups as g { g.Name == x }',
      [{}, { Groups: [{ Name: 'x' }] }, { Groups: [{}] }],
      [false, true, false],
      { schema },
    ],
    [
      'any Groups as g { g.Name == "" }',
      [{ Groups: [{ Name: 'x' }, {}] }, { Groups: [] }],
      [true, false],
      { schema },
    ],
    [
      'all Groups as g { g.Name != x and not (g.Name == y) }',
      [{ Groups: [{ Name: 'y' }] }, { Groups: [] }],
      [false, true],
    ],
    [
      'any L as x { x == 5 }',
      [{ L: ['5'] }, { L: [5] }, { L: [5n] }, { L: { 5: 1 } }, { L: { 6: 1 } }],
      [true, true, true, true, false],
    ],
    ['a.length == 1', [{ a: { length: 1 } }, { a: { length: '1' } }], [true, true]],
    ['a.toString == x', [{ a: {} }, { a: { toString: 'x' } }], [false, true]],
    ['"/a/__proto__" is nil', [{ a: {} }, { a: JSON.parse('{"__proto__":null}') as unknown }], [true, true]],
  ])('%s', (text, rows, results, options = {}) => {
    expect(rows.map((row) => compileFilter(text, options).test(row))).toEqual(results);
    const filter = compileFilter<unknown>(text, options);
    expect(filter.select(rows)).toEqual(rows.filter((_, index) => results[index]));
    expect(filter.count(new Set(rows))).toBe(results.filter(Boolean).length);
  });

  it.each<[text: string, row: unknown, message: string]>([
    ['Status == x', null, 'invalid value kind: invalid'],
    ['Status == x', 5, 'invalid value kind: float64'],
    ['s.length == 3', { s: 'abc' }, '/s/length: at part 1, invalid value kind: string'],
    ['s.0 == a', { s: 'abc' }, '/s/0: at part 1, invalid value kind: string'],
    ['l.length == 0', { l: [] }, 'couldn\'t convert value "length" to type int'],
    [
      'any l as x { x.Name == a }',
      { l: [{ Name: 'b' }, 'c'] },
      '/l/1/Name: at part 2, invalid value kind: string',
    ],
    ['a == x or a == y', {}, 'couldn\'t find key "a"'],
  ])('%s on %j fails', (text, row, message) => {
    expect(() => compileFilter(text).test(row)).toThrow(
      expect.objectContaining({ goMessage: expect.stringContaining(message) as string }),
    );
  });
});

describe('the loops of a filter', () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({ Priority: index % 3 }));

  it('page names the row that the next page starts with', () => {
    const filter = compileFilter<(typeof rows)[number]>('Priority == 1');
    expect(filter.page(rows, 2)).toEqual({ items: [rows[1], rows[4]], nextItem: rows[7] });
    expect(filter.page(rows, 3)).toEqual({ items: [rows[1], rows[4], rows[7]], nextItem: undefined });
    expect(filter.page(rows, 0)).toEqual({ items: [], nextItem: rows[1] });
    expect(() => filter.page(rows, -1)).toThrow(RangeError);
  });

  it('page looks no further than it must', () => {
    const filter = compileFilter<unknown>('Priority == 1');
    const poisoned = [{ Priority: 1 }, { Priority: 1 }, { Priority: {} }];
    expect(filter.page(poisoned, 1).items).toHaveLength(1);
    expect(() => filter.select(poisoned)).toThrow('1:1: Priority is a map');
  });

  it('return the same before and after a filter gets code of its own', () => {
    const many = Array.from({ length: 700 }, (_, index) => ({
      Priority: index % 3,
      Meta: { k: String(index) },
    }));
    const filter = compileFilter<unknown>(
      'Priority == 1 and (Meta.k != "4" or Priority == 2) and not (Meta.k == 7)',
    );
    const expected = many.filter(filter.test);
    expect(expected).toHaveLength(231);
    for (let call = 0; call < 4; call += 1) {
      expect(filter.select(many)).toEqual(expected);
      expect(filter.count(many)).toBe(231);
    }
  });

  it('serve more busy filters than there are copies of the code', () => {
    const many = Array.from({ length: 1_200 }, (_, index) => ({ Priority: index % 3 }));
    const filters = Array.from({ length: 120 }, (_, index) =>
      compileFilter<unknown>(`Priority == ${index % 3}`),
    );
    for (let call = 0; call < 3; call += 1) {
      expect(filters.map((filter) => filter.count(many))).toEqual(filters.map(() => 400));
    }
  });
});
