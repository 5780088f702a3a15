import { setMaxListeners } from 'node:events';

/** Time and turns, as the event loop has them. */
export interface Pace {
  /** Milliseconds since some moment, with fractions, never going back. */
  now(): number;
  /** Calls `action` after the events that are already waiting. */
  soon(action: () => void): void;
}

/**
 * A piece of work: goes on until it is done, which is true, or until `isOver` tells it to let others go on, which is
 * false. Ask `isOver` often enough: it costs some 50 ns.
 */
export type Step = (isOver: () => boolean) => boolean;

/**
 * Turns for everything that may take long, shared between all of it: requests that need no more than a moment are
 * answered in between, however many long ones there are.
 */
export interface Slices {
  /**
   * Does work in as many slices as it takes. It begins at once where this turn has time left: null when it is done
   * then. The promise rejects with what a step throws, with the reason of the signal, or with that of `stop`; then no
   * step is called any more.
   */
  run(step: Step, signal: AbortSignal): Promise<void> | null;
  readonly now: () => number;
  /** How many pieces of work wait for a turn. */
  readonly waiting: number;
  /** Aborted by `stop`. */
  readonly stopped: AbortSignal;
  /** Ends all work under way and what does not fit into its first slice from now on, with this error. */
  stop(reason: Error): void;
}

/**
 * Milliseconds of each turn of the event loop that may go into slices, and as many into work that begins. A client who
 * asks for a million rows holds up the others for that long, not for seconds.
 */
export const defaultSliceBudget = 5;

/** The least that a piece of work gets when it has its turn, so that turns are not all there is. */
const leastShare = 0.5;

interface Work {
  readonly step: Step;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createSlices({ now, soon }: Pace, budget = defaultSliceBudget): Slices {
  const queue: Work[] = [];
  let isTurnDue = false;
  let isRenewalDue = false;
  /** What has gone into beginnings in this turn. */
  let spent = 0;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);

  function turn(): void {
    isTurnDue = false;
    const end = now() + budget;
    const share = Math.max(leastShare, budget / Math.max(1, queue.length));
    for (let work = queue.shift(); work !== undefined; work = queue.shift()) {
      const until = Math.min(end, now() + share);
      goOn(work, () => now() >= until);
      if (now() >= end) break;
    }
    awaitTurn();
  }

  function goOn(work: Work, isOver: () => boolean): void {
    try {
      if (work.step(isOver)) work.resolve();
      else queue.push(work);
    } catch (error) {
      work.reject(error);
    }
  }

  function awaitTurn(): void {
    if (isTurnDue || queue.length === 0) return;
    isTurnDue = true;
    soon(turn);
  }

  function begin(step: Step): boolean {
    // Who comes later does not overtake those who wait.
    if (spent >= budget || queue.length > 0) return false;
    if (!isRenewalDue) {
      isRenewalDue = true;
      soon(() => {
        isRenewalDue = false;
        spent = 0;
      });
    }
    const start = now();
    const end = start + budget - spent;
    try {
      return step(() => now() >= end);
    } finally {
      spent += now() - start;
    }
  }

  function enqueue(step: Step, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle =
        <A extends unknown[]>(finish: (...outcome: A) => void) =>
        (...outcome: A): void => {
          signal.removeEventListener('abort', leave);
          finish(...outcome);
        };
      const work: Work = { step, resolve: settle(resolve), reject: settle(reject) };
      const leave = (): void => {
        const at = queue.indexOf(work);
        if (at !== -1) queue.splice(at, 1);
        work.reject(signal.reason);
      };
      signal.addEventListener('abort', leave);
      queue.push(work);
      awaitTurn();
    });
  }

  return {
    run(step, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (begin(step)) return null;
      const { aborted, reason } = stopping.signal;
      return aborted ? Promise.reject(reason as Error) : enqueue(step, signal);
    },
    now,
    get waiting() {
      return queue.length;
    },
    stopped: stopping.signal,
    stop(reason) {
      stopping.abort(reason);
      for (const work of queue.splice(0)) work.reject(reason);
    },
  };
}
