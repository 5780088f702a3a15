// What follows is for those with a writer and a log of their own, who keep immutable rows in their own states.
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
  type Piece,
  type Range,
  type SortedRows,
} from './sorted-rows.js';
export { sortedTable } from './sorted-table.js';
export { deleteRow, emptyRows, getRow, putRow, putRows, type TableRows } from './table-rows.js';
export { placeOfText } from './text-order.js';
