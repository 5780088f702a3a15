import { chunkWords, type PageBits } from '../table/page-bits.js';
import type { RowPage } from '../table/sorted-rows.js';
import type { Clause } from './clause.js';
import type { Codes } from './codes.js';
import type { MatchBitmap } from './cached-bitmap.js';
import type { AnyColumn, PageColumn } from './node.js';
import type { Numbers } from './numbers.js';

/** Maximum number of filters with cached counts per page; then the size of one count, in bytes. */
const maxCounts = 32;
const countSize = 48;

/** The cached data of a page. */
export class PageData {
  readonly columns = new Map<AnyColumn, Codes | Numbers>();
  readonly bitmaps = new Map<Clause, MatchBitmap>();
  /** Number of rows that satisfy all clauses of a filter, by filter, oldest first. */
  readonly #counts = new Map<readonly Clause[], number>();
  /** Bits of all positions that have a row, and the number of rows. */
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

  /** Returns the cached number of rows that satisfy all these clauses. */
  countOf(clauses: readonly Clause[]): number | undefined {
    return this.#counts.get(clauses);
  }

  /** Caches a count, replacing the oldest one. */
  cacheCount(clauses: readonly Clause[], count: number): void {
    this.#counts.set(clauses, count);
    if (this.#counts.size <= maxCounts) return;
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      break;
    }
  }

  /** Returns the data of a column; undefined if it has not been read, or if its values were evicted since. */
  of<C extends AnyColumn>(column: C): PageColumn<C> | undefined {
    const found = this.columns.get(column);
    return found?.forgotten === column.forgotten ? (found as PageColumn<C>) : undefined;
  }
}
