/** A path that ends at a key which its map lacks: the operator has an answer for it. */
export const ABSENT: unique symbol = Symbol('absent');

/** A name that was not found and for which the filter was given a value. */
export const UNKNOWN: unique symbol = Symbol('unknown');
