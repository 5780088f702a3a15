import type { PageBits } from '../table/page-bits.js';

/** A cache entry: a column, or a clause with cached results. */
export interface Owner {
  /** Size of the entry and its data on all pages, in bytes. */
  bytes: number;
  /** Number of rows evaluated since the last build. A build is paid for with as many rows. */
  credit: number;
  /** Time of the last use, by the counter of the cache. */
  used: number;
}

/** The data of an entry for a page. */
export interface Vector {
  readonly bytes: number;
  /** The rows with unknown results, which have to be evaluated; null if there are none. */
  readonly uncertain: PageBits | null;
  /** Whether some of the uncertain rows have never been evaluated. */
  readonly isStale: boolean;
}
