import { renderFrame } from '../../language/diagnostics/snippet.js';
import type { Diagnostic } from '../../language/diagnostics/errors.js';

/** What a finding is about. */
export type LintCode =
  /** Holds for every row that it does not fail for. */
  | 'always-true'
  /** Holds for no row. */
  | 'always-false'
  /** A pattern that is found in every text: the match asks only whether there is one. */
  | 'matches-everything'
  /** Says what has been said. */
  | 'duplicate'
  /** Follows from what stands beside it. */
  | 'redundant'
  | 'double-negation'
  /** A dot in a pattern that looks like an address: it stands for any character. */
  | 'unescaped-dot'
  /** `^a|b$`: an anchor that holds for one alternative. */
  | 'loose-anchor'
  /** A text with a character that nobody sees. */
  | 'invisible-character'
  /** A pattern in the manner of file names, `web-*`, or a glob in the manner of SQL, `web%`. */
  | 'glob'
  /** A value that the field is not known to have. */
  | 'unknown-value'
  /** A literal that no value of the field's kind equals: texts are compared. */
  | 'never-equal'
  /** A word that names a field and is compared as text. */
  | 'field-as-value'
  /** `== nil` compares with the text `nil`. */
  | 'nil-as-text'
  /** The index of a list compared with text. */
  | 'index-as-value'
  | 'shadowed-name'
  /** Numbers as text: `"10"` comes before `"9"`. */
  | 'text-order'
  /** A field compared with itself. */
  | 'self-reference'
  /** A collection whose body never looks at its elements. */
  | 'unused-name'
  /** A quoted value that go-bexpr reads as a JSON pointer. */
  | 'value-as-pointer'
  /** What go-bexpr refuses or reads in another way. */
  | 'not-portable';

/** One finding about a filter that is well-formed: probably not what was meant. Shaped as a refusal is. */
export interface LintFinding extends Omit<Diagnostic, 'code'> {
  readonly code: LintCode;
}

/** The frame of a finding and, below it, its hint, as errors draw theirs. */
export function renderFinding(source: string, { span, label, hint }: LintFinding): string {
  const frame = renderFrame(source, span, label);
  return hint === null ? frame : `${frame}\n  hint: ${hint}`;
}
