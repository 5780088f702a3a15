/** The restart policy of a task. Times in ms. */
export interface RestartPolicy {
  /** Maximum number of attempts per interval. */
  readonly attempts: number;
  readonly interval: number;
  readonly delay: number;
  /** Action after the last attempt: fail, or wait for the next interval. */
  readonly mode: 'fail' | 'delay';
}

/** The decision about an ended task. */
export type RestartDecision =
  | { readonly kind: 'restart'; readonly delay: number; readonly reason: string }
  | { readonly kind: 'fail'; readonly reason: string };

/** Tracks the restarts of one task, by the rules of a job's `restart` block. */
export type RestartTracker = ReturnType<typeof createRestartTracker>;

/** Maximum jitter as a share of the delay. Prevents tasks that failed together from restarting together. */
const jitterShare = 0.25;

export function createRestartTracker(policy: RestartPolicy, random: () => number) {
  let count = 0;
  let intervalStart = -Infinity;
  return {
    /** Returns the decision about a task that ended at `now`. */
    next(now: number): RestartDecision {
      if (policy.attempts <= 0) return { kind: 'fail', reason: 'Policy allows no restarts' };
      if (now - intervalStart > policy.interval) {
        intervalStart = now;
        count = 0;
      }
      count += 1;
      const delay = policy.delay * (1 + random() * jitterShare);
      if (count <= policy.attempts) return { kind: 'restart', delay, reason: 'Restart within policy' };
      const reason = `Exceeded allowed attempts ${policy.attempts} in interval ${policy.interval / 1_000}s`;
      if (policy.mode === 'fail') return { kind: 'fail', reason: `${reason} and mode is "fail"` };
      const rest = intervalStart + policy.interval - now;
      return { kind: 'restart', delay: rest + delay, reason: `${reason} and mode is "delay"` };
    },
  };
}
