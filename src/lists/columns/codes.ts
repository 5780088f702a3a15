import { countBoth, countWord, rowOf, type PageBits } from '../table/page-bits.js';
import { limit, type RowPage } from '../table/sorted-rows.js';
import type { CodeColumn } from './column.js';
import { joinBits, carryOverBits, moveNumbers, type PageDiff } from './carry-over.js';
import type { Vector } from './cache-entry.js';

/** Maximum number of values of a page for which bits of their rows are cached. */
const maxPlanes = 16;

/** The size of a page's objects without the codes, and of the counts of 256 codes, in bytes. */
const overhead = 256 + 512;

/** Shared bits, inverted if `flip` is -1 and used directly if it is 0. */
export interface SharedBits {
  readonly bits: PageBits;
  readonly flip: number;
}

/** The codes of the rows of a page: for each position the code of its value; 0 without a code or a row. */
export class Codes implements Vector {
  codes: Uint8Array | Uint16Array;
  uncertain: PageBits | null = null;
  isStale = false;
  /** The codes that occur, as bits, if all are below 32; else null. Some may no longer occur. */
  zone: number | null = 0;
  /** The bits of the rows of each code, computed on demand. */
  readonly #planes = new Map<number, PageBits>();
  /** The number of rows of each code, computed on demand. */
  #counts: Uint16Array | null = null;

  /** @param forgotten how often the column had forgotten its values when these codes were given. */
  constructor(
    chunks: number,
    readonly forgotten: number,
  ) {
    this.codes = new Uint8Array(chunks * limit);
  }

  /** Returns the size in bytes if every value has its bits and some rows are uncertain. */
  static bytesOf(chunks: number, values: number, width = 1): number {
    const planes = values > maxPlanes ? 0 : values;
    return chunks * limit * width + ((planes + 1) * chunks * limit) / 8 + overhead;
  }

  get bytes(): number {
    const values = this.zone === null ? Infinity : countWord(this.zone);
    return Codes.bytesOf(this.codes.length / limit, values, this.codes.BYTES_PER_ELEMENT);
  }

  put(rowIndex: number, code: number): void {
    this.#counts = null;
    if (code === 0) {
      setBit((this.uncertain ??= new Int32Array(this.codes.length / 32)), rowIndex);
      return;
    }
    if (code > 255 && this.codes instanceof Uint8Array) this.codes = Uint16Array.from(this.codes);
    this.codes[rowIndex] = code;
    if (code > 31) this.zone = null;
    else if (this.zone !== null) this.zone |= 1 << code;
    const plane = this.#planes.get(code);
    if (plane !== undefined) setBit(plane, rowIndex);
  }

  /** Reads the codes of new rows. */
  refresh<T>(column: CodeColumn, page: RowPage<T>): void {
    const { uncertain } = this;
    this.uncertain = null;
    this.isStale = false;
    for (const rowIndex of placesOf(uncertain ?? nothing))
      this.put(rowIndex, column.codeOf(rowOf(page, rowIndex)));
  }

  /** Moves the codes to the page that replaces the current one. */
  move(move: PageDiff): void {
    const { codes } = this;
    this.#counts = null;
    this.codes =
      codes instanceof Uint8Array
        ? moveNumbers(codes, (length) => new Uint8Array(length), move)
        : moveNumbers(codes, (length) => new Uint16Array(length), move);
    this.uncertain = joinBits(this.uncertain, move);
    this.isStale = true;
    for (const [code, plane] of this.#planes) this.#planes.set(code, carryOverBits(plane, move));
  }

  /**
   * Returns how many rows have a code with a 1 in the table; null if counting needs bits. `yes` contains the codes of the table
   * below 32, as bits.
   */
  count(table: Uint8Array, yes: number): number | null {
    const { codes } = this;
    if (codes.BYTES_PER_ELEMENT > 1) return null;
    const counts = (this.#counts ??= countEach(codes));
    let sum = 0;
    if (this.zone !== null) {
      for (let left = this.zone & yes; left !== 0; left &= left - 1)
        sum += counts[31 - Math.clz32(left & -left)] as number; // 31 at most
      return sum;
    }
    const end = Math.min(table.length, counts.length);
    for (let code = 1; code < end; code += 1) if (table[code] === 1) sum += counts[code] as number; // as above
    return sum;
  }

  /**
   * Returns the rows whose code is in `yes`, if they are the rows of one code or all rows except those of one code. The latter
   * are inverted: `flip` is -1. Null if more codes are needed. Positions without a row may have any bit.
   */
  planeAmong(yes: number): SharedBits | null {
    const { zone } = this;
    if (zone === null) return null;
    const [among, others] = [zone & yes, zone & ~yes];
    if (among !== 0 && (among & (among - 1)) === 0)
      return { bits: this.planeOf(31 - Math.clz32(among)), flip: 0 };
    if (others !== 0 && (others & (others - 1)) === 0)
      return { bits: this.planeOf(31 - Math.clz32(others)), flip: -1 };
    return null;
  }

  /** Writes the bits of the rows whose codes have a 1 in the table. Positions without a row may have any bit. */
  find(table: Uint8Array, yes: number, out: PageBits): void {
    const { zone } = this;
    if (zone === null || countWord(zone) > maxPlanes) {
      lookUp(this.codes, table, out);
      return;
    }
    const isMaximum = countWord(zone & yes) * 2 > countWord(zone);
    out.fill(0);
    for (let left = isMaximum ? zone & ~yes : zone & yes; left !== 0; left &= left - 1) {
      const plane = this.planeOf(31 - Math.clz32(left & -left));
      for (let word = 0; word < out.length; word += 1)
        out[word] = (out[word] as number) | (plane[word] as number); // of one length
    }
    if (isMaximum) for (let word = 0; word < out.length; word += 1) out[word] = ~(out[word] as number); // as above
  }

  /** Returns the bits of the rows with a code. */
  planeOf(code: number): PageBits {
    const known = this.#planes.get(code);
    if (known !== undefined) return known;
    const { codes } = this;
    const plane = new Int32Array(codes.length / 32);
    for (let at = 0; at < codes.length; at += 1) if (codes[at] === code) setBit(plane, at);
    this.#planes.set(code, plane);
    return plane;
  }

  /** Counts, for each code, the rows that have a bit. */
  tally(bits: PageBits, from: number, to: number, counts: number[]): void {
    const isWhole = from === 0 && to >= this.codes.length;
    if (isWhole && this.zone !== null && countWord(this.zone) <= maxPlanes) {
      for (let left = this.zone; left !== 0; left &= left - 1) {
        const code = 31 - Math.clz32(left & -left);
        const count = countBoth(bits, this.planeOf(code), 0);
        if (count > 0) counts[code] = (counts[code] ?? 0) + count;
      }
      return;
    }
    for (const rowIndex of placesOf(bits)) {
      const code = rowIndex < from || rowIndex >= to ? 0 : (this.codes[rowIndex] ?? 0);
      if (code > 0) counts[code] = (counts[code] ?? 0) + 1;
    }
  }
}

const nothing = new Int32Array(0);

/** A page has 128 chunks of 128 rows at most. */
function countEach(codes: Uint8Array | Uint16Array): Uint16Array {
  const counts = new Uint16Array(256);
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number; // at < codes.length
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}

/**
 * Builds the codes of the rows of a page, in steps; null if the column is abandoned on the way, the budget is used up, or its
 * values were evicted meanwhile.
 */
export function* readCodes<T>(
  column: CodeColumn,
  page: RowPage<T>,
  isFull: () => boolean,
): Generator<void, Codes | null, undefined> {
  const codes = new Codes(page.length, column.forgotten);
  for (const [chunk, rows] of page.entries()) {
    for (let at = 0; at < rows.length; at += 1) codes.put(chunk * limit + at, column.codeOf(rows[at]));
    column.judge();
    if (column.isWide || isFull() || column.forgotten !== codes.forgotten) return null;
    yield;
    if (column.forgotten !== codes.forgotten) return null;
  }
  return codes;
}

/** Unchecked: all elements of `codes` must be valid, and all codes within the table. */
function lookUp(codes: Uint8Array | Uint16Array, table: Uint8Array, out: PageBits): void {
  for (let word = 0, at = 0; at < codes.length; word += 1) {
    let bits = 0;
    for (let shift = 0; shift < 32; shift += 8, at += 8) {
      bits |=
        ((table[codes[at] as number] as number) |
          ((table[codes[at + 1] as number] as number) << 1) |
          ((table[codes[at + 2] as number] as number) << 2) |
          ((table[codes[at + 3] as number] as number) << 3) |
          ((table[codes[at + 4] as number] as number) << 4) |
          ((table[codes[at + 5] as number] as number) << 5) |
          ((table[codes[at + 6] as number] as number) << 6) |
          ((table[codes[at + 7] as number] as number) << 7)) <<
        shift;
    }
    out[word] = bits;
  }
}

export function setBit(bits: PageBits, rowIndex: number): void {
  bits[rowIndex >> 5] = (bits[rowIndex >> 5] as number) | (1 << (rowIndex & 31)); // the place is one of the page
}

/** Yields the positions of all set bits. */
export function* placesOf(bits: PageBits): Generator<number, void, undefined> {
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
      yield word * 32 + 31 - Math.clz32(left & -left);
    }
  }
}
