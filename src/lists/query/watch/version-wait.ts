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
  /** Waits until `watch` calls its callback, with the same limits as `until`. Resolves to false on timeout. */
  wake(
    watch: (wake: () => void) => () => void,
    maxWaitMs: number,
    signal: AbortSignal | null,
  ): Promise<boolean>;
  readonly waiting: number;
}

/** A pending wait. There may be thousands. */
interface Wait {
  isSettled: boolean;
  /** Ends the wait. @param isWoken null to reject it with the reason */
  readonly settle: (isWoken: boolean | null, reason?: unknown) => void;
  timer?: ReturnType<typeof setTimeout>;
  withdraw?: () => void;
  removeAbort?: () => void;
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
  let waiting = 0;
  closed.addEventListener('abort', () => {
    for (const { settle } of [...waits]) settle(null, closed.reason);
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

  function waitFor(
    watch: (wake: () => void) => () => void,
    maxWaitMs: number,
    signal: AbortSignal | null,
  ): Promise<boolean> {
    const { maxWaiters } = pool.limits;
    if (pool.waiting >= maxWaiters) {
      const message = `More than ${maxWaiters} requests are waiting; try again later`;
      return Promise.reject(new QueryError('too-busy', '', message));
    }
    return new Promise((resolve, reject) => {
      pool.waiting += 1;
      waiting += 1;
      const settle = (isWoken: boolean | null, reason?: unknown): void => {
        if (wait.isSettled) return;
        wait.isSettled = true;
        pool.waiting -= 1;
        waiting -= 1;
        wait.withdraw?.();
        clearTimeout(wait.timer);
        waits.delete(wait);
        wait.removeAbort?.();
        if (isWoken === null) reject(reason as Error);
        else resolve(isWoken);
      };
      const wait: Wait = { isSettled: false, settle };
      // No timer for unlimited waits: setTimeout() supports at most 2^31-1 ms (24 days).
      if (maxWaitMs < 2 ** 31) wait.timer = setTimeout(settle, Math.max(0, maxWaitMs), false);
      wait.withdraw = watch(() => settle(true));
      if (wait.isSettled) return wait.withdraw();
      waits.add(wait);
      if (signal !== null) wait.removeAbort = onAbort(signal, () => settle(null, signal.reason));
      if (closed.aborted) settle(null, closed.reason);
      else if (signal?.aborted === true) settle(null, signal.reason);
    });
  }

  return {
    async until(after, maxWaitMs, signal) {
      if (watched === null) {
        const isKnown = reports === undefined || (reports.index === after && reports.failure === undefined);
        if (isKnown && maxWaitMs > 0) await waitFor(onWrite, maxWaitMs, signal ?? null);
        if (reports?.failure !== undefined) throw reports.failure;
        return;
      }
      const { history } = watched.versions.snapshot();
      const deadline = Date.now() + maxWaitMs;
      // An index greater than the current one is from another history, so the response is sent at once.
      while (indexNow() <= after && after <= watched.versions.snapshot().index) {
        const left = deadline - Date.now();
        if (left <= 0 || !(await waitFor(onWrite, left, signal ?? null))) return;
        if (watched.versions.snapshot().history !== history) return;
      }
    },
    wake: waitFor,
    get waiting() {
      return waiting;
    },
  };
}
