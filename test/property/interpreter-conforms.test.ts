import { expect, it } from 'vitest';
import type { Answer, Case } from '../../conformance/src/data.mjs';
import { readRow, readSuite } from '../../conformance/src/index.mjs';
import { FilterSyntaxError, parse } from '../../src/index.js';
import { printFailure } from '../conformance/command.js';
import { reportOf } from '../conformance/engine.js';
import { interpret } from '../support/interpreter.js';

const suite = readSuite();
const { structs } = suite.schemas;

/** The plain interpreter in the engine's place. */
function evaluate({ expression, schema, row = '', ...rest }: Case): Answer {
  let ast;
  try {
    ast = parse(expression, { dialect: 'go-bexpr' }).ast;
  } catch (error) {
    if (error instanceof FilterSyntaxError) return { error: 'syntax' };
    throw error;
  }
  const said = interpret(ast, readRow(row, schema, structs), {
    level: 0,
    ...(schema === undefined ? {} : { schema: { root: schema, structs } }),
    ...('unknown' in rest ? { unknownValue: rest.unknown } : {}),
  });
  return typeof said === 'boolean' ? { value: said } : { error: 'evaluation', class: said };
}

// What the engine is compared with in the other properties must itself do what go-bexpr does.
it.each(['rows that declare nothing', 'typed rows'])(
  'the plain interpreter agrees with go-bexpr on %s',
  (which) => {
    const cases = suite.cases.filter(
      ({ source, row, schema }) =>
        source.startsWith('go-bexpr') &&
        row !== undefined &&
        (schema !== undefined) === (which === 'typed rows'),
    );
    const { counts, failures } = reportOf({ ...suite, cases }, evaluate);
    expect(failures.slice(0, 20).map(printFailure)).toEqual([]);
    expect(counts.passed).toBeGreaterThan(4_000);
  },
);
