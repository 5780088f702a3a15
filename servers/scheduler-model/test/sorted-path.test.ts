import fc from 'fast-check';
import { FilterError, planFilter, t, type FilterPlan, type Page } from 'tamis';
import { describe, expect, it } from 'vitest';
import {
  type AccessPathBounds,
  createListScan,
  type ListScan,
  chooseSortedPath,
  sortedBy,
} from 'tamis/query';
import { isPositionInOrder, emptyRows, deleteRow, putRow, putRows, type TableRows } from 'tamis/table';
import { defineResource } from '@tamis/scheduler-model/resource.js';

const shape = t.struct({
  ID: t.string,
  Namespace: t.string,
  Name: t.string,
  Status: t.string,
  CreateIndex: t.uint,
  Rank: t.int,
  Tags: t.list(t.string),
  Extra: t.nullable(t.struct({ Deep: t.bool })),
});

interface Item {
  readonly ID: string;
  readonly Namespace: string;
  readonly Name: string;
  readonly Status: string;
  readonly CreateIndex: number | bigint;
  readonly Rank: number | bigint;
  readonly Tags: readonly string[] | null;
  readonly Extra: { readonly Deep: boolean } | null;
}

const resources = {
  byAge: defineResource({
    shape,
    key: ({ ID }) => ID,
    idField: 'ID',
    listOrder: { index: ({ CreateIndex }) => CreateIndex, text: ({ ID }) => ID },
    listField: 'CreateIndex',
    values: ['Namespace', 'Status', 'Tags'],
    ranges: ['Rank'],
    sorts: ['Name', 'Status', 'Rank', 'CreateIndex'],
  }),
  byName: defineResource({
    shape,
    key: ({ Namespace, ID }) => `${Namespace}.${ID}`,
    idField: 'ID',
    values: ['Namespace', 'Status', 'Tags'],
    ranges: ['Rank', 'CreateIndex'],
    sorts: ['Name', 'Status', 'Rank', 'CreateIndex'],
  }),
} as const;
type Name = keyof typeof resources;

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\0', '\x01', '😀'), maxLength: 3 });
const item: fc.Arbitrary<Item> = fc.record({
  ID: fc.string({ unit: fc.constantFrom('a', 'b', '.', '1', '😀'), minLength: 1, maxLength: 3 }),
  Namespace: fc.constantFrom('default', 'apps'),
  Name: text,
  Status: fc.oneof(fc.constantFrom('run', 'dead', ''), text),
  CreateIndex: fc.oneof(fc.nat({ max: 12 }), fc.constant(2n ** 63n)),
  Rank: fc.constantFrom(-2, -1, 0, 1, 2, 2, 2, -(2n ** 63n)),
  Tags: fc.option(fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 })),
  Extra: fc.option(fc.constant({ Deep: true }), { nil: null, freq: 12 }),
});
const clause = fc.constantFrom(
  'Status == run',
  'Status == nosuch',
  '(Status == run or Status == dead)',
  '(x in Tags or y in Tags)',
  'Namespace == apps',
  'ID != a',
  'Rank >= 1',
  'Rank in [-1, 2]',
  'CreateIndex > 5',
  'Extra.Deep == true',
);
const filters = fc.option(fc.array(clause, { minLength: 1, maxLength: 3 }).map((all) => all.join(' and ')));

const utf8 = (value: string): Buffer => Buffer.from(value);
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string') return Buffer.compare(utf8(a), utf8(String(b)));
  const [left, right] = [BigInt(a as number), BigInt(b as number)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The list as documented, by nothing but a sort. */
function naiveList(items: readonly Item[], name: Name, field: keyof Item, isDescending: boolean): Item[] {
  const own: readonly (keyof Item)[] = name === 'byAge' ? ['CreateIndex', 'ID'] : ['Namespace', 'ID'];
  const sorted = items.toSorted((a, b) => {
    for (const each of [field, ...own]) {
      const distance = compareValues(a[each], b[each]);
      if (distance !== 0) return distance;
    }
    return 0;
  });
  return isDescending ? sorted.reverse() : sorted;
}

/** The table, filled at once or row by row. */
function tableOf(name: Name, items: readonly Item[], atOnce: boolean): TableRows<Item> {
  const resource = resources[name] as object as Parameters<typeof emptyRows<Item, string>>[0];
  const empty = emptyRows<Item, string>(resource);
  if (atOnce) return putRows(empty, items);
  let table = empty;
  for (const each of items) {
    // Each comes with other values first, and one that does not stay comes between.
    table = putRow(table, { ...each, Name: 'other', Status: 'run', Rank: 7, CreateIndex: 99 });
    const gone: Item = { ...each, ID: 'gone' };
    table = deleteRow(putRow(table, gone), resource.key(gone));
    table = putRow(table, each);
  }
  return table;
}

interface RequestSpec {
  readonly field: keyof Item & string;
  readonly isDescending: boolean;
  readonly perPage: number;
  readonly prefix: boolean;
  readonly bounds: AccessPathBounds;
}

/** All pages, or the failure of one. */
function readPages(
  table: TableRows<Item>,
  name: Name,
  plan: FilterPlan<Item> | null,
  { field, isDescending, perPage, prefix, bounds }: RequestSpec,
): Item[][] | string {
  const sortField = resources[name].sorts.get(field);
  if (sortField === undefined) throw new Error('no order');
  const sorted = sortedBy<Item>(table, sortField as never);
  // Indexes are in the order of lists, and the order by age is not an order of keys.
  const indexes = prefix && name === 'byAge' ? {} : table.indexes;
  const rows = prefix ? table.primary : table.listed;
  const selection = { rows, keyPrefix: prefix ? 'a' : '', where: null, indexes };
  const pages: Item[][] = [];
  let nextToken: string | null = '';
  while (nextToken !== null) {
    const path = chooseSortedPath(selection, sorted, plan, bounds);
    const where = prefix ? (row: Item): boolean => table.primary.order.text(row).startsWith('a') : null;
    const scan: ListScan<Item> = createListScan({ path, where, perPage, nextToken, reverse: isDescending });
    try {
      while (!scan.advance(() => true));
    } catch (error) {
      if (error instanceof FilterError) return error.message;
      throw error;
    }
    const page: Page<Item> = scan.pager.page();
    pages.push(page.items);
    ({ nextToken } = page);
    if (nextToken !== null) expect(isPositionInOrder(sortField, nextToken)).toBe(true);
  }
  return pages;
}

describe('a list in the order of a field', () => {
  it('is the whole list sorted, filtered and cut into pages, by whichever way', () => {
    const ways = new Set<string>();
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { selector: ({ ID }) => ID, maxLength: 60 }),
        fc.constantFrom<Name>('byAge', 'byName'),
        filters,
        fc.record({
          field: fc.constantFrom('Name', 'Status', 'Rank', 'CreateIndex'),
          isDescending: fc.boolean(),
          perPage: fc.nat({ max: 7 }),
          prefix: fc.boolean(),
          bounds: fc.record({ maxMerged: fc.nat({ max: 4 }), maxSorted: fc.constantFrom(0, 4, 100) }),
        }) as fc.Arbitrary<RequestSpec>,
        fc.boolean(),
        (items, name, filter, requests, atOnce) => {
          const table = tableOf(name, items, atOnce);
          const { schema, filterIndexes } = resources[name];
          const plan =
            filter === null ? null : planFilter<Item>(filter, { schema, indexes: filterIndexes as never });
          const found = readPages(table, name, plan, requests);
          const order = table.primary.order;
          const candidates = naiveList(items, name, requests.field, requests.isDescending).filter(
            (row) => !requests.prefix || order.text(row).startsWith('a'),
          );
          if (typeof found === 'string') {
            ways.add('failed');
            expect(() => candidates.filter((row) => plan?.filter.test(row))).toThrow(found);
            return;
          }
          const expected = candidates.filter((row) => plan === null || plan.filter.test(row));
          expect(found.flat()).toEqual(expected);
          for (const page of found.slice(0, -1)) expect(page).toHaveLength(requests.perPage);
          if (found.length > 1) ways.add('pages');
          if (found.flat().length > 0 && filter !== null) ways.add('filtered');
        },
      ),
      { numRuns: 1_500 },
    );
    expect([...ways].sort()).toEqual(['failed', 'filtered', 'pages']);
  });
});
