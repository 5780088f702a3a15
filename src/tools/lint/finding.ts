import { renderFrame } from '../../language/diagnostics/snippet.js';
import type { Diagnostic } from '../../language/diagnostics/errors.js';

/** The kind of a finding. */
export type LintCode =
  /** Holds for every row that it does not fail for. */
  | 'always-true'
  /** Holds for no row. */
  | 'always-false'
  /** A pattern that is found in every string: the match only tests that there is one. */
  | 'matches-everything'
  /** Says what has been said. */
  | 'duplicate'
  /** Implied by another operand. */
  | 'redundant'
  | 'double-negation'
  /** A dot in a pattern that looks like an address: it matches any character. */
  | 'unescaped-dot'
  /** `^a|b$`: an anchor that holds for one alternative. */
  | 'loose-anchor'
  /** A string with an invisible character. */
  | 'invisible-character'
  /** A pattern in the manner of file names, `web-*`, or a glob in the manner of SQL, `web%`. */
  | 'glob'
  /** A value that the field is not known to have. */
  | 'unknown-value'
  /** A literal that no value of the field's kind equals: it is compared as a string. */
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
  /** What go-bexpr rejects or parses differently. */
  | 'not-portable';

/** One finding about a filter that is well-formed: probably not what was meant. Shaped as a refusal is. */
export interface LintFinding extends Omit<Diagnostic, 'code' | 'goMessage'> {
  readonly code: LintCode;
}

/** Returns the source frame of a finding with its hint below, in the format of errors. */
export function renderFinding(source: string, { span, label, hint }: LintFinding): string {
  const frame = renderFrame(source, span, label);
  return hint === null ? frame : `${frame}\n  hint: ${hint}`;
}
