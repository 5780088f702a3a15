import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { toMilliseconds } from './task-plan.js';

/** Limits how long an allocation runs. */
export type RunTimer = ReturnType<typeof createRunTimer>;

export interface RunTimerDependencies {
  readonly clock: Clock;
  /** Called when the time has elapsed, possibly immediately. */
  readonly exceeded: () => void;
}

/**
 * Stops batch jobs that exceed the `MaxRunDuration` of their group. The time starts with the allocation and includes prestart
 * tasks. After a restart of the agent it starts when all tasks had started.
 */
export function createRunTimer({ clock, exceeded }: RunTimerDependencies) {
  let began: number | null = null;
  let cancel = (): void => undefined;
  return {
    /** Updates the maximum duration from the current allocation. */
    follow(allocation: Allocation): void {
      cancel();
      cancel = () => undefined;
      began ??= clock.elapsed() - (clock.now() - (startedBefore(allocation) ?? clock.now()));
      const maxRunMs = maxRunOf(allocation);
      if (maxRunMs === null) return;
      const left = began + maxRunMs - clock.elapsed();
      if (left <= 0) exceeded();
      else cancel = clock.after(left, exceeded);
    },
    /** Called when the allocation has finished. */
    end: () => cancel(),
  };
}

/** Returns the limit in ms; null if none exists. */
function maxRunOf({ Job: job, TaskGroup: name }: Allocation): number | null {
  if (job?.Type !== 'batch' && job?.Type !== 'sysbatch') return null;
  const group = job.TaskGroups?.find(({ Name }) => Name === name);
  const maxRunMs = Number(group?.MaxRunDuration ?? 0);
  return maxRunMs > 0 ? toMilliseconds(maxRunMs) : null;
}

/** Returns when the last task of an earlier run started, in ms since 1970; null unless all had started. */
function startedBefore({ TaskStates }: Allocation): number | null {
  const times = Object.values(TaskStates ?? {}).map((state) => Date.parse(state?.StartedAt ?? ''));
  return times.length === 0 || times.some(Number.isNaN) ? null : Math.max(...times);
}
