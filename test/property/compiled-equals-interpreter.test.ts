import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FilterCheckError,
  FilterEvaluationError,
  FilterLimitError,
  parseSchema,
  print,
  type Expression,
  type Filter,
  type FilterOptions,
} from '../../src/index.js';
import { expressionArbitrary } from '../support/arbitraries.js';
import { compileWhole } from '../../src/filter/filter.js';
import { eager } from '../specialise/eager.js';
import { interpret, type InterpreterOptions } from '../support/interpreter.js';
import { dataArbitrary, looseRowArbitrary, rowArbitrary } from '../support/row-arbitraries.js';
import { looseShape, schemaArbitrary } from '../support/shapes.js';

type Result = boolean | string;

function resultOf(filter: Filter, row: unknown): Result {
  try {
    return filter.test(row);
  } catch (error) {
    if (error instanceof FilterEvaluationError) return error.code;
    throw error;
  }
}

/** Compiles what the check lets through; null for what it refuses. */
function compile(
  expression: Expression,
  options: FilterOptions,
  accelerate: typeof eager | undefined,
): Filter | null {
  try {
    return compileWhole(print(expression), options, accelerate).filter;
  } catch (error) {
    if (options.check === true && error instanceof FilterCheckError) return null;
    if (error instanceof FilterLimitError && error.code.startsWith('pattern')) return null;
    throw error;
  }
}

/** Equal results; if the original crashes, any evaluation error will do. */
function isSame(got: Result, expected: Result): boolean {
  return expected === 'panic' ? typeof got === 'string' : got === expected;
}

/** Compares the results for each row, and the filter's result for all of them at once. */
function expectSame(
  filter: Filter,
  expression: Expression,
  rows: readonly unknown[],
  options: InterpreterOptions,
): void {
  const results = rows.map((row) => interpret(expression, row, options));
  const position = (row: unknown): string =>
    inspect({ text: filter.source, row, options }, { depth: 12, breakLength: 110 });
  for (const [index, row] of rows.entries()) {
    const expected = results[index] ?? 'panic';
    const got = resultOf(filter, row);
    expect(isSame(got, expected), `expected ${expected}, got ${got}, for ${position(row)}`).toBe(true);
  }
  const selected = rows.filter((_, index) => results[index] === true);
  const isRefused = results.some((result) => typeof result === 'string');
  const select = (): unknown[] => filter.select(rows);
  if (isRefused) expect(select, position(rows)).toThrow(FilterEvaluationError);
  else {
    expect(select(), position(rows)).toEqual(selected);
    expect(filter.count(rows), position(rows)).toBe(selected.length);
    expect(filter.page(rows, 1), position(rows)).toEqual({
      items: selected.slice(0, 1),
      nextItem: selected[1],
    });
  }
}

const settings = fc.record(
  {
    unresolved: fc.constantFrom('error' as const, 'absent' as const),
    unknownValue: fc
      .oneof(fc.constantFrom('x', 'web', 5, true, null), dataArbitrary)
      .filter((value) => value !== undefined),
  },
  { requiredKeys: ['unresolved'] },
);

const rows = looseRowArbitrary(looseShape);

const runners = [
  ['closures', null],
  ['code from the first row on', eager],
] as const;

describe.each(runners)('a filter of %s returns what the plain interpreter returns', (_, accelerate) => {
  it('without a schema', () => {
    fc.assert(
      fc.property(
        expressionArbitrary(looseShape),
        fc.array(rows, { minLength: 1, maxLength: 4 }),
        settings,
        fc.boolean(),
        (expression, sample, options, check) => {
          const filter = compile(expression, { ...options, check }, accelerate);
          if (filter === null) return;
          expectSame(filter, expression, sample, options);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  const typed = schemaArbitrary.chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      expressionArbitrary(shape),
      fc.array(rowArbitrary(shape), { minLength: 1, maxLength: 4 }),
    ),
  );

  it('with a schema', () => {
    fc.assert(
      fc.property(typed, settings, fc.boolean(), ([shape, expression, sample], options, check) => {
        const filter = compile(expression, { ...options, check, schema: parseSchema(shape) }, accelerate);
        if (filter === null) return;
        const oracle: InterpreterOptions = { ...options, schema: shape };
        expectSame(filter, expression, sample, oracle);
      }),
      { numRuns: 1_000 },
    );
  });
});
