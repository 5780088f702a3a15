import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FilterCheckError,
  FilterError,
  FilterLimitError,
  list,
  parseSchema,
  planFilter,
  print,
  type Expression,
  type Filter,
  type FilterPlan,
  type Schema,
} from '../../src/index.js';
import type { Accelerate, RecallRequest } from '../../src/filter/compile/execution.js';
import type { CompiledExpression } from '../../src/filter/compile/quick/compiled-expression.js';
import { setAccelerator } from '../../src/filter/filter.js';
import { createSpecialise } from '../../src/filter/specialise/specialise.js';
import { splitLiterals } from '../../src/language/syntax/split-literals.js';
import { allIndexes, rowsInRanges, rowsWithKeys } from '../support/all-indexes.js';
import { expressionArbitrary, sampleTexts } from '../support/arbitraries.js';
import { rowArbitrary } from '../support/row-arbitraries.js';
import { schemaArbitrary } from '../support/shapes.js';
import type { OracleSchema, OracleType } from '../support/oracle-value.js';
import { scaled } from '../support/property-runs.js';

type Outcome = { readonly items: readonly unknown[]; readonly nextToken: string | null } | string;

/** A page, or the error that it ends in, whole. */
function pageOf(rows: readonly unknown[], positions: ReadonlyMap<unknown, string>, query: object): Outcome {
  const order = { text: (row: unknown) => positions.get(row) ?? 'nowhere' };
  try {
    return list(rows, { order, sorted: true, ...query });
  } catch (error) {
    if (error instanceof FilterError) return String(error);
    throw error;
  }
}

/** Fields that every schema here has in addition to its own: those that an index can be on, and what may fail. */
const fixed: Readonly<Record<string, OracleType>> = {
  text: { kind: 'string' },
  whole: { kind: 'int' },
  count: { kind: 'uint' },
  flag: { kind: 'bool' },
  texts: { kind: 'list', of: { kind: 'string' } },
  wholes: { kind: 'list', of: { kind: 'int' } },
  map: { kind: 'map', of: { kind: 'string' } },
  maybe: { kind: 'struct', name: 'Maybe', nullable: true },
};

const maybe = { fields: { k: { kind: 'string' } } };

const shapes = schemaArbitrary.map((shape): OracleSchema => {
  const fields = { ...fixed, ...shape.structs[shape.root]?.fields };
  return { ...shape, structs: { ...shape.structs, [shape.root]: { fields }, Maybe: maybe } };
});

const texts = fc.constantFrom(...sampleTexts, '/srv/x').map((text) => JSON.stringify(text));
const numbers = fc.constantFrom('0', '1', '5', '"0x10"', '9007199254740993', '-5', '"9223372036854775807"');
// What most rows have comes often: absent fields are zero.
const common = fc.constantFrom('text == ""', 'count == 0', 'whole == "0x0"', 'flag == false');
const test = fc.oneof(
  { weight: 6, arbitrary: common },
  ...[
    texts.map((text) => `text == ${text}`),
    numbers.filter((number) => number !== '-5').map((number) => `count == ${number}`),
    numbers.map((number) => `whole == ${number}`),
    fc.constantFrom('flag == true', 'flag == f'),
    texts.map((text) => `${text} in texts`),
    numbers.map((number) => `wholes contains ${number}`),
    texts.map((text) => `text starts with ${text}`),
    fc.tuple(texts, texts).map(([one, other]) => `text > ${one} and text <= ${other}`),
    fc.tuple(numbers, numbers).map(([one, other]) => `whole >= ${one} and whole < ${other}`),
    fc.tuple(numbers, numbers).map((list) => `whole in [${list.join()}]`),
    fc.tuple(texts, texts).map((list) => `text in [${list.join()}]`),
  ].map((arbitrary) => ({ weight: 1, arbitrary })),
);
const harmless = fc.constantFrom(
  'map.k == a',
  'text != web',
  'texts is not empty',
  'any texts as x { x == a }',
);
const harmful = fc.constantFrom(
  'maybe is not nil',
  'texts.0 == a',
  'maybe.k == x',
  'maybe.k != y',
  'text matches "^a"',
);

/** A filter that indexes can often serve: some of its operands match values that rows may have. */
function filterArbitrary(shape: OracleSchema): fc.Arbitrary<string> {
  const oneOf = fc.array(test, { minLength: 1, maxLength: 3 }).map((tests) => `(${tests.join(' or ')})`);
  const other = expressionArbitrary(shape, 1).map((tree: Expression) => print(tree));
  const operand = fc.oneof(
    { weight: 4, arbitrary: test },
    { weight: 2, arbitrary: oneOf },
    { weight: 2, arbitrary: harmless },
    { weight: 3, arbitrary: harmful },
    { weight: 1, arbitrary: other },
  );
  const operands = fc.array(operand, { minLength: 1, maxLength: 3 });
  return fc
    .tuple(operands, fc.option(fc.constantFrom('maybe.k == x', 'texts.0 == a'), { nil: null }))
    .map(([first, last]) => [...first, ...(last === null ? [] : [last])])
    .map((all) => all.map((each) => `(${each})`).join(' and '));
}

function plan(text: string, schema: Schema, unresolved: 'error' | 'absent'): FilterPlan | null {
  try {
    return planFilter(text, { schema, indexes: allIndexes(schema), unresolved });
  } catch (error) {
    if (error instanceof FilterCheckError || error instanceof FilterLimitError) return null;
    throw error;
  }
}

/** Replaces the literals of a source except for pointers. */
function withLiterals(text: string, others: Iterator<string>): string {
  const split = splitLiterals(text);
  if (split === null) return text;
  const literals = split.literals.values();
  return split.rest.replace(/`["/0]/g, (mark) => {
    const literal = literals.next().value?.text ?? '';
    return mark === '`/' ? `"${literal}"` : (others.next().value as string);
  });
}

function describeError(error: unknown): string {
  if (error instanceof FilterError) return inspect({ ...error, message: error.message }, { depth: 9 });
  throw error;
}

/** All that a plan says, with its results for rows. */
function describePlan(
  { filter, mayFail, usesNow, clauses, lookups, ranges }: FilterPlan,
  rows: readonly unknown[],
): unknown {
  const outcomes = (one: Filter | null): unknown =>
    one && {
      ...{ source: one.source, ast: one.ast, relaxations: one.relaxations },
      rows: rows.map((row) => {
        try {
          return one.test(row);
        } catch (error) {
          return describeError(error);
        }
      }),
      selected: pageOf(rows, new Map(rows.map((row, at) => [row, String(at)])), { filter: one }),
    };
  return {
    ...{ filter: outcomes(filter), mayFail, usesNow, clauses: clauses.map(outcomes) },
    lookups: lookups.map(({ clause, index, keys, residual }) => [
      clause,
      index.field,
      keys,
      outcomes(residual),
    ]),
    ranges: ranges.map(({ clauses: served, index, ranges: found, residual }) => [
      ...[served, index.field, found, outcomes(residual)],
    ]),
  };
}

/** The fixed fields from few values, so that tests hold for many rows; now and then they are absent. */
const fixedArbitrary = fc.record(
  {
    text: fc.constantFrom('', 'a', 'web', null),
    whole: fc.constantFrom(0, 1, -5, 16n, null),
    count: fc.constantFrom(0, 5, 9007199254740993n),
    flag: fc.boolean(),
    texts: fc.array(fc.constantFrom('', 'a', 'web', null), { maxLength: 3 }),
    wholes: fc.array(fc.constantFrom(0, 1, 16, 16n, null), { maxLength: 3 }),
    maybe: fc.constantFrom(null, { k: 'x' }),
  },
  { requiredKeys: [] },
);

const cases = shapes.chain((shape) =>
  fc.tuple(
    fc.constant(shape),
    filterArbitrary(shape),
    fc.array(fc.tuple(rowArbitrary(shape), fixedArbitrary).map(joinRow), { minLength: 1, maxLength: 12 }),
  ),
);

function joinRow([row, more]: readonly [unknown, object]): object {
  return { ...(row as object | null), ...more };
}

describe('a plan', () => {
  it('selects what a scan selects, page by page, and fails where it fails', () => {
    let probed = 0;
    let failed = 0;
    let ranged = 0;
    fc.assert(
      fc.property(
        cases,
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom('error' as const, 'absent' as const),
        ([shape, text, rows], perPage, unresolved) => {
          const schema = parseSchema(shape);
          const made = plan(text, schema, unresolved);
          if (made === null) return;
          const positions = new Map<unknown, string>(
            rows.map((row, at) => [row, String(at).padStart(4, '0')]),
          );
          const scanned = pageOf(rows, positions, { filter: made.filter, perPage });
          const note = (): string => inspect({ text, rows, shape }, { depth: 12 });
          const served = (found: readonly unknown[], residual: Filter | null): void => {
            probed += 1;
            if (typeof scanned === 'string') failed += 1;
            const filter = residual ?? undefined;
            expect(pageOf(found, positions, { filter, perPage }), note()).toEqual(scanned);
          };
          for (const { index, keys, residual } of made.lookups)
            served(rowsWithKeys(rows, index, keys), residual);
          for (const { index, ranges, residual } of made.ranges) {
            if (rows.some((row) => index.keysOf(row) === null)) continue;
            ranged += 1;
            served(rowsInRanges(rows, index, ranges), residual);
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(probed).toBeGreaterThan(scaled(100));
    expect(failed).toBeGreaterThan(scaled(5) - 1);
    expect(ranged).toBeGreaterThan(scaled(100));
  });

  it('that cannot fail does not', () => {
    let safe = 0;
    fc.assert(
      fc.property(cases, ([shape, text, rows]) => {
        const made = plan(text, parseSchema(shape), 'error');
        if (made === null || made.mayFail) return;
        safe += 1;
        for (const row of rows) {
          const note = inspect({ text, row, shape }, { depth: 12 });
          expect(() => made.filter.test(row), note).not.toThrow();
        }
      }),
      { numRuns: 500 },
    );
    expect(safe).toBeGreaterThan(scaled(10));
  });

  it('that differs from an earlier one only in its literals is the same as if it was planned alone', () => {
    const accelerate = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity });
    if (accelerate === null) return expect.fail('this test needs node:vm');
    let recalled = 0;
    const counting: Accelerate = Object.assign((expression: CompiledExpression) => accelerate(expression), {
      recall: (request: RecallRequest) => {
        const found = accelerate.recall?.(request) ?? null;
        if (found !== null) recalled += 1;
        return found;
      },
    });
    const limits = fc.constantFrom(undefined, { maxSteps: 5, maxSearchedText: 20 });
    const unresolved = fc.constantFrom('error' as const, 'absent' as const);
    const literals = fc.infiniteStream(fc.oneof(texts, numbers));
    fc.assert(
      fc.property(cases, unresolved, limits, literals, ([shape, text, rows], unresolved, limits, stream) => {
        const schema = parseSchema(shape);
        const options = limits === undefined ? { unresolved } : { unresolved, limits };
        const indexes = allIndexes(schema);
        const planWith = (accelerator: Accelerate | null, of: string): unknown => {
          setAccelerator(accelerator);
          try {
            return describePlan(planFilter(of, { schema, indexes, ...options }), rows);
          } catch (error) {
            return describeError(error);
          }
        };
        try {
          const variants = Array.from({ length: 3 }, () => withLiterals(text, stream));
          // The code of a shape belongs to the first filter, and the second one is stored.
          for (const of of [text, text, ...variants]) {
            const actual = planWith(counting, of);
            expect(actual, inspect({ of, rows, shape }, { depth: 12 })).toEqual(planWith(null, of));
          }
        } finally {
          setAccelerator(null);
        }
      }),
      { numRuns: 300 },
    );
    expect(recalled).toBeGreaterThan(scaled(50));
  });
});
