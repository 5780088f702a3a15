import type { Level } from '../syntax/dialect.js';
import { extensionWords, firstWords, infixWords } from '../syntax/operator-words.js';
import { enumerate } from '../syntax/wording.js';

// Operators as lists for hints and as patterns for informal syntax, both derived from the operator table.

/** Returns the operators available at a level, without `not`: `==, !=, in, contains, matches and is`. */
function offeredAt(level: Level): readonly string[] {
  return firstWords.filter((word) => word !== 'not' && (level > 0 || !extensionWords.includes(word)));
}

/** Hint that values cannot be ordered at level 0. */
export const noOrder = `Values cannot be ordered here; the operators are ${enumerate(offeredAt(0), 'and')}.`;

export function noFunctions(level: Level): string {
  const none = level > 0 ? 'no functions but len' : 'no functions';
  return `There are ${none}: the operators are ${enumerate(offeredAt(level), 'and')}.`;
}

export function operatorBelongs(level: Level): string {
  return `Expected an operator after the field: ${enumerate(offeredAt(level), 'or')}.`;
}

/** Returns words as alternatives of a pattern. */
function anyOf(words: readonly string[]): string {
  return words.map((word) => word.replaceAll(' ', String.raw`\s+`)).join('|');
}

const isWord = (text: string): boolean => /^[a-z]/.test(text);
const symbols = infixWords.filter((text) => !isWord(text));

/** Matches the words between a selector and a value: `contains|matches`. */
export const infixPattern = anyOf(infixWords.filter(isWord));

/** Matches the operators between a selector and a value. */
export const operatorPattern = String.raw`${anyOf(symbols)}|\b(?:not\s+)?(?:${infixPattern})`;

/** Matches an operator that is followed by a value. */
export const beforeValue = String.raw`(?:${anyOf(symbols)}|\b(?:${infixPattern}))`;

/** Matches the words that begin an operator: `in|not|contains|matches|is`. */
export const operatorWordPattern = anyOf(firstWords.filter(isWord));
