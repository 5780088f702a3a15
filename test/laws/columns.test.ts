import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineSchema, FilterError, t } from '../../src/index.js';
import { columns } from '../../src/entries/columns.js';
import { ColumnCache } from '../../src/lists/columns/column-cache.js';
import { attachColumns } from '../../src/lists/columns/attach-columns.js';
import { arraySource, createList, QueryError, type List, type Query } from '../../src/entries/query.js';
import { createTable, type Table } from '../../src/entries/table.js';

const schema = defineSchema({
  ID: t.string,
  Few: t.string,
  Many: t.string,
  Int: t.int,
  Float: t.float64,
  Flag: t.bool,
  Any: t.any,
  Tags: t.list(t.string),
  Map: t.map(t.string),
  Wild: t.map(t.any),
  Part: t.struct({ Deep: t.string, Size: t.uint }),
  Maybe: t.nullable(t.struct({ Deep: t.string })),
  Text: t.nullable(t.string),
  Groups: t.list(t.struct({ Name: t.string, Count: t.int })),
  Holes: t.list(t.nullable(t.struct({ Name: t.string }))),
});

type Row = Readonly<Record<string, unknown>>;

const long = 'x'.repeat(10_000);
const text = fc.constantFrom('', 'a', 'b', 'ab', 'A', 'ä', 'constructor', `${long}1`, long);
const whole = fc.constantFrom<number | bigint>(0, 1, 2, -1, 50, 9007199254740993n);
const number = fc.constantFrom(0, -0, 1, 1.5, -2.25, NaN, Infinity);
const anything = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constantFrom(null, 7n, new Date(0), new Date(1e12), new Map([['k', 'a']]), new Set(['a'])),
  fc.array(fc.constantFrom<unknown>('a', 'b', 1, null, NaN, 7n), { maxLength: 3 }),
  fc.constantFrom({ k: 'a' }, { k: undefined }, {}, { k: null }),
);
const bag = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.dictionary(fc.constantFrom('k', 'm', 'x.y'), value, { maxKeys: 2 });

const templates: fc.Arbitrary<Row> = fc.record({
  Few: text,
  Many: text,
  Int: whole,
  Float: number,
  Flag: fc.boolean(),
  Any: anything,
  Tags: fc.oneof(
    fc.array(text, { maxLength: 3 }),
    fc.constant(Array.from({ length: 70 }, (_, at) => `${at}`)),
  ),
  Map: bag(text),
  // A null there cannot be compared, and what is missing can.
  Wild: bag(fc.oneof(anything, fc.constant(null))),
  Part: fc.record({ Deep: text, Size: fc.constantFrom(0, 3) }),
  Maybe: fc.option(fc.record({ Deep: text })),
  Text: fc.option(text),
  Groups: fc.array(fc.record({ Name: text, Count: fc.constantFrom(0, 1, 9007199254740993n) }), {
    maxLength: 3,
  }),
  Holes: fc.array(fc.option(fc.record({ Name: text })), { maxLength: 2 }),
});

const literal = fc.constantFrom('"a"', '"b"', '"ab"', '""', '"constructor"', '"none"');
const digit = fc.constantFrom('0', '1', '2', '50', '"-1"', '"9007199254740993"');
const of = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const leaf: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      of(
        'Few',
        'Many',
        'Part.Deep',
        'Any',
        'Maybe.Deep',
        'Text',
        'Map.k',
        'Wild.k',
        'Map["x.y"]',
        'Wild.k.z',
      ),
      of('==', '!=', 'contains', 'starts with', 'matches', '<', '>='),
      literal,
    )
    .map((parts) => parts.join(' ')),
  fc
    .tuple(of('Int', 'Float', 'Any', 'Part.Size'), of('==', '!=', '<', '<=', '>', '>='), digit)
    .map((parts) => parts.join(' ')),
  fc.tuple(of('Few', 'Text', 'Part.Deep'), literal, literal).map(([name, a, b]) => `${name} in [${a}, ${b}]`),
  fc.tuple(literal, of('Tags', 'Any', 'Few', 'Map', 'Wild')).map((parts) => parts.join(' in ')),
  of('Tags', 'Map', 'Wild', 'Groups', 'Holes', 'Any', 'Few', 'Part').map((name) => `${name} is empty`),
  of('Maybe', 'Text', 'Any', 'Wild.k').map((name) => `${name} is nil`),
  of('Wild.k == "a"', 'Wild.k is empty'),
  of(
    'Flag == true',
    'Flag != true',
    'len(Few) > 1',
    'Few == @Many',
    'len(Tags) == 2',
    'Any.k == "a"',
    'Tags.0 == "a"',
  ),
  fc
    .tuple(
      of('any', 'all'),
      of(
        'g.Name == "a"',
        'g.Count > 0',
        'g.Name == "a" and g.Count == 1',
        'not (g.Name in ["", "b"])',
        'g.Name == @Few',
      ),
    )
    .map(([word, body]) => `${word} Groups as g { ${body} }`),
  of(
    'any Holes as h { h.Name == "a" }',
    'any Tags as x { x == "a" }',
    'all Map as k, v { v == "a" }',
    'any Groups as i, g { g.Name == "b" and i == 1 }',
  ),
  of('Any > "2001-01-01T00:00:00Z"', 'Any <= now', 'Part.Deep == Few'),
);
const filters: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  {
    weight: 4,
    arbitrary: fc.array(leaf, { minLength: 2, maxLength: 4 }).map((parts) => parts.join(' and ')),
  },
  { weight: 2, arbitrary: fc.tuple(leaf, leaf).map((parts) => parts.join(' or ')) },
  { weight: 1, arbitrary: leaf.map((each) => `not (${each})`) },
  { weight: 2, arbitrary: fc.tuple(leaf, leaf, leaf).map(([a, b, c]) => `(${a} or ${b}) and not (${c})`) },
);

/** The outcome of a query, errors included. */
async function outcome<R>(result: Promise<R>): Promise<unknown> {
  try {
    return { ...(await result), index: 0 };
  } catch (error) {
    if (error instanceof FilterError || error instanceof QueryError) return error.message;
    throw error;
  }
}

const keyed = (at: number): string => `k${String(at).padStart(4, '0')}`;

const cases = fc.record({
  kinds: fc.array(templates, { minLength: 1, maxLength: 8 }),
  size: fc.constantFrom(0, 1, 40, 130, 400),
  unresolved: fc.constantFrom('error' as const, 'absent' as const),
  queries: fc.array(filters, { minLength: 1, maxLength: 4 }),
  steps: fc.array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('ask' as const),
          query: fc.nat({ max: 3 }),
          perPage: fc.constantFrom(0, 0, 1, 7, 60),
          reverse: fc.boolean(),
          from: fc.option(fc.nat({ max: 420 }), { nil: null, freq: 3 }),
          prefix: fc.constantFrom('', '', 'k00', 'k01'),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('write' as const),
          puts: fc.array(fc.tuple(fc.nat({ max: 420 }), fc.nat({ max: 7 })), { maxLength: 5 }),
          deletes: fc.array(fc.nat({ max: 420 }), { maxLength: 4 }),
        }),
      },
    ),
    { minLength: 4, maxLength: 16 },
  ),
});

const names = [...schema.root.properties.keys()];
const made = (given: ReturnType<typeof columns>): Table<Row> =>
  createTable(schema, { key: 'ID', sorts: ['Int'], columns: given }) as object as Table<Row>;

/** A table of any size with columns that come by themselves, and who keeps them. */
function watched(budget: number): { readonly table: Table<Row>; readonly cache: ColumnCache<Row> } {
  const options = { hasColumns: () => true, isEager: false, budget: () => budget, minRows: 0 };
  const cache = new ColumnCache<Row>(schema, options);
  return {
    cache,
    table: made({ attach: (_, order) => attachColumns<never>(order as never, cache as never) }),
  };
}

describe('a list of a table with columns', () => {
  it('equals that of an array: rows, order, tokens, counts and errors, after any queries and writes', () =>
    fc.assert(
      fc.asyncProperty(cases, async ({ kinds, size, unresolved, queries, steps }) => {
        const rowAt = (at: number, kind: number): Row => ({ ID: keyed(at), ...kinds[kind % kinds.length] });
        const rows = new Map<string, Row>();
        const [free, narrow] = [watched(1e7), watched(20_000)];
        const tables = {
          auto: free.table,
          narrow: narrow.table,
          named: made(columns(names, { budget: 1e7 })),
          some: made(columns(['Few', 'Int', 'Groups'], { budget: 1e7 })),
          cramped: made(columns(names, { budget: 20_000 })),
        };
        const write = (action: (rows: Pick<Table<Row>, 'put' | 'delete'>) => void): void => {
          for (const table of Object.values(tables)) table.batch(action);
          action({ put: (row) => rows.set(String(row['ID']), row), delete: (key) => rows.delete(key) });
        };
        write(({ put }) => {
          for (let at = 0; at < size; at += 1) put(rowAt(at, at * 7 + (at >> 3)));
        });
        const lists = Object.entries(tables).map(([name, table]): [string, List<Row>] => [
          name,
          createList(table, { unresolved }),
        ]);
        // What a table knows of a clause is nothing to a list to which it means something else.
        const other = { unresolved: unresolved === 'error' ? ('absent' as const) : ('error' as const) };
        const others = [tables.auto, tables.named].map((table) => createList(table, other));
        const arrayOf = (options: { readonly unresolved: 'error' | 'absent' }): List<Row> =>
          createList(
            arraySource(schema, () => [...rows.values()] as never, { key: 'ID' }),
            options,
          ) as object as List<Row>;
        const [array, otherArray] = [arrayOf({ unresolved }), arrayOf(other)];
        for (const step of steps) {
          if (step.kind === 'write') {
            write(({ put, delete: remove }) => {
              for (const [at, kind] of step.puts) put(rowAt(at, kind));
              for (const at of step.deletes) remove(keyed(at));
            });
            continue;
          }
          const { perPage, reverse, prefix, from } = step;
          const query: Query<Row> = {
            ...{ filter: queries[step.query % queries.length], perPage, reverse, prefix },
            nextToken: from === null ? null : keyed(from),
          };
          const expected = await outcome(array.page(query));
          for (const [name, list] of lists)
            expect([name, query, await outcome(list.page(query))]).toEqual([name, query, expected]);
          const elsewhere = await outcome(otherArray.page(query));
          for (const list of others)
            expect([query, await outcome(list.page(query))]).toEqual([query, elsewhere]);
          const total = await outcome(
            array.facets({ filter: query.filter, prefix }, ['Few', 'Tags', 'Int', 'Flag']),
          );
          for (const [name, list] of lists) {
            const reported = await outcome(
              list.facets({ filter: query.filter, prefix }, ['Few', 'Tags', 'Int', 'Flag']),
            );
            expect([name, query, reported]).toEqual([name, query, total]);
          }
          expect(free.cache.made).toBeLessThanOrEqual(free.cache.servedRows);
          expect(narrow.cache.made).toBeLessThanOrEqual(narrow.cache.servedRows);
          expect(narrow.cache.bytes).toBeLessThanOrEqual(20_000);
        }
      }),
      { numRuns: 60 },
    ));
});
