import type { Pager } from '../../list/index.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { AccessPath } from './access-path.js';
import type { Viewer } from '../../table/row-matcher.js';
import type { PartialSort } from './sort-order.js';

/** A search for the rows of a list, executed in slices. */
export interface ListScan<T> {
  /**
   * Reads rows, at least some, until the page is decided and returns true, or until `isOver` returns true and returns false.
   *
   * @throws FilterEvaluationError for a row on which the filter fails.
   */
  readonly advance: (shouldYield: () => boolean) => boolean;
  /** Collects the rows found, and the page once it is complete. */
  readonly pager: Pager<T>;
}

export interface ScanRequest<T> {
  readonly path: AccessPath<T>;
  /** Predicate for relevant rows; null for all. */
  readonly where: RowPredicate<T> | null;
  /** The viewer of a selection whose `where` consists of its visibility alone; null for a viewer without columns. */
  readonly viewer?: Viewer<T> | null | undefined;
  readonly reverse: boolean;
  /** The token of the first row; empty for the first page. */
  readonly nextToken: string;
  /** Maximum items on the page; 0 for all. */
  readonly perPage: number;
  /** How to sort from the order of the path to an order by several fields; absent or null if not needed. */
  readonly partialSort?: PartialSort<T> | null;
}
