import { formOf } from '../../language/operators/operators.js';
import { anyType, type Type } from '../../language/schema/type.js';
import { literalsOf, type MatchExpression } from '../../language/syntax/ast.js';
import { coerceNumber } from '../../language/values/operand.js';
import { asData } from '../../language/values/data.js';
import { isOfKind } from '../../language/schema/value-kind.js';
import { createLengthTest } from './length.js';
import type { Predicate } from './frame/predicate.js';
import { ABSENT, isUnknownValue, UNKNOWN } from './frame/sentinels.js';
import type { CompileContext } from './frame/compile-context.js';
import { compileSelector, type Reader } from './reader.js';
import { compileReference } from './reference.js';
import { createTestContext, type TestContext, type ValueTest } from './frame/test-context.js';
import { createDynamicTest, createTypedTest } from './value-test.js';

/** Compiles a match to closures that define the language for every kind of row. */
export function compileMatch(node: MatchExpression, compileContext: CompileContext): Predicate {
  const { operator, negated, whenAbsent } = formOf(node.operator);
  const { value: operand } = node;
  const denies = compileContext.policy.unresolved === 'deny';
  // An empty list contains nothing, so the result is the same for every row, unless a missing value denies it.
  if (operand?.kind === 'list' && operand.elements.length === 0 && !denies) return () => negated;
  const selector = compileSelector(compileContext, node.selector, node);
  const pattern = operator.operand.language === 'pattern' ? compileContext.patterns.compile(node) : null;
  const context = createTestContext(node, operator, pattern, compileContext);
  if (operand?.kind === 'reference') return compileReference(operand, selector, context);
  const { read, type, isIndex } = selector;
  if (denies && operator.name === 'is nil') return compileNilness(read, type ?? anyType, negated);
  if (denies && negated && hasNotANumber(node, type)) return () => false;
  const test = createTest(context, type ?? anyType, isIndex);
  if (denies) {
    return (row) => {
      const value = read(row);
      return !isUnknownValue(value) && test(value) !== negated;
    };
  }
  const testUnknown = createUnknownTest(compileContext, createTest(context, anyType, false));
  return (row) => {
    const value = read(row);
    if (value === ABSENT) return whenAbsent;
    return (value === UNKNOWN ? testUnknown(value) : test(value)) !== negated;
  };
}

/** Whether a float is compared with the literal NaN, which with `unresolved: 'deny'` is neither equal nor unequal to it. */
export function hasNotANumber(node: MatchExpression, type: Type | null): boolean {
  if (node.aspect === 'length' || (type?.kind !== 'float64' && type?.kind !== 'float32')) return false;
  return literalsOf(node).some((literal) => {
    const number = coerceNumber(literal, 'float64');
    return typeof number === 'object' && Number.isNaN(number.double);
  });
}

/** Compiles `is nil` for `unresolved: 'deny'`: a null is nil, a value of its kind is not, and anything else is unknown. */
function compileNilness(read: Reader, type: Type, negated: boolean): Predicate {
  return (row) => {
    const value = read(row);
    return value === null ? !negated : negated && isOfKind(value, type);
  };
}

function createTest(context: TestContext, type: Type, isIndex: boolean): ValueTest {
  if (context.match.aspect === 'length') return createLengthTest(context, type);
  return type.kind === 'any'
    ? createDynamicTest(context, isIndex ? 'int' : 'float64')
    : createTypedTest(context, type);
}

function createUnknownTest({ unknown }: CompileContext, test: ValueTest): ValueTest {
  if (unknown === null) return test;
  const value = asData(unknown[0]);
  return () => test(value);
}
