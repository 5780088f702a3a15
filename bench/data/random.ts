/** A stream of pseudo-random choices that is the same on every machine. */
export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** Mulberry32, by Tommy Ettinger (public domain): 32 bits of state, good enough to make rows with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      if (choices.length === 0) throw new RangeError('nothing to pick from');
      // An index below the length of a list that is not empty.
      return choices[int(choices.length)] as (typeof choices)[number];
    },
  };
}

/** Mixes numbers into a seed, so that each row has a stream of its own whatever was made before it. */
export function seedOf(...parts: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** The choices in an order of the stream's making. */
export function shuffled<T>(random: Random, choices: readonly T[]): T[] {
  const result = [...choices];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = random.int(last + 1);
    // Both indexes are within the list.
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
