export {
  type ChangeFeed,
  type ChangeGroup,
  type RowChange,
  type RowChanges,
  type TableReset,
} from '../lists/table/change-feed.js';
export {
  defineTable,
  type TableColumns,
  type TableDefinition,
  type TableOptions,
} from '../lists/table/define-table.js';
export { RowError } from '../lists/table/row-error.js';
export {
  createStore,
  type Definitions,
  type RowIn,
  type Store,
  type StoreOptions,
  type StoreSnapshot,
  type TableWriter,
  type Versions,
} from '../lists/table/store.js';
export { createTable, type Table } from '../lists/table/table.js';
export type { KeyIn, RowKey } from '../lists/table/key.js';
export type { TableSnapshot } from '../lists/table/table-snapshot.js';

// The following is for programs with their own writer and log, which store immutable rows in their own state.
export {
  createChangeFeed,
  defaultChangeFeedLimits,
  type ChangeFeedLimits,
  type WritableChangeFeed,
} from '../lists/table/change-feed.js';
export { declareIndexes, type DeclaredIndexes, type IndexSpec } from '../lists/table/declare-indexes.js';
export {
  rangeIndexes,
  stringIndex,
  valueIndexes,
  rangeIndexName,
  type IndexDeclaration,
  type IndexDeclarations,
  type TableOrders,
} from '../lists/table/index-declaration.js';
export { stringKey } from '../lists/table/key.js';
export { mergeRows } from '../lists/table/merge-rows.js';
export {
  createIndex,
  buildIndex,
  groupRows,
  lookupRows,
  updateIndex,
  type IndexGroup,
  type SecondaryIndex,
} from '../lists/table/secondary-index.js';
export { isPositionInOrder, type SortField } from '../lists/table/sort-field.js';
export {
  fromSortedRows,
  countRows,
  createSequentialLookup,
  findRow,
  prefixRange,
  scanPieces,
  scanRows,
  sortRows,
  fullRange,
  type RowChunk,
  type RowPage,
  type Piece,
  type Range,
  type SortedRows,
} from '../lists/table/sorted-rows.js';
export { sortedTable } from '../lists/table/sorted-table.js';
export {
  deleteRow,
  emptyRows,
  getRow,
  putRow,
  putRows,
  type TableDeclaration,
  type TableRows,
} from '../lists/table/table-rows.js';
export { stringPositionOf } from '../lists/table/text-order.js';
