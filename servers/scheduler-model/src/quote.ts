/** Maximum characters of client input in an error. Prevents responses and logs as long as the input. */
const maxQuoteLength = 128;

/** Returns the beginning of a string, with an ellipsis if it was cut. */
export function clip(text: string, maxLength = maxQuoteLength): string {
  if (text.length <= maxLength) return text;
  // Removes half of a surrogate pair at the end.
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a string quoted for errors. */
export function quote(text: string, maxLength = maxQuoteLength): string {
  return JSON.stringify(clip(text, maxLength));
}
