import { eventLoop } from '../pace/slices.js';
import { limit } from '../table/sorted-rows.js';

/** Rows between two looks at the clock: the first ones, and most. */
const fewest = 16;
const most = 2 * limit;
/** Milliseconds between two looks after which it is begun with few rows again. */
const longest = 0.5;

/**
 * How many rows are asked until somebody looks at the clock: few at first and where those before took their time, since one with
 * long texts can take a good part of a millisecond; and then whole chunks, which is the fastest. So it is after a pause too.
 */
export class ScanPace {
  #rows = fewest;
  #left = fewest;
  #since = eventLoop.now();

  /** How many of the next rows of a chunk to ask at once. */
  take(rows: number): number {
    if (this.#left <= 0) this.#goOn();
    const count = this.#rows < limit ? Math.min(rows, this.#left) : rows;
    this.#left -= count;
    return count;
  }

  /** Whether somebody has to look at the clock before more rows are asked. */
  isDue(): boolean {
    return this.#left <= 0;
  }

  #goOn(): void {
    const now = eventLoop.now();
    this.#rows = now - this.#since > longest ? fewest : Math.min(2 * this.#rows, most);
    this.#left = this.#rows;
    this.#since = now;
  }
}
