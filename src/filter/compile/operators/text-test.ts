import { literalOf, type MatchExpression } from '../../../language/syntax/ast.js';
import type { createChargedSearch, TextTest, StringLiteral } from '../frame/cost-model.js';
import { mismatch, type TestContext, type ValueTest } from '../frame/test-context.js';

/** Creates a test for string values. */
export function createTextTest(context: TestContext, test: TextTest): ValueTest {
  return (value) => {
    if (typeof value === 'string') return test(value);
    return value === null || value === undefined ? test('') : mismatch(context, value);
  };
}

/** Creates a test for one string. No JavaScript string contains the bytes of an ill-formed literal. */
export function createLiteralTest(context: TestContext, make: typeof createChargedSearch): ValueTest {
  const { operand, match, compileContext } = context;
  return createTextTest(
    context,
    operand.wellFormed ? make(stringLiteralOf(match), match, compileContext) : () => false,
  );
}

/** Returns the literal of a match to compare with strings. */
export function stringLiteralOf(match: MatchExpression): StringLiteral {
  return literalOf(match) ?? emptyLiteral;
}

const emptyLiteral: StringLiteral = { text: '', ignoreCase: false };
