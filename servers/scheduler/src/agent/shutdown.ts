import type { Clock } from '../clock.js';
import type { OnStop } from '../http/agent-context.js';
import type { LogHub } from '../logs/log-hub.js';

/** The moment when an agent begins to stop. */
export interface Shutdown {
  readonly on: OnStop;
  /** Calls what was registered; what registers later is called at once. */
  begin(): void;
}

export function createShutdown(): Shutdown {
  const actions = new Set<() => void>();
  let hasBegun = false;
  return {
    on(action) {
      if (hasBegun) action();
      else actions.add(action);
      return () => void actions.delete(action);
    },
    begin() {
      hasBegun = true;
      for (const action of [...actions]) action();
      actions.clear();
    },
  };
}

/** Milliseconds that requests under way get when the agent is told to stop. */
const grace = 10_000;

/** Waits for requests under way, but no longer than they may take: tasks have to end too. */
export function withinGrace(
  { clock, logs }: { readonly clock: Pick<Clock, 'after'>; readonly logs: LogHub },
  closed: Promise<unknown>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(grace, () => {
      logs.logger.error({ seconds: grace / 1_000 }, 'requests are still under way and are given up');
      resolve();
    });
    closed.then(() => resolve(), reject).finally(cancel);
  });
}
