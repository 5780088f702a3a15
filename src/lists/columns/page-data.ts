import { chunkWords, type PageBits } from '../table/page-bits.js';
import type { RowPage } from '../table/sorted-rows.js';
import type { Clause } from './clause.js';
import type { Codes } from './codes.js';
import type { MatchBitmap } from './cached-bitmap.js';
import type { AnyColumn, PageColumn } from './node.js';
import type { Numbers } from './numbers.js';

/** Filters whose counts are kept, and what each takes, in bytes. */
const maxCounts = 32;
const countSize = 48;

/** The cached data of a page. */
export class PageData {
  readonly columns = new Map<AnyColumn, Codes | Numbers>();
  readonly bitmaps = new Map<Clause, MatchBitmap>();
  /** How many rows satisfy all clauses of a filter, in the order in which that was found. */
  readonly #counts = new Map<readonly Clause[], number>();
  /** The places that have a row, and how many. */
  readonly rows: PageBits;
  readonly size: number;

  constructor(readonly page: RowPage<unknown>) {
    const rows = new Int32Array(page.length * chunkWords);
    let size = 0;
    for (const [at, chunk] of page.entries()) {
      size += chunk.length;
      for (let rowIndex = 0; rowIndex < chunk.length; rowIndex += 32) {
        const left = chunk.length - rowIndex;
        rows[at * chunkWords + rowIndex / 32] = left >= 32 ? -1 : ~(-1 << left);
      }
    }
    this.rows = rows;
    this.size = size;
  }

  /** The size of a page without its columns, in bytes. */
  get bytes(): number {
    return this.rows.byteLength + maxCounts * countSize;
  }

  /** How many rows satisfy all these clauses, where that is kept. */
  countOf(clauses: readonly Clause[]): number | undefined {
    return this.#counts.get(clauses);
  }

  /** Caches it, replacing the least recently found one. */
  cacheCount(clauses: readonly Clause[], count: number): void {
    this.#counts.set(clauses, count);
    if (this.#counts.size <= maxCounts) return;
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      break;
    }
  }

  /** What a column has of the rows; undefined for nothing, and for codes of values that it has forgotten. */
  of<C extends AnyColumn>(column: C): PageColumn<C> | undefined {
    const found = this.columns.get(column);
    return found?.forgotten === column.forgotten ? (found as PageColumn<C>) : undefined;
  }
}
