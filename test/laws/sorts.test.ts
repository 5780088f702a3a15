import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columns } from '../../src/entries/columns.js';
import { arraySource, createList, decodeToken, encodeToken, type List } from '../../src/entries/query.js';
import { createTable, type Table } from '../../src/entries/table.js';
import { defineSchema, FilterError, t, type Schema, type Type } from '../../src/index.js';
import '../support/property-seed.js';
import { rankedKinds } from './drawn-ranks.js';

type Row = Readonly<Record<string, unknown>>;

/** A row, and the rank of its value in each field. */
interface Ranked {
  readonly row: Row;
  readonly ranks: Readonly<Record<string, number>>;
}

interface Case {
  readonly schema: Schema;
  readonly sorts: readonly string[];
  readonly indexes: readonly string[];
  readonly rows: readonly Ranked[];
  /** Rows with values that their fields do not have, which tables refuse. */
  readonly oddRows: readonly Ranked[];
  readonly sort: string;
  readonly filter: string;
}

const last = Infinity;

const cases: fc.Arbitrary<Case> = fc
  .array(fc.constantFrom(...Object.values(rankedKinds)), { minLength: 4, maxLength: 4 })
  .chain(([a, b, c, d]) => {
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('too few');
    const nullable = (type: unknown): Type => t.nullable(type as Type);
    const schema = defineSchema({
      ID: t.string,
      A: a.type,
      B: nullable(b.type),
      S: t.struct({ C: c.type }),
      N: t.nullable(t.struct({ D: nullable(d.type) })),
    });
    const fields = { A: a, B: b, 'S.C': c, 'N.D': d };
    const names = Object.keys(fields);
    type Drawn = readonly [value: unknown, rank: number];
    const valueOf = ({ groups }: typeof a): fc.Arbitrary<Drawn> =>
      fc.constantFrom(...groups.flatMap((group, rank) => group.map((each): Drawn => [each, rank])));
    const none = fc.constant<Drawn>([null, last]);
    const oddOf = ({ odd }: typeof a): fc.Arbitrary<Drawn> =>
      fc.constantFrom(...[...odd, null, undefined, Symbol('s')].map((each): Drawn => [each, last]));
    const rowOf = (at: number, values: readonly Drawn[], isNull: boolean): Ranked => {
      const [[va, ra], [vb, rb], [vc, rc], [vd, rd]] = values as [Drawn, Drawn, Drawn, Drawn];
      return {
        row: { ID: `k${at}`, A: va, B: vb, S: { C: vc }, N: isNull ? null : { D: vd } },
        ranks: { A: ra, B: rb, 'S.C': rc, 'N.D': isNull ? last : rd },
      };
    };
    const fitting = fc.tuple(
      fc.tuple(valueOf(a), fc.oneof(none, valueOf(b)), valueOf(c), fc.oneof(none, valueOf(d))),
      fc.boolean(),
    );
    const odd = fc.tuple(
      fc.tuple(...[a, b, c, d].map((kind) => fc.oneof(valueOf(kind), oddOf(kind)))),
      fc.boolean(),
    );
    const [rows, oddRows] = [fitting, odd].map((each) =>
      fc
        .array(each as typeof fitting, { maxLength: 12 })
        .map((list) => list.map(([values, isNull], at) => rowOf(at, values, isNull))),
    ) as [fc.Arbitrary<Ranked[]>, fc.Arbitrary<Ranked[]>];
    const sort = fc
      .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.boolean()), {
        ...{ minLength: 1, maxLength: 3, selector: ([name]) => name },
      })
      .map((keys) => keys.map(([name, isDown]) => `${isDown ? '-' : ''}${name}`).join());
    const filter = fc
      .constantFrom(...names)
      .chain((name) =>
        fc
          .tuple(fc.constantFrom('==', '<', '<=', '>', '>=', '!='), valueOf(fields[name as 'A']))
          .map(([operator, [value]]) => `${name} ${operator} ${JSON.stringify(String(value))}`),
      );
    const indexes = names.filter((name) => fields[name as 'A'].isIndexed);
    return fc.record({
      ...{ schema: fc.constant(schema), sorts: fc.constant(names), indexes: fc.constant(indexes) },
      ...{ rows, oddRows, sort, filter },
    });
  });

/** The IDs of rows in the order of a sort. */
function inOrder(rows: readonly Ranked[], sort: string): readonly unknown[] {
  const keys = sort.split(',').map((key) => ({ name: key.replace('-', ''), isDown: key.startsWith('-') }));
  const isLastDown = keys.at(-1)?.isDown === true;
  const compare = (a: Ranked, b: Ranked): number => {
    for (const { name, isDown } of keys) {
      const [left = last, right = last] = [a.ranks[name], b.ranks[name]];
      if (left !== right) return left < right === isDown ? 1 : -1;
    }
    return String(a.row.ID) < String(b.row.ID) === isLastDown ? 1 : -1;
  };
  return [...rows].sort(compare).map(({ row }) => row.ID);
}

const listOf = (
  schema: Schema,
  rows: readonly Ranked[],
  sorts: readonly string[],
  unresolved: 'error' | 'absent' = 'error',
): List<Row> =>
  createList(
    arraySource(schema, () => rows.map(({ row }) => row) as never, { key: 'ID', sorts } as never),
    { unresolved },
  ) as object as List<Row>;

function tableOf({ schema, rows, sorts }: Case, options: object): Table<Row> {
  const table = createTable(schema, { key: 'ID', sorts, ...options } as never) as object as Table<Row>;
  for (const { row } of rows) table.put(row);
  return table;
}

function listsOf(given: Case, unresolved: 'error' | 'absent' = 'error'): Readonly<Record<string, List<Row>>> {
  const { schema, rows, sorts, indexes } = given;
  return {
    array: listOf(schema, rows, sorts, unresolved),
    ...Object.fromEntries(
      Object.entries({
        bare: {},
        indexed: { indexes },
        columns: { columns: columns('auto') },
      }).map(([name, options]) => [
        name,
        createList(tableOf(given, options), { unresolved }) as object as List<Row>,
      ]),
    ),
  };
}

const ids = (rows: readonly Row[]): readonly unknown[] => rows.map(({ ID }) => ID);

async function pagesOf(list: List<Row>, query: { sort: string; filter?: string }, perPage: number) {
  const [items, tokens]: [unknown[], string[]] = [[], []];
  for (let nextToken: string | null = null; ;) {
    const page = await list.page({ ...query, perPage, nextToken } as never);
    items.push(...ids(page.items));
    if (page.nextToken === null) return { items, tokens };
    tokens.push(encodeToken(page.nextToken));
    nextToken = decodeToken(encodeToken(page.nextToken));
  }
}

async function outcome<T>(result: Promise<T>): Promise<T | string> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof FilterError) return error.message;
    throw error;
  }
}

describe('the order of a list by any fields', () => {
  it('is that of the values, null after all, in arrays and tables, page by page', () =>
    fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const { sort, schema, rows, oddRows, sorts } = given;
        const expected = inOrder(rows, sort);
        const lists = listsOf(given);
        const odd = listOf(schema, oddRows, sorts);
        expect(ids((await odd.page({ sort } as never)).items)).toEqual(inOrder(oddRows, sort));
        for (const perPage of [1, 2, 3, 7]) {
          const whole = await Promise.all(
            Object.values(lists).map((list) => pagesOf(list, { sort }, perPage)),
          );
          for (const pages of whole) {
            expect({ sort, items: pages.items }).toEqual({ sort, items: expected });
            expect(pages.tokens).toEqual(whole[0]?.tokens);
          }
          expect((await pagesOf(odd, { sort }, perPage)).items).toEqual(inOrder(oddRows, sort));
        }
      }),
      { numRuns: 40 },
    ));

  it('is the same with a filter that an index serves', () =>
    fc.assert(
      fc.asyncProperty(cases, fc.constantFrom('error', 'absent'), async (given, unresolved) => {
        const { sort, filter } = given;
        for (const query of [{ filter }, { filter, sort }, { filter, sort: filter.split(' ')[0] }]) {
          const results = await Promise.all(
            Object.values(listsOf(given, unresolved)).map(async (list) => {
              const page = await outcome(list.page(query as never));
              return typeof page === 'string' ? page : ids(page.items);
            }),
          );
          for (const each of results) expect({ query, each }).toEqual({ query, each: results[0] });
        }
      }),
      { numRuns: 100 },
    ));

  it('neither repeats nor omits a row that stays while others are written', () =>
    fc.assert(
      fc.asyncProperty(
        cases,
        fc.constantFrom(1, 2, 3, 7),
        fc.infiniteStream(fc.nat(11)),
        async (given, perPage, touched) => {
          const { rows, sort } = given;
          const table = tableOf(given, {});
          const list = createList(table);
          const moved = new Set<unknown>();
          const seen: unknown[] = [];
          for (let nextToken: string | null = null; ;) {
            const page = await list.page({ sort, perPage, nextToken } as never);
            seen.push(...ids(page.items));
            nextToken = page.nextToken;
            if (nextToken === null) break;
            for (const at of touched) {
              const { row } = rows[at % rows.length] ?? {};
              if (row === undefined || moved.size * 2 >= rows.length) break;
              moved.add(row.ID);
              if (at % 2 === 0) table.delete(String(row.ID));
              else table.put({ ...row, ...rows[(at * 7) % rows.length]?.row, ID: row.ID });
              if (at % 3 === 0) break;
            }
          }
          const stayed = (all: readonly unknown[]): readonly unknown[] => all.filter((id) => !moved.has(id));
          expect(stayed(seen)).toEqual(stayed(inOrder(rows, sort)));
        },
      ),
      { numRuns: 200 },
    ));
});
