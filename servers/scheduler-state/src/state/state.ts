import { randomUUID } from 'node:crypto';
import { eventLoop } from '@tamis/http';
import type { ChangeFeedLimits } from 'tamis/table';
import { createStampClock, type Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Storage } from '../storage/storage.js';
import { createChangeFeed, type ChangeFeed } from './change-feed.js';
import { createNodeChanges, type NodeChanges } from './node-changes.js';
import { openReplica, type Publish } from './replica.js';
import type { Snapshot } from './snapshot.js';
import type { TableName } from './tables.js';
import type { Transaction } from './transaction.js';
import { createWatches, nodeTopic, type Watches } from './watch.js';
import { createWriter, type WriterDependencies } from './writer.js';

/** The state of the cluster: the effect of all log entries. It is read by snapshots and changed by one writer at a time. */
export interface State {
  /** Returns the state after the last received batch of the log. */
  snapshot(): Snapshot;
  /**
   * Runs `action` exclusively and commits its changes atomically. An error rejects the promise and changes nothing. `action` must
   * be synchronous, and may run again on a newer state if another server wrote meanwhile. Resolves when the change is durable; it
   * is not visible before.
   *
   * @throws SchedulerError `no-leader` if this server does not lead; StorageError if the log cannot store it.
   */
  write<R>(action: (transaction: Transaction) => R): Promise<R>;
  /** Resolves to whether the log was received up to an index, or its contents were replaced, before the signal is aborted. */
  reached(index: number, signal: AbortSignal): Promise<boolean>;
  readonly watches: Watches;
  readonly changes: ChangeFeed;
  readonly nodeChanges: NodeChanges;
  /** Waits for the outcome of writes in progress, then closes the log. */
  close(): Promise<void>;
}

/** Dependencies of the writer. By default it uses the event loop, IDs and time of this process, and assumes no other leader. */
export interface StateDependencies extends Partial<
  Omit<WriterDependencies, 'storage' | 'replica' | 'clock'>
> {
  readonly storage: Storage;
  readonly clock: Pick<Clock, 'now' | 'defer' | 'after'>;
  /** Limits of the retained changes. */
  readonly changeLimits?: ChangeFeedLimits;
  /** Number of the history if the log does not provide one. */
  readonly incarnation?: number;
}

/** Opens the state from the log. @throws StorageError `damaged` */
export async function openState({
  storage,
  clock,
  pace = eventLoop,
  uuid = randomUUID,
  sources = { stamp: createStampClock(clock).next, uuid },
  term = () => 1,
  changeLimits,
  incarnation = 0,
}: StateDependencies): Promise<State> {
  const watches = createWatches(clock);
  const changes = createChangeFeed(changeLimits);
  const nodeChanges = createNodeChanges();
  const publish: Publish = (before, after, batch) => {
    const group = changes.publish(before, after, batch);
    const nodes = nodeChanges.note(before.index, group);
    if (group.kind === 'reset') watches.notifyAll();
    else watches.notify([...(Object.keys(group.indexes) as TableName[]), ...nodes.map(nodeTopic)]);
  };
  const replica = await openReplica(storage, publish, incarnation);
  const writer = createWriter({ storage, replica, pace, clock, uuid, term, sources });

  return {
    snapshot: replica.snapshot,
    watches,
    changes,
    nodeChanges,
    write: (action) => writer.write(action),
    reached: (index, signal) => replica.reached(index, signal),
    async close() {
      await writer.close();
      await replica.close();
      await storage.close();
    },
  };
}
