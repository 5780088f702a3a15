import type { WaitCondition } from 'tamis/query';
import { untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { clientDisconnected, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import type { Snapshot } from './snapshot.js';
import type { State } from './state.js';
import type { Topic } from './watch.js';

/** A read that may wait for a change. */
export interface BlockingRead<R> {
  /** Returns the current data. Called again after each change; its last return value is the result. */
  readonly look: (snapshot: Snapshot) => R;
  /** The condition to wait for; null to return immediately. */
  readonly until: WaitCondition<R> | null;
  /** Maximum wait in ms, without the jitter. */
  readonly wait: number;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

export interface Indexed {
  readonly index: number;
}

/** Returns the condition that one of the topics has changed after an index; null if no index is given. */
export function changedAfter(
  { watches }: Pick<State, 'watches'>,
  topics: readonly Topic[],
  index: bigint | null,
): WaitCondition<Indexed> | null {
  if (index === null || index <= 0n) return null;
  return {
    isMet: (found) => BigInt(found.index) > index,
    watch: (wake) => watches.watch(topics, wake),
  };
}

/** Runs blocking reads. */
export type BlockingQueries = ReturnType<typeof createBlockingQueries>;

export interface BlockingDependencies {
  readonly state: State;
  readonly clock: Clock;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Maximum number of waiting reads. Prevents clients from filling the memory with blocked requests. */
  readonly maxWaiters: number;
}

/**
 * Inverse of the maximum jitter: up to 1/16 of the wait is added at random, so that clients that started together do not return
 * together.
 */
const jitterShare = 16;

export function createBlockingQueries({ state, clock, random, maxWaiters }: BlockingDependencies) {
  const releases = new Set<() => void>();
  let stopped = false;

  /** Resolves to true when the condition may be met, or to false if the wait ends for another reason. */
  function change<R>(read: BlockingRead<R>, until: WaitCondition<R>, deadline: number): Promise<boolean> {
    return untilNotified(read.signal, ({ resolve }) => {
      const release = (): void => resolve(false);
      const withdraw = until.watch(() => resolve(true));
      const cancel = clock.after(Math.max(0, deadline - clock.elapsed()), release);
      releases.add(release);
      return () => {
        withdraw();
        cancel();
        releases.delete(release);
      };
    });
  }

  async function lookAgain<R>(read: BlockingRead<R>, until: WaitCondition<R>, first: R): Promise<R> {
    if (releases.size >= maxWaiters) {
      throw new SchedulerError(
        'too-many-requests',
        `More than ${maxWaiters} blocking queries are waiting, try later`,
      );
    }
    const deadline = clock.elapsed() + read.wait + (random() * read.wait) / jitterShare;
    const { generation } = state.snapshot();
    let found = first;
    while (!stopped && !until.isMet(found)) {
      if (read.signal.aborted) throw clientDisconnected();
      const isChanged = await change(read, until, deadline);
      const snapshot = state.snapshot();
      found = read.look(snapshot);
      // The index belongs to an earlier history and will never be reached.
      if (!isChanged || snapshot.generation !== generation) break;
    }
    if (stopped && until.isRefusedAtStop === true && !until.isMet(found)) {
      throw new SchedulerError('stopping', 'The agent is stopping; use another one');
    }
    return found;
  }

  return {
    async query<R>(read: BlockingRead<R>): Promise<R> {
      const found = read.look(state.snapshot());
      return read.until === null ? found : lookAgain(read, read.until, found);
    },
    /** Number of waiting reads. */
    get waiting(): number {
      return releases.size;
    },
    /** Ends all waiting and future reads: they return the current data immediately, or are rejected if their condition says so. */
    stop(): void {
      stopped = true;
      for (const release of [...releases]) release();
    },
  };
}
