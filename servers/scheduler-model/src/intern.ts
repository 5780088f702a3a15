/** Maximum number of shared strings. Prevents clients from filling the memory with names used once. */
const maxInterned = 20_000;
/** Maximum length of a shared string. */
const maxLength = 64;

const known = new Map<string, string>();

/** Returns one shared copy of equal strings, so that comparing them compares addresses. */
export function intern(text: string): string {
  if (text.length > maxLength) return text;
  const shared = known.get(text);
  if (shared !== undefined) return shared;
  if (known.size < maxInterned) known.set(text, text);
  return text;
}
