import type { PageBits } from '../table/page-bits.js';

/** A cache entry: a column, or a clause with cached results. */
export interface Owner {
  /** On all pages, and its own. */
  bytes: number;
  /** Rows evaluated since the last build: a build costs as many. */
  credit: number;
  /** When it was last used. */
  used: number;
}

/** The data of an entry for a page. */
export interface Vector {
  readonly bytes: number;
  /** The rows with unknown results, which have to be evaluated; null if there are none. */
  readonly uncertain: PageBits | null;
  /** Whether some of those rows have never been looked at. */
  readonly isStale: boolean;
}
