import type { Clock } from '../clock.js';
import type { Allocation } from '../model/allocation.js';
import type { Task } from '../model/task.js';
import type { TaskGroup } from '../model/task-group.js';
import { makeAllocationDirectory } from './allocation-directory.js';
import { createHealthWatch, type HealthVerdict } from './allocation-health.js';
import { networkStatusOf, type NetworkStatus } from './network-status.js';
import { createRunTimer } from './run-timer.js';
import {
  endedTaskState,
  newTaskState,
  resumeTaskState,
  withTaskEvent,
  type StoredTaskState,
  type TaskState,
} from './task-events.js';
import { endsByItself, hookOf, planTask, type TaskHook, type TaskContext } from './task-plan.js';
import { startTask, type TaskRunner } from './task-runner.js';

/** What a client reports of an allocation. */
export interface AllocationReport extends Partial<HealthVerdict> {
  readonly ID: string;
  readonly ClientStatus: 'pending' | 'running' | 'complete' | 'failed';
  readonly ClientDescription: string;
  readonly TaskStates: Readonly<Record<string, TaskState>>;
  readonly NetworkStatus?: NetworkStatus;
}

export interface AllocationRunnerDependencies extends TaskContext {
  readonly clock: Clock;
  readonly random: () => number;
  /** Told of every change. */
  readonly changed: (report: AllocationReport) => void;
}

/** Runs the tasks of one allocation. */
export interface AllocationRunner {
  readonly report: AllocationReport;
  /** Settles when all of it is over; never rejects. */
  readonly done: Promise<void>;
  /** Takes over what the servers have changed in it where it runs: a new version of its job, a new deployment. */
  update(changed: Allocation): void;
  /** Ends it for good: what comes behind its main tasks runs too. */
  stop(): void;
  /** Ends its tasks because the agent ends; it is to start again with the agent. */
  suspend(): void;
}

/** How an allocation that took too long is described. */
const tookTooLong = 'allocation exceeded max_run_duration';

/**
 * Starts to run an allocation: what comes before the main tasks, those, and what comes behind them. Tasks that an
 * earlier run of the agent has brought to a good end are not run again.
 */
export function runAllocation(
  placed: Allocation,
  dependencies: AllocationRunnerDependencies,
): AllocationRunner {
  const { clock, random, changed } = dependencies;
  let allocation = placed;
  const group = groupOf(allocation);
  const tasks = group?.Tasks ?? [];
  const finished = new Set(tasks.filter((task) => hasFinished(allocation, task)).map(({ Name }) => Name));
  const states = new Map(tasks.map((task) => [task.Name, initialState(allocation, task, clock.now())]));
  const runners = new Map<string, TaskRunner>();
  const health = createHealthWatch({ clock, states: () => states, decided: update });
  const network = networkStatusOf(allocation);
  let isStopped = tasks.some(({ Leader, Name }) => Leader && finished.has(Name));
  let isLeft = false;
  let isTooLong = false;
  const timer = createRunTimer({
    clock,
    exceeded() {
      isTooLong = true;
      for (const [name, state] of states) {
        if (runners.has(name) || state.State === 'dead') continue;
        states.set(name, withTaskEvent(state, clock.now(), 'Killing', tookTooLong));
      }
      stopAll(tookTooLong);
    },
  });
  let report = makeReport();

  function makeReport(): AllocationReport {
    const all = [...states.values()];
    const described = describeStates(all);
    return {
      ID: allocation.ID,
      ...described,
      ...(isTooLong && described.ClientStatus === 'complete' ? { ClientDescription: tookTooLong } : {}),
      TaskStates: Object.fromEntries(states),
      ...(network === null ? {} : { NetworkStatus: network }),
      ...health.verdict,
    };
  }

  function update(): void {
    report = makeReport();
    changed(report);
  }

  function start(task: Task): TaskRunner {
    // Every group has been found through the job, so there is one.
    const { Job: job } = allocation as Allocation & { Job: NonNullable<Allocation['Job']> };
    const plan = planTask({ allocation, job, group: group as TaskGroup, task }, dependencies);
    const runner = startTask(plan, {
      clock,
      random,
      initial: states.get(task.Name) ?? newTaskState,
      changed(state) {
        states.set(task.Name, state);
        update();
        if (state.State === 'dead') react(task, state);
      },
    });
    runners.set(task.Name, runner);
    return runner;
  }

  /** The tasks of an allocation share their fate: one that fails, or leads and ends, ends the others. */
  function react(task: Task, { Failed }: TaskState): void {
    if ((Failed || task.Leader) && hookOf(task) !== 'poststop') stopAll();
  }

  function stopAll(reason?: string): void {
    isStopped = true;
    for (const runner of runners.values()) runner.stop(reason);
  }

  const startPhase = (hook: TaskHook): readonly TaskRunner[] =>
    tasks.filter((task) => hookOf(task) === hook && !finished.has(task.Name)).map(start);

  async function run(): Promise<void> {
    await makeAllocationDirectory(dependencies.directory, tasks, allocation.Job?.Payload ?? null);
    health.follow(allocation);
    timer.follow(allocation);
    const before = isStopped ? [] : startPhase('prestart');
    const ending = tasks.filter((task) => hookOf(task) === 'prestart' && task.Lifecycle?.Sidecar !== true);
    await Promise.all(ending.flatMap(({ Name }) => runners.get(Name)?.done ?? []));
    if (!isStopped) {
      const main = startPhase('main');
      const behind = startPhase('poststart');
      await Promise.all(main.map(({ done }) => done));
      for (const runner of [...before, ...behind]) runner.stop();
      await Promise.all([...before, ...behind].map(({ done }) => done));
    } else {
      await Promise.all(before.map(({ done }) => done));
    }
    if (!isLeft && !isTooLong) await Promise.all(startPhase('poststop').map(({ done }) => done));
    if (!isLeft) neverStarted();
  }

  /** Tasks whose turn never came are over too. */
  function neverStarted(): void {
    for (const [name, state] of states) {
      if (state.State !== 'dead') states.set(name, { ...state, State: 'dead' });
    }
    update();
  }

  function fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    for (const [name, state] of states) {
      const failed = withTaskEvent(state, clock.now(), 'Setup Failure', text, { FailsTask: true });
      states.set(name, { ...failed, State: 'dead', Failed: true });
    }
    stopAll();
    update();
  }

  const done = run().catch(fail);
  void done.then(() => {
    health.end();
    timer.end();
  });
  return {
    get report() {
      return report;
    },
    done,
    update(changed) {
      allocation = changed;
      health.follow(changed);
      timer.follow(changed);
    },
    stop: () => stopAll(),
    suspend() {
      isLeft = true;
      stopAll();
    },
  };
}

/** What an allocation was that runs no more, whatever became of its tasks. */
export function endedReport({ ID, TaskStates }: Allocation, now: number): AllocationReport {
  const states = Object.entries(TaskStates ?? {}).map(
    ([name, state]) => [name, endedTaskState(state, now)] as const,
  );
  return { ID, ClientStatus: 'complete', ClientDescription: '', TaskStates: Object.fromEntries(states) };
}

function storedState({ TaskStates }: Allocation, { Name }: Task): StoredTaskState | null {
  return TaskStates !== null && Object.hasOwn(TaskStates, Name) ? (TaskStates[Name] ?? null) : null;
}

/** Whether an earlier run of the agent has brought a task to its end. */
function hasFinished(allocation: Allocation, task: Task): boolean {
  const stored = storedState(allocation, task);
  return stored?.State === 'dead' && !stored.Failed && endsByItself(allocation.Job?.Type ?? '', task);
}

function initialState(allocation: Allocation, task: Task, now: number): TaskState {
  const stored = storedState(allocation, task);
  return hasFinished(allocation, task) ? endedTaskState(stored, now) : resumeTaskState(stored);
}

function groupOf({ Job: job, TaskGroup: name }: Allocation): TaskGroup | null {
  return job?.TaskGroups?.find(({ Name }) => Name === name) ?? null;
}

function describeStates(
  states: readonly TaskState[],
): Pick<AllocationReport, 'ClientStatus' | 'ClientDescription'> {
  if (states.some(({ State, Failed }) => State === 'dead' && Failed)) {
    return { ClientStatus: 'failed', ClientDescription: 'Failed tasks' };
  }
  if (states.every(({ State }) => State === 'dead')) {
    return { ClientStatus: 'complete', ClientDescription: 'All tasks have completed' };
  }
  if (states.some(({ State }) => State === 'running')) {
    return { ClientStatus: 'running', ClientDescription: 'Tasks are running' };
  }
  return { ClientStatus: 'pending', ClientDescription: 'No tasks have started' };
}
