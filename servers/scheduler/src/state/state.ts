import type { Clock } from '../clock.js';
import type { Storage } from '../storage/storage.js';
import { emptySnapshot, type Snapshot } from './snapshot.js';
import { putRows } from './table.js';
import { tableNames, type Rows, type TableName, type Tables } from './tables.js';
import { openTransaction, type Transaction } from './transaction.js';
import { createWatches, type Watches } from './watch.js';

/** The state of the cluster: read by snapshot, changed by one writer at a time. */
export interface State {
  /** The state after the last committed write. */
  snapshot(): Snapshot;
  /**
   * Runs `action` alone and commits what it changed, all or nothing: what it throws rejects the promise and leaves
   * everything as it was. `action` must not wait for anything.
   */
  write<R>(action: (transaction: Transaction) => R): Promise<R>;
  readonly watches: Watches;
  /** Waits for the writes under way and closes the storage. */
  close(): Promise<void>;
}

export interface StateDependencies {
  readonly storage: Storage;
  readonly clock: Pick<Clock, 'soon'>;
}

/** Opens the state on what the storage has kept. */
export async function openState({ storage, clock }: StateDependencies): Promise<State> {
  const watches = createWatches(clock);
  let current = await loadSnapshot(storage);
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function commit<R>(action: (transaction: Transaction) => R): Promise<R> {
    const { transaction, finish } = openTransaction(current);
    const result = action(transaction);
    const outcome = finish();
    if (outcome === null) return result;
    await storage.commit(outcome.batch);
    current = outcome.snapshot;
    watches.notify(outcome.changed);
    return result;
  }

  return {
    snapshot: () => current,
    watches,
    write(action) {
      const turn = lastWrite.then(() => commit(action));
      lastWrite = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      await lastWrite;
      await storage.close();
    },
  };
}

async function loadSnapshot(storage: Storage): Promise<Snapshot> {
  const { index, tableIndexes, rows } = await storage.load();
  const found = new Map<string, object[]>();
  for await (const { table, row } of rows) {
    const list = found.get(table);
    if (list === undefined) found.set(table, [row]);
    else list.push(row);
  }
  const tables = tableNames.map((name) => [name, fill(name, found.get(name) ?? [])]);
  const indexes = tableNames.map((name) => [name, tableIndexes[name] ?? 0]);
  return {
    tables: Object.fromEntries(tables) as Tables,
    tableIndexes: Object.fromEntries(indexes) as Snapshot['tableIndexes'],
    index,
  };
}

/** The storage gives back what the state gave it: rows of table `name` are of its kind. */
function fill<N extends TableName>(name: N, rows: readonly object[]): unknown {
  return putRows(emptySnapshot.tables[name], rows as readonly Rows[N][]);
}
