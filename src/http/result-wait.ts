import type { ListCore } from '../lists/query/list-core.js';
import type { ResultWatch } from '../lists/query/watch/result-watch.js';

/** The clients that wait for a different result of one list. */
export interface ResultWait {
  /** Resolves when the result has changed, when permissions may have changed, or after `longest` milliseconds. */
  next(
    until: ResultWatch,
    after: number,
    maxWaitMs: number,
    signal: AbortSignal,
  ): Promise<'result' | 'rights' | 'time'>;
  /** Wakes all waiting clients because permissions may have changed. */
  wakeAll(): void;
}

export function createResultWait({ waits }: Pick<ListCore<never>, 'waits'>): ResultWait {
  const rights = new Set<() => void>();
  return {
    async next(until, after, maxWaitMs, signal) {
      const { version } = await waits();
      if (until.isMet({ index: after })) return 'result';
      let woken: 'result' | 'rights' | 'time' = 'time';
      await version.wake(
        (wake) => {
          const wakeAs = (why: typeof woken) => (): void => {
            woken = why;
            wake();
          };
          const byRights = wakeAs('rights');
          rights.add(byRights);
          const withdraw = until.watch(wakeAs('result'));
          return () => {
            rights.delete(byRights);
            withdraw();
          };
        },
        maxWaitMs,
        signal,
      );
      return woken;
    },
    wakeAll() {
      for (const wake of [...rights]) wake();
    },
  };
}
