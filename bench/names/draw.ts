import { createRandom, type Random } from '../data/random.js';
import { reserved } from './reserved.js';

/** Draws distinct, realistic names and words. The same seed draws the same ones. */
export interface Drawer {
  /** The name of a field: one to three words in the manner of this run. */
  readonly name: () => string;
  /** Lower-case letters. */
  readonly word: (length: number) => string;
  /** A whole number with so many digits. */
  readonly number: (digits: number) => number;
}

const consonants = [...'bcdfghjklmnprstvwz'];
const vowels = [...'aeiou'];

/** How hosts write names of several words. */
const manners: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.map(capitalised).join(''),
  (words) => words.map((word, index) => (index === 0 ? word : capitalised(word))).join(''),
  (words) => words.join('_'),
];

/** @param avoided what must not be drawn, in either case */
export function createDrawer(seed: number, avoided: Iterable<string> = []): Drawer {
  const random = createRandom(seed);
  const manner = random.pick(manners);
  const taken = new Set([...avoided].map((text) => text.toLowerCase()));
  const words: string[] = [];
  const draw = (make: () => string, fits: (text: string) => boolean): string => {
    for (;;) {
      const text = make();
      const key = text.toLowerCase();
      if (taken.has(key) || reserved.has(key) || !fits(key)) continue;
      taken.add(key);
      return text;
    }
  };
  const name = (): string =>
    draw(
      () => manner(Array.from({ length: 1 + random.int(3) }, () => makeWord(random, 3 + random.int(5)))),
      () => true,
    );
  const word = (length: number): string => {
    // A string that is searched in others must not occur where it did not occur before.
    const fits = (text: string): boolean =>
      length < 3 || !words.some((other) => other.includes(text) || text.includes(other));
    const drawn = draw(() => makeWord(random, length), fits);
    if (length >= 3) words.push(drawn);
    return drawn;
  };
  const number = (digits: number): number => {
    const min = 10 ** (digits - 1);
    return Number(
      draw(
        () => `${min + random.int(9 * min)}`,
        () => true,
      ),
    );
  };
  return { name, word, number };
}

/** Consonants and vowels in turn, so that it can be read aloud. */
function makeWord(random: Random, length: number): string {
  const first = random.int(2);
  return Array.from({ length }, (_, index) =>
    random.pick((index + first) % 2 === 0 ? consonants : vowels),
  ).join('');
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
