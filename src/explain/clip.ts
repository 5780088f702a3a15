import { quoteText } from './observed-value.js';

/** Longest piece of an expression that is repeated. */
const longestClause = 70;

/** The source on one line and cut where it is long, without characters that steer a terminal. */
export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const safe = quoteControls(line);
  return safe.length > longestClause ? `${safe.slice(0, longestClause - 1)}…` : safe;
}

function quoteControls(text: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(text)
    ? text.replace(/[\p{Cc}\p{Cf}]/gu, (each) => quoteText(each).slice(1, -1))
    : text;
}
