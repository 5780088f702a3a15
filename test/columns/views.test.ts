import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { ColumnCache } from '../../src/lists/columns/column-cache.js';
import { ViewerCaches } from '../../src/lists/columns/views.js';
import { countFacets, type FacetCounts } from '../../src/lists/query/scan/count-facets.js';
import {
  createFilterCache,
  createListScan,
  defaultFilterCacheLimits,
  facetFields,
  readFacets,
  type FilterCache,
  type ScanRequest,
  type Viewer,
} from '../../src/entries/query.js';
import { parseQuery, type Query } from '../../src/lists/query/request/query.js';
import { scanRequestOf, type RowSource } from '../../src/lists/query/source/row-source.js';
import { sourceOfTable } from '../../src/lists/query/source/table-source.js';
import { createStore, createTable, defineTable, type Table } from '../../src/entries/table.js';
import { attachColumns } from '../../src/lists/columns/attach-columns.js';

const schema = defineSchema({
  ID: t.string,
  Space: t.string,
  Few: t.string,
  Kind: t.string,
  Number: t.int,
  Any: t.any,
});

interface Row {
  readonly ID: string;
  readonly Space: string;
  readonly Few: string;
  readonly Kind: string;
  readonly Number: number;
  readonly Any: unknown;
}

const spaces = ['a', 'b', 'c', 'd'] as const;

/** A row of a namespace, whose values follow from a number. */
function rowAt(at: number, kind: number): Row {
  return {
    ID: `${spaces[at % 4] as string}.${String(at >> 2).padStart(4, '0')}`,
    Space: spaces[at % 4] as string,
    Few: ['x', 'y', 'z'][kind % 3] as string,
    Kind: kind % 5 === 0 ? 'big' : 'small',
    Number: (kind * 7919) % 211,
    // Ordering what is a list fails.
    Any: kind % 61 === 7 ? ['x'] : kind % 4,
  };
}

interface World {
  readonly table: Table<Row>;
  readonly source: RowSource<Row>;
  readonly filters: FilterCache<Row>;
  /** All computed, returned and cached values, and the number of visibility checks. */
  readonly work: () => readonly number[];
  readonly bytes: () => number;
  /** Who a caller is; null for one who may see all. */
  readonly viewer: (at: number) => Viewer<Row> | null;
}

const roomOfAll = 60_000;
const roomOfViewer = 24_000;

/** The namespaces that each caller sees; null for one who may see all, which is more than to see them. */
const callers = [null, 'a', 'b', 'ab', 'ac', 'bcd', 'd', 'cd', 'ad', 'abcd'] as const;

function createWorld(isEager: boolean, sorts: readonly 'Number'[]): World {
  const caches: ColumnCache<Row>[] = [];
  let looks = 0;
  const make = (budget: () => number): ColumnCache<Row> => {
    const cache = new ColumnCache<Row>(schema, { hasColumns: () => true, isEager, budget, minRows: 0 });
    caches.push(cache);
    return cache;
  };
  const table = createTable(schema, {
    ...{ key: 'ID', indexes: ['Space', 'Kind'], sorts, rows: 'share' },
    columns: {
      attach(_, order) {
        const views = new ViewerCaches<Row>(
          make(() => roomOfAll),
          { make, budget: () => roomOfViewer, minRows: 0 },
        );
        attachColumns<never>(order as never, views as never);
      },
    },
  }) as object as Table<Row>;
  const sum = (of: (cache: ColumnCache<Row>) => number): number =>
    caches.reduce((all, cache) => all + of(cache), 0);
  const source = sourceOfTable<Row>(table);
  if (source === null) throw new Error('This is no table');
  const planned = { schema, indexes: source.filterIndexes };
  return {
    ...{ table, source, filters: createFilterCache<Row>(planned, defaultFilterCacheLimits) },
    work: () => [sum(({ made }) => made), sum(({ servedRows: served }) => served), looks],
    bytes: () => sum(({ bytes }) => bytes),
    viewer(at) {
      const seen = callers[at] ?? null;
      if (seen === null) return null;
      return {
        key: seen,
        canSee({ Space }) {
          looks += 1;
          return seen.includes(Space);
        },
      };
    },
  };
}

interface TestRequest {
  readonly filter: string;
  readonly perPage: number;
  readonly reverse: boolean;
  readonly prefix: string;
  readonly from: number | null;
  readonly sort: string;
}

/** The scan of a caller's query. */
function requestOf(world: World, caller: number, requests: TestRequest): ScanRequest<Row> {
  const { source } = world;
  const viewer = world.viewer(caller);
  const { from, sort, reverse, ...rest } = requests;
  const query: Query<Row> = {
    ...rest,
    ...(sort === '' ? { reverse } : { sort }),
    ...(viewer === null ? {} : { visible: viewer }),
    nextToken: from === null || sort !== '' ? null : rowAt(from, 0).ID,
  };
  const parsedQuery = parseQuery('test', query, source.sorts, world.filters, source.schema);
  const view = source.view(parsedQuery, null as never) as Exclude<
    ReturnType<typeof source.view>,
    Promise<unknown>
  >;
  return scanRequestOf(view, parsedQuery);
}

/** What comes of a scan, in how many steps. */
function pageOf(request: ScanRequest<Row>): { readonly reported: unknown; readonly steps: number } {
  let steps = 0;
  try {
    const { advance, pager } = createListScan(request);
    for (steps = 1; !advance(() => true); steps += 1);
    return { reported: [pager.page(), pager.examined], steps };
  } catch (error) {
    return { reported: String(error), steps };
  }
}

const fields = readFacets<Row>(['Few', 'Number'], facetFields<Row>(schema));

function countsOf({ path, where, viewer }: ScanRequest<Row>): {
  readonly reported: unknown;
  readonly steps: number;
} {
  const selection = { rows: path.orderedRanges[0]?.rows, keyPrefix: '', where: null } as never;
  let steps = 0;
  try {
    const work = countFacets<Row>({ selection, path, where, viewer, fields });
    let step: IteratorResult<void, FacetCounts> = work.next();
    for (; step.done !== true; step = work.next()) steps += 1;
    return { reported: step.value, steps };
  } catch (error) {
    return { reported: String(error), steps };
  }
}

const parsedQuery: fc.Arbitrary<TestRequest> = fc.record({
  filter: fc.constantFrom(
    ...[
      'Few == "x"',
      'Few == "y" and Number < 100',
      'Number >= 50 and Number < 150',
      'Any > 1 and Few != "z"',
    ],
    ...['Kind == "big" and Few == "x"', 'Space == "a" and Few in ["x", "y"]', 'Few matches "x|nobody"'],
    ...['Number < 90 or Few == "z"', 'Few == "nobody"', 'ID matches "7$"'],
  ),
  perPage: fc.constantFrom(0, 0, 0, 5),
  reverse: fc.boolean(),
  prefix: fc.constantFrom('', '', 'a.', 'b.'),
  from: fc.option(fc.nat({ max: 400 }), { freq: 3 }),
  sort: fc.constantFrom('', '', '', 'Number'),
});
const write = fc.record({
  kind: fc.constant('write' as const),
  puts: fc.array(fc.tuple(fc.nat({ max: 440 }), fc.nat({ max: 300 })), { maxLength: 6 }),
  deletes: fc.array(fc.nat({ max: 440 }), { maxLength: 3 }),
});
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;
const turn = fc.record({
  kind: fc.constant('ask' as const),
  caller: fc.nat({ max: callers.length - 1 }),
  isCount: fc.boolean(),
  requests: parsedQuery,
});
const steps = fc.array(fc.oneof({ weight: 6, arbitrary: turn }, { weight: 1, arbitrary: write }), {
  minLength: 20,
  maxLength: 70,
});
/** Few callers query often. */
const requestingCallers = fc.uniqueArray(fc.nat({ max: callers.length - 1 }), {
  minLength: 1,
  maxLength: callers.length,
});

function fill(world: World, kindOf: (at: number) => number): void {
  world.table.putAll(Array.from({ length: 400 }, (_, at) => rowAt(at, kindOf(at))));
}

function apply(
  { table }: World,
  { puts, deletes }: Write,
  kindOf: (at: number, kind: number) => number,
): void {
  table.batch((rows) => {
    for (const [at, kind] of puts) rows.put(rowAt(at, kindOf(at, kind)));
    for (const at of deletes) rows.delete(rowAt(at, 0).ID);
  });
}

describe('what is kept for those who see a part of the rows', () => {
  it.each([true, false])(
    'returns what the rows return: order, tokens, counts and errors; at once: %s',
    (isEager) => {
      fc.assert(
        fc.property(steps, requestingCallers, (drawn, pending) => {
          const world = createWorld(isEager, ['Number']);
          fill(world, (at) => at * 7);
          for (const step of drawn) {
            if (step.kind === 'write') {
              apply(world, step, (_, kind) => kind);
              continue;
            }
            const request = requestOf(world, pending[step.caller % pending.length] as number, step.requests);
            const find = step.isCount ? countsOf : pageOf;
            expect(find(request).reported).toEqual(find({ ...request, viewer: null }).reported);
            expect(world.bytes()).toBeLessThanOrEqual(roomOfAll + 8 * roomOfViewer);
          }
        }),
        { numRuns: 15 },
      );
    },
  );

  it.each([true, false])(
    'costs a caller the same regardless of other callers and of rows that they do not see; at once: %s',
    (isEager) => {
      fc.assert(
        fc.property(
          steps,
          fc.array(parsedQuery, { minLength: 1, maxLength: 20 }),
          requestingCallers,
          fc.nat(),
          (drawn, others, pending, who) => {
            const caller = pending[who % pending.length] as number;
            const seen = callers[caller] ?? 'abcd';
            // Index entries of invisible rows take time, with columns and without.
            const worlds = [createWorld(isEager, []), createWorld(isEager, [])] as const;
            const kindOf = (isOther: boolean) => (at: number, kind: number) =>
              isOther && !seen.includes(spaces[at % 4] as string) ? kind + 35 : kind;
            for (const [which, world] of worlds.entries()) {
              fill(world, (at) => kindOf(which === 1)(at, at * 7));
            }
            for (const [at, step] of drawn.entries()) {
              const costs = worlds.map((world, which) => {
                if (step.kind === 'write') return apply(world, step, kindOf(which === 1));
                const by = pending[step.caller % pending.length] as number;
                const other = others[at % others.length] as TestRequest;
                const requests = by !== caller && which === 1 ? other : step.requests;
                const request = requestOf(world, by, { ...requests, sort: '' });
                const before = world.work();
                const found = (step.isCount ? countsOf : pageOf)(request);
                return by === caller
                  ? [found, world.work().map((sum, part) => sum - (before[part] ?? 0))]
                  : null;
              });
              expect(costs[1]).toEqual(costs[0]);
            }
          },
        ),
        { numRuns: 15 },
      );
    },
  );
});

it('stores of one definition keep nothing for each other', () => {
  const orders: object[] = [];
  const columns = { attach: (_: unknown, order: object) => void orders.push(order) };
  const rows = defineTable(schema, { key: 'ID', columns });
  orders.length = 0;
  createStore({ rows, others: rows });
  createStore({ rows });
  expect([orders.length, new Set(orders).size]).toEqual([3, 3]);
});
