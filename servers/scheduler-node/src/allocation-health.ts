import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { groupOf, type Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import { hookOf, toMilliseconds } from './task-plan.js';

/** The health of an allocation, valid for one deployment only. */
export interface HealthVerdict {
  readonly DeploymentID: string;
  readonly DeploymentStatus: { readonly Healthy: boolean; readonly Timestamp: string };
}

/** Determines whether an allocation is healthy, once for each of its deployments. */
export type HealthWatch = ReturnType<typeof createHealthWatch>;

export interface HealthDependencies {
  readonly clock: Clock;
  readonly states: () => ReadonlyMap<string, TaskState>;
  /** Called after each verdict. */
  readonly decided: () => void;
}

export function createHealthWatch(dependencies: HealthDependencies) {
  let deployment = '';
  let verdict: HealthVerdict | null = null;
  let shouldYield = false;
  let current: Watch | null = null;

  return {
    /** Null while undecided. */
    get verdict(): HealthVerdict | null {
      return verdict;
    },
    /** Starts watching for the allocation's current deployment, unless already watching it. */
    follow(allocation: Allocation): void {
      if (shouldYield || allocation.DeploymentID === deployment) return;
      // The verdict for the previous deployment does not apply to this one.
      current?.cancel();
      deployment = allocation.DeploymentID;
      verdict = null;
      current = watch(allocation, dependencies, (Healthy) => {
        const Timestamp = new Date(dependencies.clock.now()).toISOString();
        verdict = { DeploymentID: allocation.DeploymentID, DeploymentStatus: { Healthy, Timestamp } };
        dependencies.decided();
      });
    },
    /** Called when the allocation has finished. */
    end(): void {
      shouldYield = true;
      current?.conclude();
    },
  };
}

/** A watch for one deployment. */
interface Watch {
  /** Stops without a verdict. */
  cancel(): void;
  /** Stops because the allocation has finished; a failure makes it unhealthy. */
  conclude(): void;
}

/** Interval between checks, in ms. */
const lookInterval = 250;

/**
 * Determines whether an allocation of a deployment is healthy: all main tasks run for `MinHealthyTime` without a restart, counted
 * from now if they run already. It is unhealthy if a task fails, or if `HealthyDeadline` is reached first. Null if there is
 * nothing to watch, or if an operator decides.
 */
function watch(
  allocation: Allocation,
  { clock, states }: HealthDependencies,
  decided: (isHealthy: boolean) => void,
): Watch | null {
  const group = groupOf(allocation);
  const update = group?.Update ?? null;
  const isDecided = (allocation.DeploymentStatus?.Healthy ?? null) !== null;
  if (allocation.DeploymentID === '' || group === null || update === null || isDecided) return null;
  // An operator decides, with `allocation-health`.
  if (update.HealthCheck === 'manual') return null;
  const began = clock.elapsed();
  const minHealthyTime = toMilliseconds(update.MinHealthyTime);
  const deadline = began + toMilliseconds(update.HealthyDeadline);
  const names = (group.Tasks ?? []).filter((task) => hookOf(task) === 'main').map(({ Name }) => Name);
  let shouldYield = false;
  /** The starts of the tasks, and when they were first observed. */
  let running = { starts: '', since: began };
  let cancel = clock.after(lookInterval, look);

  const hasFailed = (): boolean => [...states().values()].some(({ Failed }) => Failed);

  function decide(isHealthy: boolean): void {
    shouldYield = true;
    decided(isHealthy);
  }

  /** Returns the monotonic time since which all main tasks run; null if any of them does not run. */
  function runningSince(): number | null {
    const found = names.map((name) => states().get(name));
    if (found.some((state) => state?.State !== 'running')) return null;
    const starts = found.map((state) => state?.StartedAt).join();
    if (starts !== running.starts) {
      const age = clock.now() - Math.max(...found.map((state) => Date.parse(state?.StartedAt ?? '')));
      running = { starts, since: Math.max(began, clock.elapsed() - Math.max(age, 0)) };
    }
    return running.since;
  }

  function look(): void {
    const since = runningSince();
    if (since !== null && clock.elapsed() - since >= minHealthyTime) decide(true);
    else if (hasFailed() || clock.elapsed() >= deadline) decide(false);
    else cancel = clock.after(lookInterval, look);
  }

  return {
    cancel: () => cancel(),
    conclude() {
      cancel();
      if (!shouldYield && hasFailed()) decide(false);
      shouldYield = true;
    },
  };
}
