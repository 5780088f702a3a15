/** A compiled expression: whether it holds for a row. */
export type Predicate = (row: unknown) => boolean;
