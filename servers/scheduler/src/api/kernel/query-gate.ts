import { untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';

/** Limits how many expensive queries run at a time. */
export type QueryGate = ReturnType<typeof createQueryGate>;

/** Maximum time for which a query waits for its turn, in ms. Long enough for a burst of short queries. */
const maxWaitMs = 1_000;
/** Maximum number of waiting queries per running one. Prevents clients from filling the memory with requests. */
const maxWaitingShare = 16;

/**
 * Creates a gate.
 *
 * @param max maximum number of running queries; 0 for no limit. They share the processor, so more queries are slower.
 */
export function createQueryGate(max: number, clock: Pick<Clock, 'after'>) {
  let running = 0;
  const waiting = new Set<() => void>();

  function refusal(): SchedulerError {
    const text = `More than ${max} queries with filters, facets or explanations are running, try later`;
    return new SchedulerError('too-many-requests', text);
  }

  async function enter(signal: AbortSignal): Promise<void> {
    if (max > 0 && running >= max) {
      if (waiting.size >= max * maxWaitingShare) throw refusal();
      // A query that ends passes its slot to the first waiting one, so that no later query overtakes it.
      await untilNotified<undefined>(signal, ({ resolve, reject }) => {
        const start = (): void => resolve(undefined);
        waiting.add(start);
        const cancel = clock.after(maxWaitMs, () => reject(refusal()));
        return () => {
          waiting.delete(start);
          cancel();
        };
      });
    } else {
      running += 1;
    }
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    /** Runs a query, or waits for its turn if too many run. @throws SchedulerError `too-many-requests`, `client-gone` */
    async run<R>(query: () => Promise<R>, signal: AbortSignal): Promise<R> {
      await enter(signal);
      try {
        return await query();
      } finally {
        leave();
      }
    },
  };
}
