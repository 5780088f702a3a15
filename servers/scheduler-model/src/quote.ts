/** Maximum characters of client input in an error. Prevents responses and logs as long as the input. */
const longestQuote = 128;

/** The beginning of a text, and an ellipsis where that is not all. */
export function clip(text: string, longest = longestQuote): string {
  if (text.length <= longest) return text;
  // Half a surrogate pair is no text.
  return `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A text as errors quote it. */
export function quote(text: string, longest = longestQuote): string {
  return JSON.stringify(clip(text, longest));
}
