/**
 * Random patterns and texts, with a bias to where translations of RE2 go wrong: case folding, negated classes, code
 * points beyond U+FFFF and lone surrogates, assertions, lines, nested repetitions.
 */
import { contains, rangesOf } from '../../../src/language/values/pattern/code-set.js';
import type { Node } from '../../../src/language/values/pattern/node.js';

/** Numbers from 0 to below 1. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

// `\pC` is left out: since Go 1.25 and in re2js it has the unassigned code points too.
const literals =
  'a b a b c k K s S ſ \\x{212A} é É ß ẞ σ ς Σ 😀 \\x{1F600} \\x{1F601} - 1 0 \\n \\r \\x{2028} \\v \\t _ foo web- ' +
  '\\Qa.b\\E \\. ǅ ﬀ İ ı i I \\x{D83D} \\x{DE00}';
const classes =
  '.* .* .+ [\\s\\S]+? . . [ab] [^a] [^ab\\n] [a-z] [^a-z] \\d \\D \\w \\W \\s \\S [[:alpha:]] [^[:alpha:]] [[:^space:]] \\pL \\PL ' +
  '\\p{Lu} \\P{Lu} \\p{Greek} \\p{^Greek} [\\pL\\d] [^\\pL] \\p{Cs} [😀-😃] [^😀] [\\x{10000}-\\x{10FFFF}] ' +
  '[\\x{0}-\\x{FFFF}] [^\\x{0}-\\x{10FFFF}] [\\x{D800}-\\x{DFFF}] [\\x{D83D}] [k-s] [K] [^k] [^S] [^ſ] [\\s\\S] ' +
  '[é-ü] [α-ω] [\\W\\d] \\pN \\p{Any}';
const assertions = '^ $ \\b \\B \\A \\z (?m)^ (?m)$ (?m:^) (?m:$)';
const repetitions = '* + ? *? +? ?? {2} {0,2} {1,3} {2,} {0} {1} {0,} {1,}?';

const literalList = [...literals.split(' '), ' '];
const classList = classes.split(' ');
const assertionList = assertions.split(' ');
const repetitionList = repetitions.split(' ');

/** A pattern that RE2 accepts. Half of them are anchored, for at an open end most of a pattern does not matter. */
export function generatePattern(random: Random, depth: number): string {
  const inner = generatePiece(random, depth);
  const kind = random();
  if (kind < 0.5) return inner;
  if (kind < 0.8) return `^(?:${inner})$`;
  return kind < 0.9 ? `^(?:${inner})` : `(?:${inner})$`;
}

function generatePiece(random: Random, depth: number): string {
  const kind = random();
  const inner = (): string => generatePiece(random, depth - 1);
  if (depth <= 0 || kind < 0.35) return kind < 0.2 ? pick(random, literalList) : pick(random, classList);
  if (kind < 0.45) return pick(random, assertionList);
  if (kind < 0.62) return inner() + inner();
  if (kind < 0.72)
    return `(${inner()}|${inner()}${random() < 0.3 ? `|${inner()}` : ''}${random() < 0.15 ? '|' : ''})`;
  if (kind < 0.76) return `${inner()}|${inner()}`;
  if (kind < 0.92) return `(?:${inner()})${pick(random, repetitionList)}`;
  if (kind < 0.95) return `(?i:${inner()})`;
  if (kind < 0.965) return `(?i)${inner()}`;
  if (kind < 0.98) return `(?s:${inner()})`;
  return `(?U-i:${inner()})`;
}

const characters = [
  ...'abABckKsSſéÉßẞσςΣ😀😁-10 \n\r\v\t_fowez.ǅǄﬀİıiIü中',
  '\u212a',
  '\u2028',
  '\ud83d',
  '\ude00',
  '\u{10ffff}',
  '\0',
  'foo',
  'web-',
  '\n',
];

/**
 * Whether strings may have any code point: a pattern with `\pL` matches the runtime's Unicode, and re2js Unicode 17. Otherwise
 * they consist of long-established characters.
 */
const anyCodePoint = process.versions.unicode === '17.0';

/** A text: one that the pattern might match, often a little changed, or any. */
export function generateText(random: Random, node: Node): string {
  if (random() < 0.3)
    return Array.from({ length: Math.floor(random() * 8) }, () => pick(random, characters)).join('');
  const parts = [...memberOf(random, node).slice(0, 200)];
  if (random() < 0.4) {
    const at = Math.floor(random() * (parts.length + 1));
    if (random() < 0.5) parts.splice(at, 1);
    else parts.splice(at, random() < 0.5 ? 1 : 0, pick(random, characters));
  }
  if (random() < 0.3) parts.unshift(pick(random, characters));
  if (random() < 0.3) parts.push(pick(random, characters));
  return parts.join('');
}

/** A text that the node matches if the assertions allow it. */
function memberOf(random: Random, node: Node): string {
  switch (node.kind) {
    case 'chars':
      return characterOf(random, node.set);
    case 'sequence':
      return node.parts.map((part) => memberOf(random, part)).join('');
    case 'choice':
      return memberOf(random, pick(random, node.options));
    case 'repeat': {
      const max = Math.min(node.max, node.min + 3);
      const length = node.min + Math.floor(random() * (max - node.min + 1));
      return Array.from({ length }, () => memberOf(random, node.body)).join('');
    }
    case 'assert':
      return node.position.startsWith('line') && random() < 0.5 ? '\n' : '';
    default:
      return '';
  }
}

function characterOf(random: Random, set: readonly number[]): string {
  const known = characters.filter((text) => [...text].length === 1 && contains(set, text.codePointAt(0)!));
  if (known.length > 0 && (!anyCodePoint || random() < 0.7)) return pick(random, known);
  const [low, high] = pick(random, [...rangesOf(set)]);
  const where = random();
  const offset = where < 0.3 ? 0 : where < 0.6 ? high - low : Math.floor(random() * (high - low + 1));
  return laterPairs.has(low + offset) ? 'a' : String.fromCodePoint(low + offset);
}

/** What folds together since Unicode 15.1 alone, and so for re2js but not for Go. */
const laterPairs = new Set([0x390, 0x1fd3, 0x3b0, 0x1fe3, 0xfb05, 0xfb06]);
