import { chunkWords, rowOf, type PageBits } from '../table/page-bits.js';
import { limit, type RowPage } from '../table/sorted-rows.js';
import type { Filter } from '../../filter/filter.js';
import { placesOf, setBit } from './codes.js';
import { joinBits, moveBits, type PageMove } from './moves.js';
import type { Vector } from './owner.js';

/** Number of rows that a clause is evaluated on between two checks of the clock. */
const askedAtOnce = 64;
const overhead = 192;

/** The results of a clause for the rows of a page. Rows for which it failed are unknown. The bits never change. */
export class KeptBits implements Vector {
  constructor(
    readonly bits: PageBits,
    readonly unsure: PageBits | null,
    readonly isStale: boolean,
  ) {}

  static bytesOf(chunks: number): number {
    return (2 * chunks * limit) / 8 + overhead;
  }

  get bytes(): number {
    return KeptBits.bytesOf(this.bits.length / chunkWords);
  }

  moved(move: PageMove): KeptBits {
    return new KeptBits(moveBits(this.bits, move), joinBits(this.unsure, move), true);
  }
}

/** Evaluates a clause on all rows of a page, in steps. */
export function* askAll<T>(clause: Filter<T>, page: RowPage<T>): Generator<void, KeptBits, undefined> {
  const bits = new Int32Array((page.length * limit) / 32);
  let unsure: PageBits | null = null;
  for (const [chunk, rows] of page.entries()) {
    for (let from = 0; from < rows.length; from += askedAtOnce) {
      const to = Math.min(from + askedAtOnce, rows.length);
      const found: T[] = [];
      try {
        clause.scan(rows, found, { from, to });
        for (let at = from, next = 0; next < found.length; at += 1) {
          if (rows[at] !== found[next]) continue;
          setBit(bits, chunk * limit + at);
          next += 1;
        }
      } catch {
        unsure ??= new Int32Array(bits.length);
        for (let at = from; at < to; at += 1) ask(clause, rows[at] as T, chunk * limit + at, bits, unsure); // at < rows.length
      }
      yield;
    }
  }
  return new KeptBits(bits, unsure, false);
}

/** Evaluates a clause on the rows whose result is unknown, in steps. */
export function* askNew<T>(
  clause: Filter<T>,
  page: RowPage<T>,
  kept: KeptBits,
): Generator<void, KeptBits, undefined> {
  const bits = kept.bits.slice();
  const unsure = new Int32Array(bits.length);
  let asked = 0;
  for (const place of placesOf(kept.unsure ?? unsure)) {
    ask(clause, rowOf(page, place), place, bits, unsure);
    if ((asked += 1) % askedAtOnce === 0) yield;
  }
  return new KeptBits(bits, unsure.some((word) => word !== 0) ? unsure : null, false);
}

function ask<T>(clause: Filter<T>, row: T, place: number, bits: PageBits, unsure: PageBits): void {
  try {
    if (clause.test(row)) setBit(bits, place);
  } catch {
    setBit(unsure, place);
  }
}
