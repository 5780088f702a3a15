import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import type { WatcherOptions } from './watcher.js';

/** Delay before a failed write is repeated, in ms. */
const retryDelayMs = 5_000;

/**
 * Creates the writes of a watcher.
 *
 * @param look called after each write, with a delay after a failure. It must start the write again if that is still due.
 */
export function createRepeatedWrites({ state, clock, warn }: WatcherOptions, look: (key: string) => void) {
  const busy = new Set<string>();
  const retries = new Set<() => void>();
  let isStopped = false;

  function end(key: string): void {
    busy.delete(key);
    if (!isStopped) look(key);
  }

  function retry(key: string): void {
    if (isStopped) return;
    const cancel = clock.after(retryDelayMs, () => {
      retries.delete(cancel);
      end(key);
    });
    retries.add(cancel);
  }

  return {
    /** Whether the write of this key is in progress or waits for a retry. */
    isBusy: (key: string): boolean => busy.has(key),
    /** @param failure log message on failure. */
    start(key: string, action: (transaction: Transaction) => unknown, failure: string): void {
      busy.add(key);
      state.write(action).then(
        () => end(key),
        (error: unknown) => {
          warn(failure, { err: error, key });
          retry(key);
        },
      );
    },
    cancel(): void {
      isStopped = true;
      for (const cancel of retries) cancel();
    },
  };
}
