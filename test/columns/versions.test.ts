import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t, type Filter } from '../../src/index.js';
import { Keeper } from '../../src/columns/keeper.js';
import { createListScan } from '../../src/query/index.js';
import { stretchOf } from '../../src/query/stretch.js';
import { textKey } from '../../src/table/key.js';
import { keepAnswers } from '../../src/table/row-answers.js';
import {
  arrangeRows,
  scanRows,
  wholeRange,
  withoutRow,
  withRow,
  type SortedRows,
} from '../../src/table/sorted-rows.js';

const schema = defineSchema({ ID: t.string, Few: t.string, Number: t.int, Name: t.string });

interface Row {
  readonly ID: string;
  readonly Few: string;
  readonly Number: number;
  readonly Name: string;
}

const few = ['a', 'b', 'c', 'd'];
const rowAt = (at: number, kind: number): Row => ({
  ID: String(at).padStart(7, '0'),
  Few: few[kind % few.length] as string,
  Number: (at * 7919 + kind) % 1_000_003,
  Name: `${kind % 3 === 0 ? 'web' : 'api'}-${at}`,
});

/** Keys are drawn between those that there are too, so that chunks and pages are cut. */
const size = 24_000;
const texts = [
  'Few == "a"',
  'Few in ["b", "d"] and Number >= 500000',
  'Number < 250000 or Few == "c"',
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
    path: { order: rows.order, stretches: [stretchOf(rows)], keyPrefix: '', filter, index: null },
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
    fc.record({ kind: fc.constant('put' as const), at: fc.nat({ max: 1_600 }), what: fc.nat({ max: 11 }) }),
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
        const keeper = new Keeper<Row>(schema, {
          ...{ hasColumns: () => true, isEager, budget: () => budget, leastRows: 0 },
        });
        keepAnswers(order, keeper);
        const versions = [
          arrangeRows(
            order,
            Array.from({ length: size }, (_row, at) => rowAt(at * 4, at)),
          ),
        ];
        for (const step of drawn) {
          let rows = versions[0] as SortedRows<Row>;
          if (step.kind === 'ask') {
            const asked = versions[Math.min(step.back, versions.length - 1)] as SortedRows<Row>;
            const filter = filters[step.filter] as Filter<Row>;
            const matching = filter.select([...scanRows(asked, wholeRange, step.reverse)]);
            const expected = step.perPage === 0 ? matching : matching.slice(0, step.perPage);
            // The third answer may be one that the second has kept.
            for (let times = 0; times < 3; times += 1) {
              const found = listed(asked, filter, step.perPage, step.reverse);
              expect(found.length).toBe(expected.length);
              expect(found.findIndex((row, at) => row !== expected[at])).toBe(-1);
            }
            expect(keeper.bytes).toBeLessThanOrEqual(budget);
            if (!isEager) expect(keeper.made).toBeLessThanOrEqual(keeper.answered);
            continue;
          }
          for (let at = 0; at < step.count; at += 1) {
            if (step.kind === 'put') rows = withRow(rows, rowAt(step.from + at * step.step, step.what + at));
            else rows = withoutRow(rows, textKey(rowAt((step.from + at) * 4, 0).ID));
          }
          versions.unshift(rows);
        }
      }),
      { numRuns: 15 },
    ),
  );

  it('answer questions that take turns with others and with writes, whatever is thrown away meanwhile', () => {
    fc.assert(
      fc.property(turns, fc.constantFrom(8_000, 14_000, 40_000, 4_000_000), (drawn, budget) => {
        const order = { text: (row: Row) => row.ID };
        const keeper = new Keeper<Row>(schema, {
          ...{ hasColumns: () => true, isEager: true, budget: () => budget, leastRows: 0 },
        });
        keepAnswers(order, keeper);
        const first = arrangeRows(
          order,
          Array.from({ length: 400 }, (_row, at) => rowAt(at * 4, at >> 5)),
        );
        let rows = first;
        const asked: { readonly scan: ReturnType<typeof opened>; readonly expected: readonly Row[] }[] = [];
        const go = (which: number, steps: number): void => {
          const question = asked[which % asked.length];
          for (let step = 0; question !== undefined && step < steps; step += 1) {
            if (!question.scan.advance(() => true)) continue;
            asked.splice(asked.indexOf(question), 1);
            expect(question.scan.pager.page().items).toEqual(question.expected);
            return;
          }
        };
        for (const step of drawn) {
          if (step.kind === 'put') rows = withRow(rows, rowAt(step.at, step.what));
          else if (step.kind === 'go') go(step.which, step.steps);
          else {
            const filter = filters[step.filter] as Filter<Row>;
            const version = step.isOld ? first : rows;
            const expected = filter.select([...scanRows(version, wholeRange, false)]);
            asked.push({ scan: opened(version, filter, 0, false), expected });
          }
        }
        while (asked.length > 0) go(0, 1_000);
      }),
      { numRuns: 100 },
    );
  });
});
