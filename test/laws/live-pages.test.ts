import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { applyChanges } from '../../src/entries/client.js';
import {
  createList,
  facetFields,
  type List,
  type ListPage,
  type ResultChange,
} from '../../src/entries/query.js';
import { createTable, type Table } from '../../src/entries/table.js';
import { FilterError } from '../../src/index.js';
import { loadLater } from '../../src/lists/query/lazy-features.js';
import { propertyShare } from '../support/property-runs.js';
import { drawnLists, type DrawnRow } from './drawn-list.js';

type Page = ListPage<DrawnRow>;

/** The rows that a caller sees: all, or those with some lengths of a value, so that a write can show or hide a row. */
type Viewer =
  { readonly kind: 'all' } | { readonly kind: 'some'; readonly field: number; readonly rest: number };

const cases = drawnLists.chain((drawn) => {
  const row = fc
    .tuple(drawn.row, fc.nat({ max: 4 }))
    .map(([each, number]) => ({ ...each, [drawn.key]: `${String(each[drawn.key])}${number}` }) as DrawnRow);
  const write = fc.oneof(
    { weight: 5, arbitrary: row },
    { weight: 2, arbitrary: row.map((each) => String(each[drawn.key])) },
    { weight: 1, arbitrary: fc.nat({ max: 1_000 }) },
  );
  return fc.record({
    drawn: fc.constant(drawn),
    retention: fc.constantFrom({}, {}, { retained: { changes: 2 } }),
    rows: fc.array(row, { maxLength: 60 }),
    batches: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.array(write, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(write, { minLength: 2, maxLength: 6 }) },
      ),
      { minLength: 10, maxLength: 40 },
    ),
    queries: fc.array(
      fc.record({
        filter: drawn.filter,
        sort: drawn.sort,
        perPage: fc.constantFrom(0, 1, 2, 3, 7, 20),
        total: fc.boolean(),
        facets: fc.option(fc.subarray([0, 1, 2, 3, 4, 5], { maxLength: 3 }), { nil: undefined }),
        isSecond: fc.boolean(),
        /** After how many batches a change is read. */
        pause: fc.constantFrom(1, 1, 5),
        viewer: fc.oneof(
          fc.constant<Viewer>({ kind: 'all' }),
          fc.record({
            kind: fc.constant('some' as const),
            field: fc.nat({ max: 5 }),
            rest: fc.nat({ max: 2 }),
          }),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A watch whose changes are read one by one. */
class Watch {
  readonly #changes: AsyncIterator<ResultChange<DrawnRow>>;
  #isWaiting = false;
  page: Page | null = null;
  isFailed = false;
  /** Whether the filter has failed for a row. */
  mayFail = false;

  constructor(
    list: List<DrawnRow>,
    readonly query: Parameters<List<DrawnRow>['watch']>[0],
  ) {
    this.#changes = list.watch(query)[Symbol.asyncIterator]();
  }

  /** Reads the next change in the background, unless that is going on. */
  read(): void {
    if (this.#isWaiting || this.isFailed) return;
    this.#isWaiting = true;
    this.#changes.next().then(
      ({ value, done }) => {
        this.#isWaiting = false;
        if (done === true) return;
        this.page = applyChanges(this.page, value);
      },
      () => (this.isFailed = true),
    );
  }
}

/** The page, or null if the filter fails for a row. */
async function poll(list: List<DrawnRow>, query: Watch['query']): Promise<Page | null> {
  try {
    return await list.page(query);
  } catch {
    return null;
  }
}

const contents = (page: Page | null): unknown =>
  page && {
    items: page.items,
    nextToken: page.nextToken,
    prevToken: page.prevToken,
    total: page.total,
    facets: page.facets,
  };

/** Writes rows, deletes those with a key, and replaces those with a position by equal ones. */
function write(table: Table<DrawnRow>, key: string, batch: readonly (DrawnRow | string | number)[]): void {
  const all = [...table.rows()];
  table.batch((writer) => {
    for (const each of batch) {
      if (typeof each === 'number') {
        const row = all[each % all.length];
        if (row === undefined) continue;
        writer.delete(String(row[key]));
        writer.put({ ...row });
      } else if (typeof each === 'string') writer.delete(each);
      else writer.put(each);
    }
  });
}

// The turns in which a watch must report are counted, and loading its code can take longer.
beforeAll(async () => void (await loadLater()));

it('reports changes that lead to the page that is fetched again, after each write', () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ drawn, retention, rows, batches, queries }) => {
      const { schema, key, indexes, sorts } = drawn;
      const options = { key, indexes, sorts, ...retention } as never;
      const table = createTable(schema, options) as object as Table<DrawnRow>;
      table.putAll(rows);
      const list = createList(table);
      const watches: { readonly watch: Watch; readonly pause: number }[] = [];
      const countable = [...facetFields(schema).keys()];
      for (const { isSecond, pause, viewer, facets: drawnFacets, ...drawnQuery } of queries) {
        const facets = drawnFacets?.flatMap((at) => countable[at] ?? []);
        const rest = { ...drawnQuery, facets };
        const field = viewer.kind === 'all' ? '' : (Object.keys(rows[0] ?? {})[viewer.field] ?? key);
        const visible =
          viewer.kind === 'all'
            ? undefined
            : (row: DrawnRow) => String(row[field]).length % 3 !== viewer.rest;
        const first = await poll(list, { ...rest, visible });
        const nextToken = isSecond ? first?.nextToken : undefined;
        try {
          watches.push({ watch: new Watch(list, { ...rest, visible, nextToken }), pause });
        } catch (error) {
          // Some of the drawn filters are not valid.
          expect(error).toBeInstanceOf(FilterError);
        }
      }
      const check = async (at: number): Promise<void> => {
        for (const { watch, pause } of watches) {
          if (at % pause !== 0) continue;
          const page = await poll(list, watch.query);
          const expected = contents(page);
          const isReached = (): boolean =>
            watch.isFailed ||
            (page !== null && fc.stringify(contents(watch.page)) === fc.stringify(expected));
          for (let turn = 0; turn < 2_000 && !isReached(); turn += 1) {
            watch.read();
            await nextTurn();
          }
          if (page === null) {
            expect(watch.isFailed).toBe(true);
            watch.mayFail = true;
          }
          // A filter that failed once has ended the watch.
          if (watch.isFailed) expect(watch.mayFail || pause > 1).toBe(true);
          else expect(contents(watch.page)).toEqual(expected);
          if (pause === 1) watch.read();
        }
      };
      await check(0);
      for (const [at, batch] of batches.entries()) {
        write(table, key, batch);
        await check(at + 1);
      }
      list.close();
      await nextTurn();
      expect(list.stats).toMatchObject({ waiting: 0, watched: 0 });
    }),
    // About 25 writes each.
    { numRuns: propertyShare < 1 ? 400 : 4_000 },
  ));
