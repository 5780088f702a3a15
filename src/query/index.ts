export {
  chooseAccessPath,
  orderOf,
  readAccessPath,
  type AccessPath,
  type Lookup,
  type RowPredicate,
  type Selection,
  type SortedTable,
} from './access-path.js';
export { countFacets, type FacetCount, type FacetCounts } from './count-facets.js';
export { explainEmpty, type EmptyingClause, type EmptyList, type EmptyResult } from './empty-result.js';
export { explainScan, type ClauseReport, type ListExplanation } from './explain-scan.js';
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
export { chooseSortedPath } from './sorted-path.js';
export type { AccessPathBounds } from './stretch.js';
export { createValueTally } from './value-tally.js';
