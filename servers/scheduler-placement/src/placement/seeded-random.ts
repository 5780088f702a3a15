/** Returns a generator of numbers from 0 up to but not including 1. Equal seeds give equal numbers. */
export function createSeededRandom(seed: string): () => number {
  return createRandom(hash(seed));
}

/** Returns such a generator with an integer as seed. The algorithm is mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the FNV-1a hash of the code units. Implemented here, because ten lines do not justify a dependency. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Returns a shuffled copy of the items. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = items.slice();
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const item = shuffled[at] as T; // Both positions are within the list.
    shuffled[at] = shuffled[other] as T;
    shuffled[other] = item;
  }
  return shuffled;
}
