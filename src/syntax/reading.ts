import type { SyntaxErrorCode } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { Selector, Value } from './ast.js';
import type { ExpectationName } from './expectation.js';
import { ParserFailure } from './failure.js';
import { type Decoded, isPointer, pointerSegments, unquote, unquoteRaw } from './literal.js';
import * as make from './factory.js';
import type { Dialect, Relaxation, RelaxationKind } from './dialect.js';
import { isBlank, isWordCharacter, type Lexeme } from './tokens.js';

/** Called with the number, from 1, and the first token of each match and collection; may throw. */
export type OnTerm = (count: number, span: Span) => void;

/** Marks a brace in the list of open brackets: go-bexpr has no message of its own for these. */
const brace = -2;

/**
 * What one parse knows beside the grammar: the text, the dialect's rules about blanks and literals, and the pieces of the
 * selector and the match that are being read. Neither of these nests, so one set of fields is enough.
 *
 * All tokens are given as they come from the lexer; the token at the end of input has no offset (NaN).
 */
export class Reading {
  private readonly relaxations: Relaxation[] = [];
  private terms = 0;
  /** For each open bracket the place where it could have been closed, -1 when there was none yet, or `brace`. */
  private readonly open: number[] = [];
  private path: string[] = [];
  private partSpans: Span[] = [];
  private isWellFormed = true;
  private pathEnd = 0;

  constructor(
    readonly text: string,
    readonly dialect: Dialect,
    private readonly onTerm: OnTerm,
  ) {}

  // Places.

  startOf(token: Lexeme): number {
    return token.startOffset >= 0 ? token.startOffset : this.text.length;
  }

  endOf(token: Lexeme): number {
    return this.startOf(token) + token.image.length;
  }

  isSpaced(left: Lexeme, right: Lexeme): boolean {
    return this.startOf(right) > this.endOf(left);
  }

  spanOf(token: Lexeme): Span {
    const start = this.startOf(token);
    return make.makeSpan(start, start + token.image.length);
  }

  // Blanks. go-bexpr asks for them around words and forbids them inside selectors; `standard` does neither.

  /** Notes that a word touches the token before or behind it. */
  requireGap(left: Lexeme, right: Lexeme): void {
    const start = right.startOffset;
    if (left.startOffset + left.image.length !== start) return;
    const span = make.makeSpan(start, start);
    this.relax('missing-whitespace', span, 'no-match', 'whitespace', this.spanOf(right), start);
  }

  /** Notes blanks between two tokens of a selector. go-bexpr stops at `place`. */
  forbidGap(left: Lexeme, right: Lexeme, place = right.startOffset): void {
    const end = left.startOffset + left.image.length;
    if (end === right.startOffset) return;
    const span = make.makeSpan(end, right.startOffset);
    this.relax('extra-whitespace', span, 'no-match', 'noWhitespace', span, place);
  }

  // Brackets and terms.

  openParenthesis(): void {
    this.open.push(-1);
  }

  openBrace(): void {
    this.open.push(brace);
  }

  close(): void {
    this.open.pop();
  }

  /** An operand has ended: the innermost parenthesis could be closed at `place`. */
  noteClosable(place: number): void {
    const last = this.open.length - 1;
    if (last >= 0 && this.open[last] !== brace) this.open[last] = place;
  }

  startTerm(first: Lexeme): number {
    this.terms += 1;
    this.onTerm(this.terms, this.spanOf(first));
    return this.startOf(first);
  }

  // Selectors.

  startPath(name: Lexeme): void {
    const span = this.spanOf(name);
    this.path = [name.image];
    this.partSpans = [span];
    this.pathEnd = span.end;
    this.isWellFormed = true;
  }

  addName(dot: Lexeme, name: Lexeme): void {
    this.forbidGap(dot, name, dot.startOffset + 1);
    const span = this.spanOf(name);
    this.addPart(name.image, span, span.end);
  }

  /** `.0`: the blanks that `standard` allows behind the dot are in the token. */
  addIndex(index: Lexeme): void {
    const { start, end } = this.spanOf(index);
    const digits = index.image.slice(1).trimStart();
    const digitsStart = end - digits.length;
    if (digitsStart > start + 1) {
      const blanks = make.makeSpan(start + 1, digitsStart);
      this.relax('extra-whitespace', blanks, 'no-match', 'noWhitespace', blanks, start + 1);
    }
    if (isWordCharacter(this.text.charCodeAt(end))) {
      this.fail('no-match', 'operator', make.makeSpan(end, this.wordEnd(end)), end);
    }
    this.addPart(digits, make.makeSpan(digitsStart, end), end);
  }

  addKey(key: Lexeme): void {
    const { text, wellFormed } = key.image.startsWith('`') ? raw(key) : this.quoted(key);
    this.isWellFormed &&= wellFormed;
    this.addPart(text, this.spanOf(key), this.endOf(key));
  }

  endKey(bracket: Lexeme): void {
    this.pathEnd = this.endOf(bracket);
  }

  private addPart(text: string, span: Span, end: number): void {
    this.path.push(text);
    this.partSpans.push(span);
    this.pathEnd = end;
  }

  /** The selector whose parts have been added. */
  selector(): Selector {
    return make.makeSelector('bexpr', this.path, this.partSpans, this.pathSpan());
  }

  private pathSpan(): Span {
    return make.makeSpan(this.partSpans[0]?.start ?? 0, this.pathEnd);
  }

  pointer(token: Lexeme): Selector {
    const span = this.spanOf(token);
    const body = token.image.slice(1, -1);
    const spans: Span[] = [];
    let at = span.start + 1;
    for (const segment of body.split('/').slice(body === '' ? 0 : 1)) {
      const start = body === '' ? at : at + 1;
      at = start + segment.length;
      spans.push(make.makeSpan(start, at));
    }
    return make.makeSelector('pointer', pointerSegments(body), spans, span);
  }

  // Values.

  /** The selector whose parts have been added, as a value: the parts, joined by dots. */
  bareValue(): Value {
    return make.makeValue(this.path.join('.'), this.isWellFormed, 'bare', this.pathSpan());
  }

  number(token: Lexeme): Value {
    const span = this.spanOf(token);
    const next = this.text.charCodeAt(span.end);
    if (isWordCharacter(next) || next === 0x2e) {
      this.fail('invalid-number', 'numberEnd', make.makeSpan(span.start, this.wordEnd(span.end)), span.end);
    }
    if (!(Number.isNaN(next) || isBlank(next) || next === 0x29)) {
      const gap = make.makeSpan(span.end, span.end);
      this.relax('missing-whitespace', gap, 'invalid-number', 'numberGap', span, span.end);
    }
    return make.makeValue(token.image, true, 'number', span);
  }

  /** A literal in quotes or backticks. Only go-bexpr reads a quoted value that looks like a pointer as one. */
  string(token: Lexeme): Value {
    const span = this.spanOf(token);
    if (token.image.startsWith('`')) return make.makeValue(raw(token).text, true, 'raw', span);
    const { text, wellFormed } = this.quoted(token);
    const body = token.image.slice(1, -1);
    if (!body.startsWith('/') || !isPointer(body)) return make.makeValue(text, wellFormed, 'quoted', span);
    if (this.dialect === 'standard') {
      this.relaxations.push(Object.freeze({ kind: 'quoted-pointer-value', span }));
      return make.makeValue(text, true, 'quoted', span);
    }
    return make.makeValue(pointerSegments(body).join('/'), true, 'quoted', span);
  }

  private quoted(token: Lexeme): Decoded {
    const body = token.image.slice(1, -1);
    const start = token.startOffset + 1;
    const quote = body.indexOf('"');
    if (quote !== -1) {
      const escape = make.makeSpan(start + quote - 1, start + quote + 1);
      this.relax('escaped-quote', escape, 'bad-string', 'escapedQuote', escape, token.startOffset);
    }
    const decoded = unquote(body);
    if (!('reason' in decoded)) return decoded;
    const flaw = make.makeSpan(start + decoded.start, start + decoded.end);
    this.fail('bad-string', decoded.reason, flaw, token.startOffset);
  }

  // Collections. go-bexpr takes them only in parentheses or as the last operand of `or`.

  /** The collection that `word` begins stands behind `and` or `not`. go-bexpr misses an operator behind the word. */
  requireParentheses(word: Lexeme, next: Lexeme): void {
    if (this.dialect !== 'go-bexpr') return;
    this.fail('no-match', 'parentheses', this.spanOf(word), this.startOf(next));
  }

  /** The collection at `span`, behind `and` or `not`, has been read. */
  noteComposed(span: Span): void {
    this.relaxations.push(Object.freeze({ kind: 'bare-collection', span }));
  }

  /** The collection at `span` is followed by `and` or `or`. */
  noteContinued(span: Span, word: Lexeme): void {
    this.relax('bare-collection', span, 'no-match', 'parentheses', span, word.startOffset);
  }

  /** A reading of `word`, an `in`, as an operator has been given up because `next` is no selector. */
  noteAbandoned(word: Lexeme, next: Lexeme): void {
    const found = this.spanOf(next);
    this.relax('abandoned-reading', this.spanOf(word), 'invalid-selector', 'container', found, found.start);
  }

  /** The relaxations used, in source order. */
  finish(): readonly Relaxation[] {
    return Object.freeze(this.relaxations.sort((a, b) => a.span.start - b.span.start));
  }

  // Refusals.

  /** Notes what only `standard` accepts; in go-bexpr's own dialect it is the failure that the other arguments describe. */
  relax(
    kind: RelaxationKind,
    span: Span,
    code: SyntaxErrorCode,
    expected: ExpectationName,
    found: Span,
    place: number,
  ): void {
    if (this.dialect === 'go-bexpr') this.fail(code, expected, found, place);
    this.relaxations.push(Object.freeze({ kind, span }));
  }

  fail(code: SyntaxErrorCode, expected: ExpectationName, span: Span, place: number): never {
    throw new ParserFailure({ code, expected, span, place, closableAt: this.closableAt() });
  }

  /** A literal is not closed. go-bexpr ends one at the first quote, escaped or not. */
  failUnterminated(span: Span): never {
    const isEscaped = this.dialect === 'go-bexpr' && this.text.slice(span.start + 1).includes('"');
    if (isEscaped && this.text.charAt(span.start) === '"') {
      this.fail('bad-string', 'escapedQuote', span, span.start);
    }
    this.fail('unterminated-string', 'quote', make.makeSpan(span.start, span.start + 1), span.end);
  }

  /** The part worth showing of a token that runs to the end of the text: one character, or a run of operator signs. */
  unknown(token: Lexeme): Span {
    const signs = /^[=<>!&|~^%*+?]+/.exec(token.image)?.[0];
    const first = signs ?? String.fromCodePoint(token.image.codePointAt(0) ?? 0);
    return make.makeSpan(token.startOffset, token.startOffset + first.length);
  }

  /** Where the innermost parenthesis that could have been closed could have been, or -1. */
  closableAt(): number {
    return this.open.findLast((place) => place >= 0) ?? -1;
  }

  /** The end of the run of word characters and dots from `at` on. */
  private wordEnd(at: number): number {
    let end = at;
    while (isWordCharacter(this.text.charCodeAt(end)) || this.text.charCodeAt(end) === 0x2e) end += 1;
    return end;
  }
}

function raw(token: Lexeme): Decoded {
  return { text: unquoteRaw(token.image.slice(1, -1)), wellFormed: true };
}
