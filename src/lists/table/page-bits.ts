import { limit, type PageRange, type RowPage } from './sorted-rows.js';

/** A bitmap of a page, with one bit per position. Each chunk has its own words. Positions without a row have the bit 0. */
export type PageBits = Int32Array;

/** Number of 32-bit words per chunk. */
export const chunkWords = limit / 32;

/** Returns the number of set bits in a 32-bit word. */
export function countWord(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the bits of a word whose positions are within a half-open range. */
function maskOf(word: number, from: number, to: number): number {
  const first = from - word * 32;
  const end = to - word * 32;
  const low = first <= 0 ? -1 : -1 << first;
  return end >= 32 ? low : low & ~(-1 << end);
}

/** Returns the number of set bits in a half-open range of positions. */
export function countBits(bits: PageBits, from: number, to: number): number {
  const first = from >> 5;
  const last = Math.min((to - 1) >> 5, bits.length - 1);
  if (first > last) return 0;
  if (first === last) return countWord((bits[first] ?? 0) & maskOf(first, from, to));
  let sum =
    countWord((bits[first] ?? 0) & maskOf(first, from, to)) +
    countWord((bits[last] ?? 0) & maskOf(last, from, to));
  for (let word = first + 1; word < last; word += 1) sum += countWord(bits[word] as number); // `last` is below the length
  return sum;
}

/**
 * Writes the intersection of two bit lists of equal length; the second one is inverted if `flip` is -1. Returns the OR of all
 * resulting words: 0 if the intersection is empty.
 */
export function intersect(into: PageBits, a: PageBits, b: PageBits, flip: number): number {
  let any = 0;
  for (let word = 0; word < into.length; word += 1) {
    const both = (a[word] as number) & ((b[word] as number) ^ flip); // All have the same length
    into[word] = both;
    any |= both;
  }
  return any;
}

/** Returns the number of common bits of two lists of equal length; the second one is inverted if `flip` is -1. */
export function countBoth(a: PageBits, b: PageBits, flip: number): number {
  let sum = 0;
  for (let word = 0; word < a.length; word += 1)
    sum += countWord((a[word] as number) & ((b[word] as number) ^ flip)); // Both have the same length
  return sum;
}

/** Iterates over the positions of set bits in a half-open range, in ascending or descending order. */
export class BitPlaces {
  readonly #bits: PageBits;
  readonly #from: number;
  readonly #to: number;
  readonly #isDown: boolean;
  #word: number;
  #left = 0;

  constructor(bits: PageBits, from: number, to: number, isDown: boolean) {
    this.#bits = bits;
    this.#from = from;
    this.#to = Math.min(to, bits.length * 32);
    this.#isDown = isDown;
    this.#word = isDown ? ((this.#to - 1) >> 5) + 1 : (from >> 5) - 1;
  }

  /** Returns the next position; -1 after the last. */
  next(): number {
    while (this.#left === 0) {
      this.#word += this.#isDown ? -1 : 1;
      if (this.#word < this.#from >> 5 || this.#word * 32 >= this.#to) return -1;
      this.#left = (this.#bits[this.#word] ?? 0) & maskOf(this.#word, this.#from, this.#to);
    }
    const left = this.#left;
    const bit = this.#isDown ? 31 - Math.clz32(left) : 31 - Math.clz32(left & -left);
    this.#left = left & ~(1 << bit);
    return this.#word * 32 + bit;
  }
}

/** Returns the row at a position, which must have one. */
export function rowOf<T>(page: RowPage<T>, position: number): T {
  return (page[(position / limit) | 0] as readonly T[])[position % limit] as T;
}

/** Returns the number of rows in a half-open range of positions. */
export function countPlaces<T>(page: RowPage<T>, from: number, to: number): number {
  let count = 0;
  for (let chunk = (from / limit) | 0; chunk < page.length && chunk * limit < to; chunk += 1) {
    const size = page[chunk]?.length ?? 0;
    count += Math.max(0, Math.min(to - chunk * limit, size) - Math.max(from - chunk * limit, 0));
  }
  return count;
}

/** Writes the rows whose bits are set into a list, starting at an index of it. Returns the index after them. */
export function selectRows<T>(
  { page, from, to }: PageRange<T>,
  bits: PageBits,
  reverse: boolean,
  into: T[],
  at: number,
): number {
  let next = at;
  if (reverse) {
    const positions = new BitPlaces(bits, from, to, true);
    for (let position = positions.next(); position >= 0; position = positions.next())
      into[next++] = rowOf(page, position);
    return next;
  }
  const last = Math.min((to - 1) >> 5, bits.length - 1);
  for (let word = from >> 5; word <= last; word += 1) {
    let left = (bits[word] ?? 0) & maskOf(word, from, to);
    if (left === 0) continue;
    const rows = page[(word / chunkWords) | 0] as readonly T[]; // A set bit means that the position has a row
    const base = (word % chunkWords) * 32;
    while (left !== 0) {
      const bit = left & -left;
      into[next++] = rows[base + 31 - Math.clz32(bit)] as T; // Same as above
      left ^= bit;
    }
  }
  return next;
}
