import { createLogFeed } from './log-feed.js';
import { emptyHead, headAfter, judgeEntry } from './log-head.js';
import type { Contents, Storage, StoredRow } from './storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** Stores everything in this process only. Rows are shared with the state, not copied. */
export function createMemoryStorage(): Storage {
  const tables = new Map<string, Map<string, object>>();
  let head = emptyHead;
  let isOpen = true;
  const feed = createLogFeed(contents);

  function table(name: string): Map<string, object> {
    const rows = tables.get(name) ?? new Map<string, object>();
    tables.set(name, rows);
    return rows;
  }

  function contents(): Contents {
    const { id, index, tableIndexes } = head;
    const rows = [...tables].flatMap(([name, found]) =>
      [...found].map(([key, row]): StoredRow => ({ table: name, key, row })),
    );
    return { id, index, tableIndexes, rows: inTurn(rows) };
  }

  function requireOpen(): void {
    if (!isOpen) throw new StorageError('closed', 'The store has been closed');
  }

  return {
    async append(entry) {
      requireOpen();
      const known = judgeEntry(head, entry);
      if (known !== null) return known;
      const { id, batch } = entry;
      head = headAfter(head, entry);
      for (const { table: name, key } of batch.deletes) table(name).delete(key);
      for (const { table: name, key, row } of batch.puts) table(name).set(key, row);
      feed.publish(id, batch);
      return { kind: 'committed' };
    },
    subscribe: () => feed.subscribe(),
    async probe() {
      requireOpen();
    },
    async close() {
      isOpen = false;
      feed.close();
    },
  };
}

async function* inTurn(rows: readonly StoredRow[]): AsyncGenerator<StoredRow> {
  yield* rows;
}
