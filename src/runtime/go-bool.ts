const words: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((word) => [word, false] as const),
]);

/** Parses a boolean like Go's `strconv.ParseBool`; returns null if the source is not one of its twelve words. */
export function parseGoBool(text: string): boolean | null {
  return words.get(text) ?? null;
}
