import type { Pager } from '../../list/index.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { AccessPath } from './access-path.js';
import type { Viewer } from '../../table/row-matcher.js';
import type { PartialSort } from './sort-order.js';

/** The search for the rows of a list, to be done in slices. */
export interface ListScan<T> {
  /**
   * Reads rows, at least some, until the page is decided and returns true, or until `isOver` returns true and returns false.
   *
   * @throws FilterEvaluationError for a row on which the filter fails.
   */
  readonly advance: (shouldYield: () => boolean) => boolean;
  /** What has been found, and the page once it is decided. */
  readonly pager: Pager<T>;
}

export interface ScanRequest<T> {
  readonly path: AccessPath<T>;
  /** Which rows count at all; null for all. */
  readonly where: RowPredicate<T> | null;
  /** The viewer of a selection whose `where` consists of its visibility alone; null for a viewer without columns. */
  readonly viewer?: Viewer<T> | null | undefined;
  readonly reverse: boolean;
  /** The token of the first row wanted; empty for the beginning. */
  readonly nextToken: string;
  /** Most items of the page, 0 for all. */
  readonly perPage: number;
  /** The way from the order of the path to that of the page, where that is one of several fields. */
  readonly partialSort?: PartialSort<T> | null;
}
