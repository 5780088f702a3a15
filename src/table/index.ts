export {
  type ChangeFeed,
  type ChangeGroup,
  type RowChange,
  type RowChanges,
  type TableReset,
} from './change-feed.js';
export { defineTable, type TableColumns, type TableDefinition, type TableOptions } from './define-table.js';
export { RowError } from './row-error.js';
export {
  createStore,
  type Definitions,
  type RowIn,
  type Store,
  type StoreOptions,
  type StoreSnapshot,
  type TableWriter,
  type Versions,
} from './store.js';
export { createTable, type Table } from './table.js';
export type { TableSnapshot } from './table-snapshot.js';

// What follows is for those with a writer and a log of their own, who keep immutable rows in their own states.
export {
  createChangeFeed,
  defaultChangeFeedLimits,
  type ChangeFeedLimits,
  type WritableChangeFeed,
} from './change-feed.js';
export { declareIndexes, type DeclaredIndexes, type WantedIndexes } from './declare-indexes.js';
export {
  byRange,
  byText,
  byTextOrder,
  byValue,
  rangeIndexName,
  type IndexDeclaration,
  type IndexDeclarations,
  type TableOrders,
} from './index-declaration.js';
export { textKey } from './key.js';
export { mergeRows } from './merge-rows.js';
export {
  emptyIndex,
  filledIndex,
  rowsOfGroup,
  rowsWith,
  withChange,
  type IndexGroup,
  type SecondaryIndex,
} from './secondary-index.js';
export { isPlaceInOrder, type SortField } from './sort-field.js';
export {
  arrangeRows,
  countRows,
  createFinder,
  findRow,
  prefixRange,
  scanPieces,
  scanRows,
  sortRows,
  wholeRange,
  type RowChunk,
  type RowPage,
  type Piece,
  type Range,
  type SortedRows,
} from './sorted-rows.js';
export { sortedTable } from './sorted-table.js';
export {
  deleteRow,
  emptyRows,
  getRow,
  putRow,
  putRows,
  type TableDeclaration,
  type TableRows,
} from './table-rows.js';
export { placeOfText } from './text-order.js';
