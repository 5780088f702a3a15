/** Longest text worth keeping: what `JSON.parse` shares between rows is shorter still. */
const longestKept = 64;
/** Most texts that are kept. Stops filters made from ever new words from filling the memory. */
const mostKept = 1_000;

const kept = new Map<string, string>();

/** A dictionary: an ordinary object would get a shape of its own for every text. */
const names = Object.create(null) as Record<string, true>;

/**
 * The same text in the form that the JavaScript engine keeps for names. A part cut out of a longer text is an object of
 * its own; as a key, or compared with the short values that `JSON.parse` has made, it would be read character by
 * character every time. Property keys are kept once, so the text takes the way through one.
 */
export function internText(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (text.length > longestKept) return text;
  if (kept.size === mostKept) kept.clear();
  names[text] = true;
  const [key = text] = Object.keys(names);
  // The value of the only name there was. Names are deleted, or each would be looked for among all.
  // oxlint-disable-next-line typescript/no-dynamic-delete -- a name is a text here
  delete names[text];
  kept.set(key, key);
  return key;
}
