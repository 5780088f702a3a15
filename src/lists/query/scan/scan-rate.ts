import { limit } from '../../table/sorted-rows.js';

/** Rows between two checks of the clock: at the start of a slice, and at most. */
const fewest = 16;
const maxRows = 2 * limit;

/**
 * Controls how many rows are evaluated between two checks of the clock. A slice starts with few rows, because one row with long
 * strings can take most of a millisecond. Later it takes whole chunks, which is fastest.
 */
export class ScanRate {
  #rows = fewest;
  #left = fewest;

  /** Starts a slice with the smallest number of rows. */
  begin(): void {
    this.#rows = this.#left = fewest;
  }

  /** Returns how many of the next rows of a chunk to evaluate at once. */
  take(rows: number): number {
    if (this.#left <= 0) this.#left = this.#rows = Math.min(2 * this.#rows, maxRows);
    const count = this.#rows < limit ? Math.min(rows, this.#left) : rows;
    this.#left -= count;
    return count;
  }

  /** Whether the clock has to be checked before more rows are evaluated. */
  isDue(): boolean {
    return this.#left <= 0;
  }
}
