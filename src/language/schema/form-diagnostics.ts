import type { SemanticFault, SemanticErrorCode, Suggestion } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { MatchExpression, Selector, Value } from '../syntax/ast.js';
import { quoteGo } from '../values/go-quote.js';
import { print } from '../syntax/print.js';
import type { InstanceKind } from '../values/instance/index.js';

// Diagnostics of features that go-bexpr lacks. The check finds most of them before any row is read; the rest depend on rows.

/** Returns the error of a literal that is not of the field's kind, although that is required. */
export function badLiteralDiagnostic(
  { selector }: MatchExpression,
  literal: Value,
  expected: string,
  suggestions: readonly Suggestion[] = [],
): SemanticFault {
  return createFault(
    'bad-literal',
    `${quoteGo(literal.text)} is not ${expected}, for selector: ${quoteGo(print(selector))}`,
    literal.span,
    `not ${expected}`,
    suggestions[0]?.title ?? `write ${expected}`,
    suggestions,
  );
}

/** Returns the hint for a CIDR block used instead of an address. */
export function blockHint([fix]: readonly Suggestion[]): string {
  return `a block of addresses must be in a list: ${fix?.replacement.trim() ?? 'in [10.0.0.0/8]'}`;
}

/**
 * Returns the error of a literal such as `7d` on a field that does not support it. `kind` is the kind of the field; null if it is
 * not declared.
 */
export function typedDiagnostic(
  { selector }: MatchExpression,
  literal: Value,
  kind: string | null,
  hint: string | null,
  suggestions: readonly Suggestion[],
): SemanticFault {
  const fixes = suggestions.map(({ replacement }) => replacement).join(' or ');
  const said = fixes === '' ? hint : kind === null ? `write ${fixes}; ${String(hint)}` : `write ${fixes}`;
  return createFault(
    'bad-literal',
    `${literal.text} is not a value of ${kind ?? 'a field without a declared kind'}, for selector: ${quoteGo(print(selector))}`,
    literal.span,
    kind === null ? 'not a number, and not in quotes' : `not ${kind}`,
    said,
    suggestions,
  );
}

/** Returns the error of a literal such as `now - 7d` where the clock is not available. */
export function clockDiagnostic({ selector }: MatchExpression, literal: Value): SemanticFault {
  return createFault(
    'bad-literal',
    `now needs a time field, for selector: ${quoteGo(print(selector))}`,
    literal.span,
    'now needs a time field',
    `declare ${print(selector)} as a time in the schema, and use now after <, <=, >, >= or in a list`,
  );
}

/** Returns the error of a row value that is not an instance of the field's kind. The message does not disclose the value. */
export function oddInstanceDiagnostic(selector: Selector, kind: InstanceKind): SemanticFault {
  return createFault(
    'not-an-instance',
    `the value of ${print(selector)} is no ${kind.name}`,
    selector.span,
    `no ${kind.name} in this row`,
    `the schema declares a field of kind ${kind.name}`,
  );
}

/** Returns the error of two values that cannot be compared. */
export function pairDiagnostic(
  { selector, span }: MatchExpression,
  left: string,
  right: string,
): SemanticFault {
  return createFault(
    'no-reference',
    `cannot compare ${left} with ${right}, for selector: ${quoteGo(print(selector))}`,
    span,
    `${left} and ${right}`,
    'both sides must be numbers, or values of one kind',
  );
}

/** Returns the error of `len` on a value without a length. */
export function lengthDiagnostic(
  { selector }: MatchExpression,
  kind: string,
  suggestions: readonly Suggestion[] = [],
): SemanticFault {
  return createFault(
    'no-length',
    `cannot take the length of type ${kind} for selector: ${quoteGo(print(selector))}`,
    selector.span,
    `this is of kind ${kind}`,
    'len(...) counts the elements of lists and maps and the characters of strings',
    suggestions,
  );
}

/** Returns the error of a case-insensitive literal that is compared with something other than a string. */
export function ignoreCaseDiagnostic(
  { selector }: MatchExpression,
  literal: Value,
  suggestions: readonly Suggestion[] = [],
): SemanticFault {
  return createFault(
    'no-ignore-case',
    `only text is compared without case, for selector: ${quoteGo(print(selector))}`,
    literal.span,
    'case is not relevant here',
    'remove the i after the quotes; it applies to strings only, with ==, in, contains, starts with, ends with, like and matches',
    suggestions,
  );
}

/** Returns the error of a glob that ends in the middle of an escape. */
export function badGlobDiagnostic(
  { span }: { readonly span: Span },
  suggestions: readonly Suggestion[] = [],
): SemanticFault {
  return createFault(
    'bad-glob',
    'a \\ at the end of a glob escapes nothing',
    span,
    'ends in a lone \\',
    'in a glob, \\ escapes the next character; write a literal backslash as two',
    suggestions,
  );
}

/** Creates the error of a check; without suggestions by default. */
export function createFault(
  code: SemanticErrorCode,
  goMessage: string,
  span: Span,
  label: string,
  hint: string | null = null,
  suggestions: readonly Suggestion[] = [],
): SemanticFault {
  return { code, goMessage, span, label, hint, suggestions };
}
