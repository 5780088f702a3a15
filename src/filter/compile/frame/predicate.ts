/** A compiled expression. Returns whether a row matches. */
export type Predicate = (row: unknown) => boolean;
