import { createDrawer } from './draw.js';
import type { Vocabulary } from './vocabulary.js';

/** Another name for everything in the rows. */
export interface Renaming {
  readonly name: (name: string) => string;
  readonly number: (value: number) => number;
  /** A text with all its names, keys and words replaced, be it a value, a filter or a pattern. */
  readonly text: (text: string) => string;
}

/**
 * Draws a name for each name, a key with a dot for each key with a dot, and a word of the same length for each word:
 * V8 makes one string of equal texts up to ten characters, which is part of what is measured.
 */
export function drawRenaming({ names, keys, words, numbers }: Vocabulary, seed: number): Renaming {
  const drawer = createDrawer(seed, [...names, ...keys, ...words, ...[...numbers].map(String)]);
  const nameOf = new Map([...names].map((name) => [name, drawer.name()]));
  const keyOf = new Map([...keys].map((key) => [key, `${drawer.name()}.${drawer.name()}`]));
  // The longest first, while most is free that they could hold.
  const sorted = [...words].sort((left, right) => right.length - left.length);
  const wordOf = new Map(sorted.map((word) => [word, drawer.word(word.length)]));
  const numberOf = new Map([...numbers].map((value) => [value, drawer.number(`${value}`.length)]));

  const renameWord = (word: string): string => {
    const drawn = wordOf.get(word.toLowerCase());
    return drawn === undefined ? word : inCaseOf(word, drawn);
  };
  const renameIdentifier = (text: string): string =>
    nameOf.get(text) ?? text.replace(/[A-Za-z]{2,}/g, renameWord);
  const renameDotted = (text: string): string =>
    keyOf.get(text) ?? text.split('.').map(renameIdentifier).join('.');
  const number = (value: number): number => numberOf.get(value) ?? value;
  return {
    name: (name) => nameOf.get(name) ?? name,
    number,
    text: (text) =>
      text
        // Left alone: escapes of patterns, `\w`, and their flags, `(?i)`.
        .replace(/\\[A-Za-z]|\(\?[a-z]+[:)]|[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/g, (token) =>
          /^[A-Za-z_]/.test(token) ? renameDotted(token) : token,
        )
        .replace(/(?<=[=!]= )\d+/g, (digits) => `${number(Number(digits))}`),
  };
}

/** The drawn word in the case of the other, letter by letter. They are of one length. */
function inCaseOf(model: string, drawn: string): string {
  return [...drawn]
    .map((letter, index) => (/[A-Z]/.test(model.charAt(index)) ? letter.toUpperCase() : letter))
    .join('');
}
