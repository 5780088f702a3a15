import type { Batch, Contents, Storage, StoredRow } from './storage.js';
import { StorageError } from './storage-error.js';

/** Keeps everything in this process and nothing beyond it. Rows are shared with the state, not copied. */
export function createMemoryStorage(): Storage {
  const tables = new Map<string, Map<string, object>>();
  const tableIndexes = new Map<string, number>();
  let index = 0;
  let isOpen = true;

  function table(name: string): Map<string, object> {
    const rows = tables.get(name) ?? new Map<string, object>();
    tables.set(name, rows);
    return rows;
  }

  return {
    load(): Promise<Contents> {
      return Promise.resolve({
        index,
        tableIndexes: Object.fromEntries(tableIndexes),
        rows: readRows(tables),
      });
    },
    async commit(batch: Batch): Promise<void> {
      if (!isOpen) throw new StorageError('closed', 'The store has been closed');
      index = batch.index;
      for (const { table: name, key } of batch.deletes) table(name).delete(key);
      for (const { table: name, key, row } of batch.puts) table(name).set(key, row);
      for (const [name, value] of Object.entries(batch.tableIndexes)) tableIndexes.set(name, value);
    },
    async probe() {
      if (!isOpen) throw new StorageError('closed', 'The store has been closed');
    },
    async close() {
      isOpen = false;
    },
  };
}

async function* readRows(
  tables: ReadonlyMap<string, ReadonlyMap<string, object>>,
): AsyncGenerator<StoredRow> {
  for (const [table, rows] of tables) for (const [key, row] of rows) yield { table, key, row };
}
