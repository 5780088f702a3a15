import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compileFilter,
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
import { interpret, type InterpreterOptions } from '../support/interpreter.js';
import { dataArbitrary, looseRowArbitrary, rowArbitrary } from '../support/row-arbitraries.js';
import { looseShape, schemaArbitrary } from '../support/shapes.js';

type Answer = boolean | string;

function answerOf(filter: Filter, row: unknown): Answer {
  try {
    return filter.test(row);
  } catch (error) {
    if (error instanceof FilterEvaluationError) return error.code;
    throw error;
  }
}

/** Compiles what the check lets through; null for what it refuses. */
function compile(expression: Expression, options: FilterOptions): Filter | null {
  try {
    return compileFilter(print(expression), options);
  } catch (error) {
    if (options.check === true && error instanceof FilterCheckError) return null;
    if (error instanceof FilterLimitError && error.code.startsWith('pattern')) return null;
    throw error;
  }
}

/** Equal answers; where the original crashes, any evaluation error will do. */
function expectSame(filter: Filter, expression: Expression, row: unknown, options: InterpreterOptions): void {
  const expected = interpret(expression, row, options);
  const got = answerOf(filter, row);
  const isSame = expected === 'panic' ? typeof got === 'string' : got === expected;
  const place = inspect({ text: filter.source, row, options }, { depth: 12, breakLength: 110 });
  expect(isSame, `expected ${expected}, got ${got}, for ${place}`).toBe(true);
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

describe('a compiled filter answers as the plain interpreter does', () => {
  it('without a schema', () => {
    fc.assert(
      fc.property(
        expressionArbitrary(looseShape),
        fc.array(rows, { minLength: 1, maxLength: 4 }),
        settings,
        fc.boolean(),
        (expression, sample, options, check) => {
          const filter = compile(expression, { ...options, check });
          if (filter === null) return;
          for (const row of sample) expectSame(filter, expression, row, options);
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
        const filter = compile(expression, { ...options, check, schema: parseSchema(shape) });
        if (filter === null) return;
        const oracle: InterpreterOptions = { ...options, schema: shape };
        for (const row of sample) expectSame(filter, expression, row, oracle);
      }),
      { numRuns: 1_000 },
    );
  });
});
