import { formOf } from '../../language/operators/operators.js';
import { anyType, type Type } from '../../language/schema/type.js';
import type { MatchExpression } from '../../language/syntax/ast.js';
import { asData } from '../../language/values/data.js';
import { createLengthTest } from './length.js';
import type { Predicate } from './frame/predicate.js';
import { ABSENT, UNKNOWN } from './frame/sentinels.js';
import type { CompileContext } from './frame/compile-context.js';
import { compileSelector } from './reader.js';
import { compileReference } from './reference.js';
import { createTestContext, type TestContext, type ValueTest } from './frame/test-context.js';
import { createOpenTest, createTypedTest } from './value-test.js';

/** Compiles a match to closures that define the language for every kind of row. */
export function compileMatch(node: MatchExpression, compileContext: CompileContext): Predicate {
  const { operator, negated, whenAbsent } = formOf(node.operator);
  const { value: operand } = node;
  // An empty list contains nothing, so the result is the same for every row.
  if (operand?.kind === 'list' && operand.elements.length === 0) return () => negated;
  const selector = compileSelector(compileContext, node.selector, node);
  const pattern = operator.operand.language === 'pattern' ? compileContext.patterns.compile(node) : null;
  const context = createTestContext(node, operator, pattern, compileContext);
  if (operand?.kind === 'reference') return compileReference(operand, selector, context);
  const { read, type, isIndex } = selector;
  const test = createTest(context, type ?? anyType, isIndex);
  const testUnknown = createUnknownTest(compileContext, createTest(context, anyType, false));
  return (row) => {
    const value = read(row);
    if (value === ABSENT) return whenAbsent;
    return (value === UNKNOWN ? testUnknown(value) : test(value)) !== negated;
  };
}

function createTest(context: TestContext, type: Type, isIndex: boolean): ValueTest {
  if (context.match.aspect === 'length') return createLengthTest(context, type);
  return type.kind === 'any'
    ? createOpenTest(context, isIndex ? 'int' : 'float64')
    : createTypedTest(context, type);
}

function createUnknownTest({ unknown }: CompileContext, test: ValueTest): ValueTest {
  if (unknown === null) return test;
  const value = asData(unknown[0]);
  return () => test(value);
}
