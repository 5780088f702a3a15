import { byteOffsetAt, positionAt, type Position } from './source.js';
import { renderFrame } from './snippet.js';
import type { Span } from './span.js';

/** Why a source is not a valid filter. The names are those of go-bexpr's own error classes. */
export type SyntaxErrorCode =
  | 'no-match'
  | 'unterminated-string'
  | 'bad-string'
  | 'invalid-number'
  | 'invalid-index'
  | 'unclosed-index'
  | 'unmatched-parentheses'
  | 'invalid-selector';

/** Which limit a filter exceeds. */
export type LimitErrorCode =
  | 'too-long'
  | 'too-deep'
  | 'too-many-terms'
  | 'too-many-compile-steps'
  | 'too-many-steps'
  | 'too-much-text'
  | 'pattern-too-long'
  | 'pattern-too-large';

/** Why a filter cannot be applied: to a schema (found by `check`) or to one row (found by evaluation). */
export type SemanticErrorCode =
  | 'find-no-key'
  | 'find-no-field'
  | 'find-out-of-range'
  | 'find-invalid-kind'
  | 'find-bad-index'
  | 'coerce-syntax'
  | 'coerce-range'
  | 'coerce-range-any-list'
  | 'no-comparison'
  | 'no-contains'
  | 'no-empty'
  | 'no-nil'
  | 'no-match-text'
  | 'no-ordering'
  | 'no-membership'
  | 'no-affix'
  | 'no-glob'
  | 'no-length'
  | 'no-reference'
  | 'no-ignore-case'
  | 'bad-literal'
  | 'bad-glob'
  | 'not-an-instance'
  | 'bad-regexp'
  | 'not-a-collection'
  | 'map-key-kind'
  | 'binding-clash'
  | 'binding-path'
  | 'kind-mismatch';

export type FilterErrorCode = SyntaxErrorCode | LimitErrorCode | SemanticErrorCode;

/** A ready correction: replace `span` by `replacement`. `title` says it in words. */
export interface Suggestion {
  readonly title: string;
  readonly span: Span;
  readonly replacement: string;
  /** True if something else may have been meant, although no suggestion can be offered. */
  readonly isGuess?: boolean;
}

/** Fields common to all diagnostics. */
export interface Diagnostic {
  readonly code: FilterErrorCode;
  /** The words of go-bexpr for the same refusal, so that what people search for is found. One line. */
  readonly message: string;
  readonly span: Span;
  /** A short label, printed after the carets. */
  readonly label: string;
  /** What to do instead, as a sentence; null if there is nothing to add. */
  readonly hint: string | null;
  readonly suggestions: readonly Suggestion[];
}

/** The plain form of an error, for logs and machines. `line` and `column` count from 1. */
export interface FilterErrorJSON extends Diagnostic, Position {
  readonly name: string;
  readonly source: string;
}

/** The base of all errors about a filter or about a row that it met. `toString()` draws the place. */
export abstract class FilterError extends Error implements Diagnostic {
  readonly code: FilterErrorCode;
  /** The complete source of the filter. */
  readonly source: string;
  readonly span: Span;
  readonly label: string;
  /** Read lazily: some diagnostics compute their hint only on access. */
  readonly #diagnostic: Diagnostic;

  protected constructor(source: string, diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.code = diagnostic.code;
    this.source = source;
    this.span = diagnostic.span;
    this.label = diagnostic.label;
    this.#diagnostic = diagnostic;
  }

  get hint(): string | null {
    return this.#diagnostic.hint;
  }

  get suggestions(): readonly Suggestion[] {
    return this.#diagnostic.suggestions;
  }

  /** The line of `span.start` in the source, from 1. */
  get line(): number {
    return positionAt(this.source, this.span.start).line;
  }

  /** The column of `span.start` in code points, from 1. */
  get column(): number {
    return positionAt(this.source, this.span.start).column;
  }

  /** The caret frame: the source line, the carets with their label, and the hint. Empty if there is no source. */
  get frame(): string {
    return renderDiagnostic(this.source, this);
  }

  /** The message and the caret frame. */
  override toString(): string {
    const { frame } = this;
    return `${this.name}: ${this.message}${frame === '' ? '' : `\n${frame}`}`;
  }

  toJSON(): FilterErrorJSON {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      source: this.source,
      span: this.span,
      line: this.line,
      column: this.column,
      label: this.label,
      hint: this.hint,
      suggestions: this.suggestions,
    };
  }
}

/** The source is not a valid filter expression. */
export class FilterSyntaxError extends FilterError {
  override readonly name = 'FilterSyntaxError';
  declare readonly code: SyntaxErrorCode;
  /** What was expected at the span: quoted tokens (`"=="`) and token kinds (`a value`). */
  readonly expected: readonly string[];
  /** What was found there: the source at the span, or `end of input`. */
  readonly found: string;

  constructor(
    source: string,
    diagnostic: Diagnostic & { readonly code: SyntaxErrorCode },
    expected: readonly string[],
    found: string,
  ) {
    super(source, diagnostic);
    this.expected = expected;
    this.found = found;
  }

  override toJSON(): FilterErrorJSON & { readonly expected: readonly string[]; readonly found: string } {
    return { ...super.toJSON(), expected: this.expected, found: this.found };
  }
}

/** The filter is larger than a limit allows. */
export class FilterLimitError extends FilterError {
  override readonly name = 'FilterLimitError';
  declare readonly code: LimitErrorCode;
  /** The limit that was exceeded, in its own unit. */
  readonly limit: number;

  constructor(source: string, diagnostic: Diagnostic & { readonly code: LimitErrorCode }, limit: number) {
    super(source, diagnostic);
    this.limit = limit;
  }

  /** A tree that is too large to print has no source to point into; every other oversized source is non-empty. */
  override get frame(): string {
    return this.source === '' ? '' : super.frame;
  }

  override toJSON(): FilterErrorJSON & { readonly limit: number } {
    return { ...super.toJSON(), limit: this.limit };
  }
}

/** One finding of `check`. Its code is that of the evaluation error it foresees. */
export interface SemanticDiagnostic extends Diagnostic {
  readonly code: SemanticErrorCode;
}

/** Maximum number of diagnostics kept by one error. More would not explain a filter with a thousand wrong names any better. */
const maxDiagnostics = 100;

/** The filter is well-formed but cannot hold for the schema. Its own fields are those of the first diagnostic. */
export class FilterCheckError extends FilterError {
  override readonly name = 'FilterCheckError';
  declare readonly code: SemanticErrorCode;
  /** All findings in source order, at most 100. Never empty. */
  readonly diagnostics: readonly SemanticDiagnostic[];

  constructor(source: string, diagnostics: readonly [SemanticDiagnostic, ...SemanticDiagnostic[]]) {
    super(source, diagnostics[0]);
    this.diagnostics = diagnostics.slice(0, maxDiagnostics);
  }

  override get frame(): string {
    return this.diagnostics.map((diagnostic) => renderDiagnostic(this.source, diagnostic)).join('\n');
  }

  override toJSON(): FilterErrorJSON & { readonly diagnostics: readonly SemanticDiagnostic[] } {
    return { ...super.toJSON(), diagnostics: this.diagnostics };
  }
}

/** A row does not fit the filter: a path that ends early, a kind that the operator does not take. */
export class FilterEvaluationError extends FilterError {
  override readonly name = 'FilterEvaluationError';
  declare readonly code: SemanticErrorCode;
  /** The selector as it was written, quotes and brackets normalised: `m["x.y"]`. */
  readonly selector: string;
  /** The kind of value that was met, such as `string`, `list` or `nil`; null when nothing was. */
  readonly actualKind: string | null;

  constructor(
    source: string,
    diagnostic: Diagnostic & { readonly code: SemanticErrorCode },
    selector: string,
    actualKind: string | null,
  ) {
    super(source, diagnostic);
    this.selector = selector;
    this.actualKind = actualKind;
  }

  override toJSON(): FilterErrorJSON & { readonly selector: string; readonly actualKind: string | null } {
    return { ...super.toJSON(), selector: this.selector, actualKind: this.actualKind };
  }
}

/** The frame of one diagnostic and, below it, its hint. */
function renderDiagnostic(source: string, diagnostic: Diagnostic): string {
  const frame = renderFrame(source, diagnostic.span, diagnostic.label);
  return diagnostic.hint === null ? frame : `${frame}\n  hint: ${diagnostic.hint}`;
}

/** `LINE:COL (BYTE OFFSET)`, the way go-bexpr names a place. */
export function goPosition(source: string, offset: number): string {
  const { line, column } = positionAt(source, offset);
  return `${line}:${column} (${byteOffsetAt(source, offset)})`;
}
