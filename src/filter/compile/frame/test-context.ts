import { formOf, type ListedOperator } from '../../../language/operators/operators.js';
import type { SemanticFault } from '../../../language/diagnostics/errors.js';
import { coercionDiagnostic, kindDiagnostic } from '../../../language/schema/semantic-diagnostics.js';
import { coercibleKindOf } from '../../../language/schema/value-kind.js';
import { literalOf, type MatchExpression } from '../../../language/syntax/ast.js';
import { kindOf, type ValueKind } from '../../../language/values/kind.js';
import { coercionFailure, noOperand, type Operand } from '../../../language/values/operand.js';
import type { Pattern } from '../../../language/values/pattern/index.js';
import { throwEvaluationError, type FailurePolicy } from './failure.js';
import type { CompileContext } from './compile-context.js';

/** Tests a value that was found. A negated match (`!=`) uses the test of its positive form (`==`). */
export type ValueTest = (value: unknown) => boolean;

/** Everything needed to create the test of a match. */
export interface TestContext {
  readonly match: MatchExpression;
  readonly operator: ListedOperator;
  readonly operand: Operand;
  /** The compiled pattern, or the reason why it does not compile; null for operators other than `matches`. */
  readonly pattern: Pattern | string | null;
  readonly policy: FailurePolicy;
  /** Whether the kind of the value at run time determines the test, instead of the kind in the schema. */
  readonly isDynamic: boolean;
  /** With `unresolved: 'deny'`, the result of the test that makes the match false; otherwise null. */
  readonly resultIfUnknown: boolean | null;
  /** The compile context of the match, for charging work to the budget. */
  readonly compileContext: CompileContext;
}

export function createTestContext(
  match: MatchExpression,
  operator: ListedOperator,
  pattern: Pattern | string | null,
  compileContext: CompileContext,
): TestContext {
  const operand = literalOf(match) ?? noOperand;
  const { policy } = compileContext;
  const resultIfUnknown = policy.unresolved === 'deny' ? formOf(match.operator).negated : null;
  return { match, operator, operand, pattern, policy, isDynamic: false, resultIfUnknown, compileContext };
}

/** Handles a value that the operator does not support: throws, or returns the result for the row. */
export type Refuse = (diagnostic: SemanticFault, kind: ValueKind) => boolean;

/** Throws the evaluation error of a match, which depends only on the types. With `deny`, the match is false. */
export function throwMatchError(
  { policy, match, resultIfUnknown }: TestContext,
  diagnostic: SemanticFault,
  kind: ValueKind,
): boolean {
  return resultIfUnknown ?? throwEvaluationError(policy, diagnostic, match.selector, kind);
}

/**
 * Handles a failure that depends on the row. With `unresolved: 'error'` it throws. With `absent` it returns the result for an
 * absent key if the value is nil; otherwise false, because an existing value is neither nil nor empty. With `deny` the match
 * is false.
 */
export function refuseValue(context: TestContext, diagnostic: SemanticFault, kind: ValueKind): boolean {
  if (context.policy.unresolved === 'absent') return kind === 'nil' && context.operator.whenAbsent;
  return throwMatchError(context, diagnostic, kind);
}

/** Handles a value whose kind differs from the schema's: throws, or returns the result for the row. */
export function mismatch(context: TestContext, value: unknown): boolean {
  const kind = kindOf(value);
  return refuseValue(context, kindDiagnostic(context.match, 'kind-mismatch', kind), kind);
}

/** Returns the diagnostic for a literal that cannot be converted to the kind; null if it can. */
export function coercionFailureOf({ operand, match }: TestContext, kind: ValueKind): SemanticFault | null {
  const coercible = coercibleKindOf(kind);
  if (coercible === null) return null;
  const failure = coercionFailure(operand, coercible);
  return failure === null ? null : coercionDiagnostic(match, coercible, failure);
}

/** Whether the match treats null as an absent value instead of a mistake. */
export function takesNull({ operator, match: { value, aspect } }: TestContext): boolean {
  return (
    operator.dialect === 'standard' ||
    aspect === 'length' ||
    value?.kind === 'reference' ||
    (value?.kind === 'value' && value.ignoreCase)
  );
}
