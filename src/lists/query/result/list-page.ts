import type { FacetCounts } from '../scan/count-facets.js';

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Token of the first row of the next page; null on the last page. */
  readonly nextToken: string | null;
  /** Token of the previous page; null on the first page. */
  readonly prevToken: string | null;
  /** The number of all matching rows; null if the query does not request it. */
  readonly total: PageTotal | null;
  /** How often each value occurs in the requested fields of all matching rows; absent if the query requests none. */
  readonly facets?: FacetCounts['facets'];
  /** The index of the last write that the page includes; 1 if the source reports no writes. */
  readonly index: number;
}

/** A number of rows, or a lower bound if counting all would take too long. */
export type PageTotal = number | { readonly atLeast: number };
