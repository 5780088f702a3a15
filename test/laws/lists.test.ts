import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterError } from '../../src/index.js';
import { arraySource, createList, QueryError, type List } from '../../src/entries/query.js';
import { createTable, type Table } from '../../src/entries/table.js';
import { drawnLists, failingLists, lastOfEach, type Drawn, type DrawnRow } from './drawn-list.js';
import { naiveList, naivePage } from './naive-list.js';

/** Every source that there is, over the same rows. */
function listsOf(drawn: Drawn, rows: readonly DrawnRow[]): Readonly<Record<string, List<DrawnRow>>> {
  const { schema, key, indexes, sorts } = drawn;
  const made = (options: object): List<DrawnRow> => {
    const table = createTable(schema, { key, ...options } as never) as object as Table<DrawnRow>;
    table.putAll(rows);
    return createList(table);
  };
  const given = { key, sorts } as never;
  return {
    array: createList(arraySource(schema, () => rows as never, given)) as object as List<DrawnRow>,
    arriving: createList(() => arriving(rows), { schema, ...(given as object) } as never) as List<DrawnRow>,
    bare: made({ sorts }),
    indexed: made({ indexes, sorts }),
    trusted: made({ indexes: drawn.indexable, sorts, rows: 'share' }),
  };
}

async function* arriving(rows: readonly DrawnRow[]): AsyncGenerator<DrawnRow> {
  for (const row of rows) yield await Promise.resolve(row);
}

/** The outcome of a query, errors included. */
async function outcome<R>(result: Promise<R>): Promise<R | string> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof FilterError || error instanceof QueryError) return error.message;
    throw error;
  }
}

const cases = drawnLists.chain((drawn) =>
  fc.record({
    drawn: fc.constant(drawn),
    rows: fc.array(drawn.row, { maxLength: 14 }).map((rows) => lastOfEach(rows, drawn.key)),
    filter: drawn.filter,
    sort: drawn.sort,
    isReverse: fc.boolean(),
    prefix: fc.option(fc.constantFrom('', 'k', 'a', '\u{1f600}'), { nil: undefined, freq: 2 }),
    perPage: fc.constantFrom(0, 1, 2, 3, 50),
    hidden: fc.option(fc.nat({ max: 3 }), { nil: null }),
  }),
);

type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never;

function queryOf({ drawn, filter, sort, isReverse, prefix, hidden }: Case) {
  return {
    filter,
    sort,
    ...(sort === undefined && isReverse ? { reverse: true } : {}),
    prefix,
    ...(hidden === null ? {} : { visible: (row: DrawnRow) => String(row[drawn.key]).length % 4 !== hidden }),
  };
}

describe('a list of whatever source', () => {
  it('takes no token of another order', () =>
    fc.assert(
      fc.asyncProperty(
        cases.chain((given) => fc.tuple(fc.constant(given), given.drawn.sort)),
        async ([given, sort]) => {
          const query = { ...queryOf({ ...given, isReverse: false }), perPage: 1 };
          for (const [name, list] of Object.entries(listsOf(given.drawn, given.rows))) {
            const page = await outcome(list.page(query));
            if (typeof page === 'string' || page.nextToken === null) return;
            const { nextToken } = page;
            const goesOn = await outcome(list.page({ ...query, sort, nextToken }));
            // The filter may fail for a row of the second page.
            if (sort === given.sort) expect(goesOn).not.toEqual(expect.stringContaining('next_token'));
            else expect([name, goesOn]).toEqual([name, expect.stringContaining('next_token')]);
          }
        },
      ),
      { numRuns: 300 },
    ));

  it('is that of an array: pages, tokens and errors', () =>
    fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const query = queryOf(given);
        const expected = naiveList(given.drawn, given.rows, query);
        const lists = Object.entries(listsOf(given.drawn, given.rows));
        for (const [name, list] of lists) {
          const whole = await outcome(list.page(query));
          expect([name, typeof whole === 'string' ? whole : whole.items]).toEqual([name, expected]);
        }
        if (given.perPage === 0) return;
        if (typeof expected === 'string') {
          // A row after the page for which the filter fails is ignored.
          const pages = lists.map(([, list]) => outcome(list.page({ ...query, perPage: given.perPage })));
          const reported = (await Promise.all(pages)).map((page) =>
            typeof page === 'string' ? page : [page.items, page.nextToken],
          );
          for (const each of reported) expect(each).toEqual(reported[0]);
          return;
        }
        // Pages put together are the list, and a token of one source goes on in the next.
        const seen: DrawnRow[] = [];
        let nextToken: string | null = null;
        do {
          const pages = await Promise.all(
            lists.map(([, list]) => list.page({ ...query, perPage: given.perPage, nextToken })),
          );
          const [first] = pages;
          for (const page of pages)
            expect([page.items, page.nextToken]).toEqual([first?.items, first?.nextToken]);
          seen.push(...(first?.items ?? []));
          nextToken = first?.nextToken ?? null;
          if (nextToken !== null) expect(first?.items).toHaveLength(given.perPage);
        } while (nextToken !== null);
        expect(seen).toEqual(expected);
      }),
      { numRuns: 300 },
    ));

  it('fails for no row after its page, and for the first one before', () =>
    fc.assert(
      fc.asyncProperty(
        failingLists.chain((drawn) =>
          fc.record({
            drawn: fc.constant(drawn),
            rows: fc
              .array(drawn.row, { minLength: 3, maxLength: 14 })
              .map((rows) => lastOfEach(rows, drawn.key)),
            filter: drawn.first,
            sort: drawn.sort,
            perPage: fc.constantFrom(1, 2),
          }),
        ),
        async ({ drawn, rows, perPage, ...query }) => {
          const expected = naivePage(drawn, rows, query, perPage);
          for (const [name, list] of Object.entries(listsOf(drawn, rows))) {
            const page = await outcome(list.page({ ...query, perPage }));
            expect([name, typeof page === 'string' ? page : page.items]).toEqual([name, expected]);
          }
        },
      ),
      { numRuns: 200 },
    ));

  it('counts values that it does not name among the others', () =>
    fc.assert(
      fc.asyncProperty(
        drawnLists.chain((drawn) => fc.tuple(fc.constant(drawn), fc.array(drawn.row, { minLength: 1 }))),
        fc.integer({ min: 1, max: 50 }),
        async ([drawn, some], beyond) => {
          // More values than are kept in mind, each once.
          const rows = Array.from({ length: 10_000 + beyond }, (_, at) => ({
            ...some[at % some.length],
            [drawn.key]: `k${at}`,
          }));
          for (const [name, list] of Object.entries(listsOf(drawn, rows))) {
            const { total, facets } = await list.facets({}, [drawn.key]);
            const { values = [], others = 0 } = facets[drawn.key] ?? {};
            expect([name, total, values.length, others]).toEqual([
              ...[name, rows.length, 100, rows.length - 100],
            ]);
          }
        },
      ),
      { numRuns: 5 },
    ));

  it('counts what there is', () =>
    fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const query = { ...queryOf(given), sort: undefined };
        const expected = naiveList(given.drawn, given.rows, query);
        const fields = given.drawn.indexable.slice(0, 3);
        for (const [name, list] of Object.entries(listsOf(given.drawn, given.rows))) {
          if (typeof expected === 'string') {
            // Rows that are counted in another order may fail the filter at another row.
            expect(typeof (await outcome(list.count(query)))).toBe('string');
            continue;
          }
          expect(await list.count(query)).toBe(expected.length);
          const { total, facets } = await list.facets(query, fields);
          expect(total).toBe(expected.length);
          for (const field of fields) {
            const counts = new Map<string, number>();
            for (const row of expected) {
              const value = row[field];
              const values = new Set((Array.isArray(value) ? value : [value]).map(String));
              for (const each of values) counts.set(each, (counts.get(each) ?? 0) + 1);
            }
            const reported = facets[field];
            expect(reported?.others).toBe(0);
            const found = new Map(reported?.values.map(({ value, count }) => [String(value), count]));
            expect([name, field, found]).toEqual([name, field, counts]);
            const sizes = reported?.values.map(({ count }) => count) ?? [];
            expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
          }
        }
      }),
      { numRuns: 300 },
    ));

  it('explains itself truthfully, and examines no more with an index', () =>
    fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const query = { ...queryOf(given), perPage: given.perPage };
        const expected = naiveList(given.drawn, given.rows, query);
        if (typeof expected === 'string') return;
        const { array, bare, indexed } = listsOf(given.drawn, given.rows);
        const reported = await Promise.all([array, bare, indexed].map(async (list) => list?.explain(query)));
        for (const each of reported) {
          const size = given.perPage === 0 ? expected.length : Math.min(given.perPage, expected.length);
          expect(each?.matched).toBe(size);
          if (expected.length > 0 || given.filter === undefined) expect(each?.empty).toBeNull();
          else expect(each?.empty?.examined).toBe(naiveCount(given));
        }
        expect(reported[2]?.examined).toBeLessThanOrEqual(reported[1]?.examined ?? 0);
      }),
      { numRuns: 300 },
    ));

  it('does not have what its reader may not see', () =>
    fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const { visible, ...query } = queryOf({ ...given, hidden: given.hidden ?? 1 });
        const seen = given.rows.filter((row) => visible?.(row) ?? true);
        const fields = given.drawn.indexable.slice(0, 2);
        const [all, some] = [listsOf(given.drawn, given.rows), listsOf(given.drawn, seen)];
        for (const name of Object.keys(all)) {
          const [of, without] = [all[name], some[name]] as [List<DrawnRow>, List<DrawnRow>];
          const requests = { ...query, visible };
          const paged = { perPage: given.perPage };
          const bare = (page: unknown): unknown =>
            typeof page === 'string' ? page : { ...(page as object), index: 0 };
          expect(bare(await outcome(of.page({ ...requests, ...paged })))).toEqual(
            bare(await outcome(without.page({ ...query, ...paged }))),
          );
          const reported = await outcome(of.explain(requests));
          // The choice of the smallest index would reveal hidden rows. The sort field cannot be chosen.
          const sorting = query.sort?.replace(/^-|,.*/g, '');
          if (typeof reported !== 'string')
            expect([undefined, null, sorting]).toContain(reported.index?.field);
          expect(await outcome(of.facets(requests, fields))).toEqual(
            await outcome(without.facets(query, fields)),
          );
        }
      }),
      { numRuns: 300 },
    ));
});

function naiveCount(given: Case): number {
  const rows = naiveList(given.drawn, given.rows, { ...queryOf(given), filter: undefined });
  return rows.length;
}
