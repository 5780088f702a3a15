import type { SemanticDiagnostic, SemanticErrorCode } from '../diagnostics/errors.js';
import type { MatchExpression, Selector, Value } from '../syntax/ast.js';
import { quoteGo } from '../values/go-quote.js';
import { print } from '../syntax/print.js';
import type { InstanceKind } from '../values/instance/index.js';
import type { Span } from '../diagnostics/span.js';

// The faults of literals are those that the check foresees; here they are what a row meets that was not checked.

/** A literal that is none of the field's kind. */
export function badLiteralDiagnostic(
  { selector }: MatchExpression,
  literal: Value,
  expected: string,
): SemanticDiagnostic {
  return diagnostic(
    'bad-literal',
    `${quoteGo(literal.text)} is not ${expected}, for selector: ${quoteGo(print(selector))}`,
    literal.span,
    `not ${expected}`,
  );
}

/** A value of a row that is no instance of the field's kind. What it holds is not told. */
export function oddInstanceDiagnostic(selector: Selector, kind: InstanceKind): SemanticDiagnostic {
  return diagnostic(
    'not-an-instance',
    `the value of ${print(selector)} is no ${kind.name}`,
    selector.span,
    `no ${kind.name} in this row`,
    `the schema declares a field of kind ${kind.name}`,
  );
}

/** Two values that cannot be compared. */
export function pairDiagnostic(
  { selector, span }: MatchExpression,
  left: string,
  right: string,
): SemanticDiagnostic {
  return diagnostic(
    'no-reference',
    `cannot compare ${left} with ${right}, for selector: ${quoteGo(print(selector))}`,
    span,
    `${left} and ${right}`,
    'both sides must be numbers, or values of one kind',
  );
}

/** `len` of what has no length. */
export function lengthDiagnostic({ selector }: MatchExpression, kind: string): SemanticDiagnostic {
  return diagnostic(
    'no-length',
    `cannot take the length of type ${kind} for selector: ${quoteGo(print(selector))}`,
    selector.span,
    `this is of kind ${kind}`,
    'len(...) counts the elements of lists and maps and the characters of text',
  );
}

/** A text without case beside something that is no text. */
export function ignoreCaseDiagnostic({ selector }: MatchExpression, literal: Value): SemanticDiagnostic {
  return diagnostic(
    'no-ignore-case',
    `only text is compared without case, for selector: ${quoteGo(print(selector))}`,
    literal.span,
    'case plays no part here',
    'leave out the i behind the quotes',
  );
}

/** A glob that ends in the middle of an escape. */
export function badGlobDiagnostic({ span }: { readonly span: Span }): SemanticDiagnostic {
  return diagnostic(
    'bad-glob',
    'a \\ at the end of a glob stands in front of nothing',
    span,
    'ends in a lone \\',
    'write \\\\ for a backslash',
  );
}

function diagnostic(
  code: SemanticErrorCode,
  message: string,
  span: Span,
  label: string,
  hint: string | null = null,
): SemanticDiagnostic {
  return { code, message, span, label, hint, suggestions: [] };
}
