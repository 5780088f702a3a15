import type { Level } from '../syntax/dialect.js';
import { escapePattern, quoteText } from './loose-syntax.js';

/** Returns a test for the beginning of a string, as it is written after the field. */
export function prefixTest(text: string, level: Level): string {
  return level > 0 ? `starts with ${quoteText(text)}` : `matches ${quoteText(`^${escapePattern(text)}`)}`;
}

/** Returns a test for the end of a string, as it is written after the field. */
export function suffixTest(text: string, level: Level): string {
  return level > 0 ? `ends with ${quoteText(text)}` : `matches ${quoteText(`${escapePattern(text)}$`)}`;
}
