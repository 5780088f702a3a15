/** Most strings that are shared. Stops clients from filling the memory with names used once. */
const maxInterned = 20_000;
/** Longest string worth sharing. */
const maxLength = 64;

const known = new Map<string, string>();

/** Gives equal strings of rows one copy in memory, and makes comparing them a comparison of addresses. */
export function intern(text: string): string {
  if (text.length > maxLength) return text;
  const shared = known.get(text);
  if (shared !== undefined) return shared;
  if (known.size < maxInterned) known.set(text, text);
  return text;
}
