/** The policy by which a task is started again. Times in milliseconds. */
export interface RestartPolicy {
  /** Within the interval. */
  readonly attempts: number;
  readonly interval: number;
  readonly delay: number;
  /** The end of the attempts: give up, or wait for the next interval. */
  readonly mode: 'fail' | 'delay';
}

/** A decision about a task that has ended. */
export type RestartDecision =
  | { readonly kind: 'restart'; readonly delay: number; readonly reason: string }
  | { readonly kind: 'fail'; readonly reason: string };

/** A tracker of the restarts of one task. By hand: the rules are those of a job's `restart` block. */
export interface RestartTracker {
  /** Decides at `now` about a task that has ended. */
  next(now: number): RestartDecision;
}

/** Up to a quarter is added to each delay, so that tasks that failed together do not come back together. */
const jitterShare = 0.25;

export function createRestartTracker(policy: RestartPolicy, random: () => number): RestartTracker {
  let count = 0;
  let intervalStart = -Infinity;
  return {
    next(now) {
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
