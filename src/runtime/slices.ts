/** Time and turns, as the event loop has them. */
export interface Pace {
  /** Milliseconds since some moment, with fractions, never going back. */
  readonly now: () => number;
  /** Calls `action` after the events that are already waiting. */
  readonly soon: (action: () => void) => void;
}

/** The turns of this process. Browsers have no turns but those of timers. */
export const eventLoop: Pace = Object.freeze({
  now: performance.now.bind(performance),
  soon:
    typeof setImmediate === 'function' ? setImmediate : (action: () => void) => void setTimeout(action, 0),
});

/** Resolves when the others have had a turn. */
export function nextTurn({ soon }: Pick<Pace, 'soon'>): Promise<void> {
  return new Promise((resolve) => soon(resolve));
}

/** A queue for work that cannot be sliced: of all who wait, one is let go on in each turn, in the order they came. */
export function createTurns(pace: Pick<Pace, 'soon'>): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => nextTurn(pace)));
}

/**
 * A piece of work: goes on until it is done, which is true, or until `isOver` tells it to let others go on, which is
 * false. Ask `isOver` often enough: it costs some 50 ns.
 */
export type WorkStep = (isOver: () => boolean) => boolean;

/**
 * Turns for everything that may take long, shared between all of it: requests that need no more than a moment are
 * answered in between, however many long ones there are.
 */
export interface Slices {
  /**
   * Does work in as many slices as it takes. It begins at once where this turn has time left: null when it is done
   * then. The promise rejects with what a step throws, with the reason of the signal, or with that of `stop`; then no
   * step is called any more. Work that goes on with what has had turns before waits behind what is new.
   *
   * @param signal null for work that only `stop` ends.
   */
  run(step: WorkStep, signal: AbortSignal | null, kind?: 'new' | 'further'): Promise<void> | null;
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

/** Budgets from which a turn was long: a step did more in it than it should, such as to compile a text. */
const longTurn = 3;
/**
 * Turns of the event loop that belong to the others after a long one: as many as a new connection needs until its request
 * is answered.
 */
export const restTurns = 8;

interface Work {
  readonly step: WorkStep;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export function createSlices({ now, soon }: Pace, budget = defaultSliceBudget): Slices {
  /** What has had no turn yet, and what goes on: nobody who asks for little waits for all who ask for much. */
  const fresh: Work[] = [];
  const queue: Work[] = [];
  let isTurnDue = false;
  let isRenewalDue = false;
  /** What has gone into beginnings in this turn. */
  let spent = 0;
  /** Turns that are left to the others. */
  let resting = 0;
  const stopping = new AbortController();

  function restAfter(start: number): void {
    if (now() - start < longTurn * budget) return;
    if (resting === 0) soon(pass);
    resting = restTurns;
  }

  function pass(): void {
    resting -= 1;
    if (resting > 0) soon(pass);
  }

  function turn(): void {
    if (resting > 0) {
      soon(turn);
      return;
    }
    isTurnDue = false;
    const start = now();
    const end = start + budget;
    const share = Math.max(leastShare, budget / Math.max(1, waiting()));
    // What is new gets no more than half of a turn while others wait for theirs.
    const others = queue.length > 0;
    serve(fresh, others ? start + budget / 2 : end, share);
    if (others || now() < end) serve(queue, end, share);
    if (fresh.length > 0 && now() < end) serve(fresh, end, share);
    restAfter(start);
    awaitTurn();
  }

  /** Gives each its share until it is time for others, and one of them in any case. */
  function serve(works: Work[], end: number, share: number): void {
    for (let work = works.shift(); work !== undefined; work = works.shift()) {
      const time = now();
      const until = Math.max(time + leastShare, Math.min(end, time + share));
      goOn(work, () => now() >= until);
      if (now() >= end) return;
    }
  }

  const waiting = (): number => fresh.length + queue.length;

  function goOn(work: Work, isOver: () => boolean): void {
    try {
      if (work.step(isOver)) work.resolve();
      else queue.push(work);
    } catch (error) {
      work.reject(error);
    }
  }

  function awaitTurn(): void {
    if (isTurnDue || waiting() === 0) return;
    isTurnDue = true;
    soon(turn);
  }

  function begin(step: WorkStep, kind: 'new' | 'further'): boolean {
    // Who comes later does not overtake those who wait, but for those who have had turns before.
    if (spent >= budget || (kind === 'new' ? fresh : queue).length > 0) return false;
    // At the end whatever fits in is still answered.
    if (resting > 0 && !stopping.signal.aborted) return false;
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
      restAfter(start);
    }
  }

  function enqueue(step: WorkStep, signal: AbortSignal | null, kind: 'new' | 'further'): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle =
        <A extends unknown[]>(finish: (...outcome: A) => void) =>
        (...outcome: A): void => {
          signal?.removeEventListener('abort', leave);
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
      signal?.addEventListener('abort', leave);
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
      // `stop` ends all that waits: its signal needs no listener for each.
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
