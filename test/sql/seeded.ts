import fc from 'fast-check';
import { createRandom } from '../fuzz/random.js';
import { Draw } from '../support/draw.js';

/** What a function draws, for properties that draw thousands of choices: a seed is drawn, and repeats them. */
export function seeded<T>(make: (draw: Draw) => T): fc.Arbitrary<T> {
  return fc.noShrink(fc.integer({ min: 0, max: 2 ** 31 - 1 })).map((seed) => {
    const { below } = createRandom(seed);
    return make(new Draw(below));
  });
}
