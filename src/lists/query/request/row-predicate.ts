/** Returns whether a row is included. */
export type RowPredicate<T> = (row: T) => boolean;
