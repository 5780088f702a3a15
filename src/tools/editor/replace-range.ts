import { isWordCharacter } from '../../language/syntax/characters.js';
import { tokenize } from '../../language/syntax/lexer.js';
import { isFieldName, isOneOf, type Lexeme } from '../../language/syntax/tokens.js';
import * as type from '../../language/syntax/tokens.js';

/** The part of the source at the cursor that a completion replaces. */
export interface Fragment {
  /** `path`: a name, optionally followed by parts; `string`: in quotes; `other`: a number, a partial operator, or nothing. */
  readonly kind: 'path' | 'string' | 'other';
  readonly from: number;
  readonly to: number;
  /** The source from `from` to the cursor. */
  readonly written: string;
  /** Start of the last part of a path (with its dot or bracket) if another precedes it; else null. */
  readonly cut: number | null;
}

/** Finds the fragment at a cursor. Null if the source before it has characters that are invalid in filters. */
export function fragmentAt(text: string, offset: number): Fragment | null {
  const prefix = text.slice(0, offset);
  const tokens = tokenize(prefix);
  const last = tokens.at(-1);
  const make = (kind: Fragment['kind'], from: number, to: number, cut: number | null = null): Fragment => ({
    kind,
    from,
    to,
    written: prefix.slice(from),
    cut,
  });
  if (last === undefined) return make('other', offset, wordEnd(text, offset));
  if (isOneOf(last, type.Unknown)) {
    return last.image === '=' || last.image === '!' ? make('other', last.startOffset, offset) : null;
  }
  const path = pathBefore(tokens, offset);
  if (path !== null) {
    const inKey = isOneOf(last, type.Unterminated);
    return make('path', path.from, inKey ? keyEnd(text, last, offset) : wordEnd(text, offset), path.cut);
  }
  if (isOneOf(last, type.Unterminated)) {
    return make('string', last.startOffset, literalEnd(text, last, offset));
  }
  const isTouching = endOf(last) === offset;
  if (isTouching && isOneOf(last, type.NumberLiteral, type.Typed))
    return make('other', last.startOffset, wordEnd(text, offset));
  // Without a blank, the following word would be joined with the inserted one.
  return make('other', offset, wordEnd(text, offset));
}

function endOf(token: Lexeme): number {
  return token.startOffset + token.image.length;
}

function wordEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && isWordCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** Returns the end of the literal around the cursor: after its closing quote, if it has one. */
function literalEnd(text: string, literal: Lexeme, offset: number): number {
  const tokens = tokenize(text);
  if (tokens.some((token) => isOneOf(token, type.Unterminated))) return offset;
  const whole = tokens.find(({ startOffset }) => startOffset === literal.startOffset);
  return whole === undefined ? offset : Math.max(offset, endOf(whole));
}

/** Returns the end of a key in brackets, including the bracket. */
function keyEnd(text: string, literal: Lexeme, offset: number): number {
  const end = literalEnd(text, literal, offset);
  return end > offset && text[end] === ']' ? end + 1 : end;
}

/** Returns the selector that ends at the cursor, complete or not, read from right to left. */
function pathBefore(tokens: readonly Lexeme[], offset: number): { from: number; cut: number | null } | null {
  let at = tokens.length - 1;
  let cut: number | null = null;
  const isAt = (index: number, ...types: readonly { tokenTypeIdx?: number }[]): boolean => {
    const token = tokens[index];
    return token !== undefined && isOneOf(token, ...types);
  };
  const touches = (index: number): boolean => {
    const [left, right] = [tokens[index], tokens[index + 1]];
    return left !== undefined && endOf(left) === (right?.startOffset ?? offset);
  };
  // Whether the bracket after a token is a part of the path that ends with it.
  const endsPath = (index: number): boolean => {
    const token = tokens[index];
    if (token === undefined || !touches(index)) return false;
    return isFieldName(token) || isOneOf(token, type.IndexPart, type.RightBracket);
  };
  if (!touches(at)) return null;
  // The unfinished last part: `a.`, `a[`, `a["k`, `a["k"`.
  if (isAt(at, type.Dot, type.LeftBracket)) {
    cut = tokens[at]?.startOffset ?? null;
    at -= 1;
  } else if (isAt(at, ...literals) && isAt(at - 1, type.LeftBracket)) {
    cut = tokens[at - 1]?.startOffset ?? null;
    at -= 2;
  }
  if (cut !== null && isAt(at + 1, type.LeftBracket) && !endsPath(at)) return keyedFrom(tokens, at + 1, null);
  for (; touches(at);) {
    const token = tokens[at];
    if (token === undefined) return null;
    if (isFieldName(token) || (at === tokens.length - 1 && isOneOf(token, type.Underscore))) {
      if (!isAt(at - 1, type.Dot) || !touches(at - 1)) return { from: token.startOffset, cut };
      cut ??= tokens[at - 1]?.startOffset ?? null;
      at -= 2;
    } else if (isOneOf(token, type.IndexPart)) {
      cut ??= token.startOffset;
      at -= 1;
    } else if (isOneOf(token, type.RightBracket) && isAt(at - 2, type.LeftBracket)) {
      const bracket = at - 2;
      at -= 3;
      if (!endsPath(at)) return keyedFrom(tokens, bracket, cut);
      cut ??= tokens[bracket]?.startOffset ?? null;
    } else return null;
  }
  return null;
}

/** Returns the selector that begins with a bracket; null if the bracket begins a list. */
function keyedFrom(
  tokens: readonly Lexeme[],
  at: number,
  cut: number | null,
): { from: number; cut: number | null } | null {
  const [previous, bracket] = [tokens[at - 1], tokens[at]];
  const isFirst = previous === undefined || isOneOf(previous, ...beforeKeyed);
  return isFirst && bracket !== undefined ? { from: bracket.startOffset, cut } : null;
}

/** The tokens before an operand, and those before other selectors that may begin with a bracket. */
const beforeKeyed = [type.And, type.Or, type.LeftParen, type.LeftBrace, type.At, type.Any, type.All];

const literals = [type.Text, type.Pointer, type.RawText, type.Unterminated];
