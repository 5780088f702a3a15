/** Maximum characters of client input in an error. Prevents responses and logs as long as the input. */
const maxQuoteLength = 128;

/** The beginning of a text, and an ellipsis where that is not all. */
export function clip(text: string, maxLength = maxQuoteLength): string {
  if (text.length <= maxLength) return text;
  // Half a surrogate pair is no text.
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text as errors quote it. */
export function quote(text: string, maxLength = maxQuoteLength): string {
  return JSON.stringify(clip(text, maxLength));
}
