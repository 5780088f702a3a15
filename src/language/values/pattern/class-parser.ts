import type { CompileBudget } from './compile-account.js';
import { type CodeSet, complement, normalize, union, wordChars } from './code-set.js';
import { type Cursor, errorFrom, isAtEnd, peek, takeCode } from './cursor.js';
import { readEscape } from './escape.js';
import { isUnicodeClass, unicodeClass } from './unicode-class.js';

/** Character classes: `[a-z[:digit:]\pL]`, and outside of brackets `\d` and `\p{Greek}`. */

type Range = readonly [low: number, high: number];

/** Adds the characters that differ only in case; null without `(?i)`. */
export type Fold = ((set: CodeSet) => CodeSet) | null;

/** Cost of merging two numbers of a set with others. */
const rangeCost = 4;

/** How classes are parsed. */
export interface ClassReading {
  readonly fold: Fold;
  readonly account: CompileBudget;
  /** Collects the Unicode class names that occur. */
  readonly names: Set<string>;
}

/** Reads `[...]`, with the cursor on the bracket. @throws PatternError */
export function readClass(cursor: Cursor, reading: ClassReading): CodeSet {
  const { fold, account } = reading;
  const start = cursor.at;
  cursor.at += 1;
  const negated = peek(cursor) === '^';
  if (negated) cursor.at += 1;
  // A class may contain one named set 300 times.
  const named = new Set<CodeSet>();
  const ranges: Range[] = [];
  // A closing bracket that comes first is a member.
  do {
    const set = readNamedClass(cursor, reading);
    if (set === null) ranges.push(readRange(cursor, start));
    else named.add(set);
  } while (peek(cursor) !== ']');
  cursor.at += 1;
  // Folded together, because adjacent ranges fold to nearly the same.
  const written = normalize(ranges);
  const sets = [fold === null ? written : fold(written), ...named];
  account.charge(sets.reduce((sum, { length }) => sum + length, 0) * rangeCost);
  const set = union(sets);
  return negated ? complement(set) : set;
}

/** Reads `[:alpha:]`, `\pL` or `\d`; returns null and leaves the cursor unchanged if none exists. */
function readNamedClass(cursor: Cursor, reading: ClassReading): CodeSet | null {
  return (
    readPosixClass(cursor, reading.fold) ??
    readUnicodeClass(cursor, reading) ??
    readPerlClass(cursor, reading.fold)
  );
}

function readPosixClass(cursor: Cursor, fold: Fold): CodeSet | null {
  const start = cursor.at;
  if (!cursor.source.startsWith('[:', start)) return null;
  const end = cursor.source.indexOf(':]', start + 2);
  if (end < 0) return null;
  cursor.at = end + 2;
  return members(cursor, start, posixClass(cursor.source.slice(start + 1, end + 1)), fold);
}

/** Reads `\pL`, `\p{Greek}`, `\P{Greek}` or `\p{^Greek}`; null if none exists. */
export function readUnicodeClass(cursor: Cursor, { fold, account, names }: ClassReading): CodeSet | null {
  const start = cursor.at;
  if (peek(cursor) !== '\\' || (peek(cursor, 1) !== 'p' && peek(cursor, 1) !== 'P')) return null;
  const negated = peek(cursor, 1) === 'P';
  cursor.at += 2;
  const name = readUnicodeName(cursor, start);
  const plain = name.replace(/^\^/, '');
  if (isUnicodeClass(plain)) {
    names.add(plain);
    account.chargeName(plain);
  }
  const set = unicodeClass(plain);
  return members(cursor, start, set && { set, negated: negated !== name.startsWith('^') }, fold);
}

function readUnicodeName(cursor: Cursor, start: number): string {
  const { source, at } = cursor;
  if (peek(cursor) !== '{') {
    takeCode(cursor);
    return source.slice(at, cursor.at);
  }
  const end = source.indexOf('}', at);
  cursor.at = end < 0 ? source.length : end + 1;
  if (end < 0) throw errorFrom(cursor, start, 'invalid character class range');
  return source.slice(at + 1, end);
}

/** Reads `\d` and similar classes; null if none exists. */
export function readPerlClass(cursor: Cursor, fold: Fold): CodeSet | null {
  if (peek(cursor) !== '\\') return null;
  const named = perlClass(peek(cursor, 1));
  if (named === null) return null;
  cursor.at += 2;
  return membersOf(named, fold);
}

function members(cursor: Cursor, start: number, named: NamedClass | null, fold: Fold): CodeSet {
  if (named === null) throw errorFrom(cursor, start, 'invalid character class range');
  return membersOf(named, fold);
}

/** Reads `a` or `a-z`. A hyphen before the closing bracket is literal. */
function readRange(cursor: Cursor, classStart: number): Range {
  const start = cursor.at;
  const low = readMember(cursor, classStart);
  let high = low;
  if (peek(cursor) === '-' && peek(cursor, 1) !== ']' && peek(cursor, 1) !== '') {
    cursor.at += 1;
    high = readMember(cursor, classStart);
    if (high < low) throw errorFrom(cursor, start, 'invalid character class range');
  }
  return [low, high];
}

function readMember(cursor: Cursor, classStart: number): number {
  if (!isAtEnd(cursor) && peek(cursor) === '\\') return readEscape(cursor);
  const code = takeCode(cursor);
  if (code === null) throw errorFrom(cursor, classStart, 'missing closing ]');
  return code;
}

/** The named classes of RE2 other than Unicode's, all ASCII: `\d \s \w` and POSIX's `[:alpha:]`. */

const digit: CodeSet = [0x30, 0x39];
const lower: CodeSet = [0x61, 0x7a];
const upper: CodeSet = [0x41, 0x5a];

/** Perl's classes, by letter; the capital letter is the complement. `\s` is `[\t\n\f\r ]`: RE2's lacks `\v`. */
const perlClasses: ReadonlyMap<string, CodeSet> = new Map([
  ['d', digit],
  ['s', [0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x20]],
  ['w', wordChars],
]);

/** POSIX classes, by name; `[:^name:]` is the complement. */
const posixClasses: ReadonlyMap<string, CodeSet> = new Map<string, CodeSet>([
  ['alnum', [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ['alpha', [0x41, 0x5a, 0x61, 0x7a]],
  ['ascii', [0x00, 0x7f]],
  ['blank', [0x09, 0x09, 0x20, 0x20]],
  ['cntrl', [0x00, 0x1f, 0x7f, 0x7f]],
  ['digit', digit],
  ['graph', [0x21, 0x7e]],
  ['lower', lower],
  ['print', [0x20, 0x7e]],
  ['punct', [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ['space', [0x09, 0x0d, 0x20, 0x20]],
  ['upper', upper],
  ['word', wordChars],
  ['xdigit', [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

interface NamedClass {
  /** The members before the complement is taken, because case folding comes first. */
  readonly set: CodeSet;
  readonly negated: boolean;
}

/** Returns the class of the letter after a backslash, as in `\D`; null for any other letter. */
function perlClass(letter: string): NamedClass | null {
  const small = letter.toLowerCase();
  const set = perlClasses.get(small);
  return set === undefined ? null : { set, negated: letter !== small };
}

/** Returns the class of a name with its colons, as in `:^alpha:`; null for an unknown one. */
function posixClass(name: string): NamedClass | null {
  const negated = name.startsWith(':^');
  const set = posixClasses.get(name.slice(negated ? 2 : 1, -1));
  return set === undefined ? null : { set, negated };
}

/** Returns the members of a named class, folded if `fold` is given. Folding precedes the complement, as in Go. */
function membersOf(named: NamedClass, fold: ((set: CodeSet) => CodeSet) | null): CodeSet {
  const set = fold === null ? named.set : fold(named.set);
  return named.negated ? complementOf(set) : set;
}

/** Like {@link complement}, cached per set: named sets are long-lived and may occur 300 times in a pattern. */
function complementOf(set: CodeSet): CodeSet {
  let others = complements.get(set);
  if (others === undefined) complements.set(set, (others = complement(set)));
  return others;
}

const complements = new WeakMap<CodeSet, CodeSet>();
