import type { ListedOperator } from '../operators/operators.js';
import { coercionComplaint, kindComplaint, type MeaningComplaint } from '../schema/complaint.js';
import { coercibleKindOf } from '../schema/value-kind.js';
import type { MatchExpression } from '../syntax/ast.js';
import { kindOf, type ValueKind } from '../values/kind.js';
import { coercionFailure, noOperand, type Operand } from '../values/operand.js';
import type { Pattern } from '../values/pattern/index.js';
import { raise, type FailurePolicy } from './failure.js';
import type { Place } from './place.js';

/** The positive test of a match (`==` for `!=`) on a value that was found. */
export type ValueTest = (value: unknown) => boolean;

/** Everything a test is made of. */
export interface TestContext {
  readonly match: MatchExpression;
  readonly operator: ListedOperator;
  readonly operand: Operand;
  /** The compiled pattern, or why it does not compile; null for operators other than `matches`. */
  readonly pattern: Pattern | string | null;
  readonly policy: FailurePolicy;
  /** Where the match stands: it says what has to be paid for. */
  readonly place: Place;
}

export function createTestContext(
  match: MatchExpression,
  operator: ListedOperator,
  pattern: Pattern | string | null,
  place: Place,
): TestContext {
  const operand = match.value ?? noOperand;
  const { policy } = place;
  return { match, operator, operand, pattern, policy, place };
}

/** What a test does with a value that the operator does not take: throws, or answers for the row. */
export type Refuse = (complaint: MeaningComplaint, kind: ValueKind) => boolean;

/** Throws the evaluation error of a match. */
export function raiseMatch(
  { policy, match }: TestContext,
  complaint: MeaningComplaint,
  kind: ValueKind,
): never {
  return raise(policy, complaint, match.selector, kind);
}

/**
 * A failure that depends on the row. With `unresolved: 'absent'` it answers like an absent key, but a value that is
 * there is neither nil nor empty.
 */
export function refuseValue(context: TestContext, complaint: MeaningComplaint, kind: ValueKind): boolean {
  if (context.policy.unresolved === 'absent') return kind === 'nil' && context.operator.whenAbsent;
  return raiseMatch(context, complaint, kind);
}

/** A value that is not of the kind that the schema declares. */
export function mismatch(context: TestContext, value: unknown): boolean {
  const kind = kindOf(value);
  return refuseValue(context, kindComplaint(context.match, 'kind-mismatch', kind), kind);
}

/** The complaint about a literal that cannot become the kind, null where it can. */
export function coercionFailureOf({ operand, match }: TestContext, kind: ValueKind): MeaningComplaint | null {
  const coercible = coercibleKindOf(kind);
  if (coercible === null) return null;
  const failure = coercionFailure(operand, coercible);
  return failure === null ? null : coercionComplaint(match, coercible, failure);
}
