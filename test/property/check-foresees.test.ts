import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, compileFilter, FilterEvaluationError, parse, parseSchema, print } from '../../src/index.js';
import { expressionArbitrary, matchArbitrary } from '../support/arbitraries.js';
import { interpret } from '../support/interpreter.js';
import type { OracleSchema, OracleType } from '../support/oracle-value.js';
import { rowArbitrary } from '../support/row-arbitraries.js';
import { schemaArbitrary } from '../support/shapes.js';

/** Types whose values are what the schema says: nothing that may be nil, nothing of kind `any`. */
function isPlain(type: OracleType): boolean {
  if (type.kind === 'any' || type.nullable === true) return false;
  return type.of === undefined || isPlain(type.of);
}

function withPlainFields({ root, structs }: OracleSchema): OracleSchema {
  const plain = Object.entries(structs).map(([name, { fields }]) => {
    const cached = Object.entries(fields).filter(([, field]) => isPlain(field));
    return [name, { fields: { ...Object.fromEntries(cached), s: { kind: 'string' } } }] as const;
  });
  return { root, structs: Object.fromEntries(plain) };
}

function errorOf(text: string, shape: OracleSchema, row: unknown): string | null {
  const filter = compileFilter(text, { schema: parseSchema(shape), check: false });
  try {
    filter.test(row);
    return null;
  } catch (error) {
    if (error instanceof FilterEvaluationError) return error.code;
    throw error;
  }
}

function diagnosticsOf(text: string, shape: OracleSchema): readonly string[] {
  return check(parse(text), { schema: parseSchema(shape) }).map(({ code }) => code);
}

describe('the check', () => {
  const plainShapes = schemaArbitrary.map(withPlainFields);

  it('leaves to rows only what depends on them', () => {
    // A filter that passes over a schema without nil and `any` can only miss keys and elements.
    const dataErrors = new Set([null, 'find-no-key', 'find-out-of-range']);
    const cases = plainShapes.chain((shape) =>
      fc.tuple(fc.constant(shape), expressionArbitrary(shape), rowArbitrary(shape)),
    );
    fc.assert(
      fc.property(cases, ([shape, expression, row]) => {
        const text = print(expression);
        if (diagnosticsOf(text, shape).length > 0) return;
        const error = errorOf(text, shape, row);
        expect(dataErrors.has(error), inspect({ error, text, row, shape }, { depth: 12 })).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  it('refuses only what fails for every row that has the field', () => {
    const cases = schemaArbitrary.chain((shape) =>
      fc.tuple(
        fc.constant(shape),
        matchArbitrary(shape),
        fc.array(rowArbitrary(shape), { minLength: 1, maxLength: 5 }),
      ),
    );
    fc.assert(
      fc.property(cases, ([shape, match, rows]) => {
        const text = print(match);
        if (diagnosticsOf(text, shape).length === 0) return;
        const isPositive = !match.operator.includes('not') && match.operator !== '!=';
        const whenAbsent = match.operator.startsWith('is') === isPositive;
        for (const row of rows) {
          // An absent key is decided before anything else is checked.
          const result = interpret(match, row, { schema: shape });
          const isNeverNull = match.operator.endsWith('nil') && result === !isPositive;
          const isRefused =
            isNeverNull ||
            typeof result === 'string' ||
            (result === whenAbsent && match.selector.path.length > 1);
          expect(isRefused, inspect({ result, text, row, shape }, { depth: 12 })).toBe(true);
        }
      }),
      { numRuns: 800 },
    );
  });
});
