import { createRandom } from '@tamis/scheduler-placement/placement/seeded-random.js';

/** Pseudo-random values, reproducible by seed. */
export type SampleRandom = ReturnType<typeof createSampleRandom>;

export function createSampleRandom(seed: number) {
  const next = createRandom(seed);
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const word = (): string =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const hex = (length: number): string =>
    Array.from({ length: Math.ceil(length / 8) }, word)
      .join('')
      .slice(0, length);
  return {
    /** Returns a number from 0 up to but not including 1. */
    next,
    /** Returns an integer from `min` to `max`. */
    int,
    /** Returns lower-case hex digits. */
    hex,
    /** Returns true with this probability. */
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(values: readonly T[]): T => values[int(0, values.length - 1)] as (typeof values)[number], // The index is within the list.
    /** Picks a value by weight. */
    weighted<T>(values: readonly (readonly [T, number])[]): T {
      let left = next() * values.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of values) {
        left -= weight;
        if (left < 0) return value;
      }
      return (values[values.length - 1] as (typeof values)[number])[0]; // Rounding can leave a tiny remainder.
    },
    /** Returns a version 4 UUID. */
    uuid: (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[int(0, 3)]}${hex(3)}-${hex(12)}`,
  };
}
