import { sharedWeakMap } from '../../runtime/shared-identity.js';
import { checkOptions, checkFunction } from '../../language/diagnostics/options.js';
import type { PutRowOf, RowOf } from '../../language/schema/row.js';
import type { Schema } from '../../language/schema/schema.js';
import type { ChangeFeed, RowChange } from './change-feed.js';
import { define, type TableOptions } from './define-table.js';
import type { KeyIn, RowKey } from './key.js';
import { openStore, type Store, type StoreOptions, type TableWriter, type Versions } from './store.js';
import { storedSnapshot, type StoredSnapshot, type TableSnapshot } from './table-snapshot.js';

/** A table of rows that match a schema, with indexes for lists. */
export interface Table<T extends object, K extends RowKey = string, P = T>
  extends TableSnapshot<T, K>, TableWriter<T, K, P> {
  /**
   * Runs `write` atomically under one index and returns that index; without changes, the previous one. `write` must be
   * synchronous. If it throws, the error is rethrown and nothing has changed.
   */
  batch(write: (rows: TableWriter<T, K, P>) => void): number;
  snapshot(): TableSnapshot<T, K> & { readonly index: number };
  /** Index of the last write: at least 1, growing with each write that changes something. */
  readonly index: number;
  readonly changes: ChangeFeed<RowChange<K>>;
}

const optionNames = [
  'key',
  'indexes',
  'sorts',
  'order',
  'rows',
  'columns',
  'firstIndex',
  'retained',
] as const;
/** The name of the table in its store. */
export const onlyTable = 'rows';

const stores = sharedWeakMap<object, Versions>('tables');

/** Returns the store of a table; null if the value was not created by `createTable`. */
export function versionsOf(table: object): Versions | null {
  return stores.get(table) ?? null;
}

/**
 * Creates a table.
 *
 * ```ts
 * const jobs = createTable(jobSchema, { key: 'ID', indexes: ['Status', 'Datacenters'], sorts: ['Priority'] });
 * jobs.put({ ID: 'web', Status: 'running', Priority: 70, Datacenters: ['dc1'] });
 * ```
 *
 * @throws TypeError for a key, an index or a sort that cannot be one.
 */
export function createTable<
  S extends Schema,
  const N extends keyof RowOf<S> & string = never,
  const Rows extends 'copy' | 'share' = 'copy',
>(
  schema: S,
  options: TableOptions<RowOf<S>> &
    StoreOptions & {
      readonly key: N | ((row: RowOf<S>) => string);
      readonly rows?: Rows | undefined;
    },
): Table<RowOf<S> & object, KeyIn<RowOf<S>, N>, Rows extends 'copy' ? PutRowOf<S> : RowOf<S>> {
  checkOptions<TableOptions<RowOf<S>> & StoreOptions>('createTable', options, optionNames);
  const { firstIndex, retained: cached, ...table } = options;
  const definition = define('createTable', schema, table as object as TableOptions<never>);
  const store = openStore('createTable', { [onlyTable]: definition }, { firstIndex, retained: cached });
  return tableOf(store) as object as ReturnType<typeof createTable<S, N, Rows>>;
}

function tableOf(store: Store<Readonly<Record<string, never>>>): Table<object, RowKey> {
  const now = (): StoredSnapshot<object> => storedSnapshot<object>(store.snapshot().tables[onlyTable]);
  const write = <R>(action: (rows: TableWriter<object, RowKey>) => R): R =>
    store.write((tables) => action(tables[onlyTable] as object as TableWriter<object, RowKey>));
  const table: Table<object, RowKey> = {
    get size() {
      return now().size;
    },
    get: (key) => now().get(key),
    rows: (prefix) => now().rows(prefix),
    put: (row) => write((rows) => rows.put(row)),
    putAll: (all) => write((rows) => rows.putAll(all)),
    delete: (key) => write((rows) => rows.delete(key)),
    batch(action) {
      checkFunction('table.batch', 'action', action);
      write(action);
      return now().index;
    },
    snapshot: now,
    get index() {
      return now().index;
    },
    changes: store.changes as object as ChangeFeed<RowChange<RowKey>>,
  };
  stores.set(table, store as object as Versions);
  return Object.freeze(table);
}
