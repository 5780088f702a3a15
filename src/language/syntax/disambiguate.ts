import type { Level } from './dialect.js';
import { firstWords } from './operator-words.js';
import * as type from './tokens.js';
import type { Lexeme, Token } from './tokens.js';

// No word is reserved, and a quoted pointer may be a selector or a value. This module resolves such tokens at the start of each
// operand, so that the grammar needs only one token of look-ahead.

/** The token `k` places ahead: 1 is the next one, 0 the last one consumed. Beyond the last token it returns tokens of type EOF. */
export type Peek = (k: number) => Token;

const ambiguous = type.indexesOf(type.Not, type.Any, type.All, type.Pointer);

/**
 * Resolves the words of the operand that begins at the next token: negating `not` becomes `Negation`, `any` and `all` before a
 * collection become `AnyOf` and `AllOf`, and a pointer before `in` becomes `Text`.
 *
 * @returns If a parse was tried and abandoned: how far ahead its `in` is that no selector follows, else 0.
 */
export function disambiguate(peek: Peek, level: Level): number {
  if (!ambiguous.has(peek(1).tokenTypeIdx)) return 0;
  const { count, danglingIn } = disambiguateNot(peek, level);
  const subject = peek(count + 1);
  if (type.isOneOf(subject, type.Pointer)) disambiguatePointer(subject, peek, count + 1, level);
  else if (type.isOneOf(subject, type.Any, type.All)) disambiguateQuantifier(subject, peek, count + 1, level);
  return danglingIn;
}

function disambiguateNot(peek: Peek, level: Level): Negations {
  if (!type.isOneOf(peek(1), type.Not)) return noNegations;
  const negations = leadingNegations(peek, level);
  for (let k = 1; k <= negations.count; k += 1) type.retype(peek(k), type.Negation);
  return negations;
}

function disambiguatePointer(pointer: Token, peek: Peek, at: number, level: Level): void {
  const operator = type.isOneOf(peek(at + 1), type.Not) ? at + 2 : at + 1;
  if (!type.isA(peek(operator), type.Reversed)) return;
  const isListed = level > 0 && type.isOneOf(peek(operator + 1), type.LeftBracket);
  if (!isListed) type.retype(pointer, type.Text);
}

function disambiguateQuantifier(word: Token, peek: Peek, at: number, level: Level): void {
  if (!startsCollection(peek, at, level)) return;
  type.retype(word, type.isOneOf(word, type.Any) ? type.AnyOf : type.AllOf);
}

/** The number of negating `not` words from the next token on, and the `in` of an abandoned parse. */
interface Negations {
  readonly count: number;
  readonly danglingIn: number;
}

const noNegations: Negations = { count: 0, danglingIn: 0 };

/** How many tokens of a match begin at a position. */
interface Scan {
  readonly isComplete: boolean;
  /** Distance of the first token that does not match, or that need not belong to the match. */
  readonly reach: number;
}

type ScanMatch = (peek: Peek, k: number) => Scan;

/**
 * Decides for a run of `not` words before an operand which of them negate and which is a field's name or a value. A `not` negates
 * exactly if an operand can follow: `(`, a literal, a collection, a word that is not an operator, an operator's word that begins
 * a complete match (as a name), or a `not` that negates. Decided once, from right to left: the first that negates makes all
 * before it negate. So a run takes linear time.
 *
 * If neither parse can succeed, the one that gets further is used, for a better message. A source that is valid without the
 * operators that go-bexpr lacks keeps its meaning: `not in in ["k"]` searches the field `in.k`.
 */
function leadingNegations(peek: Peek, level: Level): Negations {
  let run = 0;
  while (type.isOneOf(peek(run + 1), type.Not)) run += 1;
  if (startsPlainOperand(peek(run + 1))) return { count: run, danglingIn: 0 };
  const danglingIn = findDanglingIn(peek, run + 1);
  const plain = { count: countNegations(peek, run, scanMatch), danglingIn };
  if (level === 0 || endsOperand(peek, plain.count + 1, scanMatch)) return plain;
  const extended = countNegations(peek, run, scanExtended);
  return endsOperand(peek, extended + 1, scanExtended) ? { count: extended, danglingIn: 0 } : plain;
}

function countNegations(peek: Peek, run: number, scan: ScanMatch): number {
  let next = scan(peek, run + 1);
  for (let k = run; k >= 1; k -= 1) {
    if (next.isComplete) return k;
    const own = scan(peek, k);
    if (!own.isComplete && next.reach > own.reach) return k;
    next = own;
  }
  return 0;
}

/** Whether the match whose name is `k` tokens ahead is complete and not followed by a token that must belong to it. */
function endsOperand(peek: Peek, k: number, scan: ScanMatch): boolean {
  const { isComplete, reach } = scan(peek, k);
  return isComplete && type.isOneOf(peek(endOfValue(peek, reach - 1)), ...operandEnds);
}

const operandEnds = [type.And, type.Or, type.RightParen, type.RightBrace, type.End];

/** Whether a token can only begin an operand: it is not a name, or a name that is not an operator word. */
function startsPlainOperand(token: Lexeme): boolean {
  if (type.isName(token)) return !isOperatorWord(token);
  return plainOperands.has(token.tokenTypeIdx);
}

const plainOperands = type.indexesOf(
  type.LeftParen,
  type.NumberLiteral,
  type.Text,
  type.Pointer,
  type.RawText,
  type.Unterminated,
  type.CaselessText,
  type.Typed,
  type.At,
  type.Size,
  type.UnderscoreName,
);

/** The words that begin an operator. */
const operatorWords = type.indexesOf(...firstWords.flatMap((word) => type.keywordOf(word) ?? []));

function isOperatorWord(token: Lexeme): boolean {
  return operatorWords.has(token.tokenTypeIdx);
}

/** Whether `any` or `all`, `at` tokens ahead, begins a collection. It does not if it begins a complete match. */
function startsCollection(peek: Peek, at: number, level: Level): boolean {
  const next = peek(at + 1);
  // `any ["k"] == x` tests the field `any.k`, as in go-bexpr.
  if (type.isOneOf(next, type.LeftBracket))
    return level > 0 && type.isOneOf(peek(afterSelector(peek, at)), type.As);
  if (type.isOneOf(next, type.Pointer, type.Text, type.RawText, type.Unterminated, type.UnderscoreName))
    return true;
  if (!type.isName(next)) return false;
  if (!isOperatorWord(next)) return true;
  const isNamed = type.isOneOf(peek(afterSelector(peek, at + 1)), type.As);
  if (!isExtension(next)) return !scanMatch(peek, at).isComplete && isNamed;
  return (isNamed && bindsNames(peek, at + 1)) || !scanExtended(peek, at).isComplete;
}

/** Whether a selector and `as` are followed by the names and the brace of a collection. */
function bindsNames(peek: Peek, at: number): boolean {
  const first = afterSelector(peek, at) + 1;
  const last = type.isOneOf(peek(first + 1), type.Comma) ? first + 2 : first;
  return type.isOneOf(peek(last + 1), type.LeftBrace);
}

function isExtension(token: Lexeme): boolean {
  return extensions.has(token.tokenTypeIdx);
}

const extensions = type.indexesOf(...type.extensions.keys());

/**
 * Scans a match whose name is `k` tokens ahead, with an operator of go-bexpr. Blanks are ignored because they do not affect the
 * result.
 */
function scanMatch(peek: Peek, k: number): Scan {
  if (!type.isName(peek(k))) return { isComplete: false, reach: k };
  const at = afterSelector(peek, k);
  const operator = peek(at);
  if (isExtension(operator)) return { isComplete: false, reach: at };
  if (type.isA(operator, type.Infix)) return scanned(startsValue(peek(at + 1)), at + 1);
  if (type.isA(operator, type.Reversed)) return scanned(startsSelector(peek(at + 1)), at + 1);
  if (type.isOneOf(operator, type.Is)) {
    const last = type.isOneOf(peek(at + 1), type.Not) ? at + 2 : at + 1;
    return scanned(type.isA(peek(last), type.State), last);
  }
  if (!type.isOneOf(operator, type.Not)) return { isComplete: false, reach: at };
  const word = peek(at + 1);
  if (type.isA(word, type.Reversed)) return scanned(startsSelector(peek(at + 2)), at + 2);
  if (!type.isA(word, type.NegatableInfix) || isExtension(word)) return { isComplete: false, reach: at + 1 };
  return scanned(startsValue(peek(at + 2)), at + 2);
}

/** Scans a match with any operator. */
function scanExtended(peek: Peek, k: number): Scan {
  const plain = scanMatch(peek, k);
  if (plain.isComplete || !type.isName(peek(k))) return plain;
  const at = afterSelector(peek, k);
  const isNegated = type.isOneOf(peek(at), type.Not);
  const last = isNegated ? at + 1 : at;
  const operator = peek(last);
  if (type.isA(operator, type.Reversed))
    return scanned(type.isOneOf(peek(last + 1), type.LeftBracket), last + 1);
  const isKnown = isExtension(operator) && (!isNegated || type.isA(operator, type.NegatableInfix));
  return isKnown ? scanned(startsValue(peek(last + 1)), last + 1) : plain;
}

function scanned(isComplete: boolean, last: number): Scan {
  return { isComplete, reach: isComplete ? last + 1 : last };
}

/** Returns the distance of an `in` or `not in` without a selector, after a name `k` tokens ahead; else 0. */
function findDanglingIn(peek: Peek, k: number): number {
  if (!type.isName(peek(k))) return 0;
  const at = afterSelector(peek, k);
  const word = type.isOneOf(peek(at), type.Not) ? at + 1 : at;
  return type.isA(peek(word), type.Reversed) && !startsSelector(peek(word + 1)) ? word : 0;
}

/** Returns the distance of the first token after the selector whose name is `k` tokens ahead. */
function afterSelector(peek: Peek, k: number): number {
  for (let at = k + 1; ;) {
    const token = peek(at);
    if (type.isOneOf(token, type.IndexPart)) at += 1;
    else if (type.isOneOf(token, type.Dot) && type.isFieldName(peek(at + 1))) at += 2;
    else if (type.isOneOf(token, type.LeftBracket) && isBracketed(peek, at)) at += 3;
    else return at;
  }
}

/** Returns the distance of the first token after the value, selector or list that begins `at` tokens ahead. */
function endOfValue(peek: Peek, at: number): number {
  const first = peek(at);
  if (type.isOneOf(first, type.At)) {
    const isKeyed = type.isOneOf(peek(at + 1), type.LeftBracket) && isBracketed(peek, at + 1);
    return isKeyed ? afterSelector(peek, at + 3) : endOfValue(peek, at + 1);
  }
  if (type.isFieldName(first)) return afterSelector(peek, at);
  if (!type.isOneOf(first, type.LeftBracket)) return at + 1;
  let end = at + 1;
  while (!type.isOneOf(peek(end), type.End, type.RightParen, type.RightBrace)) {
    if (type.isOneOf(peek(end), type.LeftBracket) && isBracketed(peek, end)) end += 3;
    else if (type.isOneOf(peek(end), type.RightBracket)) return end + 1;
    else end += 1;
  }
  return end;
}

function isBracketed(peek: Peek, at: number): boolean {
  return (
    type.isOneOf(peek(at + 1), type.Text, type.Pointer, type.RawText) &&
    type.isOneOf(peek(at + 2), type.RightBracket)
  );
}

function startsSelector(token: Lexeme): boolean {
  return type.isFieldName(token) || type.isOneOf(token, type.Pointer);
}

const literals = type.indexesOf(
  type.Pointer,
  type.NumberLiteral,
  type.Text,
  type.RawText,
  type.CaselessText,
  type.Typed,
  type.At,
  type.Clock,
);

function startsValue(token: Lexeme): boolean {
  return type.isName(token) || literals.has(token.tokenTypeIdx);
}
