import * as type from './tokens.js';
import type { Lexeme } from './tokens.js';

/** The token `k` places ahead; 1 is the next one. Behind the last token stand tokens of type EOF. */
export type Peek = (k: number) => Lexeme;

/** How many words `not` negate, from the next token on. */
export interface Negations {
  readonly count: number;
  /**
   * Of a reading that was tried and given up: how far ahead its `in` stood without a selector behind it, else 0.
   * go-bexpr does not forgive these.
   */
  readonly abandonedIn: number;
}

/** How much of a match stands at a place. */
interface Scan {
  readonly isComplete: boolean;
  /** How far ahead the first token stands that does not fit, or that need not belong to the match. */
  readonly reach: number;
}

/**
 * Decides for a run of words `not` in front of an operand which of them negate and which is a field's name or a value.
 * A `not` negates exactly when what follows can be an operand: `(`, a literal, a collection, a word that is no operator,
 * an operator's word that begins a complete match (as a name), or a `not` that negates. Decided once, from right to left:
 * the first that negates makes all before it negate. So a run costs time in proportion to its length.
 *
 * Where neither reading can succeed, the one that gets further is taken, for the sake of the message.
 */
export function leadingNegations(peek: Peek): Negations {
  let run = 0;
  while (type.isOneOf(peek(run + 1), type.Not)) run += 1;
  if (startsPlainOperand(peek(run + 1))) return { count: run, abandonedIn: 0 };
  const abandonedIn = danglingIn(peek, run + 1);
  let next = scanMatch(peek, run + 1);
  for (let k = run; k >= 1; k -= 1) {
    if (next.isComplete) return { count: k, abandonedIn };
    const own = scanMatch(peek, k);
    if (!own.isComplete && next.reach > own.reach) return { count: k, abandonedIn };
    next = own;
  }
  return { count: 0, abandonedIn };
}

/** Whether a token begins an operand and nothing else: no name, or a name that no operator is called by. */
function startsPlainOperand(token: Lexeme): boolean {
  if (type.isName(token)) return !isOperatorWord(token);
  const { LeftParen, NumberLiteral, Text, Pointer, RawText, Unterminated } = type;
  return type.isOneOf(token, LeftParen, NumberLiteral, Text, Pointer, RawText, Unterminated);
}

function isOperatorWord(token: Lexeme): boolean {
  return type.isOneOf(token, type.In, type.Contains, type.Matches, type.Is, type.Not);
}

/** Whether the next token, `any` or `all`, begins a collection. It does not where it begins a complete match. */
export function startsCollection(peek: Peek): boolean {
  if (type.isOneOf(peek(2), type.Pointer, type.Text, type.RawText, type.Unterminated)) return true;
  if (!type.isName(peek(2))) return false;
  if (!isOperatorWord(peek(2))) return true;
  return !scanMatch(peek, 1).isComplete && type.isOneOf(peek(afterSelector(peek, 2)), type.As);
}

/** Looks for a match whose name stands `k` ahead. Blanks do not count: they change nothing that is accepted. */
function scanMatch(peek: Peek, k: number): Scan {
  if (!type.isName(peek(k))) return { isComplete: false, reach: k };
  const at = afterSelector(peek, k);
  const operator = peek(at);
  if (type.isOneOf(operator, type.Equal, type.NotEqual, type.Contains, type.Matches)) {
    return scanned(startsValue(peek(at + 1)), at + 1);
  }
  if (type.isOneOf(operator, type.In)) return scanned(startsSelector(peek(at + 1)), at + 1);
  if (type.isOneOf(operator, type.Is)) {
    const last = type.isOneOf(peek(at + 1), type.Not) ? at + 2 : at + 1;
    return scanned(type.isOneOf(peek(last), type.Empty, type.Nil), last);
  }
  if (!type.isOneOf(operator, type.Not)) return { isComplete: false, reach: at };
  const word = peek(at + 1);
  if (type.isOneOf(word, type.In)) return scanned(startsSelector(peek(at + 2)), at + 2);
  if (!type.isOneOf(word, type.Contains, type.Matches)) return { isComplete: false, reach: at + 1 };
  return scanned(startsValue(peek(at + 2)), at + 2);
}

function scanned(isComplete: boolean, last: number): Scan {
  return { isComplete, reach: isComplete ? last + 1 : last };
}

/** How far ahead `in` stands when a name, `in` or `not in`, and then no selector begin `k` ahead; else 0. */
function danglingIn(peek: Peek, k: number): number {
  if (!type.isName(peek(k))) return 0;
  const at = afterSelector(peek, k);
  const word = type.isOneOf(peek(at), type.Not) ? at + 1 : at;
  return type.isOneOf(peek(word), type.In) && !startsSelector(peek(word + 1)) ? word : 0;
}

/** How far ahead the first token behind the selector stands whose name is `k` ahead. */
function afterSelector(peek: Peek, k: number): number {
  for (let at = k + 1; ;) {
    const token = peek(at);
    if (type.isOneOf(token, type.IndexPart)) at += 1;
    else if (type.isOneOf(token, type.Dot) && type.isName(peek(at + 1))) at += 2;
    else if (type.isOneOf(token, type.LeftBracket) && isBracketed(peek, at)) at += 3;
    else return at;
  }
}

function isBracketed(peek: Peek, at: number): boolean {
  return (
    type.isOneOf(peek(at + 1), type.Text, type.Pointer, type.RawText) &&
    type.isOneOf(peek(at + 2), type.RightBracket)
  );
}

function startsSelector(token: Lexeme): boolean {
  return type.isName(token) || type.isOneOf(token, type.Pointer);
}

function startsValue(token: Lexeme): boolean {
  return startsSelector(token) || type.isOneOf(token, type.NumberLiteral, type.Text, type.RawText);
}
