import { FilterEvaluationError, type SemanticFault } from '../../../language/diagnostics/errors.js';
import { print } from '../../../language/syntax/print.js';
import type { Selector } from '../../../language/syntax/ast.js';
import type { ValueKind } from '../../../language/values/kind.js';

/** The behaviour of a filter for a row that lacks something the filter reads. */
export interface FailurePolicy {
  /** The source of the filter. */
  readonly source: string;
  /**
   * `absent`: failures that depend on the row count as an absent key. `error`: they throw. `deny`: they make the match false,
   * negated or not, and so does a missing value.
   */
  readonly unresolved: 'error' | 'absent' | 'deny';
}

/** Throws the evaluation error of a diagnostic. */
export function throwEvaluationError(
  policy: FailurePolicy,
  diagnostic: SemanticFault,
  selector: Selector,
  kind: ValueKind | null,
): never {
  throw new FilterEvaluationError(policy.source, diagnostic, print(selector), kind);
}
