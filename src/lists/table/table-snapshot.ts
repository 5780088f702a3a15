import type { DefinedTable } from './define-table.js';
import { requireKey, stringKeys, type RowKey } from './key.js';
import { prefixRange, scanRows, fullRange } from './sorted-rows.js';
import { getRow, type TableRows } from './table-rows.js';

/** An immutable snapshot of a table. Keeping it only costs the memory of the rows that were replaced since. */
export interface TableSnapshot<T extends object, K extends RowKey = string> {
  readonly size: number;
  get(key: K): T | null;
  /** Yields the rows in table order, or in key order if `prefix` selects string keys. Reads lazily. */
  rows(prefix?: string): Iterable<T>;
}

/** A snapshot with the additional data that lists need. */
export class StoredSnapshot<T extends object> implements TableSnapshot<T, RowKey> {
  readonly size: number;

  constructor(
    readonly definition: DefinedTable<T>,
    readonly contents: TableRows<T>,
    /** Index of the last write to the table. */
    readonly index: number,
  ) {
    this.size = contents.primary.size;
  }

  readonly get = (key: RowKey): T | null => getRow<T>(this.contents, requireKey(this.definition.keys, key));

  readonly rows = (prefix = ''): Iterable<T> => {
    requireKey(stringKeys, prefix);
    if (prefix !== '' && this.definition.keys !== stringKeys)
      throw new TypeError('rows: prefix is for string keys; the keys of this table are integers');
    const { primary, listed } = this.contents;
    return prefix === '' ? scanRows(listed, fullRange, false) : scanRows(primary, prefixRange(prefix), false);
  };
}

/** Returns the data of a snapshot. @throws TypeError if it was not created by a store. */
export function storedSnapshot<T extends object>(
  snapshot: TableSnapshot<T, RowKey> | undefined,
): StoredSnapshot<T> {
  // Also accepts snapshots created by another loaded copy of the package.
  if (snapshot !== undefined && 'definition' in snapshot) return snapshot as StoredSnapshot<T>;
  throw new TypeError('The snapshot of a table must come from a store');
}
