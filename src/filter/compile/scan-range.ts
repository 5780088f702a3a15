import { checkNames, describe } from '../../language/diagnostics/options.js';

/** A half-open range of an array to scan, and a limit of the result. Default: all rows. */
export interface ScanRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Maximum number of rows in the result, including those found before. */
  readonly limit?: number | undefined;
}

/** Returns a complete range. @throws RangeError if it exceeds these rows; TypeError if it is not a range. */
export function readRange(
  rows: readonly unknown[],
  range: ScanRange,
): { readonly from: number; readonly to: number; readonly limit: number } {
  if (!Array.isArray(rows)) throw new TypeError(`scan: rows must be an array, got ${describe(rows)}`);
  const { length } = rows;
  checkNames('scan', 'option', range, ['from', 'to', 'limit']);
  const { from = 0, to = length, limit = Infinity } = range;
  if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= length)) {
    throw new RangeError(`from ${from} to ${to} is not a range of an array of ${length} rows`);
  }
  if (!(limit >= 0 && (limit === Infinity || Number.isInteger(limit)))) {
    throw new RangeError(`limit must be an integer >= 0, got ${limit}`);
  }
  return { from, to, limit };
}
