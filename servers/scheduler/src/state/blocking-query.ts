import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';
import type { Snapshot } from './snapshot.js';
import type { State } from './state.js';
import type { Topic } from './watch.js';

/** A read that may wait for a change. */
export interface BlockingRead<R extends Indexed> {
  /** What can change the answer when it changes. */
  readonly tables: readonly Topic[];
  /** What there is, with the index of the answer: called anew each time that something has changed, and for the answer. */
  readonly look: (snapshot: Snapshot) => R;
  /** Answer when the index is greater than this; null answers at once. */
  readonly after: bigint | null;
  /** Longest wait in milliseconds, before the jitter. */
  readonly wait: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface Indexed {
  readonly index: number;
}

/** Runs blocking reads, all of them with the same rules. */
export interface BlockingQueries {
  query<R extends Indexed>(read: BlockingRead<R>): Promise<R>;
  /** How many reads are waiting. */
  readonly waiting: number;
  /** Lets everybody who waits, or comes later, answer at once with what is there. */
  stop(): void;
}

export interface BlockingDependencies {
  readonly state: State;
  readonly clock: Clock;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Most reads that wait at a time. Stops clients from filling the memory with blocked requests. */
  readonly maxWaiters: number;
}

/** Up to a sixteenth of the wait is added, so that clients that asked together do not come back together. */
const jitterShare = 16;

export function createBlockingQueries({
  state,
  clock,
  random,
  maxWaiters,
}: BlockingDependencies): BlockingQueries {
  const releases = new Set<() => void>();
  let stopped = false;

  /** Resolves true when one of the tables has changed, false when it is time to answer anyway. */
  function change(read: BlockingRead<Indexed>, deadline: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => (): void => {
        withdraw();
        cancel();
        releases.delete(release);
        read.signal.removeEventListener('abort', leave);
        finish();
      };
      const release = settle(() => resolve(false));
      const leave = settle(() => reject(clientGone()));
      const withdraw = state.watches.watch(
        read.tables,
        settle(() => resolve(true)),
      );
      const cancel = clock.after(Math.max(0, deadline - clock.now()), release);
      releases.add(release);
      read.signal.addEventListener('abort', leave);
    });
  }

  async function lookAgain<R extends Indexed>(read: BlockingRead<R>, after: bigint, first: R): Promise<R> {
    if (releases.size >= maxWaiters) {
      throw new SchedulerError(
        'too-many-waiters',
        `More than ${maxWaiters} blocking queries are waiting, try later`,
      );
    }
    const deadline = clock.now() + read.wait + (random() * read.wait) / jitterShare;
    let found = first;
    while (!stopped && BigInt(found.index) <= after) {
      if (read.signal.aborted) throw clientGone();
      const isChanged = await change(read, deadline);
      found = read.look(state.snapshot());
      if (!isChanged) break;
    }
    return found;
  }

  return {
    async query(read) {
      const found = read.look(state.snapshot());
      const { after } = read;
      return after === null || after <= 0n ? found : lookAgain(read, after, found);
    },
    get waiting() {
      return releases.size;
    },
    stop() {
      stopped = true;
      for (const release of [...releases]) release();
    },
  };
}

function clientGone(): SchedulerError {
  return new SchedulerError('client-gone', 'The client is gone');
}
