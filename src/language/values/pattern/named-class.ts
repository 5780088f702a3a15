/** The named classes of RE2 other than Unicode's, all ASCII: `\d \s \w` and POSIX's `[:alpha:]`. */
import { complement, type CodeSet, wordChars } from './code-set.js';

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

export interface NamedClass {
  /** The members before the complement is taken, because case folding comes first. */
  readonly set: CodeSet;
  readonly negated: boolean;
}

/** Returns the class of the letter after a backslash, as in `\D`; null for any other letter. */
export function perlClass(letter: string): NamedClass | null {
  const small = letter.toLowerCase();
  const set = perlClasses.get(small);
  return set === undefined ? null : { set, negated: letter !== small };
}

/** Returns the class of a name with its colons, as in `:^alpha:`; null for an unknown one. */
export function posixClass(name: string): NamedClass | null {
  const negated = name.startsWith(':^');
  const set = posixClasses.get(name.slice(negated ? 2 : 1, -1));
  return set === undefined ? null : { set, negated };
}

/** Returns the members of a named class, folded if `fold` is given. Folding precedes the complement, as in Go. */
export function membersOf(named: NamedClass, fold: ((set: CodeSet) => CodeSet) | null): CodeSet {
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
