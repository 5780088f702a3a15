export {
  arraySource,
  type ArraySource,
  type ArraySourceOptions,
  type RowsProvider,
} from '../lists/query/source/array-source.js';
export { createList, type ProvidedRowsOptions, type List } from '../lists/query/list.js';
export type { ListOptions, ListPage, PageTotal } from '../lists/query/list-core.js';
export type { RowQuery, Source, SqlExplanation } from '../lists/query/source/row-source.js';
export { createPool, type Pool, type PoolLimits } from '../lists/query/source/pool.js';
export type { Query } from '../lists/query/request/query.js';
export type { ResultChange, ResultDifference } from '../lists/query/watch-list.js';

// The following is for programs that own their rows and run queries step by step.
export type { RowPredicate } from '../lists/query/request/row-predicate.js';
export {
  chooseAccessPath,
  orderOf,
  readAccessPath,
  type AccessPath,
  type Lookup,
  type Selection,
  type SortedTable,
  type UsedIndex,
} from '../lists/query/scan/access-path.js';
export { scanPage, type RowScan, type ScanResult } from '../lists/query/result/row-scan.js';
export { countRows, explainRows, openResultWatches } from '../lists/query/lazy-features.js';
export type { ExplainedRows } from '../lists/query/result/explained-rows.js';
export type { FacetCount, FacetCounts } from '../lists/query/scan/count-facets.js';
export type { BlockingClause, NoMatchRequest, NoMatchExplanation } from '../lists/query/result/no-match.js';
export type {
  ClauseReport,
  ExplainableScan,
  IndexExplanation,
  ListExplanation,
  SortExplanation,
} from '../lists/query/result/explain-scan.js';
export {
  invalidFacets,
  facetFields,
  readFacets,
  type FacetField,
  type FacetFields,
} from '../lists/query/request/facet-query.js';
export {
  createFilterCache,
  defaultFilterCacheLimits,
  type FilterCache,
  type FilterCacheLimits,
} from '../lists/query/request/filter-cache.js';
export { createRowBudget, type RowReservation, type RowBudget } from '../lists/query/source/row-budget.js';
export { createListScan, type ListScan, type ScanRequest } from '../lists/query/scan/list-scan.js';
export { decodeToken, encodeToken } from '../lists/query/request/page-token.js';
export { ListError } from '../lists/list/errors.js';
export { QueryError, type QueryErrorCode } from '../lists/query/request/query-error.js';
export {
  invalidSort,
  readSort,
  readSortedToken,
  rejectReverse,
  sortedToken,
  sortsOf,
  type Sort,
  type SortFields,
  type SortKey,
} from '../lists/query/request/sort-query.js';
export type { ChangePositions, ResultChanges } from '../lists/query/watch/result-changes.js';
export type { PageBounds, PagePosition, WatchedQuery } from '../lists/query/watch/watched-query.js';
export type {
  ResultWatch,
  ResultWatchRequest,
  WaitCondition,
  WatchedState,
} from '../lists/query/watch/result-watch.js';
export type { FilterReading } from '../lists/query/watch/list-waits.js';
export type {
  ResultWatchDependencies,
  ResultWatcher,
  ResultWatches,
} from '../lists/query/watch/result-watches.js';
export type { JoinedRows, RowUpdate } from '../lists/query/watch/row-updates.js';
export { sortedBy } from '../lists/query/source/table-source.js';
export type { FacetValueCount } from '../lists/query/scan/value-counts.js';
export { createNotificationQueue, type NotificationQueue } from '../lists/query/watch/notification-queue.js';
export type { PartialSort, SortOrder } from '../lists/query/scan/sort-order.js';
export type { ClauseAccess, Viewer } from '../lists/table/row-matcher.js';
export { chooseSortedPath } from '../lists/query/scan/sorted-path.js';
export type { AccessPathBounds, OrderedRange } from '../lists/query/scan/ordered-range.js';
export type { EventLoop } from '../runtime/time-slicer.js';
