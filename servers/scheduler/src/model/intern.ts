/** Gives equal strings one copy in memory, and makes comparing them a comparison of addresses. */
export type Intern = (text: string) => string;

/** Most strings that are shared. Stops clients from filling the memory with names used once. */
const maxInterned = 20_000;
/** Longest string worth sharing. */
const maxLength = 64;

export function createIntern(): Intern {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > maxLength) return text;
    const shared = known.get(text);
    if (shared !== undefined) return shared;
    if (known.size < maxInterned) known.set(text, text);
    return text;
  };
}
