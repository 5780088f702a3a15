/** Numbers from 0 up to 1 that follow from a text: the same text, the same numbers. */
export function createSeededRandom(seed: string): () => number {
  let state = hash(seed);
  return () => {
    // The generator known as mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a over the code units. By hand: a library for ten lines would be one more to trust. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** The items in a random order, as a new list. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = items.slice();
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const item = shuffled[at] as T; // both places are within the list
    shuffled[at] = shuffled[other] as T;
    shuffled[other] = item;
  }
  return shuffled;
}
