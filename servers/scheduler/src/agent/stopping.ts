import type { OnStop } from '../http/agent-context.js';

/** The moment when an agent begins to stop. */
export interface Stopping {
  readonly on: OnStop;
  /** Calls what was registered; what registers later is called at once. */
  begin(): void;
}

export function createStopping(): Stopping {
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
