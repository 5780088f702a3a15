import { renderFrame } from '../../language/diagnostics/snippet.js';
import type { Diagnostic } from '../../language/diagnostics/errors.js';

/** The kind of a finding. */
export type LintCode =
  /** Matches every row for which it does not fail. */
  | 'always-true'
  /** Matches no row. */
  | 'always-false'
  /** A pattern that matches every string, so that it only tests whether there is one. */
  | 'matches-everything'
  /** Repeats another operand. */
  | 'duplicate'
  /** Implied by another operand. */
  | 'redundant'
  | 'double-negation'
  /** `not ["k"] == x`: a test of the field `not`, not a negation. */
  | 'negated-key'
  /** A dot in a pattern that looks like an address: it matches any character. */
  | 'unescaped-dot'
  /** `^a|b$`: an anchor that applies to only one alternative. */
  | 'loose-anchor'
  /** A string with an invisible character. */
  | 'invisible-character'
  /** A file name pattern, `web-*`, or an SQL pattern, `web%`. */
  | 'glob'
  /** A value that is not among the known values of the field. */
  | 'unknown-value'
  /** A literal that no value of the field's kind equals. It is compared as a string. */
  | 'never-equal'
  /** An integer outside 64 bits, which `==` of an undeclared value rounds to a float64. */
  | 'rounded-integer'
  /** A word that names a field but is compared as a string. */
  | 'field-as-value'
  /** `== nil` compares with the string `nil`. */
  | 'nil-as-text'
  /** The index of a list compared with a string. */
  | 'index-as-value'
  | 'shadowed-name'
  /** Numbers as strings: `"10"` comes before `"9"`. */
  | 'text-order'
  /** A field compared with itself. */
  | 'self-reference'
  /** A collection whose body does not use its elements. */
  | 'unused-name'
  /** A quoted value that go-bexpr reads as a JSON pointer. */
  | 'value-as-pointer'
  /** Syntax that go-bexpr rejects or parses differently. */
  | 'not-portable';

/** One finding about a well-formed filter: probably not what was intended. Has the shape of an error. */
export interface LintFinding extends Omit<Diagnostic, 'code' | 'goMessage'> {
  readonly code: LintCode;
}

/** Returns the source frame of a finding with its hint below, in the format of errors. */
export function renderFinding(source: string, { span, label, hint }: LintFinding): string {
  const frame = renderFrame(source, span, label);
  return hint === null ? frame : `${frame}\n  hint: ${hint}`;
}
