import { describe } from '../../language/diagnostics/options.js';
import type { DefinedTable } from './define-table.js';
import { prefixRange, scanRows, fullRange } from './sorted-rows.js';
import { getRow, type TableRows } from './table-rows.js';

/** An immutable snapshot of a table. Holding one retains only the rows replaced since. */
export interface TableSnapshot<T extends object> {
  readonly size: number;
  get(key: string): T | null;
  /** Yields rows in table order; with a prefix in key order. Lazy: stopping early reads no further rows. */
  rows(prefix?: string): Iterable<T>;
}

/** @throws TypeError if the value is not a string, and so not a key or key prefix. */
export function requireKey(key: string): string {
  if (typeof key === 'string') return key;
  throw new TypeError(`The key of a row must be a string, got ${describe(key)}`);
}

/** A snapshot with the data that lists need. */
export class StoredSnapshot<T extends object> implements TableSnapshot<T> {
  readonly size: number;

  constructor(
    readonly definition: DefinedTable<T>,
    readonly contents: TableRows<T>,
    /** Index of the last write to the table. */
    readonly index: number,
  ) {
    this.size = contents.primary.size;
  }

  readonly get = (key: string): T | null => getRow<T>(this.contents, requireKey(key));

  readonly rows = (prefix = ''): Iterable<T> => {
    requireKey(prefix);
    const { primary, listed } = this.contents;
    return prefix === '' ? scanRows(listed, fullRange, false) : scanRows(primary, prefixRange(prefix), false);
  };
}

/** @throws TypeError if the snapshot was not created by a store. */
export function storedSnapshot<T extends object>(snapshot: TableSnapshot<T> | undefined): StoredSnapshot<T> {
  // Accepts snapshots of any loaded copy of the package.
  if (snapshot !== undefined && 'definition' in snapshot) return snapshot as StoredSnapshot<T>;
  throw new TypeError('The snapshot of a table must come from a store');
}
