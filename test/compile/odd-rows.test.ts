import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, createRowNormalizer, defineSchema, fieldIndex, isRowOf, t } from '../../src/index.js';
import { diagnose } from '../../src/entries/explain.js';
import { FilterEvaluationError, type FilterOptions } from '../../src/index.js';

const schema = defineSchema({
  Status: t.string,
  Count: t.int,
  Tags: t.list(t.string),
  Meta: t.map(t.string),
  Inner: t.struct({ Name: t.string, Meta: t.map(t.string) }),
  At: t.time,
});

const filters = [
  'Status == ""',
  'Status != a',
  'Status matches "^a"',
  'Count == 0',
  'a in Tags',
  'Tags is empty',
  'Meta is empty',
  'Meta.k == a',
  'Meta.k != a',
  'Inner.Name == ""',
  'Inner.Meta.k == a',
  'any Tags as x { x == a }',
  'Status == a or Status == ""',
];

function evaluate(test: (row: never) => boolean, row: unknown): unknown {
  try {
    return test(row as never);
  } catch (error) {
    return error instanceof FilterEvaluationError ? error.message : 'threw';
  }
}

const value = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'a',
  0,
  1,
  ['a'],
  [],
  { k: 'a' },
  {},
  new Map([['k', 'a']]),
  new Set(['a']),
  new Date(0),
  () => 1,
);
const names = ['Status', 'Count', 'Tags', 'Meta', 'Inner', 'At'] as const;
const plainRow = fc.dictionary(fc.constantFrom(...names), value);
/** Returns the next of its values at each read; throws at some. */
const hostileRow = fc
  .dictionary(fc.constantFrom(...names), fc.array(value, { minLength: 1, maxLength: 3 }))
  .map((lists) => {
    const row = {};
    for (const [name, values] of Object.entries(lists)) {
      let reads = 0;
      Object.defineProperty(row, name, {
        enumerable: true,
        get() {
          reads += 1;
          const next: unknown = values[reads % values.length];
          if (next === null) throw new Error('no value');
          return next;
        },
      });
    }
    return row;
  });

describe('one odd row', () => {
  it.each([{}, { schema }, { schema, unresolved: 'absent' as const }])(
    'changes no other result: %o',
    (options: FilterOptions) => {
      fc.assert(
        fc.property(
          fc.constantFrom(...filters),
          fc.array(
            fc.oneof(
              plainRow.map((row) => [row, true] as const),
              hostileRow.map((row) => [row, false] as const),
            ),
            {
              minLength: 1,
              maxLength: 8,
            },
          ),
          (text, rows) => {
            const used = compileFilter(text, options);
            for (const [row, isPlain] of rows) {
              const reported = evaluate(used.test, row);
              if (isPlain) expect(reported).toEqual(evaluate(compileFilter(text, options).test, row));
            }
          },
        ),
      );
    },
  );

  it('caches nothing of a getter that varies', () => {
    const filter = compileFilter('Status == ""', { schema });
    let status: string | undefined;
    const odd = {
      get Status() {
        const before = status;
        status = 'running';
        return before;
      },
    };
    filter.test(odd as never);
    expect(filter.test({} as never)).toBe(true);
  });

  it.each(filters)('is read once: %s', (text) => {
    for (const options of [{}, { schema }]) {
      for (const read of [undefined, 'b', ['b'], { k: 'b' }, new Map(), 5]) {
        const counts: Record<string, number> = {};
        const row = {};
        for (const name of names) {
          Object.defineProperty(row, name, {
            enumerable: true,
            get() {
              counts[name] = (counts[name] ?? 0) + 1;
              return read;
            },
          });
        }
        evaluate(compileFilter(text, options).test, row);
        // Two clauses about one field are two reads.
        const max = text.includes(' or ') ? 2 : 1;
        expect(Object.values(counts).every((count) => count <= max)).toBe(true);
      }
    }
  });
});

describe('a Map, a Set and a Date', () => {
  const date = new Date(Date.UTC(2024, 0, 2, 3, 4, 5, 678));
  const row = {
    m: new Map<unknown, unknown>([
      ['a', 1],
      ['b', new Map([['c', 'x']])],
      [3, 'three'],
    ]),
    s: new Set(['1', 'a']),
    d: date,
    none: new Map(),
    dates: [date],
    list: [new Map([['n', 'x']])],
  };

  it.each([
    ['m.a == 1', true],
    ['m.b.c == x', true],
    ['m["3"] == three', true],
    ['m.zz == 1', false],
    ['a in m', true],
    ['zz in m', false],
    ['m is empty', false],
    ['none is empty', true],
    ['any m as k { k == b }', true],
    ['any list as e { e.n == x }', true],
    ['all none as k { k == b }', true],
    ['s is empty', false],
    ['a in s', true],
    ['s.0 == 1', true],
    ['any s as e { e == a }', true],
    ['d == "2024-01-02T03:04:05.678Z"', true],
    ['d matches "^2024"', true],
    ['d is empty', false],
    ['"2024-01-02T03:04:05.678Z" in dates', true],
  ])('are data: %s is %s', (text, matches) => {
    expect(compileFilter(text).test(row)).toBe(matches);
    expect(compileFilter(text).explain(row).matches).toBe(matches);
    expect(compileFilter(`(${text})`).test(new Map(Object.entries(row)))).toBe(matches);
  });

  it('fit a schema', () => {
    const typed = new Map<string, unknown>([
      ['Status', 'a'],
      ['Tags', new Set(['a'])],
      ['Meta', new Map([['k', 'a']])],
      ['Inner', new Map([['Name', 'n']])],
      ['At', date],
    ]);
    const matches = (text: string): boolean => compileFilter(text, { schema }).test(typed as never);
    expect(matches('Status == a and a in Tags and Meta.k == a and Inner.Name == n and Count == 0')).toBe(
      true,
    );
    expect(matches('At matches "^2024"')).toBe(true);
    expect(fieldIndex(schema, 'Status').keysOf(typed)).toEqual(['a']);
    expect(fieldIndex(schema, 'Tags').keysOf(typed)).toEqual(['a']);
    const small = defineSchema({ m: t.map(t.int), s: t.list(t.string), d: t.time });
    const isSmall = isRowOf(small);
    expect(isSmall({ m: { a: 1 }, s: ['x'], d: '' })).toBe(true);
    // A type guard promises plain values.
    for (const other of [{ m: new Map() }, { s: new Set() }, { d: date }, { m: date }]) {
      expect(isSmall({ m: { a: 1 }, s: ['x'], d: '', ...other })).toBe(false);
    }
    expect(
      createRowNormalizer(small)(
        new Map<string, unknown>([
          ['s', new Set(['x'])],
          ['d', date],
        ]),
      ),
    ).toEqual({
      m: null,
      s: ['x'],
      d: date.toISOString(),
    });
  });

  it('are shown in explanations', () => {
    expect(String(compileFilter('d == x').explain(row))).toContain('2024-01-02T03:04:05.678Z');
    expect(String(compileFilter('m is empty').explain(row))).toContain('"a", "b"');
    expect(String(compileFilter('s is empty').explain(row))).toContain('["1", "a"]');
    expect(String(diagnose('d == x', [row]))).toContain('2024');
  });

  it('says that an invalid Date is one, and no function', () => {
    const schema = defineSchema({ T: t.time, S: t.string, L: t.list(t.time) });
    const T = new Date(NaN);
    const rows = { T, S: T, L: [T] };
    for (const options of [{ schema }, {}])
      for (const text of ['T == x', 'S matches x', 'T is empty', 'any L as e { e == x }']) {
        const error = compileFilter(text, { ...options, check: false }).explain(rows).error;
        expect(`${String(error)}`, text).not.toMatch(/\bfunc\b/);
        expect(`${String(error)} ${error?.label ?? ''}`, text).toMatch(/invalid date/);
        expect(error?.hint, text).toContain('an invalid Date has no time value');
      }
    expect(String(compileFilter('T == x').explain(rows))).toContain('T is an invalid date');
  });

  it.each([
    ['a function', (): number => 1],
    ['a symbol', Symbol('x')],
    ['bytes', new Uint8Array([1])],
    ['a buffer', new ArrayBuffer(2)],
    ['a view', new DataView(new ArrayBuffer(2))],
    ['an invalid date', new Date(NaN)],
    ['a pattern', /x/],
  ])('refuses %s in a row', (_, odd) => {
    for (const text of [
      'v == x',
      'v is empty',
      'v matches x',
      'x in v',
      'v.size == 1',
      'v.name == x',
      'any v as e { e == x }',
    ]) {
      const act = (): unknown => compileFilter(text).test({ v: odd });
      expect(act).toThrow(FilterEvaluationError);
      expect(compileFilter(text).explain({ v: odd }).error?.hint).toMatch(
        /not functions, symbols or bytes|an invalid Date has no time value/,
      );
    }
    expect(() => compileFilter('x in l').test({ l: [odd] })).toThrow(FilterEvaluationError);
    expect(compileFilter('v == x', { unresolved: 'absent' }).test({ v: odd })).toBe(false);
  });
});

it('a getter of a class is a key for selectors and for in alike', () => {
  class Row {
    own = 'x';
    get virt(): string {
      return 'y';
    }
    method(): number {
      return 1;
    }
  }
  const row = { k: new Row() };
  expect(compileFilter('k.virt == y and virt in k and own in k').test(row)).toBe(true);
  expect(compileFilter('toString in k or constructor in k or method in k').test(row)).toBe(false);
});

it('the holes of an array are no rows', () => {
  const filter = compileFilter('a == 1');
  const rows: { a: number }[] = [];
  rows[2] = { a: 1 };
  rows[5] = { a: 1 };
  expect(filter.select(rows)).toEqual(rows.filter(filter.test));
  expect(filter.count(rows)).toBe(2);
  expect(filter.page(rows, 1)).toEqual({ items: [{ a: 1 }], nextItem: { a: 1 } });
  expect(() => filter.select([undefined])).toThrow(FilterEvaluationError);
});
