/** Maximum characters of client input in an error. Prevents responses and logs as long as the input. */
const maxLength = 128;

/** Returns a string, truncated with an ellipsis if it is too long. */
export function clipText(text: string): string {
  if (text.length <= maxLength) return text;
  // Drops half a surrogate pair at the end, which is not a valid character.
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a string truncated and quoted for error messages. */
export function quoteText(text: string): string {
  return JSON.stringify(clipText(text));
}
