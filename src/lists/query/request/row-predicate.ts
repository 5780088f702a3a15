/** Whether a row counts. */
export type RowPredicate<T> = (row: T) => boolean;
