import { onAbort } from '../../../runtime/on-abort.js';
import { eventLoop } from '../../../runtime/time-slicer.js';
import type { LivePool } from '../source/pool.js';
import { QueryError } from '../request/query-error.js';
import type { RowSource } from '../source/row-source.js';
import { createNotificationQueue } from './notification-queue.js';

/** Lets requests wait for the next write to a table. */
export interface VersionWait {
  /**
   * Resolves when the table's index exceeds `after`, when `after` belongs to another history, or after `maxWaitMs`. Rejects with
   * the reason of the signal.
   *
   * @throws QueryError `too-busy`
   */
  until(after: number, maxWaitMs: number, signal: AbortSignal | undefined): Promise<void>;
  /** Starts to wait for a change, with the same limits as `until`. @throws QueryError `too-busy` */
  begin(waiter: Waiter, maxWaitMs: number, signal: AbortSignal | null): Wait;
  readonly waiting: number;
}

/** A caller that waits until something changes. */
export interface Waiter {
  /** Starts to call `wake` at the next change. */
  watch(wake: () => void): void;
  /** Ends what `watch` started. */
  withdraw(wake: () => void): void;
  /** Called once at the end of the wait. @param isWoken false on timeout, null if it is rejected with the reason */
  finish(isWoken: boolean | null, reason?: unknown): void;
}

/** A pending wait. There may be thousands, so that it has no closures but one. */
export class Wait {
  isSettled = false;
  timer: ReturnType<typeof setTimeout> | undefined = undefined;
  removeAbort: (() => void) | null = null;

  constructor(
    private readonly waiter: Waiter,
    private readonly waits: Set<Wait>,
    private readonly pool: LivePool,
  ) {}

  readonly wake = (): void => this.settle(true);

  /** Ends the wait. @param isWoken null to reject it with the reason */
  settle(isWoken: boolean | null, reason?: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.pool.waiting -= 1;
    this.waiter.withdraw(this.wake);
    clearTimeout(this.timer);
    this.waits.delete(this);
    this.removeAbort?.();
    this.waiter.finish(isWoken, reason);
  }
}

export function createVersionWait(
  { watched, signal: reports }: Pick<RowSource<never>, 'watched' | 'signal'>,
  pool: LivePool,
  closed: AbortSignal,
  pollIntervalMs: number,
): VersionWait {
  const waits = new Set<Wait>();
  const wakes = new Set<() => void>();
  const queue = createNotificationQueue(eventLoop);
  let leave: (() => void) | null = null;
  closed.addEventListener('abort', () => {
    for (const wait of [...waits]) wait.settle(null, closed.reason);
  });

  const indexNow = (): number => {
    if (watched === null) return reports?.index ?? 0;
    const { indexes, index } = watched.versions.snapshot();
    return indexes[watched.table] ?? index;
  };

  /** Calls `wake` at the next write to the table. */
  function onWrite(wake: () => void): () => void {
    if (watched === null) {
      // setTimeout() supports at most 2^31-1 ms.
      const timer = pollIntervalMs < 2 ** 31 ? setTimeout(wake, pollIntervalMs) : undefined;
      const leaveReports = reports?.onNext(wake);
      return () => {
        clearTimeout(timer);
        leaveReports?.();
      };
    }
    wakes.add(wake);
    leave ??= watched.versions.changes.subscribe((group) => {
      if (group.kind === 'rows' && group.indexes[watched.table] === undefined) return;
      queue.add(wakes);
      wakes.clear();
      queue.drain();
    });
    return () => {
      wakes.delete(wake);
      queue.delete(wake);
      if (wakes.size > 0) return;
      leave?.();
      leave = null;
    };
  }

  function begin(waiter: Waiter, maxWaitMs: number, signal: AbortSignal | null): Wait {
    const { maxWaiters } = pool.limits;
    if (pool.waiting >= maxWaiters)
      throw new QueryError('too-busy', '', `More than ${maxWaiters} requests are waiting; try again later`);
    const wait = new Wait(waiter, waits, pool);
    pool.waiting += 1;
    waits.add(wait);
    // No timer for unlimited waits: setTimeout() supports at most 2^31-1 ms (24 days).
    if (maxWaitMs < 2 ** 31) wait.timer = setTimeout(() => wait.settle(false), Math.max(0, maxWaitMs));
    if (signal !== null) wait.removeAbort = onAbort(signal, () => wait.settle(null, signal.reason));
    waiter.watch(wait.wake);
    if (wait.isSettled) waiter.withdraw(wait.wake);
    if (closed.aborted) wait.settle(null, closed.reason);
    else if (signal?.aborted === true) wait.settle(null, signal.reason);
    return wait;
  }

  /** Waits for the next write to the table. Resolves to false on timeout. */
  function nextWrite(maxWaitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let cancel: (() => void) | null = null;
      const waiter: Waiter = {
        watch: (wake) => void (cancel = onWrite(wake)),
        withdraw: () => cancel?.(),
        finish: (isWoken, reason) => (isWoken === null ? reject(reason as Error) : resolve(isWoken)),
      };
      begin(waiter, maxWaitMs, signal ?? null);
    });
  }

  return {
    async until(after, maxWaitMs, signal) {
      if (watched === null) {
        const isKnown = reports === undefined || (reports.index === after && reports.failure === undefined);
        if (isKnown && maxWaitMs > 0) await nextWrite(maxWaitMs, signal);
        if (reports?.failure !== undefined) throw reports.failure;
        return;
      }
      const { history } = watched.versions.snapshot();
      const deadline = Date.now() + maxWaitMs;
      // An index greater than the current one is from another history, so the response is sent at once.
      while (indexNow() <= after && after <= watched.versions.snapshot().index) {
        const left = deadline - Date.now();
        if (left <= 0 || !(await nextWrite(left, signal))) return;
        if (watched.versions.snapshot().history !== history) return;
      }
    },
    begin,
    get waiting() {
      return waits.size;
    },
  };
}
