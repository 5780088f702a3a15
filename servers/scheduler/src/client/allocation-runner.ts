import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Allocation } from '../model/allocation.js';
import type { Task } from '../model/task.js';
import type { TaskGroup } from '../model/task-group.js';
import { createHealthWatch, type HealthVerdict } from './allocation-health.js';
import { newTaskState, withTaskEvent, type TaskState } from './task-events.js';
import {
  fileName,
  hookOf,
  planTask,
  taskDirectory,
  type TaskHook,
  type TaskSurroundings,
} from './task-plan.js';
import { startTask, type TaskRunner } from './task-runner.js';

/** What a client reports of an allocation. */
export interface AllocationReport extends Partial<HealthVerdict> {
  readonly ID: string;
  readonly ClientStatus: 'pending' | 'running' | 'complete' | 'failed';
  readonly ClientDescription: string;
  readonly TaskStates: Readonly<Record<string, TaskState>>;
}

export interface AllocationRunnerDependencies extends TaskSurroundings {
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
  stop(): void;
}

/** Starts to run an allocation: what comes before the main tasks, those, and what comes behind them. */
export function runAllocation(
  placed: Allocation,
  dependencies: AllocationRunnerDependencies,
): AllocationRunner {
  const { clock, random, changed } = dependencies;
  let allocation = placed;
  const group = groupOf(allocation);
  const tasks = group?.Tasks ?? [];
  const states = new Map<string, TaskState>(tasks.map(({ Name }) => [Name, newTaskState]));
  const runners = new Map<string, TaskRunner>();
  let isStopped = false;
  const health = createHealthWatch({ clock, states: () => states, decided: update });
  let report = makeReport();

  function makeReport(): AllocationReport {
    const all = [...states.values()];
    return {
      ID: allocation.ID,
      ...describeStates(all),
      TaskStates: Object.fromEntries(states),
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
    const plan = planTask(allocation, job, group as TaskGroup, task, dependencies);
    const runner = startTask(plan, {
      clock,
      random,
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

  function stopAll(): void {
    isStopped = true;
    for (const runner of runners.values()) runner.stop();
  }

  const startPhase = (hook: TaskHook): readonly TaskRunner[] =>
    tasks.filter((task) => hookOf(task) === hook).map(start);

  async function run(): Promise<void> {
    await mkdir(join(dependencies.directory, 'logs'), { recursive: true, mode: 0o700 });
    for (const task of tasks) await prepare(task, allocation.Job?.Payload ?? null, dependencies.directory);
    health.follow(allocation);
    const before = isStopped ? [] : startPhase('prestart');
    const ending = tasks.filter((task) => hookOf(task) === 'prestart' && task.Lifecycle?.Sidecar !== true);
    await Promise.all(ending.map(({ Name }) => runners.get(Name)?.done));
    if (!isStopped) {
      const main = startPhase('main');
      const behind = startPhase('poststart');
      await Promise.all(main.map(({ done }) => done));
      for (const runner of [...before, ...behind]) runner.stop();
      await Promise.all([...before, ...behind].map(({ done }) => done));
    } else {
      await Promise.all(before.map(({ done }) => done));
    }
    await Promise.all(startPhase('poststop').map(({ done }) => done));
    neverStarted();
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
  void done.then(() => health.end());
  return {
    get report() {
      return report;
    },
    done,
    update(changed) {
      allocation = changed;
      health.follow(changed);
    },
    stop: stopAll,
  };
}

/** Makes the directory of a task, with what it was dispatched with if it wants that. */
async function prepare(task: Task, payload: string | null, allocationDirectory: string): Promise<void> {
  const directory = taskDirectory(allocationDirectory, task.Name);
  const local = join(directory, 'local');
  await mkdir(local, { recursive: true, mode: 0o700 });
  const file = task.DispatchPayload?.File ?? '';
  if (file === '' || payload === null) return;
  await writeFile(join(local, fileName(file)), Buffer.from(payload, 'base64'), { mode: 0o600 });
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
