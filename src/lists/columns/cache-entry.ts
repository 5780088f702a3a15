import type { PageBits } from '../table/page-bits.js';

/** A cache entry: a column, or a clause with cached results. */
export interface Owner {
  /** Size of the entry and its data on all pages, in bytes. */
  bytes: number;
  /** Number of evaluated rows for which the entry would have been useful. It is built once this covers the cost of the build. */
  credit: number;
  /** Counter value of the cache at the last use. */
  used: number;
}

/** The data of a cache entry for one page. */
export interface Vector {
  readonly bytes: number;
  /** The rows with unknown results, which have to be evaluated; null if none exist. */
  readonly uncertain: PageBits | null;
  /** Whether some of the uncertain rows have never been evaluated, for example new ones. */
  readonly isStale: boolean;
}
