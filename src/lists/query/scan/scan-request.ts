import type { Pager } from '../../list/index.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { AccessPath } from './access-path.js';
import type { Viewer } from '../../table/row-answers.js';
import type { Regroup } from './sort-order.js';

/** The search for the rows of a list, to be done in slices. */
export interface ListScan<T> {
  /**
   * Looks at rows, some in any case, until the page is decided, which is true, or `isOver` tells it to pause.
   *
   * @throws FilterEvaluationError for a row that the filter cannot be asked about.
   */
  readonly advance: (isOver: () => boolean) => boolean;
  /** What has been found, and the page once it is decided. */
  readonly pager: Pager<T>;
}

export interface ScanRequest<T> {
  readonly path: AccessPath<T>;
  /** Which rows count at all; null for all. */
  readonly where: RowPredicate<T> | null;
  /** As that of a selection, for whom `where` asks nothing but what they see; null for somebody of whom nothing is kept. */
  readonly viewer?: Viewer<T> | null | undefined;
  readonly reverse: boolean;
  /** The token of the first row wanted; empty for the beginning. */
  readonly nextToken: string;
  /** Most items of the page, 0 for all. */
  readonly perPage: number;
  /** The way from the order of the path to that of the page, where that is one of several fields. */
  readonly regroup?: Regroup<T> | null;
}
