/**
 * Patterns that a string method answers: nothing but literal text, possibly anchored, or a few whole texts to choose
 * from (`^(running|pending)$`, `^job-0[123]$`). The fastest way, and linear without a proof.
 */
import { everything, isEqualSet, rangesOf } from './code-set.js';
import type { Node, Place } from './node.js';

/** Most texts in a list of whole texts. Beyond it a native RegExp is smaller and about as fast. */
const maxWords = 64;
/**
 * Longest word that `includes` looks for in a text of any length. It may take (length of the word) x (length of the
 * text) comparisons: measured, 0.6 s for 1,000 characters in a megabyte.
 */
export const maxWord = 32;
/** Longest text for longer words. */
const maxText = 32_768;

export type Test = (text: string) => boolean;

/** The test, or null where the pattern is more than a text. `search` is the automaton, for long words in long texts. */
export function textOperation(node: Node, search: Test): Test | null {
  if (node.kind === 'fail') return () => false;
  if (node.kind === 'empty') return () => true;
  if (node.kind === 'chars' && isEqualSet(node.set, everything)) return (text) => text !== '';
  const parts = node.kind === 'sequence' ? node.parts : [node];
  const fromStart = isPlace(parts[0], 'text-start');
  const toEnd = isPlace(parts.at(-1), 'text-end');
  const inner = parts.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  const words = joinWords(inner);
  const [word] = words ?? [];
  if (words === null || word === undefined) return null;
  if (words.length === 1) return literalTest(word, fromStart, toEnd, search);
  if (!fromStart || !toEnd) return null;
  const set = new Set(words);
  return (text) => set.has(text);
}

export function isPlace(node: Node | undefined, place: Place): boolean {
  return node?.kind === 'assert' && node.place === place;
}

function literalTest(word: string, fromStart: boolean, toEnd: boolean, search: Test): Test {
  if (fromStart && toEnd) return (text) => text === word;
  if (fromStart) return (text) => text.startsWith(word);
  if (toEnd) return (text) => text.endsWith(word);
  if (word.length <= maxWord) return (text) => text.includes(word);
  return (text) => (text.length <= maxText ? text.includes(word) : search(text));
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
