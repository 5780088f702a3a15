/** The value of a path that ends at a key missing from its map: the operator defines the result. */
export const ABSENT: unique symbol = Symbol.for('tamis absent');

/** A name that was not found and for which the filter was given a value. */
export const UNKNOWN: unique symbol = Symbol.for('tamis unknown');
