/**
 * The code points as a pattern sees them: two that lie in the same sets are one letter. `^web-[0-9]+$` has six
 * letters (`w e b -`, a digit, anything else), so that tables by letter stay small.
 */
import { type CodeSet, maxCodePoint, rangesOf } from './code-set.js';

export interface Alphabet {
  /** Number of letters, which are numbered from 0. */
  readonly size: number;
  /** One code point of each letter. */
  readonly samples: readonly number[];
  /** The letters of the ASCII characters, for look-ups without a call. */
  readonly ascii: Int32Array;
  letterOf(code: number): number;
}

export function alphabetOf(sets: readonly CodeSet[]): Alphabet {
  const distinct = distinctSets(sets);
  const starts = intervalStarts(distinct);
  const { characters, samples } = splitLetters(distinct, starts);
  const ascii = new Int32Array(128);
  for (let code = 0; code < 128; code += 1) ascii[code] = characters[intervalAt(starts, code)] ?? 0;
  return {
    size: samples.length,
    samples,
    ascii,
    letterOf: (code) => (code < 128 ? ascii[code] : characters[intervalAt(starts, code)]) ?? 0,
  };
}

/** Returns one code point of each letter. */
export function samplesOf(sets: readonly CodeSet[]): readonly number[] {
  const distinct = distinctSets(sets);
  return splitLetters(distinct, intervalStarts(distinct)).samples;
}

export function distinctSets(sets: readonly CodeSet[]): readonly CodeSet[] {
  const [first] = sets;
  if (first === undefined || sets.length === 1) return sets;
  return [...new Map([...new Set(sets)].map((set) => [set.join(), set])).values()];
}

/** Returns an upper bound of the interval visits for creating the alphabet of these sets. */
export function alphabetCost(sets: readonly CodeSet[]): number {
  const distinct = distinctSets(sets);
  const boundaries = distinct.reduce((sum, set) => sum + set.length, 1);
  return distinct.reduce((sum, set) => sum + Math.min(sizeOf(set), boundaries), boundaries);
}

function sizeOf(set: CodeSet): number {
  let size = 0;
  for (const [low, high] of rangesOf(set)) size += high - low + 1;
  return size;
}

/** Returns where membership of any set changes, ascending, starting with 0. */
function intervalStarts(sets: readonly CodeSet[]): readonly number[] {
  const starts = new Set([0]);
  for (const set of sets) {
    for (const [low, high] of rangesOf(set)) {
      starts.add(low);
      if (high < maxCodePoint) starts.add(high + 1);
    }
  }
  return [...starts].sort((a, b) => a - b);
}

/** Gives each interval its letter: starting from one for all, each set splits the letters that it cuts through. */
function splitLetters(
  sets: readonly CodeSet[],
  starts: readonly number[],
): { readonly characters: readonly number[]; readonly samples: readonly number[] } {
  const kinds = starts.map(() => 0);
  let count = 1;
  for (const set of sets) {
    const inside = new Map<number, number>();
    for (const [low, high] of rangesOf(set)) {
      for (let i = intervalAt(starts, low); i < starts.length && (starts[i] ?? 0) <= high; i += 1) {
        const kind = kinds[i] ?? 0;
        let split = inside.get(kind);
        if (split === undefined) inside.set(kind, (split = count++));
        kinds[i] = split;
      }
    }
  }
  const names = new Map<number, number>();
  const samples: number[] = [];
  const characters = kinds.map((kind, i) => {
    let name = names.get(kind);
    if (name === undefined) names.set(kind, (name = samples.push(starts[i] ?? 0) - 1));
    return name;
  });
  return { characters, samples };
}

/** Returns the interval that contains the code point. */
function intervalAt(starts: readonly number[], code: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= code) low = middle;
    else high = middle;
  }
  return low;
}
