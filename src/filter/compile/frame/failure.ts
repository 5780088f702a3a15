import { FilterEvaluationError, type SemanticDiagnostic } from '../../../language/diagnostics/errors.js';
import { print } from '../../../language/syntax/print.js';
import type { Selector } from '../../../language/syntax/ast.js';
import type { ValueKind } from '../../../language/values/kind.js';

/** What a filter does where a row does not fit it. */
export interface FailurePolicy {
  /** The text of the filter. */
  readonly source: string;
  /** `absent`: what depends on the row alone answers as an absent key does. `error`: it fails. */
  readonly unresolved: 'error' | 'absent';
}

/** Throws the evaluation error of a diagnostic. */
export function throwEvaluationError(
  policy: FailurePolicy,
  diagnostic: SemanticDiagnostic,
  selector: Selector,
  kind: ValueKind | null,
): never {
  throw new FilterEvaluationError(policy.source, diagnostic, print(selector), kind);
}
