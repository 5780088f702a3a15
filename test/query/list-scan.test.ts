import fc from 'fast-check';
import { defineSchema, FilterError, list, orderedIndex, planFilter, t, type Page } from '../../src/index.js';
import { describe, expect, it } from 'vitest';
import { createListScan } from '../../src/lists/query/scan/list-scan.js';
import { rangeIndexes, valueIndexes } from '../../src/lists/table/index-declaration.js';
import { scanRows, fullRange } from '../../src/lists/table/sorted-rows.js';
import { emptyRows, putRows, type TableRows } from '../../src/lists/table/table-rows.js';
import { chooseAccessPath, type Selection } from '../../src/lists/query/scan/access-path.js';
import { propertyShare, scaled } from '../support/property-runs.js';

interface Item {
  readonly ID: string;
  readonly CreateIndex: number | bigint;
  readonly Namespace: string;
  readonly Status: string;
  readonly Rank: number | null;
  readonly Tags: readonly string[] | null;
  readonly Extra: { readonly Deep: boolean } | null;
}

const schema = defineSchema({
  ID: t.string,
  Namespace: t.string,
  Status: t.string,
  CreateIndex: t.uint,
  Rank: t.int,
  Tags: t.list(t.string),
  Extra: t.nullable(t.struct({ Deep: t.bool })),
});
const declared = {
  ...valueIndexes<Item>(schema, ['Namespace', 'Status', 'Tags']),
  ...rangeIndexes<Item>(schema, ['CreateIndex', 'Rank']),
};
const indexes = [
  ...Object.values(declared).flatMap(({ field }) => field ?? []),
  orderedIndex<Item>(schema, 'ID'),
];
const orders = {
  byAge: { index: (item: Item) => item.CreateIndex, text: (item: Item) => item.ID },
  byName: { text: (item: Item) => `${item.Namespace}.${item.ID}` },
} as const;

function tableOf(order: keyof typeof orders, rows: readonly Item[]): TableRows<Item> {
  const declaration =
    order === 'byName' ? { key: orders.byName.text } : { key: ({ ID }: Item) => ID, listOrder: orders.byAge };
  return putRows(emptyRows<Item, string>({ ...declaration, indexes: declared }), rows);
}

const item: fc.Arbitrary<Item> = fc.record({
  ID: fc.string({ unit: fc.constantFrom('a', 'b', '.', '1', '😀'), minLength: 1, maxLength: 3 }),
  CreateIndex: fc.oneof(fc.nat({ max: 12 }), fc.constantFrom(2, 12), fc.constant(2n ** 60n)),
  Namespace: fc.constantFrom('default', 'apps'),
  Status: fc.constantFrom('run', 'dead', 'pending'),
  Rank: fc.constantFrom(null, -1, 0, 1, 2, 2, 2),
  Tags: fc.option(fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 })),
  Extra: fc.option(fc.constant({ Deep: true }), { nil: null, freq: 12 }),
});
const clause = fc.constantFrom(
  'Status == run',
  'Status == nosuch',
  '(Status == run or Status == dead)',
  'x in Tags',
  '(x in Tags or y in Tags)',
  'Namespace == apps',
  'ID != a',
  'ID starts with a',
  'ID < b',
  '(ID > a and ID <= b or ID in ["b.", "1", "b"])',
  'Rank >= 1',
  'Rank < 2',
  'Rank in [0, 2]',
  'CreateIndex > 5',
  'CreateIndex > 11',
  'CreateIndex in [1, 2, 3]',
  'CreateIndex <= 1152921504606846976',
  'Extra.Deep == true',
);
const filter = fc.option(fc.array(clause, { minLength: 1, maxLength: 3 }).map((all) => all.join(' and ')));
const token = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc.tuple(fc.nat({ max: 13 }), fc.constantFrom('a', 'b1', '')).map(([index, id]) => `${index}.${id}`),
  fc.constantFrom('a', '5', 'zz', 'default.a', 'apps.', '-3.x', '00007.a', '.'),
);

/** Looks at the clock of slices that last a number of looks. */
function slicesOf(looks: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % looks === 0;
  };
}

type Outcome = Page<Item> | string;

function outcomeOf(work: () => Page<Item>): Outcome {
  try {
    return work();
  } catch (error) {
    if (error instanceof FilterError) return String(error);
    throw error;
  }
}

describe('a scan in slices, by index or not', () => {
  it('finds the page that the pager of the engine finds in all rows, or fails as it does', () => {
    let indexed = 0;
    const ranged = new Set<string>();
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { selector: ({ ID }) => ID, maxLength: 60 }),
        fc.constantFrom('byAge', 'byName') as fc.Arbitrary<keyof typeof orders>,
        filter,
        fc.record({ nextToken: token, reverse: fc.boolean(), perPage: fc.nat({ max: 5 }) }),
        fc.constantFrom(null, 'default', 'apps'),
        fc.integer({ min: 2, max: 4 }),
        fc.record({ maxMerged: fc.nat({ max: 6 }), maxSorted: fc.constantFrom(0, 0, 0, 4, 100) }),
        (items, name, text, query, namespace, looks, bounds) => {
          const table = tableOf(name, items);
          const rows = table.listed;
          const where = namespace === null ? null : (row: Item): boolean => row.Namespace === namespace;
          const lookups = namespace === null ? [] : [{ field: 'Namespace', key: namespace }];
          const plan = text === null ? null : planFilter<Item>(text, { schema, indexes });
          const own =
            name === 'byName' && namespace !== null
              ? { keyPrefix: `${namespace}.`, keyField: 'ID' }
              : { keyPrefix: '' };
          const selection: Selection<Item> = {
            rows,
            ...own,
            where,
            indexes: table.indexes,
            lookups,
          };
          const path = chooseAccessPath(selection, plan, bounds);
          if (path.index !== null) indexed += 1;
          if (path.index?.isRange === true)
            ranged.add(`${path.index.field} ${path.orderedRanges.length > 1}`);
          const expected = outcomeOf(() => {
            const all = [...scanRows(rows, fullRange, query.reverse)].filter(where ?? (() => true));
            const test = plan === null ? {} : { filter: { test: plan.filter.test } };
            return list(all, { order: rows.order, sorted: true, ...query, ...test });
          });
          const found = outcomeOf(() => {
            const scan = createListScan({ path, where, ...query });
            const shouldYield = slicesOf(looks);
            while (!scan.advance(shouldYield));
            return scan.pager.page();
          });
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 3_000 },
    );
    expect(indexed).toBeGreaterThan(scaled(300));
    // The rarest of these needs all runs.
    if (propertyShare === 1)
      expect([...ranged].sort()).toEqual([
        'CreateIndex false',
        'CreateIndex true',
        'ID false',
        'ID true',
        'Rank false',
        'Rank true',
      ]);
  });

  it('goes on in each slice, even in one that is over at once', () => {
    const items = Array.from({ length: 100 }, (_, at): Item => {
      return {
        ...{ ID: String(at), CreateIndex: at, Rank: at },
        ...{ Namespace: '', Status: '', Tags: null, Extra: null },
      };
    });
    const path = chooseAccessPath({ rows: tableOf('byAge', items).listed, keyPrefix: '', where: null }, null);
    const scan = createListScan({ path, where: null, reverse: false, nextToken: '', perPage: 0 });
    let slices = 1;
    while (slices < 100 && !scan.advance(() => true)) slices += 1;
    expect(slices).toBeLessThan(100);
    expect(scan.pager.page().items).toEqual(items);
  });

  it('takes the index with the fewest rows', () => {
    const items = Array.from({ length: 100 }, (_, at): Item => {
      const rare = at % 20 === 0;
      return {
        ID: String(at),
        CreateIndex: at,
        Namespace: rare ? 'apps' : 'default',
        Status: at % 3 === 0 ? 'dead' : 'run',
        Rank: at,
        Tags: at === 40 ? ['x'] : null,
        Extra: null,
      };
    });
    const table = tableOf('byAge', items);
    const indexOf = (text: string | null, namespace: string | null): unknown => {
      const plan = text === null ? null : planFilter<Item>(text, { schema, indexes });
      const lookups = namespace === null ? [] : [{ field: 'Namespace', key: namespace }];
      const rows = table.listed;
      return chooseAccessPath({ rows, keyPrefix: '', where: null, indexes: table.indexes, lookups }, plan)
        .index;
    };
    expect(indexOf('ID == a', null)).toBeNull();
    expect(indexOf(null, 'apps')).toEqual({
      field: 'Namespace',
      keys: ['apps'],
      isRange: false,
      clauses: [],
    });
    expect(indexOf('Status == run', 'apps')).toEqual({
      field: 'Namespace',
      keys: ['apps'],
      isRange: false,
      clauses: [],
    });
    expect(indexOf('ID != z and x in Tags', 'apps')).toEqual({
      field: 'Tags',
      keys: ['x'],
      isRange: false,
      clauses: [1],
    });
    expect(indexOf('Status == nosuch', 'apps')).toEqual({
      field: 'Status',
      keys: ['nosuch'],
      isRange: false,
      clauses: [0],
    });
    expect(indexOf('Rank >= 98', 'apps')).toEqual({ field: 'Rank', keys: [], isRange: true, clauses: [0] });
    const many = Array.from({ length: 17 }, (_, at) => `Status == s${at}`).join(' or ');
    expect(indexOf(many, null)).toBeNull();
  });
});
