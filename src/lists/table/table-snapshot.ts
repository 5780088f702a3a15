import { describe } from '../../language/diagnostics/options.js';
import type { DefinedTable } from './define-table.js';
import { prefixRange, scanRows, fullRange } from './sorted-rows.js';
import { getRow, type TableRows } from './table-rows.js';

/** The rows of a table at one moment. Immutable: holding one costs what was replaced since, and nothing else. */
export interface TableSnapshot<T extends object> {
  readonly size: number;
  get(key: string): T | null;
  /** In the table's order; with a prefix in that of keys. Who stops early has looked no further. */
  rows(prefix?: string): Iterable<T>;
}

/** @throws TypeError for what is no text, and so no key or the beginning of one. */
export function requireKey(key: string): string {
  if (typeof key === 'string') return key;
  throw new TypeError(`The key of a row must be a string, got ${describe(key)}`);
}

/** A snapshot, with what lists need of it. */
export class StoredSnapshot<T extends object> implements TableSnapshot<T> {
  readonly size: number;

  constructor(
    readonly definition: DefinedTable<T>,
    readonly contents: TableRows<T>,
    /** Of the last write to the table. */
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

/** @throws TypeError for a snapshot that no store has made. */
export function storedSnapshot<T extends object>(snapshot: TableSnapshot<T> | undefined): StoredSnapshot<T> {
  // Of any copy of the package.
  if (snapshot !== undefined && 'definition' in snapshot) return snapshot as StoredSnapshot<T>;
  throw new TypeError('The snapshot of a table must come from a store');
}
