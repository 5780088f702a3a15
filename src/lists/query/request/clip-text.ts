/** Maximum characters of client input in an error. Prevents responses and logs as long as the input. */
const maxLength = 128;

/** The beginning of a text, and an ellipsis where that is not all. */
export function clipText(text: string): string {
  if (text.length <= maxLength) return text;
  // Half a surrogate pair is no text.
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text as errors quote it. */
export function quoteText(text: string): string {
  return JSON.stringify(clipText(text));
}
