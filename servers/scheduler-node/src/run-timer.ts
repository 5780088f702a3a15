import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { toMilliseconds } from './task-plan.js';

/** Measures how long an allocation runs. */
export interface RunTimer {
  /** Updates the maximum duration from the current allocation. */
  follow(allocation: Allocation): void;
  /** Ends when the allocation is over. */
  end(): void;
}

export interface RunTimerDependencies {
  readonly clock: Clock;
  /** Called when the time is over, which may be at once. */
  readonly exceeded: () => void;
}

/**
 * Ends batch work that takes longer than the `MaxRunDuration` of its group. The time starts with the allocation, so prestart
 * tasks count too; after a restart of the agent it is counted from when all tasks had started.
 */
export function createRunTimer({ clock, exceeded }: RunTimerDependencies): RunTimer {
  let began: number | null = null;
  let cancel = (): void => undefined;
  return {
    follow(allocation) {
      cancel();
      cancel = () => undefined;
      began ??= clock.elapsed() - (clock.now() - (startedBefore(allocation) ?? clock.now()));
      const maxRunMs = maxRunOf(allocation);
      if (maxRunMs === null) return;
      const left = began + maxRunMs - clock.elapsed();
      if (left <= 0) exceeded();
      else cancel = clock.after(left, exceeded);
    },
    end: () => cancel(),
  };
}

/** Milliseconds; null for work that may run for ever. */
function maxRunOf({ Job: job, TaskGroup: name }: Allocation): number | null {
  if (job?.Type !== 'batch' && job?.Type !== 'sysbatch') return null;
  const group = job.TaskGroups?.find(({ Name }) => Name === name);
  const maxRunMs = Number(group?.MaxRunDuration ?? 0);
  return maxRunMs > 0 ? toMilliseconds(maxRunMs) : null;
}

/** Milliseconds since 1970 at which the last task of an earlier run was started; null unless all of them were. */
function startedBefore({ TaskStates }: Allocation): number | null {
  const times = Object.values(TaskStates ?? {}).map((state) => Date.parse(state?.StartedAt ?? ''));
  return times.length === 0 || times.some(Number.isNaN) ? null : Math.max(...times);
}
