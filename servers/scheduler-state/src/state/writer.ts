import { defaultSliceBudget, yieldToEventLoop, type EventLoop, sleep } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Batch, Entry, Storage } from '../storage/storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { eventRowsOf, mergeBatches } from './merge-batches.js';
import type { Replica } from './replica.js';
import type { Snapshot } from './snapshot.js';
import { openTransaction, type RowSources, type Transaction } from './transaction.js';

/** Runs writes one at a time, and commits waiting ones together. */
export type Writer = ReturnType<typeof createWriter>;

export interface WriterDependencies {
  readonly storage: Pick<Storage, 'append'>;
  readonly replica: Replica;
  readonly pace: EventLoop;
  readonly clock: Pick<Clock, 'after'>;
  /** Creates IDs of batches. */
  readonly uuid: () => string;
  /** Returns the term in which this server leads; null if it does not lead. */
  readonly term: () => number | null;
  readonly sources: RowSources;
}

/** A write that waits for its commit. */
interface PendingWrite {
  /** Runs the action. Returns the resulting state and the changes; null if none exist. Never throws. */
  run(before: Snapshot): { readonly after: Snapshot; readonly batch: Batch | null };
  /** Settles the write with the outcome of the commit, or with the reason why nothing was stored. Only the first call counts. */
  settle(failure: CommitFailure | null): void;
  isSettled(): boolean;
}

/** Reason why the changes of a write were not stored. */
interface CommitFailure {
  readonly error: unknown;
}

/** Writes that share a commit, and their combined result. */
interface Group {
  readonly writes: readonly PendingWrite[];
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** Null if nothing changes. */
  readonly batch: Batch | null;
}

/**
 * Maximum number of writes per commit. One commit to disk takes as long as hundreds of writes, so sharing makes many writers
 * fast. This limit and the time limit keep readers from waiting for a long queue.
 */
const maxShared = 256;

/** Timeout for a write to learn its outcome from the log, in ms. */
const outcomeTimeoutMs = 5_000;

/** Delay before a log is queried again for the outcome of a batch, in ms: initially, and at most. */
const firstPause = 50;
const maxPauseMs = 2_000;

/**
 * Creates a writer. Each write runs on the result of the previous one, and is acknowledged when its commit is in the log and
 * applied here. A write that throws changes nothing and does not affect others. If the storage refuses a commit, none of its
 * writes has happened.
 *
 * There is at most one commit per turn of the event loop. Otherwise chained writes to a fast store would block the loop.
 */
export function createWriter(dependencies: WriterDependencies) {
  const { replica, pace, uuid, term, sources } = dependencies;
  const queue: PendingWrite[] = [];
  const closing = new AbortController();
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    // All writes of one turn of the event loop start together.
    await Promise.resolve();
    while (queue.length > 0) {
      await commit();
      await yieldToEventLoop(pace);
    }
    draining = null;
  }

  async function commit(): Promise<void> {
    const current = term();
    if (current === null) {
      settleAll(queue.splice(0), { error: notLeading() });
      return;
    }
    const group = runGroup(queue, replica.snapshot(), pace);
    let outcome: CommitOutcome = { kind: 'applied' };
    if (group.batch !== null) {
      const entry = { id: uuid(), term: current, after: replica.lastId(), batch: group.batch };
      const signals = { closing: closing.signal, overdue: () => release(group.writes) };
      outcome = await commitGroup(entry, group, { ...dependencies, ...signals });
    }
    // Callers that have received an unknown outcome may have retried, so their writes are not repeated.
    if (outcome.kind === 'conflict') queue.unshift(...group.writes.filter((write) => !write.isSettled()));
    else settleAll(group.writes, outcome.kind === 'failed' ? outcome : null);
  }

  /** Settles writes whose outcome the log does not report, because that may take long. */
  function release(writes: readonly PendingWrite[]): void {
    settleAll(writes, { error: undecided('the store did not respond') });
    if (term() === null) settleAll(queue.splice(0), { error: notLeading() });
  }

  return {
    write<R>(action: (transaction: Transaction) => R): Promise<R> {
      return new Promise((resolve, reject) => {
        queue.push(createPendingWrite(action, sources, resolve, reject));
        draining ??= drain();
      });
    },
    /** Resolves when no write is in progress. A log that has not reported the outcome of a batch is not queried again. */
    async close(): Promise<void> {
      closing.abort();
      while (draining !== null) await draining;
    },
  };
}

/**
 * Runs as many queued writes as may share a commit. A commit contains at most one change per row whose changes are published as
 * events, so that all servers report all changes.
 */
function runGroup(queue: PendingWrite[], before: Snapshot, pace: Pick<EventLoop, 'now'>): Group {
  const writes: PendingWrite[] = [];
  const batches: Batch[] = [];
  const changed = new Set<string>();
  const end = pace.now() + defaultSliceBudget;
  let after = before;
  do {
    const [write] = queue;
    if (write === undefined) break;
    const outcome = write.run(after);
    if (outcome.batch !== null) {
      const last = batches.at(-1);
      if (last !== undefined) {
        for (const row of eventRowsOf(last)) changed.add(row);
        // The write changes a row a second time, so it runs again in the next commit.
        if (eventRowsOf(outcome.batch).some((row) => changed.has(row))) break;
      }
      batches.push(outcome.batch);
    }
    queue.shift();
    writes.push(write);
    after = outcome.after;
  } while (writes.length < maxShared && pace.now() < end);
  return { writes, before, after, batch: mergeBatches(batches) };
}

function settleAll(writes: readonly PendingWrite[], failure: CommitFailure | null): void {
  for (const write of writes) write.settle(failure);
}

interface CommitDependencies extends WriterDependencies {
  readonly closing: AbortSignal;
  /** Called if the outcome is still unknown after the timeout. */
  readonly overdue: () => void;
}

/** The certain outcome of a commit. After a conflict nothing was stored, and the writes may run again. */
type CommitOutcome =
  | { readonly kind: 'applied' }
  | { readonly kind: 'conflict' }
  | ({ readonly kind: 'failed' } & CommitFailure);

/**
 * Commits a group. An unknown outcome is resolved before the next commit, by appending the same entry again: this shows whether
 * it is the last one. If others have followed, either the replica has already seen the entry, or it was never stored. Only writes
 * that certainly did not happen may run again.
 */
async function commitGroup(
  entry: Entry,
  { before, after }: Group,
  { storage, replica, clock, term, closing, overdue }: CommitDependencies,
): Promise<CommitOutcome> {
  replica.propose({ id: entry.id, before, after });
  let isCertain = true;
  let isLate = false;
  const cancel = clock.after(outcomeTimeoutMs, () => {
    isLate = true;
    // There is no timeout while the log is queried repeatedly.
    if (!isCertain) overdue();
  });
  try {
    for (let wait = firstPause; ; wait = Math.min(2 * wait, maxPauseMs)) {
      const outcome = await storage.append(entry);
      if (outcome.kind === 'committed') {
        await replica.caughtUp(entry.batch.index);
        return { kind: 'applied' };
      }
      if (outcome.kind !== 'unknown') {
        if (outcome.kind === 'conflict') await replica.movedOn(outcome.index);
        else if (!isCertain) await replica.caughtUp(outcome.index);
        return isCertain ? refusedOutcome(outcome.kind) : settledOutcome(replica, outcome.kind);
      }
      isCertain = false;
      if (closing.aborted) return { kind: 'failed', error: undecided('the agent is stopping') };
      if (isLate || term() === null) overdue();
      await sleep(clock, wait, closing);
    }
  } catch (error) {
    return { kind: 'failed', error };
  } finally {
    cancel();
  }
}

function refusedOutcome(kind: 'conflict' | 'notLeader'): CommitOutcome {
  return kind === 'conflict' ? { kind } : { kind: 'failed', error: notLeading() };
}

/** Returns the outcome of an entry that was rejected when it was appended again after an unknown outcome. */
function settledOutcome(replica: Replica, kind: 'conflict' | 'notLeader'): CommitOutcome {
  switch (replica.fate()) {
    case 'applied':
      return { kind: 'applied' };
    case 'unmet':
      return refusedOutcome(kind);
    case 'untold':
      return { kind: 'failed', error: undecided('the contents of the log were replaced') };
  }
}

function undecided(why: string): StorageError {
  return new StorageError('undecided', `A batch may have been kept or not: ${why}`, null, why);
}

function notLeading(): SchedulerError {
  return new SchedulerError('no-leader', 'No cluster leader');
}

function createPendingWrite<R>(
  action: (transaction: Transaction) => R,
  sources: RowSources,
  resolve: (result: R) => void,
  reject: (error: unknown) => void,
): PendingWrite {
  let settle = (): void => undefined;
  let isSettled = false;
  return {
    run(before) {
      try {
        const { transaction, finish } = openTransaction(before, sources);
        const result = action(transaction);
        const outcome = finish();
        settle = () => resolve(result);
        return outcome === null
          ? { after: before, batch: null }
          : { after: outcome.snapshot, batch: outcome.batch };
      } catch (error) {
        settle = () => reject(error);
        return { after: before, batch: null };
      }
    },
    settle(failure) {
      isSettled = true;
      if (failure === null) settle();
      else reject(failure.error);
    },
    isSettled: () => isSettled,
  };
}
