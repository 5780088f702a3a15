/** The value of a path that ends at a key missing from its map. The operator defines the result. */
export const ABSENT: unique symbol = Symbol.for('tamis absent');

/** The value of a name that was not found, if the filter has a value for unknown names. */
export const UNKNOWN: unique symbol = Symbol.for('tamis unknown');

export function isNil(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Whether no match can be decided for a value, except `is nil` for null: it is missing, null, NaN or a symbol. */
export function isUnknownValue(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'symbol' || Number.isNaN(value);
}
