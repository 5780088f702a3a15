import { invisibleCharacters } from '../../runtime/invisible-characters.js';
import { quoteText } from './observed-value.js';

/** Maximum length of a quoted piece of an expression. */
const maxClauseLength = 70;

/** Returns the source on one line, truncated if it is long, without terminal control characters. */
export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const safe = line.replace(invisibleCharacters, (each) => quoteText(each).slice(1, -1));
  return safe.length > maxClauseLength ? `${safe.slice(0, maxClauseLength - 1)}…` : safe;
}
