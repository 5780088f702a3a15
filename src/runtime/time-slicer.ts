import { onAbort } from './on-abort.js';

/** Time and turns of an event loop. */
export interface EventLoop {
  /** Returns a monotonic time, in ms with fractions. */
  readonly now: () => number;
  /** Calls `action` after the pending events. */
  readonly defer: (action: () => void) => void;
}

/** The event loop of this process. In browsers it uses timers. */
export const eventLoop: EventLoop = Object.freeze({
  now: performance.now.bind(performance),
  defer:
    typeof setImmediate === 'function' ? setImmediate : (action: () => void) => void setTimeout(action, 0),
});

/** Resolves in the next turn of the event loop. */
export function yieldToEventLoop({ defer }: Pick<EventLoop, 'defer'>): Promise<void> {
  return new Promise((resolve) => defer(resolve));
}

/** A queue for work that cannot be sliced: each turn starts one waiting piece of work, in order of arrival. */
export function createTurnQueue(pace: Pick<EventLoop, 'defer'>): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => yieldToEventLoop(pace)));
}

/**
 * One step of sliced work. Runs until the work is done and returns true, or until `shouldYield` returns true and returns false.
 * Call `shouldYield` often: it costs about 50 ns.
 */
export type WorkStep = (shouldYield: () => boolean) => boolean;

/** Time slices shared by all long-running work, so that short requests are served in between. */
export interface TimeSlicer {
  /**
   * Runs work in as many slices as needed. It begins immediately if this turn has time left, and returns null if it is then done.
   * The promise rejects with an error of a step, with the reason of the signal, or with that of `stop`; no step is called after
   * that. Continued work waits for new work.
   * @param signal null for work that only `stop` ends.
   */
  run(step: WorkStep, signal: AbortSignal | null, kind?: 'new' | 'further'): Promise<void> | null;
  readonly now: () => number;
  /** Number of pieces of work that wait for a turn. */
  readonly waiting: number;
  /** Aborted by `stop`. */
  readonly stopped: AbortSignal;
  /** Rejects all pending work, and later work that does not fit into its first slice, with this error. */
  stop(reason: Error): void;
}

/**
 * Time per turn of the event loop for slices, in ms, and the same again for new work. Bounds how long a query over a million rows
 * blocks other requests.
 */
export const defaultSliceBudget = 5;

/** Minimum length of a slice, in ms. Prevents switching from dominating. */
const minShare = 0.5;

/** Multiple of the budget from which a turn counts as long: a step did not yield in time, for example while compiling a filter. */
const longTurn = 3;
/**
 * Turns of the event loop without slices after a long turn: as many as a new connection needs until its request is served.
 */
export const restTurns = 8;

interface Work {
  readonly step: WorkStep;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createTimeSlicer({ now, defer }: EventLoop, budget = defaultSliceBudget): TimeSlicer {
  /** Work without a turn so far, and continued work. Short queries do not wait for all long ones. */
  const fresh: Work[] = [];
  const queue: Work[] = [];
  let isTurnDue = false;
  let isRenewalDue = false;
  /** Time used by new work in this turn, in ms. */
  let spent = 0;
  /** Remaining turns without slices. */
  let resting = 0;
  const stopping = new AbortController();

  function restAfter(start: number): void {
    if (now() - start < longTurn * budget) return;
    if (resting === 0) defer(pass);
    resting = restTurns;
  }

  function pass(): void {
    resting -= 1;
    if (resting > 0) defer(pass);
  }

  function turn(): void {
    if (resting > 0) {
      defer(turn);
      return;
    }
    isTurnDue = false;
    const start = now();
    const end = start + budget;
    const share = Math.max(minShare, budget / Math.max(1, waiting()));
    // New work gets at most half of a turn while continued work waits.
    const others = queue.length > 0;
    serve(fresh, others ? start + budget / 2 : end, share);
    if (others || now() < end) serve(queue, end, share);
    if (fresh.length > 0 && now() < end) serve(fresh, end, share);
    restAfter(start);
    awaitTurn();
  }

  /** Runs a slice of each piece of work until the budget is used up; at least one. */
  function serve(works: Work[], end: number, share: number): void {
    for (let work = works.shift(); work !== undefined; work = works.shift()) {
      const time = now();
      const until = Math.max(time + minShare, Math.min(end, time + share));
      goOn(work, () => now() >= until);
      if (now() >= end) return;
    }
  }

  const waiting = (): number => fresh.length + queue.length;

  function goOn(work: Work, shouldYield: () => boolean): void {
    try {
      if (work.step(shouldYield)) work.resolve();
      else queue.push(work);
    } catch (error) {
      work.reject(error);
    }
  }

  function awaitTurn(): void {
    if (isTurnDue || waiting() === 0) return;
    isTurnDue = true;
    defer(turn);
  }

  function begin(step: WorkStep, kind: 'new' | 'further'): boolean {
    // New work does not overtake waiting new work, only continued work.
    if (spent >= budget || (kind === 'new' ? fresh : queue).length > 0) return false;
    // After `stop`, work that fits into its first slice still completes.
    if (resting > 0 && !stopping.signal.aborted) return false;
    if (!isRenewalDue) {
      isRenewalDue = true;
      defer(() => {
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
      restAfter(start);
    }
  }

  function enqueue(step: WorkStep, signal: AbortSignal | null, kind: 'new' | 'further'): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle =
        <A extends unknown[]>(finish: (...outcome: A) => void) =>
        (...outcome: A): void => {
          removeAbort();
          finish(...outcome);
        };
      const work: Work = { step, resolve: settle(resolve), reject: settle(reject) };
      const leave = (): void => {
        for (const works of [fresh, queue]) {
          const at = works.indexOf(work);
          if (at !== -1) works.splice(at, 1);
        }
        work.reject(signal?.reason);
      };
      const removeAbort = onAbort(signal, leave);
      (kind === 'new' ? fresh : queue).push(work);
      awaitTurn();
    });
  }

  return {
    run(step, signal, kind = 'new') {
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      try {
        if (begin(step, kind)) return null;
      } catch (error) {
        return Promise.reject(error as Error);
      }
      const { aborted, reason } = stopping.signal;
      if (aborted) return Promise.reject(reason as Error);
      // `stop` rejects all waiting work: its signal needs no listener per piece.
      return enqueue(step, signal === stopping.signal ? null : signal, kind);
    },
    now,
    get waiting() {
      return waiting();
    },
    stopped: stopping.signal,
    stop(reason) {
      stopping.abort(reason);
      for (const work of [...fresh.splice(0), ...queue.splice(0)]) work.reject(reason);
    },
  };
}
