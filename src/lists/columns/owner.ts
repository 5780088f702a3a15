import type { PageBits } from '../table/page-bits.js';

/** What takes memory beside the pages: a column, or a clause whose answers are kept. */
export interface Owner {
  /** On all pages, and its own. */
  bytes: number;
  /** Rows that were answered for since something was last made of them: what is made costs as many. */
  credit: number;
  /** When it was last asked. */
  used: number;
}

/** What is kept of an owner beside a page. */
export interface Vector {
  readonly bytes: number;
  /** The rows for which nothing is known, so that they have to be asked; null for none. */
  readonly unsure: PageBits | null;
  /** Whether some of those rows have never been looked at. */
  readonly isStale: boolean;
}
