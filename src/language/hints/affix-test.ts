import type { Level } from '../syntax/dialect.js';
import { escapePattern, quoteText } from './loose-syntax.js';

/** The test of a text's beginning, behind the field. */
export function prefixTest(text: string, level: Level): string {
  return level > 0 ? `starts with ${quoteText(text)}` : `matches ${quoteText(`^${escapePattern(text)}`)}`;
}

/** The test of a text's end, behind the field. */
export function suffixTest(text: string, level: Level): string {
  return level > 0 ? `ends with ${quoteText(text)}` : `matches ${quoteText(`${escapePattern(text)}$`)}`;
}
