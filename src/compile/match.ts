import { formOf } from '../operators/operators.js';
import type { MatchExpression } from '../syntax/ast.js';
import { asData } from '../values/data.js';
import type { Predicate } from './predicate.js';
import { ABSENT, UNKNOWN } from './sentinels.js';
import type { CompileContext } from './compile-context.js';
import { compileSelector } from './reader.js';
import { createTestContext, type ValueTest } from './test-context.js';
import { createOpenTest, createTypedTest } from './value-test.js';

/** A match as the language means it, for every kind of row. */
export function compileMatch(node: MatchExpression, compileContext: CompileContext): Predicate {
  const { operator, negated, whenAbsent } = formOf(node.operator);
  const { read, type, isIndex } = compileSelector(compileContext, node.selector, node);
  const pattern = operator.operand === 'pattern' ? compileContext.patterns.compile(node) : null;
  const context = createTestContext(node, operator, pattern, compileContext);
  const test =
    type === null || type.kind === 'any'
      ? createOpenTest(context, isIndex ? 'int' : 'float64')
      : createTypedTest(context, type);
  const testUnknown = createUnknownTest(compileContext, createOpenTest(context));
  return (row) => {
    const value = read(row);
    if (value === ABSENT) return whenAbsent;
    return (value === UNKNOWN ? testUnknown(value) : test(value)) !== negated;
  };
}

function createUnknownTest({ unknown }: CompileContext, test: ValueTest): ValueTest {
  if (unknown === null) return test;
  const value = asData(unknown[0]);
  return () => test(value);
}
