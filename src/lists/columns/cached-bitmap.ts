import { chunkWords, rowOf, type PageBits } from '../table/page-bits.js';
import { limit, type RowPage } from '../table/sorted-rows.js';
import type { Filter } from '../../filter/filter.js';
import { placesOf, setBit } from './codes.js';
import { joinBits, carryOverBits, type PageDiff } from './carry-over.js';
import type { Vector } from './cache-entry.js';

/** Number of rows that a clause is evaluated on between two checks of the clock. */
const batchSize = 64;
const overhead = 192;

/** The results of a clause for the rows of a page. Rows for which it failed are unknown. The bits never change. */
export class MatchBitmap implements Vector {
  constructor(
    readonly bits: PageBits,
    readonly uncertain: PageBits | null,
    readonly isStale: boolean,
  ) {}

  static bytesOf(chunks: number): number {
    return (2 * chunks * limit) / 8 + overhead;
  }

  get bytes(): number {
    return MatchBitmap.bytesOf(this.bits.length / chunkWords);
  }

  moved(move: PageDiff): MatchBitmap {
    return new MatchBitmap(carryOverBits(this.bits, move), joinBits(this.uncertain, move), true);
  }
}

/** Evaluates a clause on all rows of a page, in steps. */
export function* evaluateAll<T>(clause: Filter<T>, page: RowPage<T>): Generator<void, MatchBitmap, undefined> {
  const bits = new Int32Array((page.length * limit) / 32);
  let uncertain: PageBits | null = null;
  for (const [chunk, rows] of page.entries()) {
    for (let from = 0; from < rows.length; from += batchSize) {
      const to = Math.min(from + batchSize, rows.length);
      const found: T[] = [];
      try {
        clause.scan(rows, found, { from, to });
        for (let at = from, next = 0; next < found.length; at += 1) {
          if (rows[at] !== found[next]) continue;
          setBit(bits, chunk * limit + at);
          next += 1;
        }
      } catch {
        uncertain ??= new Int32Array(bits.length);
        for (let at = from; at < to; at += 1) evaluate(clause, rows[at] as T, chunk * limit + at, bits, uncertain); // at < rows.length
      }
      yield;
    }
  }
  return new MatchBitmap(bits, uncertain, false);
}

/** Evaluates a clause on the rows whose result is unknown, in steps. */
export function* evaluateUnknown<T>(
  clause: Filter<T>,
  page: RowPage<T>,
  cached: MatchBitmap,
): Generator<void, MatchBitmap, undefined> {
  const bits = cached.bits.slice();
  const uncertain = new Int32Array(bits.length);
  let evaluated = 0;
  for (const rowIndex of placesOf(cached.uncertain ?? uncertain)) {
    evaluate(clause, rowOf(page, rowIndex), rowIndex, bits, uncertain);
    if ((evaluated += 1) % batchSize === 0) yield;
  }
  return new MatchBitmap(bits, uncertain.some((word) => word !== 0) ? uncertain : null, false);
}

function evaluate<T>(clause: Filter<T>, row: T, rowIndex: number, bits: PageBits, uncertain: PageBits): void {
  try {
    if (clause.test(row)) setBit(bits, rowIndex);
  } catch {
    setBit(uncertain, rowIndex);
  }
}
