import type { PageBits } from '../table/page-bits.js';
import { rowOf } from '../table/page-bits.js';
import { limit, type RowPage } from '../table/sorted-rows.js';
import { placesOf, setBit } from './codes.js';
import { joinBits, moveNumbers, type PageDiff } from './carry-over.js';
import type { Owner, Vector } from './cache-entry.js';
import type { FieldAccess } from './value-access.js';
import { readerOf, samplerOf, type MakeSample, type ReadValue } from './values.js';

const overhead = 256;

/** A column that stores numbers directly, because they have too many distinct values for codes. */
export class NumberColumn implements Owner {
  readonly name: string;
  readonly sample: MakeSample;
  readonly #read: ReadValue;
  readonly isWhole: boolean;
  bytes = 0;
  credit = 0;
  used = 0;
  /** Always 0: unlike a column of codes, this column has no dictionary. */
  readonly valueBytes = 0;
  readonly forgotten = 0;
  #numbers = 0;
  #uses = 0;

  constructor(
    readonly access: FieldAccess,
    kind: 'int' | 'float',
  ) {
    this.name = JSON.stringify([access.path, kind]);
    this.#read = readerOf(access);
    this.sample = samplerOf(access);
    this.isWhole = kind === 'int';
  }

  /** Whether most rows have no number, so that the column is useless. */
  get isWide(): boolean {
    return this.#uses >= 4_096 && this.#numbers * 2 < this.#uses;
  }

  /** Returns the number of a row; NaN if the row has to be evaluated instead. */
  numberOf(row: unknown): number {
    this.#uses += 1;
    const value = this.#read(row);
    if (typeof value !== 'number' || !Number.isFinite(value)) return NaN;
    if (this.isWhole && !Number.isSafeInteger(value)) return NaN;
    this.#numbers += 1;
    return value;
  }
}

/** The numbers of the rows of a page. */
export class Numbers implements Vector {
  numbers: Float64Array;
  uncertain: PageBits | null = null;
  isStale = false;
  readonly forgotten = 0;
  min = Infinity;
  greatest = -Infinity;

  constructor(chunks: number) {
    this.numbers = new Float64Array(chunks * limit);
  }

  static bytesOf(chunks: number): number {
    return chunks * limit * 8 + (chunks * limit) / 8 + overhead;
  }

  get bytes(): number {
    return Numbers.bytesOf(this.numbers.length / limit);
  }

  put(rowIndex: number, value: number): void {
    if (Number.isNaN(value)) {
      setBit((this.uncertain ??= new Int32Array(this.numbers.length / 32)), rowIndex);
      return;
    }
    this.numbers[rowIndex] = value + 0; // No stored number is -0
    if (value < this.min) this.min = value;
    if (value > this.greatest) this.greatest = value;
  }

  refresh<T>(column: NumberColumn, page: RowPage<T>): void {
    const { uncertain } = this;
    this.uncertain = null;
    this.isStale = false;
    for (const rowIndex of placesOf(uncertain ?? new Int32Array(0))) {
      this.put(rowIndex, column.numberOf(rowOf(page, rowIndex)));
    }
  }

  move(move: PageDiff): void {
    this.numbers = moveNumbers(this.numbers, (length) => new Float64Array(length), move);
    this.uncertain = joinBits(this.uncertain, move);
    this.isStale = true;
  }

  /** Writes the bits of the numbers at or above a bound (`isFrom`), or below it. Positions without a row may have any bit. */
  find(bound: number, isFrom: boolean, out: PageBits): void {
    const { numbers } = this;
    if (this.min >= 0 && bound > 0) {
      const halves = halvesOf(numbers);
      const upper = upperHalfOf(bound);
      for (let word = 0, at = 0; at < numbers.length; word += 1) {
        let bits = 0;
        // The number of positions in a chunk is a multiple of 32.
        for (let shift = 0; shift < 32; shift += 1, at += 1) {
          const half = halves[2 * at + upperHalf] as number;
          bits |=
            half === upper
              ? ((numbers[at] as number) >= bound ? 1 : 0) << shift
              : ((upper - half) >>> 31) << shift;
        }
        out[word] = isFrom ? bits : ~bits;
      }
      return;
    }
    for (let word = 0, at = 0; at < numbers.length; word += 1) {
      let bits = 0;
      // Chunk lengths are multiples of 32, so all four positions exist. Handling one position per iteration takes twice as long.
      for (let shift = 0; shift < 32; shift += 4, at += 4) {
        bits |=
          (((numbers[at] as number) >= bound ? 1 : 0) |
            ((numbers[at + 1] as number) >= bound ? 2 : 0) |
            ((numbers[at + 2] as number) >= bound ? 4 : 0) |
            ((numbers[at + 3] as number) >= bound ? 8 : 0)) <<
          shift;
      }
      out[word] = isFrom ? bits : ~bits;
    }
  }

  /** Returns the number of rows whose number is at or above a bound. Every row of the page must have a number. */
  countFrom(bound: number, page: RowPage<unknown>): number {
    const { numbers } = this;
    const halves = this.min >= 0 && bound > 0 ? halvesOf(numbers) : null;
    const upper = upperHalfOf(bound);
    let sum = 0;
    for (let chunk = 0; chunk < page.length; chunk += 1) {
      const first = chunk * limit;
      const end = first + (page[chunk]?.length ?? 0);
      for (let at = first; at < end; at += 1) {
        const half = halves === null ? upper : (halves[2 * at + upperHalf] as number); // within the chunk
        if (half !== upper) sum += (upper - half) >>> 31;
        else if ((numbers[at] as number) >= bound) sum += 1;
      }
    }
    return sum;
  }
}

/**
 * Returns the upper halves of the numbers' bits as integers. Non-negative numbers have the same order as these, if the halves
 * differ. The caller compares by subtraction, because an unpredictable branch costs five times as much.
 */
function halvesOf(numbers: Float64Array): Int32Array {
  return new Int32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
}

const probe = new Float64Array(1);
const upperHalf = (probe.fill(1), halvesOf(probe)[1] === 0 ? 0 : 1);

function upperHalfOf(value: number): number {
  probe[0] = value;
  return halvesOf(probe)[upperHalf] ?? 0;
}

export function* readNumbers<T>(
  column: NumberColumn,
  page: RowPage<T>,
): Generator<void, Numbers | null, undefined> {
  const numbers = new Numbers(page.length);
  for (const [chunk, rows] of page.entries()) {
    for (let at = 0; at < rows.length; at += 1) numbers.put(chunk * limit + at, column.numberOf(rows[at]));
    if (column.isWide) return null;
    yield;
  }
  return numbers;
}

/**
 * Returns the smallest number between two at which an ordering has the same result as at the greater one. At the smaller one, the
 * result must differ. Takes about sixty evaluations.
 */
export function findBound(
  test: (value: number) => boolean,
  min: number,
  greatest: number,
  isWhole: boolean,
): number {
  const result = test(greatest);
  let [low, high] = [rankOf(min, isWhole), rankOf(greatest, isWhole)];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (test(numberAt(middle, isWhole)) === result) high = middle;
    else low = middle;
  }
  return numberAt(high, isWhole);
}

const cell = new DataView(new ArrayBuffer(8));

/** Returns the rank of a number among all doubles, or among all integers. */
function rankOf(value: number, isWhole: boolean): bigint {
  if (isWhole) return BigInt(value);
  cell.setFloat64(0, value);
  const bits = cell.getBigInt64(0);
  return bits >= 0n ? bits : -(bits & 0x7fff_ffff_ffff_ffffn);
}

function numberAt(rank: bigint, isWhole: boolean): number {
  if (isWhole) return Number(rank);
  cell.setBigInt64(0, rank >= 0n ? rank : -rank | -0x8000_0000_0000_0000n);
  return cell.getFloat64(0);
}
