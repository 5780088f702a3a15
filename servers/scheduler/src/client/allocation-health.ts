import type { Clock } from '../clock.js';
import type { Allocation } from '../model/allocation.js';
import type { TaskGroup } from '../model/task-group.js';
import type { TaskState } from './task-events.js';
import { hookOf, toMilliseconds } from './task-plan.js';

export interface HealthDependencies {
  readonly clock: Clock;
  readonly states: () => ReadonlyMap<string, TaskState>;
  /** Told once. */
  readonly decided: (isHealthy: boolean) => void;
}

/** Milliseconds between two looks. */
const lookInterval = 250;

/**
 * Decides whether an allocation of a deployment is healthy: all its main tasks have been running for `MinHealthyTime`
 * without a restart. It is not when a task fails, or when `HealthyDeadline` comes first. Returns what to call when the
 * allocation is over.
 */
export function watchHealth(
  { DeploymentID, DeploymentStatus }: Allocation,
  group: TaskGroup | null,
  { clock, states, decided }: HealthDependencies,
): () => void {
  const update = group?.Update ?? null;
  const isDecided = (DeploymentStatus?.Healthy ?? null) !== null;
  if (DeploymentID === '' || group === null || update === null || isDecided) return () => undefined;
  const minHealthyTime = toMilliseconds(update.MinHealthyTime);
  const deadline = clock.now() + toMilliseconds(update.HealthyDeadline);
  const names = (group.Tasks ?? []).filter((task) => hookOf(task) === 'main').map(({ Name }) => Name);
  let isOver = false;
  let cancel = clock.after(lookInterval, look);

  const hasFailed = (): boolean => [...states().values()].some(({ Failed }) => Failed);

  function decide(isHealthy: boolean): void {
    isOver = true;
    decided(isHealthy);
  }

  /** Milliseconds since 1970 at which the last of them was started; null while one is not running. */
  function runningSince(): number | null {
    const found = names.map((name) => states().get(name));
    if (found.some((state) => state?.State !== 'running')) return null;
    return Math.max(...found.map((state) => Date.parse(state?.StartedAt ?? '')));
  }

  function look(): void {
    const since = runningSince();
    if (since !== null && clock.now() - since >= minHealthyTime) decide(true);
    else if (hasFailed() || clock.now() >= deadline) decide(false);
    else cancel = clock.after(lookInterval, look);
  }

  return () => {
    cancel();
    if (!isOver && hasFailed()) decide(false);
    isOver = true;
  };
}
