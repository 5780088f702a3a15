import { invisibleCharacters } from '../../runtime/invisible-characters.js';
import { quoteText } from './observed-value.js';

/** Longest piece of an expression that is repeated. */
const maxClauseLength = 70;

/** The source on one line and cut where it is long, without characters that steer a terminal. */
export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const safe = line.replace(invisibleCharacters, (each) => quoteText(each).slice(1, -1));
  return safe.length > maxClauseLength ? `${safe.slice(0, maxClauseLength - 1)}…` : safe;
}
