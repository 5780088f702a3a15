import { limit } from '../../table/sorted-rows.js';

/** Minimum and maximum number of rows between two checks of the clock. A slice starts with the minimum. */
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

  /** Returns how many of the remaining rows of a chunk to evaluate before the next check. */
  take(rows: number): number {
    if (this.#left <= 0) this.#left = this.#rows = Math.min(2 * this.#rows, maxRows);
    const count = this.#rows < limit ? Math.min(rows, this.#left) : rows;
    this.#left -= count;
    return count;
  }

  /** Whether the clock must be checked before further rows are evaluated. */
  isDue(): boolean {
    return this.#left <= 0;
  }
}
