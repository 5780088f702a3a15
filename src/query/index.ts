export { arraySource, type ArraySource, type ArraySourceOptions, type RowsGiven } from './array-source.js';
export { createList, type GivenRowsOptions, type List } from './list.js';
export type { ListOptions, ListPage } from './list-core.js';
export type { RowsQuestion, Source, StatementExplanation } from './row-source.js';
export { createPool, type Pool, type PoolLimits } from './pool.js';
export type { Query } from './query.js';
export type { ResultChange, ResultDifference } from './watch-list.js';

// What follows is for those who hold their rows themselves, and ask their questions piece by piece.
export {
  chooseAccessPath,
  orderOf,
  readAccessPath,
  type AccessPath,
  type Lookup,
  type RowPredicate,
  type Selection,
  type SortedTable,
  type UsedIndex,
} from './access-path.js';
export { searchRows, type AskedRows, type SearchedRows } from './asked-rows.js';
export { countRows, explainRows, openResultWatches } from './on-demand.js';
export type { ExplainedRows } from './explained-rows.js';
export type { FacetCount, FacetCounts } from './count-facets.js';
export type { EmptyingClause, EmptyList, EmptyResult } from './empty-result.js';
export type {
  ClauseReport,
  ExplainableScan,
  IndexExplanation,
  ListExplanation,
  SortExplanation,
} from './explain-scan.js';
export { badFacets, facetFields, readFacets, type FacetField, type FacetFields } from './facet-query.js';
export {
  createFilterCache,
  defaultFilterCacheLimits,
  type FilterCache,
  type FilterCacheLimits,
} from './filter-cache.js';
export { createHeldRows, type Held, type HeldRows } from './held-rows.js';
export { createListScan, type ListScan, type ScanRequest } from './list-scan.js';
export { decodeToken, encodeToken } from './page-token.js';
export { QueryError, type QueryErrorCode } from './query-error.js';
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
} from './sort-query.js';
export type { ResultChanges } from './result-changes.js';
export type { PageBounds, PagePlace, ResultQuestion } from './result-question.js';
export type { ResultWatch, ResultWatchRequest, WakeCondition, WatchedState } from './result-watch.js';
export type { FilterReading } from './list-waits.js';
export type { ResultWatchDependencies, ResultWatcher, ResultWatches } from './result-watches.js';
export type { ListedRows, RowTouch } from './row-touches.js';
export { sortedBy } from './table-source.js';
export type { TalliedValue } from './value-tally.js';
export { createWakeQueue, type WakeQueue } from './wake-queue.js';
export type { Regroup, SortOrder } from './sort-order.js';
export type { ClauseAnswer, Viewer } from '../table/row-answers.js';
export { chooseSortedPath } from './sorted-path.js';
export type { AccessPathBounds, Stretch } from './stretch.js';
