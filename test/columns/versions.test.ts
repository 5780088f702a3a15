import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t, type Filter } from '../../src/index.js';
import { ColumnCache } from '../../src/lists/columns/column-cache.js';
import { countFacets } from '../../src/lists/query/scan/count-facets.js';
import { createListScan, facetFields, readFacets } from '../../src/entries/query.js';
import { rangeOf } from '../../src/lists/query/scan/ordered-range.js';
import { countBits } from '../../src/lists/table/page-bits.js';
import { stringKey } from '../../src/lists/table/key.js';
import { attachColumns } from '../../src/lists/columns/attach-columns.js';
import {
  fromSortedRows,
  scanRows,
  fullRange,
  withoutRow,
  withRow,
  type SortedRows,
} from '../../src/lists/table/sorted-rows.js';

const schema = defineSchema({ ID: t.string, Few: t.string, Number: t.int, Float: t.float64, Name: t.string });

interface Row {
  readonly ID: string;
  readonly Few: string;
  readonly Number: number | bigint;
  readonly Float: number;
  readonly Name: string;
}

const few = ['a', 'b', 'c', 'd'];
const rowAt = (at: number, kind: number): Row => ({
  ID: String(at).padStart(7, '0'),
  Few: few[kind % few.length] as string,
  Number: at % 89 === 3 ? 9007199254740993n : (at * 7919 + kind) % 1_000_003,
  Float: at % 83 === 5 ? NaN : at % 79 === 7 ? -Infinity : ((at * 7919 + kind) % 1_000_003) / 7,
  Name: `${kind % 3 === 0 ? 'web' : 'api'}-${at}`,
});

/** Keys are drawn between those that there are too, so that chunks and pages are cut. */
const size = 24_000;
const texts = [
  'Few == "a"',
  'Few in ["b", "d"] and Number >= 500000',
  'Number < 250000 or Few == "c"',
  'Float < 70000.5 or Few == "d"',
  'not (Float >= 100000) and Number < 9007199254740993',
  'Name starts with "web-1"',
  'Name matches "7$" and Few != "a"',
];
const filters = texts.map((text) => compileFilter<Row>(text, { schema }));

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('put' as const),
      from: fc.nat({ max: size * 4 }),
      count: fc.constantFrom(1, 1, 3, 200),
      step: fc.constantFrom(1, 4, 400),
      what: fc.nat({ max: 11 }),
    }),
    fc.record({
      kind: fc.constant('delete' as const),
      from: fc.nat({ max: size }),
      count: fc.constantFrom(1, 2, 150),
    }),
    fc.record({
      kind: fc.constant('ask' as const),
      back: fc.constantFrom(0, 0, 0, 1, 2),
      filter: fc.nat({ max: texts.length - 1 }),
      perPage: fc.constantFrom(0, 0, 30),
      reverse: fc.boolean(),
    }),
  ),
  { minLength: 20, maxLength: 60 },
);

function opened(
  rows: SortedRows<Row>,
  filter: Filter<Row>,
  perPage: number,
  reverse: boolean,
): ReturnType<typeof createListScan<Row>> {
  return createListScan<Row>({
    path: { order: rows.order, orderedRanges: [rangeOf(rows)], keyPrefix: '', filter, index: null },
    ...{ where: null, reverse, nextToken: '', perPage },
  });
}

function listed(
  rows: SortedRows<Row>,
  filter: Filter<Row>,
  perPage: number,
  reverse: boolean,
): readonly Row[] {
  const { advance, pager } = opened(rows, filter, perPage, reverse);
  while (!advance(() => true)) continue;
  return pager.page().items;
}

const turns = fc.array(
  fc.oneof(
    // The first row decides which value has the first code.
    fc.record({
      kind: fc.constant('put' as const),
      at: fc.oneof(fc.constant(0), fc.nat({ max: 1_600 })),
      what: fc.nat({ max: 11 }),
    }),
    fc.record({
      kind: fc.constant('open' as const),
      filter: fc.nat({ max: texts.length - 1 }),
      isOld: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('go' as const), which: fc.nat({ max: 9 }), steps: fc.nat({ max: 40 }) }),
  ),
  { minLength: 10, maxLength: 60 },
);

describe('columns of several pages', () => {
  it.each([
    ['from the first question on', true],
    ['once they are worth it', false],
  ])('follow the rows through all versions, %s', (_, isEager) =>
    fc.assert(
      fc.property(steps, (drawn) => {
        const order = { text: (row: Row) => row.ID };
        const budget = 4_000_000;
        const cache = new ColumnCache<Row>(schema, {
          ...{ hasColumns: () => true, isEager, budget: () => budget, minRows: 0 },
        });
        attachColumns(order, cache);
        const versions = [
          fromSortedRows(
            order,
            Array.from({ length: size }, (_row, at) => rowAt(at * 4, at)),
          ),
        ];
        for (const step of drawn) {
          let rows = versions[0] as SortedRows<Row>;
          if (step.kind === 'ask') {
            const requests = versions[Math.min(step.back, versions.length - 1)] as SortedRows<Row>;
            const filter = filters[step.filter] as Filter<Row>;
            const matching = filter.select([...scanRows(requests, fullRange, step.reverse)]);
            const expected = step.perPage === 0 ? matching : matching.slice(0, step.perPage);
            // The third result may come from the cache of the second.
            for (let times = 0; times < 3; times += 1) {
              const found = listed(requests, filter, step.perPage, step.reverse);
              expect(found.length).toBe(expected.length);
              expect(found.findIndex((row, at) => row !== expected[at])).toBe(-1);
            }
            expect(cache.bytes).toBeLessThanOrEqual(budget);
            if (!isEager) expect(cache.made).toBeLessThanOrEqual(cache.servedRows);
            continue;
          }
          for (let at = 0; at < step.count; at += 1) {
            if (step.kind === 'put') rows = withRow(rows, rowAt(step.from + at * step.step, step.what + at));
            else rows = withoutRow(rows, stringKey(rowAt((step.from + at) * 4, 0).ID));
          }
          versions.unshift(rows);
        }
      }),
      { numRuns: 15 },
    ),
  );

  it('keep to their budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: texts.length - 1 }), { minLength: 5, maxLength: 30 }),
        fc.constantFrom(6_000, 12_000, 30_000, 90_000),
        fc.boolean(),
        (requests, budget, isEager) => {
          const order = { text: (row: Row) => row.ID };
          const cache = new ColumnCache<Row>(schema, {
            ...{ hasColumns: () => true, isEager, budget: () => budget, minRows: 0 },
          });
          attachColumns(order, cache);
          let rows = fromSortedRows(
            order,
            Array.from({ length: 5_000 }, (_row, at) => rowAt(at * 4, at)),
          );
          for (const [turn, at] of requests.entries()) {
            const filter = filters[at] as Filter<Row>;
            expect(listed(rows, filter, 0, false)).toEqual(
              filter.select([...scanRows(rows, fullRange, false)]),
            );
            expect(cache.bytes).toBeLessThanOrEqual(budget);
            if (turn % 4 === 3) rows = withRow(rows, rowAt(turn * 400 + 1, turn));
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('evaluate interleaved queries and writes correctly, for any evictions', () => {
    fc.assert(
      fc.property(turns, fc.constantFrom(8_000, 14_000, 40_000, 4_000_000), (drawn, budget) => {
        const order = { text: (row: Row) => row.ID };
        const cache = new ColumnCache<Row>(schema, {
          ...{ hasColumns: () => true, isEager: true, budget: () => budget, minRows: 0 },
        });
        attachColumns(order, cache);
        const first = fromSortedRows(
          order,
          Array.from({ length: 400 }, (_row, at) => rowAt(at * 4, at >> 5)),
        );
        let rows = first;
        const requests: { readonly scan: ReturnType<typeof opened>; readonly expected: readonly Row[] }[] =
          [];
        const go = (which: number, steps: number): void => {
          const query = requests[which % requests.length];
          for (let step = 0; query !== undefined && step < steps; step += 1) {
            if (!query.scan.advance(() => true)) continue;
            requests.splice(requests.indexOf(query), 1);
            expect(query.scan.pager.page().items).toEqual(query.expected);
            return;
          }
        };
        for (const step of drawn) {
          if (step.kind === 'put') rows = withRow(rows, rowAt(step.at, step.what));
          else if (step.kind === 'go') go(step.which, step.steps);
          else {
            const filter = filters[step.filter] as Filter<Row>;
            const version = step.isOld ? first : rows;
            const expected = filter.select([...scanRows(version, fullRange, false)]);
            requests.push({ scan: opened(version, filter, 0, false), expected });
          }
        }
        while (requests.length > 0) go(0, 1_000);
      }),
      { numRuns: 100 },
    );
  });

  it('never read codes of values that were forgotten since', () => {
    const order = { text: (row: Row) => row.ID };
    const arranged = (kindAt: (at: number) => number): SortedRows<Row> =>
      fromSortedRows(
        order,
        Array.from({ length: size }, (_row, at) => rowAt(at * 4, kindAt(at))),
      );
    // Values get their codes in the order in which they come.
    const [old, rows] = [arranged((at) => at + (at >> 13)), arranged((at) => at + 1)];
    const cache = new ColumnCache<Row>(schema, {
      ...{ hasColumns: () => true, isEager: true, budget: () => 4_000_000, minRows: 0 },
    });
    attachColumns(order, cache);
    const [filter] = filters as [Filter<Row>];
    const counted = ({ pages }: SortedRows<Row>): number =>
      (pages[0] ?? []).flat().filter((row) => row.Few === 'a').length;
    const result = (version: SortedRows<Row>, query = cache.open(version, filter)): number => {
      const page = version.pages[0] ?? [];
      for (const making = query?.make(page); ;) {
        const { done, value } = making?.next() ?? { done: true, value: null };
        if (done === true) return value === null ? -1 : countBits(value.bits, 0, value.bits.length * 32);
      }
    };
    const forget = (): void => void cache.drop(cache.codes({ path: ['Few'], form: 'value', parts: [] }));

    // One whose queries continue while another version is the latest: what it has read is not dropped.
    const late = cache.open(old, filter);
    expect(result(rows)).toBe(counted(rows));
    expect(result(old, late)).toBe(counted(old));
    forget();
    expect(result(rows)).toBe(counted(rows));
    expect(result(old)).toBe(counted(old));

    const each = compileFilter<Row>('Few in ["a", "b"]', { schema });
    const matching = each.select([...scanRows(old, fullRange, false)]);
    const counting = countFacets<Row>({
      selection: { rows: old, keyPrefix: '', where: null },
      path: { order, orderedRanges: [rangeOf(old)], keyPrefix: '', filter: each, index: null },
      where: null,
      fields: readFacets<Row>(['Few'], facetFields<Row>(schema)),
    });
    forget();
    // All is known before, so that each page is one step.
    expect(listed(old, each, 0, false).length).toBe(matching.length);
    let step = counting.next();
    forget();
    while (step.done !== true) step = counting.next();
    const frequent = ['a', 'b'].map((value) => ({
      value,
      count: matching.filter((row) => row.Few === value).length,
    }));
    expect(step.value?.total).toBe(matching.length);
    expect(step.value?.facets['Few']?.values.toSorted((a, b) => (a.value < b.value ? -1 : 1))).toEqual(
      frequent,
    );
  });
});
