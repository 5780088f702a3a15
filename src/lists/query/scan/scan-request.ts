import type { Pager } from '../../list/index.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { AccessPath } from './access-path.js';
import type { Viewer } from '../../table/row-matcher.js';
import type { PartialSort } from './sort-order.js';

/** A search for the rows of a list, executed in slices. */
export interface ListScan<T> {
  /**
   * Reads at least some rows. Returns true once the page is complete, or false once `shouldYield` returns true.
   *
   * @throws FilterEvaluationError if the filter throws for a row.
   */
  readonly advance: (shouldYield: () => boolean) => boolean;
  /** Collects the rows found; has the page once it is complete. */
  readonly pager: Pager<T>;
}

export interface ScanRequest<T> {
  readonly path: AccessPath<T>;
  /** Predicate for relevant rows; null for all. */
  readonly where: RowPredicate<T> | null;
  /** The viewer, if `where` checks nothing but its visibility; null if the scan may not use its columns. */
  readonly viewer?: Viewer<T> | null | undefined;
  readonly reverse: boolean;
  /** Token of the first row of the page; empty for the first page. */
  readonly nextToken: string;
  /** Maximum items on the page; 0 for all. */
  readonly perPage: number;
  /** Sorts by several fields, given rows in the order of the path; absent or null if not needed. */
  readonly partialSort?: PartialSort<T> | null;
}
