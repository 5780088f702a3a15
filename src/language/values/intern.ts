/** Maximum length of an internalised string, in UTF-16 units. Strings that `JSON.parse` shares between rows are shorter still. */
const maxInternedLength = 64;
/** Maximum number of internalised strings. Prevents filters with ever new words from filling the memory. */
const maxInterned = 1_000;

const cached = new Map<string, string>();

/** Used in dictionary mode: an ordinary object would get a new hidden class for every string. */
const names = Object.create(null) as Record<string, true>;

/**
 * Returns the same string as internalised by the JavaScript engine. A slice of a longer string is a separate object; as a key, or
 * compared with the short strings that `JSON.parse` creates, it would be read character by character every time. Engines
 * internalise property keys, so the string is used as one.
 */
export function internText(text: string): string {
  const known = cached.get(text);
  if (known !== undefined) return known;
  if (text.length > maxInternedLength) return text;
  if (cached.size === maxInterned) cached.clear();
  names[text] = true;
  let key = text;
  for (const name in names) key = name;
  // Deleted at once, because each further name would have to be searched for among all names.
  // oxlint-disable-next-line typescript/no-dynamic-delete -- a name is a text here
  delete names[text];
  cached.set(key, key);
  return key;
}
