import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { LogHub } from '../services/logs/log-hub.js';

export interface ShutdownDependencies {
  readonly clock: Pick<Clock, 'after'>;
  readonly logs: LogHub;
}

/** Timeout for requests in progress when the agent stops, in ms. */
const grace = 10_000;

/** The shutdown of an agent. */
export function createShutdown({ clock, logs }: ShutdownDependencies) {
  const actions = new Set<() => void>();
  let hasStarted = false;
  return {
    onStop: (action: () => void): (() => void) => {
      if (hasStarted) action();
      else actions.add(action);
      return () => void actions.delete(action);
    },
    /** Calls the registered actions. Actions registered later are called immediately. */
    begin(): void {
      hasStarted = true;
      for (const action of [...actions]) action();
      actions.clear();
    },
    /** Waits for requests in progress up to a timeout, because tasks must stop too. */
    withinGrace: (closed: Promise<unknown>): Promise<void> =>
      new Promise((resolve, reject) => {
        const cancel = clock.after(grace, () => {
          logs.logger.error({ seconds: grace / 1_000 }, 'requests are still under way and are given up');
          resolve();
        });
        closed.then(() => resolve(), reject).finally(cancel);
      }),
  };
}
