import { eventLoop, type Pace } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Storage } from '../storage/storage.js';
import { createNodeChanges, type NodeChanges } from './node-changes.js';
import { emptySnapshot, type Snapshot } from './snapshot.js';
import { putRows } from './table.js';
import { tableNames, type Rows, type TableName, type Tables } from './tables.js';
import type { Transaction } from './transaction.js';
import { createWatches, nodeTopic, type Watches } from './watch.js';
import { createWriter } from './writer.js';

/** The state of the cluster: read by snapshot, changed by one writer at a time. */
export interface State {
  /** The state after the last committed write. */
  snapshot(): Snapshot;
  /**
   * Runs `action` alone and commits what it changed, all or nothing: what it throws rejects the promise and leaves
   * everything as it was. `action` must not wait for anything. Resolves when the change would survive the process;
   * nobody sees it before.
   */
  write<R>(action: (transaction: Transaction) => R): Promise<R>;
  readonly watches: Watches;
  readonly nodeChanges: NodeChanges;
  /** Waits for the writes under way and closes the storage. */
  close(): Promise<void>;
}

export interface StateDependencies {
  readonly storage: Storage;
  readonly clock: Pick<Clock, 'soon'>;
  /** Turns for writes: those of the event loop where nothing else is said, whatever the clock. */
  readonly pace?: Pace;
}

/** Opens the state on what the storage has kept. */
export async function openState({ storage, clock, pace = eventLoop }: StateDependencies): Promise<State> {
  const watches = createWatches(clock);
  let current = await loadSnapshot(storage);
  const nodeChanges = createNodeChanges(current.index);
  const writer = createWriter({
    storage,
    pace,
    before: () => current,
    publish(after, batch) {
      const nodes = nodeChanges.note(current, batch);
      current = after;
      watches.notify(new Set([...(Object.keys(batch.tableIndexes) as TableName[]), ...nodes.map(nodeTopic)]));
    },
  });

  return {
    snapshot: () => current,
    watches,
    nodeChanges,
    write: (action) => writer.write(action),
    async close() {
      await writer.settled();
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
