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

/**
 * Decides for a run of words `not` in front of an operand which of them negate and which is a field's name or a value.
 * A `not` negates exactly when what follows can be an operand: `(`, a literal, a collection, a word that is no operator,
 * an operator's word that begins a complete match (as a name), or a `not` that negates. Decided once, from right to left:
 * the first that negates makes all before it negate. So a run costs time in proportion to its length.
 */
export function leadingNegations(peek: Peek): Negations {
  let run = 0;
  while (type.isOneOf(peek(run + 1), type.Not)) run += 1;
  let abandonedIn = 0;
  for (let k = run; k >= 1; k -= 1) {
    const next = k + 1;
    if (k === run && startsPlainOperand(peek(next))) return { count: k, abandonedIn };
    if (!type.isName(peek(next))) continue;
    if (startsMatch(peek, next)) return { count: k, abandonedIn };
    if (k === run) abandonedIn = danglingIn(peek, next);
  }
  return { count: 0, abandonedIn };
}

/** Whether a token begins an operand and nothing else: no name, or a name that no operator is called by. */
function startsPlainOperand(token: Lexeme): boolean {
  if (type.isName(token)) return !isOperatorWord(token);
  return type.isOneOf(token, type.LeftParen, type.NumberLiteral, type.Text, type.Pointer, type.RawText);
}

function isOperatorWord(token: Lexeme): boolean {
  return type.isOneOf(token, type.In, type.Contains, type.Matches, type.Is, type.Not);
}

/** Whether the next token, `any` or `all`, begins a collection. It does not where it begins a complete match. */
export function startsCollection(peek: Peek): boolean {
  if (type.isOneOf(peek(2), type.Pointer)) return true;
  if (!type.isName(peek(2))) return false;
  if (!isOperatorWord(peek(2))) return true;
  return !startsMatch(peek, 1) && type.isOneOf(peek(afterSelector(peek, 2)), type.As);
}

/** Whether a complete match begins with the name `k` ahead. Blanks do not count: they change nothing that is accepted. */
function startsMatch(peek: Peek, k: number): boolean {
  const at = afterSelector(peek, k);
  const operator = peek(at);
  const next = peek(at + 1);
  if (type.isOneOf(operator, type.Equal, type.NotEqual, type.Contains, type.Matches))
    return startsValue(next);
  if (type.isOneOf(operator, type.In)) return startsSelector(next);
  if (type.isOneOf(operator, type.Is)) {
    const property = type.isOneOf(next, type.Not) ? peek(at + 2) : next;
    return type.isOneOf(property, type.Empty, type.Nil);
  }
  if (!type.isOneOf(operator, type.Not)) return false;
  if (type.isOneOf(next, type.In)) return startsSelector(peek(at + 2));
  return type.isOneOf(next, type.Contains, type.Matches) && startsValue(peek(at + 2));
}

/** How far ahead `in` stands when a name, `in` or `not in`, and then no selector begin `k` ahead; else 0. */
function danglingIn(peek: Peek, k: number): number {
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
