import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { createDeadlineTimer } from './deadline-timer.js';
import { createPriorityQueue, type PriorityQueue } from './priority-queue.js';

/** An evaluation delivered to a worker. The worker must present the token when it returns the evaluation. */
export interface Delivery {
  readonly evaluation: Evaluation;
  readonly token: string;
}

/**
 * Delivers evaluations to workers by priority, then by age, but only one per job at a time. Unacknowledged evaluations are
 * delivered again. Evaluations that fail too often are put into a separate queue.
 */
export type Broker = ReturnType<typeof createBroker>;

export interface BrokerCounts {
  readonly ready: number;
  /** Number of delivered, unacknowledged evaluations. */
  readonly outstanding: number;
  /** Number of evaluations that wait for another one of the same job. */
  readonly queued: number;
  /** Number of evaluations that are not due yet. */
  readonly delayed: number;
}

export interface BrokerOptions {
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  readonly uuid: () => string;
  /** Called with evaluations that a newer one of the same job has made superfluous. */
  readonly cancel: (ids: readonly string[]) => void;
  readonly limits: BrokerLimits;
}

export type BrokerLimits = Readonly<Record<keyof typeof defaultBrokerLimits, number>>;

export const defaultBrokerLimits = Object.freeze({
  /** Maximum time for which a worker may process an evaluation, in ms. */
  deliveryTimeout: 60_000,
  /** Maximum number of deliveries of an evaluation. Prevents one that crashes every worker from being delivered forever. */
  maxDeliveries: 3,
  /** Delay before an evaluation is delivered again, in ms: after the first delivery, and after later ones. */
  firstRetry: 1_000,
  laterRetry: 20_000,
});

/** Queue of the evaluations that have failed too often. */
export const failedQueue = '_failed';

interface Entry {
  readonly evaluation: Evaluation;
  /** Order of arrival. */
  readonly order: number;
  deliveries: number;
}

interface Outstanding {
  readonly entry: Entry;
  readonly token: string;
  readonly cancelTimeout: () => void;
}

export function createBroker({ clock, uuid, cancel, limits }: BrokerOptions) {
  /** IDs of all present evaluations in any queue. */
  const known = new Set<string>();
  const outstanding = new Map<string, Outstanding>();
  /** Timers of delayed evaluations, by ID. */
  const waits = new Map<string, () => void>();
  const ready = createReadyQueues();
  const lines = createJobLines();
  const delayed = createDelayedEntries(clock, lineUp);
  let arrivals = 0;

  /** Queues an evaluation for its job, or makes it ready immediately. */
  function lineUp(entry: Entry): void {
    if (lines.join(entry)) makeReady(entry);
  }

  function makeReady(entry: Entry): void {
    const hasFailed = entry.deliveries >= limits.maxDeliveries;
    ready.push(hasFailed ? failedQueue : entry.evaluation.Type, entry);
  }

  /** Makes the job's next evaluation ready. */
  function advance(evaluation: Evaluation): void {
    const { next, superfluous } = lines.leave(evaluation);
    for (const id of superfluous) known.delete(id);
    if (superfluous.length > 0) cancel(superfluous);
    if (next !== null) makeReady(next);
  }

  function deliver(entry: Entry): Delivery {
    const { evaluation } = entry;
    const token = uuid();
    entry.deliveries += 1;
    const cancelTimeout = clock.after(limits.deliveryTimeout, () => void refuse(evaluation.ID, token));
    outstanding.set(evaluation.ID, { entry, token, cancelTimeout });
    return { evaluation, token };
  }

  function settle(id: string, token: string): Outstanding | null {
    const outstandingEvaluation = outstanding.get(id);
    if (outstandingEvaluation === undefined || outstandingEvaluation.token !== token) return null;
    outstandingEvaluation.cancelTimeout();
    outstanding.delete(id);
    return outstandingEvaluation;
  }

  /** Returns an unfinished evaluation to the queue. It is delivered again after a delay. */
  function refuse(id: string, token: string): boolean {
    const outstandingEvaluation = settle(id, token);
    if (outstandingEvaluation === null) return false;
    const { entry } = outstandingEvaluation;
    const wait = entry.deliveries <= 1 ? limits.firstRetry : limits.laterRetry;
    rest(entry, wait, makeReady);
    return true;
  }

  function rest(entry: Entry, wait: number, then: (entry: Entry) => void): void {
    const { ID } = entry.evaluation;
    const comeBack = (): void => {
      waits.delete(ID);
      then(entry);
    };
    waits.set(ID, clock.after(wait, comeBack));
  }

  return {
    /** Adds an evaluation; ignores one that is already present. */
    enqueue: (evaluation: Evaluation): void => {
      if (known.has(evaluation.ID)) return;
      known.add(evaluation.ID);
      const entry: Entry = { evaluation, order: (arrivals += 1), deliveries: 0 };
      const at = Date.parse(evaluation.WaitUntil ?? '');
      const wait = Number.isNaN(at) ? Number(evaluation.Wait) / 1_000_000 : 0;
      if (at > clock.now()) delayed.push(at, entry);
      else if (wait > 0) rest(entry, wait, lineUp);
      else lineUp(entry);
    },
    /** Returns the next evaluation of one of the types; null if none exists. */
    dequeue(types: readonly string[]): Delivery | null {
      const entry = ready.pop(types);
      return entry === null ? null : deliver(entry);
    },
    /** Calls `wake` once, as soon as an evaluation may be available. The returned function unsubscribes. */
    whenReady: ready.whenReady,
    /** Acknowledges an evaluation. Returns false if the token is outdated, because another worker has the evaluation. */
    acknowledge(id: string, token: string): boolean {
      const outstandingEvaluation = settle(id, token);
      if (outstandingEvaluation === null) return false;
      known.delete(id);
      advance(outstandingEvaluation.entry.evaluation);
      return true;
    },
    refuse,
    /** Whether a worker holds this evaluation with this token. */
    owns: (id: string, token: string): boolean => outstanding.get(id)?.token === token,
    get counts(): BrokerCounts {
      const queued = lines.queued();
      return {
        ready: ready.size(),
        outstanding: outstanding.size,
        queued,
        delayed: delayed.size() + waits.size,
      };
    },
    /** Removes all evaluations and their timers. Callers waiting for one continue to wait. */
    clear(): void {
      for (const { cancelTimeout } of outstanding.values()) cancelTimeout();
      for (const cancelWait of waits.values()) cancelWait();
      for (const part of [known, ready, lines, delayed, outstanding, waits]) part.clear();
    },
  };
}

/** Evaluations ready for delivery, by type. */
function createReadyQueues() {
  const queues = new Map<string, PriorityQueue<Entry>>();
  const waiters = new Set<() => void>();
  return {
    push(type: string, entry: Entry): void {
      const queue = queues.get(type) ?? createPriorityQueue(isBefore);
      queues.set(type, queue);
      queue.push(entry);
      for (const wake of [...waiters]) wake();
    },
    /** Removes and returns the first evaluation of these types; null if none exists. */
    pop: (types: readonly string[]): Entry | null => firstQueue(queues, types)?.pop() ?? null,
    whenReady: (wake: () => void): (() => void) => {
      const once = (): void => {
        waiters.delete(once);
        wake();
      };
      waiters.add(once);
      return () => void waiters.delete(once);
    },
    size: (): number => [...queues.values()].reduce((sum, { size }) => sum + size, 0),
    /** Removes all evaluations. Waiting workers continue to wait. */
    clear: () => queues.clear(),
  };
}

/** Returns the queue whose first evaluation comes before those of the other queues of these types. */
function firstQueue(
  ready: ReadonlyMap<string, PriorityQueue<Entry>>,
  types: readonly string[],
): PriorityQueue<Entry> | null {
  let best: PriorityQueue<Entry> | null = null;
  for (const type of types) {
    const queue = ready.get(type);
    const entry = queue?.peek();
    if (queue === undefined || entry === undefined) continue;
    const bestEntry = best?.peek();
    if (bestEntry === undefined || isBefore(entry, bestEntry)) best = queue;
  }
  return best;
}

function isBefore(a: Entry, b: Entry): boolean {
  const [first, second] = [Number(a.evaluation.Priority), Number(b.evaluation.Priority)];
  return first === second ? a.order < b.order : first > second;
}

/** The evaluations of each job. Only one of them is ready, outstanding or delayed; the others wait. */
function createJobLines() {
  const lines = new Map<string, { first: string; readonly queued: Entry[] }>();
  return {
    /** Adds an evaluation. Returns true if it is the first of its job. */
    join(entry: Entry): boolean {
      const { ID } = entry.evaluation;
      const line = lines.get(lineKey(entry.evaluation));
      if (line === undefined) lines.set(lineKey(entry.evaluation), { first: ID, queued: [] });
      else if (line.first !== ID) line.queued.push(entry);
      return line === undefined || line.first === ID;
    },
    /** Removes the finished evaluation of a job. The newest waiting one is next; it replaces all others, which are cancelled. */
    leave(evaluation: Evaluation): { readonly next: Entry | null; readonly superfluous: readonly string[] } {
      const key = lineKey(evaluation);
      const line = lines.get(key);
      if (line === undefined || line.first !== evaluation.ID) return { next: null, superfluous: [] };
      const next = line.queued.pop() ?? null;
      if (next === null) lines.delete(key);
      else line.first = next.evaluation.ID;
      return { next, superfluous: line.queued.splice(0).map(({ evaluation: { ID } }) => ID) };
    },
    queued: (): number => [...lines.values()].reduce((sum, { queued }) => sum + queued.length, 0),
    clear: () => lines.clear(),
  };
}

function lineKey({ Namespace, JobID }: Evaluation): string {
  return jobKey({ Namespace, ID: JobID });
}

/** Evaluations that are not due yet. */
function createDelayedEntries(clock: BrokerOptions['clock'], release: (entry: Entry) => void) {
  const queue = createPriorityQueue<{ readonly at: number; readonly entry: Entry }>((a, b) => a.at < b.at);
  const timer = createDeadlineTimer(clock, releaseDue);

  function releaseDue(): void {
    for (let next = queue.peek(); next !== undefined && next.at <= clock.now(); next = queue.peek()) {
      queue.pop();
      release(next.entry);
    }
    timer.set(queue.peek()?.at ?? null);
  }

  return {
    push(at: number, entry: Entry): void {
      queue.push({ at, entry });
      timer.set(queue.peek()?.at ?? null);
    },
    size: (): number => queue.size,
    clear(): void {
      timer.cancel();
      while (queue.pop() !== undefined);
    },
  };
}
