import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import type { TableName } from '@tamis/scheduler-state/state/tables.js';
import type { Transaction } from '@tamis/scheduler-state/state/transaction.js';
import { createDeadlineTimer } from './deadline-timer.js';

/** Dependencies of watchers, which follow the state and act at due times. */
export interface WatcherOptions {
  readonly state: State;
  readonly clock: Clock;
  /** Logs an error. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/**
 * Starts a watcher. Returns a function that stops it.
 *
 * @param look called now, after each change of one of the tables, after each write, and when due. It starts the writes that are
 * due, and returns the time of the next one in ms since 1970; null for never.
 */
export function startWatcher(
  options: WatcherOptions,
  tables: readonly TableName[],
  look: (writes: ReturnType<typeof createRepeatedWrites>) => number | null,
): () => void {
  const run = (): void => timer.set(look(writes));
  const timer = createDeadlineTimer(options.clock, run);
  const writes = createRepeatedWrites(options, run);
  const end = watchTables(options.state, tables, run);
  return () => {
    end();
    timer.cancel();
    writes.cancel();
  };
}

/** Calls `look` now and after each change of one of the tables. The returned function unsubscribes. */
export function watchTables(
  { watches }: Pick<State, 'watches'>,
  tables: readonly TableName[],
  look: () => void,
): () => void {
  let isStopped = false;
  let withdraw: (() => void) | null = null;
  const again = (): void => {
    if (isStopped) return;
    withdraw = watches.watch(tables, again);
    look();
  };
  again();
  return () => {
    isStopped = true;
    withdraw?.();
  };
}

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
