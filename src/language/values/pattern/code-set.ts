/**
 * A set of code points, as a flat list of inclusive ranges: `[0x41, 0x5a, 0x61, 0x7a]` is `[A-Za-z]`. Ranges ascend and neither
 * overlap nor adjoin, so that equal sets are equal lists.
 */
export type CodeSet = readonly number[];

export const maxCodePoint = 0x10ffff;

export const everything: CodeSet = [0, maxCodePoint];
export const notNewline: CodeSet = [0, 9, 11, maxCodePoint];
export const newline: CodeSet = [10, 10];
/** The characters of words for `\w` and `\b`: ASCII only. */
export const wordChars: CodeSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** Returns the set of ranges given in any order, overlapping or not. */
export function normalize(ranges: readonly (readonly [low: number, high: number])[]): CodeSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [low, high] of sorted) {
    const last = set.at(-1);
    if (last !== undefined && low <= last + 1) set[set.length - 1] = Math.max(last, high);
    else set.push(low, high);
  }
  return set;
}

/** Yields the ranges of a set as pairs. */
export function* rangesOf(set: CodeSet): Generator<readonly [low: number, high: number]> {
  for (let i = 0; i + 1 < set.length; i += 2) yield [at(set, i), at(set, i + 1)];
}

export function union(sets: readonly CodeSet[]): CodeSet {
  const [only] = sets;
  if (only !== undefined && sets.length === 1) return only;
  // Most sets are a few single ranges; some are named sets of hundreds.
  const small = normalize(sets.flatMap((set) => (set.length <= smallSet ? [...rangesOf(set)] : [])));
  return mergeAll([small, ...sets.filter((set) => set.length > smallSet)]);
}

/** Merges sets in pairs, so that no set is visited once for each of the others. */
function mergeAll(sets: readonly CodeSet[]): CodeSet {
  const [first = [], second, ...others] = sets;
  if (second === undefined) return first;
  if (others.length === 0) return merge(first, second);
  const half = sets.length >>> 1;
  return merge(mergeAll(sets.slice(0, half)), mergeAll(sets.slice(half)));
}

const smallSet = 16;

function merge(a: CodeSet, b: CodeSet): CodeSet {
  const result: number[] = [];
  let last = -2;
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const isFirst = j >= b.length || (i < a.length && at(a, i) <= at(b, j));
    const low = isFirst ? at(a, i) : at(b, j);
    const high = isFirst ? at(a, i + 1) : at(b, j + 1);
    if (isFirst) i += 2;
    else j += 2;
    if (low > last + 1) result.push(low, high);
    else if (high > last) result[result.length - 1] = high;
    last = Math.max(last, high);
  }
  return result;
}

export function complement(set: CodeSet): CodeSet {
  const result: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (at(set, i) > next) result.push(next, at(set, i) - 1);
    next = at(set, i + 1) + 1;
  }
  if (next <= maxCodePoint) result.push(next, maxCodePoint);
  return result;
}

export function contains(set: CodeSet, code: number): boolean {
  let low = 0;
  let high = set.length;
  // Finds the first boundary beyond `code`. If its index is odd, the code is inside a range.
  while (low < high) {
    const middle = (low + high) >>> 1;
    const boundary = at(set, middle) + (middle & 1);
    if (boundary <= code) low = middle + 1;
    else high = middle;
  }
  return (low & 1) === 1;
}

export function isEqualSet(a: CodeSet, b: CodeSet): boolean {
  return a === b || (a.length === b.length && a.every((code, i) => code === b[i]));
}

/** Returns the code point of a set of one; null otherwise. */
export function singleCode(set: CodeSet): number | null {
  const [low, high] = set;
  return low !== undefined && set.length === 2 && low === high ? low : null;
}

function at(set: CodeSet, index: number): number {
  // Callers stay below the length.
  return set[index] as number;
}
