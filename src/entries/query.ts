export {
  arraySource,
  type ArraySource,
  type ArraySourceOptions,
  type RowsGiven,
} from '../lists/query/source/array-source.js';
export { createList, type GivenRowsOptions, type List } from '../lists/query/list.js';
export type { ListOptions, ListPage } from '../lists/query/list-core.js';
export type { RowsQuestion, Source, StatementExplanation } from '../lists/query/source/row-source.js';
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
export { searchRows, type AskedRows, type SearchedRows } from '../lists/query/result/asked-rows.js';
export { countRows, explainRows, openResultWatches } from '../lists/query/on-demand.js';
export type { ExplainedRows } from '../lists/query/result/explained-rows.js';
export type { FacetCount, FacetCounts } from '../lists/query/scan/count-facets.js';
export type { EmptyingClause, EmptyList, EmptyResult } from '../lists/query/result/empty-result.js';
export type {
  ClauseReport,
  ExplainableScan,
  IndexExplanation,
  ListExplanation,
  SortExplanation,
} from '../lists/query/result/explain-scan.js';
export {
  badFacets,
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
export { createHeldRows, type Held, type HeldRows } from '../lists/query/source/held-rows.js';
export { createListScan, type ListScan, type ScanRequest } from '../lists/query/scan/list-scan.js';
export { decodeToken, encodeToken } from '../lists/query/request/page-token.js';
export { QueryError, type QueryErrorCode } from '../lists/query/request/query-error.js';
export {
  badSort,
  readSort,
  readSortedToken,
  refuseReverse,
  sortedToken,
  sortsOf,
  type Sort,
  type SortFields,
  type SortKey,
} from '../lists/query/request/sort-query.js';
export type { ResultChanges } from '../lists/query/watch/result-changes.js';
export type { PageBounds, PagePlace, ResultQuestion } from '../lists/query/watch/result-question.js';
export type {
  ResultWatch,
  ResultWatchRequest,
  WakeCondition,
  WatchedState,
} from '../lists/query/watch/result-watch.js';
export type { FilterReading } from '../lists/query/watch/list-waits.js';
export type {
  ResultWatchDependencies,
  ResultWatcher,
  ResultWatches,
} from '../lists/query/watch/result-watches.js';
export type { ListedRows, RowTouch } from '../lists/query/watch/row-touches.js';
export { sortedBy } from '../lists/query/source/table-source.js';
export type { TalliedValue } from '../lists/query/scan/value-tally.js';
export { createWakeQueue, type WakeQueue } from '../lists/query/watch/wake-queue.js';
export type { Regroup, SortOrder } from '../lists/query/scan/sort-order.js';
export type { ClauseAnswer, Viewer } from '../lists/table/row-answers.js';
export { chooseSortedPath } from '../lists/query/scan/sorted-path.js';
export type { AccessPathBounds, Stretch } from '../lists/query/scan/stretch.js';
export type { Pace } from '../runtime/slices.js';
