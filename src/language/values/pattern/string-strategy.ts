/**
 * Patterns that a string method can test: only literal characters, possibly anchored, or a few whole strings to choose from
 * (`^(running|pending)$`, `^job-0[123]$`). The fastest strategy, and linear without a proof.
 */
import { createTextSearch } from './text-search.js';
import { everything, isEqualSet, rangesOf } from './code-set.js';
import type { Node, AssertionKind } from './node.js';

/** Maximum number of strings in a list of whole strings. Beyond it a native RegExp is smaller and about as fast. */
const maxWords = 64;
export type Test = (text: string) => boolean;

/** A test by string methods. */
export interface StringStrategy {
  readonly test: Test;
  /** Maximum cost per character, in units of 6 ns; 0 if only an end of the string is read. */
  readonly weight: number;
}

/** Returns the string test; null if the pattern needs more than string methods. */
export function stringStrategy(node: Node): StringStrategy | null {
  if (node.kind === 'fail') return atEnds(() => false);
  if (node.kind === 'empty') return atEnds(() => true);
  if (node.kind === 'chars' && isEqualSet(node.set, everything)) return atEnds((text) => text !== '');
  const parts = node.kind === 'sequence' ? node.parts : [node];
  const fromStart = isAssertion(parts[0], 'text-start');
  const toEnd = isAssertion(parts.at(-1), 'text-end');
  const inner = parts.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  const isWhole = fromStart && toEnd;
  // Unanchored alternatives are left to other strategies without listing them.
  const words = joinWords(inner, isWhole ? maxWords : 1);
  const [word] = words ?? [];
  if (words === null || word === undefined) return null;
  if (words.length === 1) return literalOperation(word, fromStart, toEnd);
  const set = new Set(words);
  return atEnds((text) => set.has(text));
}

function atEnds(test: Test): StringStrategy {
  return { test, weight: 0 };
}

export function isAssertion(node: Node | undefined, position: AssertionKind): boolean {
  return node?.kind === 'assert' && node.position === position;
}

export function literalOperation(word: string, fromStart: boolean, toEnd: boolean): StringStrategy {
  if (fromStart && toEnd) return atEnds((text) => text === word);
  if (fromStart) return atEnds((text) => text.startsWith(word));
  if (toEnd) return atEnds((text) => text.endsWith(word));
  const { isIn, weight } = createTextSearch(word);
  return { test: isIn, weight };
}

/** Returns all strings that the node matches; null if there are more than `max`, or an assertion decides. */
function wordsOf(node: Node, max: number): readonly string[] | null {
  switch (node.kind) {
    case 'fail':
      return [];
    case 'empty':
      return [''];
    case 'chars':
      return charactersOf(node.set, max);
    case 'assert':
      return null;
    case 'sequence':
      return joinWords(node.parts, max);
    case 'choice':
      return collect(node.options, max, wordsOf);
    case 'repeat':
      return repeatedWords(node.body, node.min, node.max, max);
  }
}

function charactersOf(set: readonly number[], max: number): readonly string[] | null {
  const codes: string[] = [];
  for (const [low, high] of rangesOf(set)) {
    // Half of a surrogate pair differs from a lone one, which string methods cannot distinguish.
    if (codes.length + high - low >= max || (low <= 0xdfff && high >= 0xd800)) return null;
    for (let code = low; code <= high; code += 1) codes.push(String.fromCodePoint(code));
  }
  return codes;
}

function joinWords(parts: readonly Node[], max: number): readonly string[] | null {
  let words: readonly string[] = [''];
  // The suffix common to all words is added at once.
  let common = '';
  for (const part of parts) {
    const next = wordsOf(part, max);
    if (next === null || words.length * next.length > max) return null;
    const [only] = next;
    if (only !== undefined && next.length === 1) {
      common += only;
      continue;
    }
    const before = common;
    common = '';
    words = words.flatMap((word) => next.map((ending) => word + before + ending));
  }
  return common === '' ? words : words.map((word) => word + common);
}

/** Returns the words of all items; null if there are too many. */
function collect<T>(
  items: readonly T[],
  max: number,
  list: (item: T, max: number) => readonly string[] | null,
): readonly string[] | null {
  const words: string[] = [];
  for (const item of items) {
    const own = list(item, max);
    if (own === null || words.length + own.length > max) return null;
    words.push(...own);
  }
  return words;
}

/** Returns the string that the parts match; null if they match several strings or none. */
export function onlyWord(parts: readonly Node[]): string | null {
  return joinWords(parts, 1)?.[0] ?? null;
}

function repeatedWords(body: Node, min: number, max: number, limit: number): readonly string[] | null {
  if (max === Infinity || max - min + 1 > limit) return null;
  const counts = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return collect(counts, limit, (count) =>
    joinWords(
      Array.from({ length: count }, () => body),
      limit,
    ),
  );
}
