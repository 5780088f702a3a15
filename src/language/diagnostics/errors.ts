import { isErrorOf, markError } from '../../runtime/shared-identity.js';
import { byteOffsetAt, positionAt, type Position } from './source.js';
import { escapeControls, renderFrame } from './snippet.js';
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

/** A correction that can be applied: replaces `span` by `replacement`. `title` describes it. */
export interface Suggestion {
  readonly title: string;
  readonly span: Span;
  readonly replacement: string;
  /** Whether something else may have been meant, although no suggestion can be offered. */
  readonly isGuess?: boolean;
}

/** Returns a correction whose title quotes the replacement. */
export function suggest(span: Span, replacement: string, title = `write ${replacement}`): Suggestion {
  return { title, span, replacement };
}

/** Fields common to all diagnostics. */
export interface Diagnostic {
  readonly code: FilterErrorCode;
  /** The position, what is wrong there, and the hint: `1:1: Stauts: there is no such field. Did you mean Status?` One line. */
  readonly message: string;
  /** The message of go-bexpr for the same mistake, with its own position. One line. */
  readonly goMessage: string;
  readonly span: Span;
  /** A short label, printed after the carets. */
  readonly label: string;
  /** What to do instead, as a sentence; null if there is nothing to add. */
  readonly hint: string | null;
  readonly suggestions: readonly Suggestion[];
}

/** A diagnostic without its message, which is derived from the source. */
export type FilterFault = Omit<Diagnostic, 'message'>;

/** The JSON form of an error. `line` and `column` are numbered from 1. */
export interface FilterErrorJSON extends Diagnostic, Position {
  readonly name: string;
  readonly source: string;
}

/** The base class of all errors about a filter, or about a row that it was applied to. `toString()` includes the caret frame. */
export abstract class FilterError extends Error implements Diagnostic {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, FilterError, value, 'FilterError');
  }

  readonly code: FilterErrorCode;
  /** The message of go-bexpr for the same mistake. Limits, which go-bexpr lacks, have the same text in both. */
  readonly goMessage: string;
  /** The complete source of the filter. */
  readonly source: string;
  readonly span: Span;
  readonly label: string;
  /** Read lazily: some diagnostics compute their hint only on access. */
  readonly #diagnostic: FilterFault;

  protected constructor(source: string, diagnostic: FilterFault, message: string) {
    super(message);
    markError(this, 'FilterError');
    this.code = diagnostic.code;
    this.goMessage = diagnostic.goMessage;
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

  /** The error in several lines: the message without the hint, the source line with carets, and the hint. */
  get report(): string {
    return renderReport(this.source, this);
  }

  /** The name and the report. */
  override toString(): string {
    return `${this.name}: ${this.report}`;
  }

  toJSON(): FilterErrorJSON {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      goMessage: this.goMessage,
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
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, FilterSyntaxError, value, 'FilterError', ['FilterSyntaxError']);
  }

  override readonly name = 'FilterSyntaxError';
  declare readonly code: SyntaxErrorCode;
  /** What was expected at the span: quoted tokens (`"=="`) and token kinds (`a value`). */
  readonly expected: readonly string[];
  /** What was found there: the source at the span, or `end of input`. */
  readonly found: string;

  constructor(
    source: string,
    diagnostic: FilterFault & { readonly code: SyntaxErrorCode },
    expected: readonly string[],
    found: string,
  ) {
    super(source, diagnostic, messageOf(source, diagnostic));
    this.expected = expected;
    this.found = found;
  }

  override toJSON(): FilterErrorJSON & { readonly expected: readonly string[]; readonly found: string } {
    return { ...super.toJSON(), expected: this.expected, found: this.found };
  }
}

/** The filter is larger than a limit allows. */
export class FilterLimitError extends FilterError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, FilterLimitError, value, 'FilterError', ['FilterLimitError']);
  }

  override readonly name = 'FilterLimitError';
  declare readonly code: LimitErrorCode;
  /** The limit that was exceeded, in its own unit. */
  readonly limit: number;

  constructor(source: string, diagnostic: FilterFault & { readonly code: LimitErrorCode }, limit: number) {
    super(source, diagnostic, messageOf(source, diagnostic));
    this.limit = limit;
  }

  /** A tree that is too large to print has no source to point into; every other oversized source is non-empty. */
  override get frame(): string {
    return this.source === '' ? '' : super.frame;
  }

  override get report(): string {
    return this.source === '' ? this.message : super.report;
  }

  override toJSON(): FilterErrorJSON & { readonly limit: number } {
    return { ...super.toJSON(), limit: this.limit };
  }
}

/** One finding of `check`. Its code is that of the corresponding evaluation error. */
export interface SemanticDiagnostic extends Diagnostic {
  readonly code: SemanticErrorCode;
}

/** A finding of `check` without its message. */
export type SemanticFault = Omit<SemanticDiagnostic, 'message'>;

/** Maximum number of diagnostics kept by one error. More would not explain a filter with a thousand wrong names any better. */
const maxDiagnostics = 100;

/** The filter is well-formed but cannot match any row of the schema. Its own fields are those of the first diagnostic. */
export class FilterCheckError extends FilterError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, FilterCheckError, value, 'FilterError', ['FilterCheckError']);
  }

  override readonly name = 'FilterCheckError';
  declare readonly code: SemanticErrorCode;
  /** All findings in source order, at most 100. Never empty. */
  readonly diagnostics: readonly SemanticDiagnostic[];

  constructor(source: string, diagnostics: readonly [SemanticFault, ...SemanticFault[]]) {
    super(source, diagnostics[0], messageOf(source, diagnostics[0]));
    this.diagnostics = diagnostics.slice(0, maxDiagnostics).map((each) => withMessage(source, each));
  }

  override get frame(): string {
    return this.diagnostics.map((diagnostic) => renderDiagnostic(this.source, diagnostic)).join('\n');
  }

  override get report(): string {
    return this.diagnostics.map((diagnostic) => renderReport(this.source, diagnostic)).join('\n');
  }

  override toJSON(): FilterErrorJSON & { readonly diagnostics: readonly SemanticDiagnostic[] } {
    return { ...super.toJSON(), diagnostics: this.diagnostics };
  }
}

/** A row does not match the filter: a path that ends early, or a kind that the operator does not support. */
export class FilterEvaluationError extends FilterError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, FilterEvaluationError, value, 'FilterError', ['FilterEvaluationError']);
  }

  override readonly name = 'FilterEvaluationError';
  declare readonly code: SemanticErrorCode;
  /** The selector as written, with normalised quotes and brackets: `m["x.y"]`. */
  readonly selector: string;
  /** The kind of the value, such as `string`, `list` or `nil`; null if there was none. */
  readonly actualKind: string | null;

  constructor(source: string, diagnostic: SemanticFault, selector: string, actualKind: string | null) {
    // Omits hints that require a search, because most row errors are counted and never read.
    const isLazy = Object.getOwnPropertyDescriptor(diagnostic, 'hint')?.get !== undefined;
    super(source, diagnostic, isLazy ? headlineOf(source, diagnostic) : messageOf(source, diagnostic));
    this.selector = selector;
    this.actualKind = actualKind;
  }

  override toJSON(): FilterErrorJSON & { readonly selector: string; readonly actualKind: string | null } {
    return { ...super.toJSON(), selector: this.selector, actualKind: this.actualKind };
  }
}

/** Returns the frame of one diagnostic followed by its hint. */
function renderDiagnostic(source: string, { span, label, hint }: FilterFault): string {
  const frame = renderFrame(source, span, label);
  return hint === null ? frame : `${frame}\n  hint: ${hint}`;
}

/** Returns the same with the label above the source line, after the position. */
function renderReport(source: string, diagnostic: FilterFault): string {
  return `${headlineOf(source, diagnostic)}\n${renderDiagnostic(source, { ...diagnostic, hint: diagnostic.hint, label: '' })}`;
}

/** Returns the diagnostic with its message, which is computed on access. */
export function withMessage(source: string, fault: SemanticFault): SemanticDiagnostic {
  return {
    code: fault.code,
    get message() {
      return messageOf(source, fault);
    },
    goMessage: fault.goMessage,
    span: fault.span,
    label: fault.label,
    get hint() {
      return fault.hint;
    },
    get suggestions() {
      return fault.suggestions;
    },
  };
}

/** Maximum length of a message and of the part of the source that it quotes, in UTF-16 units. */
const maxMessageLength = 600;
const maxSubjectLength = 40;

function messageOf(source: string, fault: FilterFault): string {
  const { hint } = fault;
  const headline = headlineOf(source, fault);
  return hint === null ? headline : oneLine(`${headline}. ${asSentence(hint)}`);
}

function headlineOf(source: string, fault: FilterFault): string {
  if (source === '') return oneLine(sentenceOf(source, fault));
  const { line, column } = positionAt(source, fault.span.start);
  return oneLine(`${line}:${column}: ${sentenceOf(source, fault)}`);
}

/**
 * Returns a sentence that names the problem and its subject. A label is printed below the source, but a message is printed alone.
 */
function sentenceOf(source: string, { code, goMessage, span, label }: FilterFault): string {
  if (limitCodes.has(code)) return goMessage;
  const marked = clipped(source.slice(span.start, span.end), maxSubjectLength).trim();
  if (marked === '' || label.startsWith('expected ')) return label;
  const subject = /^(?:[\p{L}\p{N}_"`-]|\[["`])/u.test(marked) ? marked : `"${marked}"`;
  if (label.startsWith('this is ')) return `${subject} ${label.slice('this '.length)}`;
  return label.startsWith('not ') ? `${subject} is ${label}` : `${subject}: ${label}`;
}

const limitCodes: ReadonlySet<FilterErrorCode> = new Set<LimitErrorCode>([
  'too-long',
  'too-deep',
  'too-many-terms',
  'too-many-compile-steps',
  'too-many-steps',
  'too-much-text',
  'pattern-too-long',
  'pattern-too-large',
]);

/** Returns a hint as a sentence. If it begins with a keyword, that keeps its case. */
function asSentence(text: string): string {
  const capital = text.replace(
    /^(?!(?:all|any|contains|ends|in|is|like|matches|not|now|starts)\b)[a-z](?=[a-z]* )/,
    (first) => first.toUpperCase(),
  );
  return /[.?!]$/.test(capital) ? capital : `${capital}.`;
}

function oneLine(text: string): string {
  return escapeControls(clipped(text, maxMessageLength));
}

/** Returns the text, truncated if it is long, but not within a surrogate pair. */
function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns `LINE:COL (BYTE OFFSET)`, go-bexpr's format of positions. */
export function goPosition(source: string, offset: number): string {
  const { line, column } = positionAt(source, offset);
  return `${line}:${column} (${byteOffsetAt(source, offset)})`;
}
