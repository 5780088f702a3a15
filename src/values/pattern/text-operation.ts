/**
 * Patterns that a string method answers: nothing but literal text, possibly anchored, or a few whole texts to choose
 * from (`^(running|pending)$`, `^job-0[123]$`). The fastest way, and linear without a proof.
 */
import { createTextSearch } from '../text-search.js';
import { everything, isEqualSet, rangesOf } from './code-set.js';
import type { Node, Place } from './node.js';

/** Most texts in a list of whole texts. Beyond it a native RegExp is smaller and about as fast. */
const maxWords = 64;
export type Test = (text: string) => boolean;

/** A test by string methods. */
export interface Operation {
  readonly test: Test;
  /** What a character of the text costs at worst, in units of 6 ns; 0 where only an end of it is looked at. */
  readonly weight: number;
}

/** The operation, or null where the pattern is more than a text. */
export function textOperation(node: Node): Operation | null {
  if (node.kind === 'fail') return atEnds(() => false);
  if (node.kind === 'empty') return atEnds(() => true);
  if (node.kind === 'chars' && isEqualSet(node.set, everything)) return atEnds((text) => text !== '');
  const parts = node.kind === 'sequence' ? node.parts : [node];
  const fromStart = isPlace(parts[0], 'text-start');
  const toEnd = isPlace(parts.at(-1), 'text-end');
  const inner = parts.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  const words = joinWords(inner);
  const [word] = words ?? [];
  if (words === null || word === undefined) return null;
  if (words.length === 1) return literalOperation(word, fromStart, toEnd);
  if (!fromStart || !toEnd) return null;
  const set = new Set(words);
  return atEnds((text) => set.has(text));
}

function atEnds(test: Test): Operation {
  return { test, weight: 0 };
}

export function isPlace(node: Node | undefined, place: Place): boolean {
  return node?.kind === 'assert' && node.place === place;
}

function literalOperation(word: string, fromStart: boolean, toEnd: boolean): Operation {
  if (fromStart && toEnd) return atEnds((text) => text === word);
  if (fromStart) return atEnds((text) => text.startsWith(word));
  if (toEnd) return atEnds((text) => text.endsWith(word));
  const { isIn, weight } = createTextSearch(word);
  return { test: isIn, weight };
}

/** All texts that the node matches; null where they are more than a few, or an assertion decides. */
function wordsOf(node: Node): readonly string[] | null {
  switch (node.kind) {
    case 'fail':
      return [];
    case 'empty':
      return [''];
    case 'chars':
      return charactersOf(node.set);
    case 'assert':
      return null;
    case 'sequence':
      return joinWords(node.parts);
    case 'choice':
      return collect(node.options.map(wordsOf));
    case 'repeat':
      return repeatedWords(node.body, node.min, node.max);
  }
}

function charactersOf(set: readonly number[]): readonly string[] | null {
  const codes: string[] = [];
  for (const [low, high] of rangesOf(set)) {
    // Half of a surrogate pair is not the same as a lone one; string methods cannot tell.
    if (codes.length + high - low >= maxWords || (low <= 0xdfff && high >= 0xd800)) return null;
    for (let code = low; code <= high; code += 1) codes.push(String.fromCodePoint(code));
  }
  return codes;
}

function joinWords(parts: readonly Node[]): readonly string[] | null {
  let words: readonly string[] = [''];
  for (const part of parts) {
    const next = wordsOf(part);
    if (next === null || words.length * next.length > maxWords) return null;
    words = words.flatMap((word) => next.map((ending) => word + ending));
  }
  return words;
}

function collect(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  const words: string[] = [];
  for (const list of lists) {
    if (list === null || words.length + list.length > maxWords) return null;
    words.push(...list);
  }
  return words;
}

/** The text that the parts match; null where they match more than one, or none. */
export function onlyWord(parts: readonly Node[]): string | null {
  const words = joinWords(parts);
  return words?.length === 1 ? (words[0] ?? null) : null;
}

function repeatedWords(body: Node, min: number, max: number): readonly string[] | null {
  if (max === Infinity) return null;
  const counts = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  if (counts.length > maxWords) return null;
  return collect(counts.map((count) => joinWords(Array.from({ length: count }, () => body))));
}
