import type { SyntaxErrorCode } from '../diagnostics/errors.js';
import type { Span } from '../diagnostics/span.js';
import type { Extension } from '../operators/operator.js';
import type { Peek } from './disambiguate.js';
import type { Dialect, Relaxation, RelaxationKind } from './dialect.js';
import type { ExpectationName } from './expectation.js';
import { makeSpan } from './factory.js';
import { fail } from './failure.js';
import { isBlank, isWordCharacter } from './characters.js';
import * as type from './tokens.js';
import { endOf, type Lexeme, spanOf } from './tokens.js';

/** An open parenthesis or brace. */
interface Bracket {
  /** Offset at which it could be closed; -1 if it cannot yet, and for a brace, for which go-bexpr has no message. */
  closableAt: number;
  /** The collection whose body the brace opens. */
  readonly collection: Collection | null;
}

interface Collection {
  readonly start: number;
  /** Whether it follows `and` or `not`. */
  readonly isComposed: boolean;
}

/** The check for a token that the grammar consumes. Names and some other tokens need none. */
type Check =
  | 'keyword'
  | 'connective'
  | 'prefix'
  | 'part'
  | 'open'
  | 'close'
  | 'number'
  | 'text'
  | 'extension'
  | 'size'
  | 'caseless'
  | 'typed'
  | 'reference'
  | 'clock';

/** The checks by token type number. */
const checks: readonly (Check | undefined)[] = checksOf({
  // After `is empty` and `is nil` the next token checks for its own blanks.
  keyword: type.typesIn(type.Name).filter((each) => !type.typesIn(type.State).includes(each)),
  connective: [type.And, type.Or],
  prefix: [type.Negation, type.AnyOf, type.AllOf],
  part: [type.Dot, type.LeftBracket, type.IndexPart],
  open: [type.LeftParen, type.LeftBrace],
  close: [type.RightParen, type.RightBrace],
  number: [type.NumberLiteral],
  text: [type.Text],
  extension: [...type.extensions.keys()],
  size: [type.Size],
  caseless: [type.CaselessText],
  typed: [type.Typed],
  reference: [type.At],
  clock: [type.Clock],
});

function checksOf(
  types: Readonly<Record<Check, readonly { readonly tokenTypeIdx?: number }[]>>,
): readonly (Check | undefined)[] {
  const found: (Check | undefined)[] = type.vocabulary.map(() => undefined);
  for (const [check, of] of Object.entries(types)) {
    for (const { tokenTypeIdx = 0 } of of) found[tokenTypeIdx] = check as Check;
  }
  return found;
}

const extensions: ReadonlyMap<number | undefined, Extension> = new Map(
  [...type.extensions].map(([{ tokenTypeIdx }, extension]) => [tokenTypeIdx, extension]),
);

const quantifiers = type.indexesOf(type.AnyOf, type.AllOf);

/**
 * Checks each token as the grammar consumes it. Records what only the `standard` dialect accepts, and rejects it in go-bexpr's
 * own. Blanks: go-bexpr requires them around words and forbids them inside selectors. Collections: it accepts them only in
 * parentheses or as the last operand of `or`.
 */
export class DialectChecker {
  private readonly relaxations: Relaxation[] = [];
  private readonly open: Bracket[] = [];
  /** The collection whose body has not begun yet. */
  private begun: Collection | null = null;
  /** The collection that ends with the last token. */
  private ended: Collection | null = null;

  constructor(
    private readonly text: string,
    readonly dialect: Dialect,
  ) {}

  /** The relaxations used, in source order. */
  finish(): readonly Relaxation[] {
    return Object.freeze(this.relaxations.sort((a, b) => a.span.start - b.span.start));
  }

  /** Where the innermost closable parenthesis could have been closed, or -1. */
  closableAt(): number {
    return this.open.findLast(({ closableAt }) => closableAt >= 0)?.closableAt ?? -1;
  }

  /** Marks the end of an operand: the innermost bracket, if it is a parenthesis, could be closed at `position`. */
  endOperand(position: number): void {
    if (this.open.length === 0) return;
    const bracket = this.open.at(-1);
    if (bracket?.collection === null) bracket.closableAt = position;
  }

  /** A match or a collection begins at `first`. go-bexpr reports a missing operator after the first word of a collection. */
  startTerm(previous: Lexeme, first: Lexeme, next: Lexeme): void {
    if (!quantifiers.has(first.tokenTypeIdx)) return;
    const isComposed = type.isOneOf(previous, type.And, type.Negation);
    if (isComposed && this.dialect === 'go-bexpr') {
      fail('no-match', 'parentheses', spanOf(first), next.startOffset);
    }
    this.begun = { start: first.startOffset, isComposed };
  }

  /** Checks a token that the grammar consumes with the meaning of its type. Words used as names need no check. */
  accept(token: Lexeme, peek: Peek): void {
    switch (checks[token.tokenTypeIdx]) {
      case undefined:
        return;
      case 'keyword':
        this.requireGap(peek(-1), token);
        return this.requireGap(token, peek(1));
      case 'connective':
        return this.acceptConnective(token, peek(-1), peek(1));
      case 'prefix':
        return this.requireGap(token, peek(1));
      case 'part':
        return this.acceptPart(token, peek(-1), peek(1));
      case 'open':
        this.open.push({ closableAt: -1, collection: this.begun });
        this.begun = null;
        return;
      case 'close':
        return this.close(token);
      case 'number':
        return this.checkNumber(token);
      case 'text':
        return this.checkText(token);
      case 'extension':
        return this.acceptExtension(token, peek(-1), peek(1));
      case 'size':
        return this.note('length', spanOf(token));
      case 'caseless':
        this.note('ignore-case', makeSpan(endOf(token) - 1, endOf(token)));
        return this.checkText(token, 1);
      case 'typed':
        return this.note('typed-literal', spanOf(token));
      case 'reference':
        return this.note('field-reference', spanOf(token));
      case 'clock':
        return this.note('clock', spanOf(token));
    }
  }

  private acceptConnective(word: Lexeme, previous: Lexeme, next: Lexeme): void {
    this.endOperand(word.startOffset);
    this.requireGap(previous, word);
    this.requireGap(word, next);
    if (this.ended?.isComposed === false) {
      const span = makeSpan(this.ended.start, endOf(previous));
      this.relax('bare-collection', span, 'no-match', 'parentheses', span, word.startOffset);
    }
    this.ended = null;
  }

  /** Checks a part of a path: a dot, an index with its dot and the blanks between them, or a bracket. */
  private acceptPart(first: Lexeme, previous: Lexeme, next: Lexeme): void {
    const { image, startOffset, tokenTypeIdx } = first;
    this.forbidGap(endOf(previous), startOffset, startOffset);
    if (image === '[') return;
    // go-bexpr does not allow blanks after the dot.
    const dot = startOffset + 1;
    if (tokenTypeIdx === type.IndexPart.tokenTypeIdx)
      this.forbidGap(dot, startOffset + image.search(/[0-9]/), dot);
    else if (type.isName(next)) this.forbidGap(dot, next.startOffset, dot);
  }

  /** Checks the last word of an operator that go-bexpr lacks. */
  private acceptExtension(word: Lexeme, previous: Lexeme, next: Lexeme): void {
    const extension = extensions.get(word.tokenTypeIdx);
    if (extension !== undefined) this.note(extension, spanOf(word));
    if (type.isA(word, type.Comparator)) return;
    this.requireGap(previous, word);
    this.requireGap(word, next);
  }

  // Blanks.

  private requireGap(left: Lexeme, right: Lexeme): void {
    const start = right.startOffset;
    const isEndOfText = right.image === '';
    if (endOf(left) !== start || isEndOfText) return;
    this.relax('missing-whitespace', makeSpan(start, start), 'no-match', 'whitespace', spanOf(right), start);
  }

  /** Rejects a gap in go-bexpr's dialect. `position` is where go-bexpr stops. */
  private forbidGap(start: number, end: number, position: number): void {
    if (start === end) return;
    const whitespace = makeSpan(start, end);
    this.relax('extra-whitespace', whitespace, 'no-match', 'noWhitespace', whitespace, position);
  }

  /** A number followed by a word character or a dot is not a number in either dialect. */
  private checkNumber(token: Lexeme): void {
    const end = endOf(token);
    const next = this.text.charCodeAt(end);
    const endsElement = next === 0x2c || next === 0x5d;
    if (endsElement && this.dialect === 'standard') return;
    const isEnd = Number.isNaN(next) || isBlank(next) || next === 0x29;
    if (isEnd || isWordCharacter(next) || next === 0x2e) return;
    this.relax('missing-whitespace', makeSpan(end, end), 'invalid-number', 'numberGap', spanOf(token), end);
  }

  // Literals.

  /** `flags` is the number of characters after the closing quote. */
  private checkText({ image, startOffset }: Lexeme, flags = 0): void {
    const quote = image.indexOf('"', 1);
    if (quote === image.length - 1 - flags || !image.startsWith('"')) return;
    const escape = makeSpan(startOffset + quote - 1, startOffset + quote + 1);
    this.relax('escaped-quote', escape, 'bad-string', 'escapedQuote', escape, startOffset);
  }

  noteList(span: Span): void {
    this.note('value-list', span);
  }

  noteFieldName(span: Span): void {
    this.note('field-name', span);
  }

  /** Records a quoted value that looks like a pointer. Both dialects accept it, but only go-bexpr reads it as one. */
  notePointerValue(span: Span): void {
    this.note('quoted-pointer-value', span);
  }

  // Collections, and words with two meanings.

  /**
   * Handles an `in`, `k` tokens ahead, that cannot be an operator because no selector follows it. go-bexpr rejects this only if
   * blanks surround the `in`.
   */
  abandonReading(peek: Peek, k: number): void {
    const isSpaced = (left: number): boolean => peek(left + 1).startOffset > endOf(peek(left));
    const isNegated = type.isOneOf(peek(k - 1), type.Not);
    if (!isSpaced(k) || !isSpaced(k - 1) || (isNegated && !isSpaced(k - 2))) return;
    const found = spanOf(peek(k + 1));
    this.relax('abandoned-reading', spanOf(peek(k)), 'invalid-selector', 'container', found, found.start);
  }

  private close(bracket: Lexeme): void {
    this.ended = this.open.pop()?.collection ?? null;
    if (this.ended?.isComposed === true) {
      this.note('bare-collection', makeSpan(this.ended.start, endOf(bracket)));
    }
  }

  // Records what only `standard` accepts; in go-bexpr's own dialect, throws the failure described by the other arguments.
  private relax(
    kind: RelaxationKind,
    span: Span,
    code: SyntaxErrorCode,
    expected: ExpectationName,
    found: Span,
    position: number,
  ): void {
    if (this.dialect === 'go-bexpr') fail(code, expected, found, position);
    this.note(kind, span);
  }

  private note(kind: RelaxationKind, span: Span): void {
    this.relaxations.push(Object.freeze({ kind, span }));
  }
}
