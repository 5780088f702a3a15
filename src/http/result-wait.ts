import type { ListCore } from '../lists/query/list-core.js';
import type { ResultWatch } from '../lists/query/watch/result-watch.js';
import type { Waiter } from '../lists/query/watch/version-wait.js';

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
      return new Promise((resolve, reject) => {
        let woken: 'result' | 'rights' | 'time' = 'time';
        let byRights: (() => void) | null = null;
        let withdraw: (() => void) | null = null;
        const waiter: Waiter = {
          watch(wake) {
            const wakeAs = (why: typeof woken) => (): void => {
              woken = why;
              wake();
            };
            rights.add((byRights = wakeAs('rights')));
            withdraw = until.watch(wakeAs('result'));
          },
          withdraw() {
            if (byRights !== null) rights.delete(byRights);
            withdraw?.();
          },
          finish: (isWoken, reason) => (isWoken === null ? reject(reason as Error) : resolve(woken)),
        };
        version.begin(waiter, maxWaitMs, signal);
      });
    },
    wakeAll() {
      for (const wake of [...rights]) wake();
    },
  };
}
