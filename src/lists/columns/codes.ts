import { countBoth, countWord, rowOf, type PageBits } from '../table/page-bits.js';
import { limit, type RowPage } from '../table/sorted-rows.js';
import type { CodeColumn } from './column.js';
import { joinBits, carryOverBits, moveNumbers, type PageDiff } from './carry-over.js';
import type { Vector } from './cache-entry.js';

/** Maximum number of values of a page for which bits of their rows are cached. */
const maxPlanes = 16;

/** Size of a page's objects without the codes, plus the counts of 256 codes, in bytes. */
const overhead = 256 + 512;

/** Bits shared by several readers. `flip` is -1 if they must be inverted, otherwise 0. */
export interface SharedBits {
  readonly bits: PageBits;
  readonly flip: number;
}

/** The dictionary codes of a page: the code of each row's value, or 0 if a position has no row or no code. */
export class Codes implements Vector {
  codes: Uint8Array | Uint16Array;
  uncertain: PageBits | null = null;
  isStale = false;
  /** Bit set of the codes on the page, if all are below 32; otherwise null. It may include codes that no longer occur. */
  zone: number | null = 0;
  /** The bits of the rows of each code, computed on demand. */
  readonly #planes = new Map<number, PageBits>();
  /** The number of rows of each code, computed on demand. */
  #counts: Uint16Array | null = null;

  /** @param forgotten the column's `forgotten` counter when these codes were assigned. */
  constructor(
    chunks: number,
    readonly forgotten: number,
  ) {
    this.codes = new Uint8Array(chunks * limit);
  }

  /** Returns the size in bytes, assuming one bitmap per value and one for uncertain rows. */
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

  /** Moves the codes to the new version of the page. */
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
   * Returns the number of rows whose code has a 1 in `table`; null if counting needs bits. `yes` is the bit set of those codes
   * below 32.
   */
  count(table: Uint8Array, yes: number): number | null {
    const { codes } = this;
    if (codes.BYTES_PER_ELEMENT > 1) return null;
    const counts = (this.#counts ??= countEach(codes));
    let sum = 0;
    if (this.zone !== null) {
      for (let left = this.zone & yes; left !== 0; left &= left - 1)
        sum += counts[31 - Math.clz32(left & -left)] as number; // At most 31
      return sum;
    }
    const end = Math.min(table.length, counts.length);
    for (let code = 1; code < end; code += 1) if (table[code] === 1) sum += counts[code] as number; // below both lengths
    return sum;
  }

  /**
   * Returns the rows whose code is in `yes`, if one code decides: the rows with that code, or all rows without it (`flip` is -1).
   * Null if more codes are needed. Positions without a row may have any bit.
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
        out[word] = (out[word] as number) | (plane[word] as number); // Both have the same length
    }
    if (isMaximum) for (let word = 0; word < out.length; word += 1) out[word] = ~(out[word] as number); // same as above
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

/** Returns the number of rows of each code. A page has at most 128 × 128 rows, so a count fits in 16 bits. */
function countEach(codes: Uint8Array | Uint16Array): Uint16Array {
  const counts = new Uint16Array(256);
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number; // at < codes.length
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}

/**
 * Reads the codes of the rows of a page, in steps. Returns null if the column turns out to be too wide, the budget is used up, or
 * its values were evicted meanwhile.
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

/** Writes the bits of the rows whose code has a 1 in `table`. Does not check that codes are within the table. */
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
  bits[rowIndex >> 5] = (bits[rowIndex >> 5] as number) | (1 << (rowIndex & 31)); // The position is on the page
}

/** Yields the positions of all set bits. */
export function* placesOf(bits: PageBits): Generator<number, void, undefined> {
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
      yield word * 32 + 31 - Math.clz32(left & -left);
    }
  }
}
