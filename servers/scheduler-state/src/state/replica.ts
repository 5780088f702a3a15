import type { Batch, Contents, LogEvent, Storage } from '../storage/storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import { applyBatch, loadContents } from './apply-batch.js';
import { emptySnapshot, type Snapshot } from './snapshot.js';

/** A batch that this server appends to the log, with the resulting state. */
export interface Proposal {
  readonly id: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/**
 * The outcome of a proposal, according to the followed part of the log: not seen yet, applied, or unknown. It is unknown if the
 * contents were replaced together with the batches that would have shown it.
 */
export type ProposalFate = 'unmet' | 'applied' | 'untold';

/** This server's copy of the cluster in memory: the effect of all log entries. */
export type Replica = Awaited<ReturnType<typeof openReplica>>;

/** Called for every change, in order, before its write is acknowledged; `batch` is null if everything was replaced. */
export type Publish = (before: Snapshot, after: Snapshot, batch: Batch | null) => void;

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Loads the contents of the log and follows it.
 *
 * @param incarnation number of the history if the log does not provide one.
 * @throws StorageError `damaged`
 */
export async function openReplica(storage: Storage, publish: Publish, incarnation: number) {
  const events = storage.subscribe();
  const first = await events.next();
  if (first.done === true) throw new StorageError('closed', 'The store has been closed');
  if (first.value.kind !== 'reset') throw new TypeError('A log begins with its contents');
  let current = emptySnapshot();
  let lastId = '';
  /** Whether the contents were replaced since the last proposal. */
  let isReplaced = false;
  /** Number of replacements. */
  let resets = 0;
  let proposal: Proposal | null = null;
  let fate: ProposalFate = 'unmet';
  let failure: { readonly error: unknown } | null = null;
  const waiters = new Set<Waiter>();

  async function follow(): Promise<void> {
    try {
      while (await takeNext());
    } catch (error) {
      failure = { error };
      for (const { reject } of waiters) reject(error);
      waiters.clear();
      // Ignores errors, because this server no longer reads the log.
      await events.return?.().catch(() => undefined);
    }
  }

  /** A separate function, so that an event does not stay in memory while waiting for the next: it may contain a whole cluster. */
  async function takeNext(): Promise<boolean> {
    const next = await events.next();
    if (next.done !== true) await take(next.value);
    return next.done !== true;
  }

  async function take(event: LogEvent): Promise<void> {
    if (event.kind === 'reset') await reset(event.contents);
    else if (event.kind === 'renewal') current = renewed(current, event.incarnation);
    else apply(event.id, event.batch, event.incarnation);
    notifyListeners();
  }

  function notifyListeners(): void {
    for (const waiter of waiters) {
      if (!waiter.isMet()) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  }

  function renewed(snapshot: Snapshot, next: number): Snapshot {
    return { ...snapshot, incarnation: next, generation: current.generation + 1 };
  }

  /**
   * Applies a batch. The tables of a transaction's snapshot are used if nothing came between, because they are the result of its
   * batch.
   */
  function apply(id: string, batch: Batch, next: number | undefined): void {
    const before = current;
    const isOwn = proposal !== null && proposal.id === id;
    current = isOwn && proposal?.before === before ? proposal.after : applyBatch(before, batch);
    // Set together with the batch, so that an earlier response with the same index is not mistaken for one of the new history.
    if (next !== undefined) current = renewed(current, next);
    lastId = id;
    if (isOwn) fate = 'applied';
    publish(before, current, batch);
  }

  async function reset(contents: Contents): Promise<void> {
    const before = current;
    current = renewed(await loadContents(contents), contents.incarnation ?? incarnation);
    lastId = contents.id;
    isReplaced = true;
    resets += 1;
    if (proposal !== null && fate === 'unmet') fate = proposal.id === contents.id ? 'applied' : 'untold';
    publish(before, current, null);
  }

  await reset(first.value.contents);
  function met(isMet: () => boolean): Promise<void> {
    if (isMet()) return Promise.resolve();
    if (failure !== null) return Promise.reject(failure.error as Error);
    return new Promise((resolve, reject) => waiters.add({ isMet, resolve, reject }));
  }

  const following = follow();
  return {
    /** Returns the state after the last applied batch. */
    snapshot: (): Snapshot => current,
    /** Returns the ID of that batch; empty for a new log. */
    lastId: (): string => lastId,
    /** Announces a batch of this server that will appear in the log. Replaces the previous proposal. */
    propose(next: Proposal): void {
      proposal = next;
      fate = 'unmet';
      isReplaced = false;
    },
    /** Returns the fate of the last proposal. */
    fate: (): ProposalFate => fate,
    /**
     * Resolves when the log was followed up to `index`, or when its contents were replaced after the last proposal.
     *
     * @throws the error that ended following the log.
     */
    caughtUp: (index: number): Promise<void> => met(() => isReplaced || current.index >= index),
    /** Resolves like `caughtUp`, once the log was also followed beyond the snapshot of the last proposal. */
    movedOn(index: number): Promise<void> {
      const before = proposal?.before;
      return met(() => isReplaced || (current !== before && current.index >= index));
    },
    /**
     * Resolves to whether, before the signal is aborted, the log was followed up to `index` or its contents were replaced since the
     * call.
     */
    async reached(index: number, signal: AbortSignal): Promise<boolean> {
      const before = resets;
      const isMet = (): boolean => resets !== before || current.index >= index;
      const hasEnded = (): boolean => isMet() || signal.aborted;
      signal.addEventListener('abort', notifyListeners, { once: true });
      await met(hasEnded).catch(() => undefined);
      signal.removeEventListener('abort', notifyListeners);
      return isMet();
    },
    /** Stops following the log. */
    async close(): Promise<void> {
      await events.return?.();
      await following;
    },
  };
}
