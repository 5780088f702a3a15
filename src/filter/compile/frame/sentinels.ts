/** The value of a path that ends at a key missing from its map. The operator defines the result. */
export const ABSENT: unique symbol = Symbol.for('tamis absent');

/** The value of a name that was not found, if the filter has a value for unknown names. */
export const UNKNOWN: unique symbol = Symbol.for('tamis unknown');
