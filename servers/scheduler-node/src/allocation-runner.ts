import { groupOf, type Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Task } from '@tamis/scheduler-model/task.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { makeAllocationDirectory } from './allocation-directory.js';
import { createHealthWatch, type HealthVerdict, type HealthWatch } from './allocation-health.js';
import { networkStatusOf, type NetworkStatus } from './network-status.js';
import { createRunTimer, type RunTimer } from './run-timer.js';
import { type TaskCommand } from './task-commands.js';
import { type TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import {
  endedTaskState,
  newTaskState,
  resumeTaskState,
  withTaskEvent,
  type StoredTaskState,
} from './task-events.js';
import { endsByItself, hookOf, planTask, type TaskHook, type TaskContext } from './task-plan.js';
import { startTask, type TaskRunner, type TaskRunnerDependencies } from './task-runner.js';
import { badRequest, reasonOf } from '@tamis/scheduler-model/base/errors.js';

/** A client's report about an allocation. */
export interface AllocationReport extends Partial<HealthVerdict> {
  readonly ID: string;
  readonly ClientStatus: 'pending' | 'running' | 'complete' | 'failed';
  readonly ClientDescription: string;
  readonly TaskStates: Readonly<Record<string, TaskState>>;
  readonly NetworkStatus?: NetworkStatus;
}

export interface AllocationRunnerDependencies
  extends TaskContext, Pick<TaskRunnerDependencies, 'clock' | 'random'> {
  /** Called with every change. */
  readonly changed: (report: AllocationReport) => void;
}

/** Description of an allocation that ran too long. */
const tookTooLong = 'allocation exceeded max_run_duration';

/**
 * Starts an allocation: its prestart tasks, its main tasks, and the tasks after them. Does not repeat tasks that succeeded in an
 * earlier run of the agent.
 */
export function runAllocation(
  placed: Allocation,
  dependencies: AllocationRunnerDependencies,
): AllocationRunner {
  return new AllocationRunner(placed, dependencies);
}

/** Runs the tasks of one allocation. */
export class AllocationRunner {
  /** Settles when the whole allocation has finished; never rejects. */
  readonly done: Promise<void>;
  readonly #dependencies: AllocationRunnerDependencies;
  readonly #tasks: readonly Task[];
  /** Names of tasks finished in an earlier run of the agent. */
  readonly #finished: ReadonlySet<string>;
  readonly #states: Map<string, TaskState>;
  readonly #runners = new Map<string, TaskRunner>();
  readonly #health: HealthWatch;
  readonly #timer: RunTimer;
  readonly #network: NetworkStatus | null;
  #allocation: Allocation;
  #report: AllocationReport;
  #isStopped: boolean;
  #isSuspended = false;
  #isTooLong = false;

  constructor(placed: Allocation, dependencies: AllocationRunnerDependencies) {
    const { clock } = dependencies;
    this.#dependencies = dependencies;
    this.#allocation = placed;
    this.#tasks = groupOf(placed)?.Tasks ?? [];
    this.#finished = new Set(this.#tasks.filter((task) => hasFinished(placed, task)).map(({ Name }) => Name));
    this.#states = new Map(this.#tasks.map((task) => [task.Name, initialState(placed, task, clock.now())]));
    const address = dependencies.node.attributes.get('unique.network.ip-address') ?? null;
    this.#network = networkStatusOf(placed, address);
    this.#isStopped = this.#tasks.some(({ Leader, Name }) => Leader && this.#finished.has(Name));
    const states = (): ReadonlyMap<string, TaskState> => this.#states;
    this.#health = createHealthWatch({ clock, states, decided: () => this.#publish() });
    this.#timer = createRunTimer({ clock, exceeded: () => this.#endTooLong() });
    this.#report = this.#describe();
    this.done = this.#run().catch((error: unknown) => this.#fail(error));
    void this.done.then(() => {
      this.#health.end();
      this.#timer.end();
    });
  }

  get report(): AllocationReport {
    return this.#report;
  }

  /** Applies changes from the servers: a new version of its job, a new deployment. */
  update(changed: Allocation): void {
    this.#allocation = changed;
    this.#health.follow(changed);
    this.#timer.follow(changed);
    this.#report = this.#describe();
  }

  /** Sends a command to its tasks. @throws SchedulerError `bad-request` if they do not run */
  command(command: TaskCommand): void {
    for (const runner of this.#commanded(command)) {
      if (command.kind === 'signal') runner.signal(command.signal);
      else runner.restart(restartReason(command));
    }
  }

  /** Stops it permanently, then runs its poststop tasks. @param isAtOnce whether to ignore `ShutdownDelay`. */
  stop(isAtOnce = false): void {
    this.#stopAll('', isAtOnce);
  }

  /** Stops its tasks because the agent stops; they restart with the agent. */
  suspend(): void {
    this.#isSuspended = true;
    this.#stopAll();
  }

  async #run(): Promise<void> {
    const { directory } = this.#dependencies;
    await makeAllocationDirectory(directory, this.#tasks, this.#allocation.Job?.Payload ?? null);
    this.#health.follow(this.#allocation);
    this.#timer.follow(this.#allocation);
    const before = this.#isStopped ? [] : this.#startPhase('prestart');
    await this.#endOfPrestart();
    if (!this.#isStopped) {
      const main = this.#startPhase('main');
      const poststart = this.#startPhase('poststart');
      await allDone(main);
      for (const runner of [...before, ...poststart]) runner.stop();
      await allDone([...before, ...poststart]);
    } else {
      await allDone(before);
    }
    if (!this.#isSuspended && !this.#isTooLong) await allDone(this.#startPhase('poststop'));
    if (!this.#isSuspended) this.#markNeverStarted();
  }

  /** Returns the tasks that a command affects. @throws SchedulerError `bad-request` */
  #commanded(command: TaskCommand): readonly TaskRunner[] {
    const { task } = command;
    const names = [...this.#states.keys()];
    const quoted = names.map((name) => quote(name)).join(', ');
    if (task !== null && !names.includes(task))
      throw badRequest(`unknown task name ${quote(task)}, there is ${quoted}`);
    const isRunning = (name: string): boolean => this.#runners.get(name)?.isRunning === true;
    const running = (task === null ? names : [task]).filter(isRunning);
    if (running.length === 0) {
      throw badRequest(task === null ? 'No task of the allocation runs' : `Task ${quote(task)} does not run`);
    }
    if (command.kind === 'restart' && command.isForAll && running.length < names.length) {
      const others = names.filter((name) => !isRunning(name)).map((name) => quote(name));
      const text = `AllTasks would start tasks that do not run (${others.join(', ')}), which is not built`;
      throw badRequest(`${text}: leave it out to restart those that do`);
    }
    return running.flatMap((name) => this.#runners.get(name) ?? []);
  }

  #startPhase(hook: TaskHook): readonly TaskRunner[] {
    return this.#tasks
      .filter((task) => hookOf(task) === hook && !this.#finished.has(task.Name))
      .map((task) => this.#start(task));
  }

  /** Resolves when the prestart tasks that must end before the main tasks have ended. Sidecars keep running. */
  async #endOfPrestart(): Promise<void> {
    const ending = this.#tasks.filter(
      (task) => hookOf(task) === 'prestart' && task.Lifecycle?.Sidecar !== true,
    );
    await allDone(ending.flatMap(({ Name }) => this.#runners.get(Name) ?? []));
  }

  #start(task: Task): TaskRunner {
    const { clock, random } = this.#dependencies;
    // The group was found through the job, so the job exists.
    const { Job: job } = this.#allocation as Allocation & { Job: NonNullable<Allocation['Job']> };
    const group = groupOf(this.#allocation) as TaskGroup;
    const plan = planTask({ allocation: this.#allocation, job, group, task }, this.#dependencies);
    const runner = startTask(plan, {
      clock,
      random,
      initial: this.#states.get(task.Name) ?? newTaskState,
      changed: (state) => this.#taskChanged(task, state),
    });
    this.#runners.set(task.Name, runner);
    return runner;
  }

  #taskChanged(task: Task, state: TaskState): void {
    this.#states.set(task.Name, state);
    this.#publish();
    if (state.State !== 'dead') return;
    // A failed task, or a leader that ends, stops all tasks of the allocation.
    if ((state.Failed || task.Leader) && hookOf(task) !== 'poststop') this.#stopAll();
  }

  #stopAll(reason?: string, isAtOnce?: boolean): void {
    this.#isStopped = true;
    for (const runner of this.#runners.values()) runner.stop(reason, isAtOnce);
  }

  #endTooLong(): void {
    this.#isTooLong = true;
    const now = this.#dependencies.clock.now();
    for (const [name, state] of this.#states) {
      if (this.#runners.has(name) || state.State === 'dead') continue;
      this.#states.set(name, withTaskEvent(state, now, 'Killing', tookTooLong));
    }
    this.#stopAll(tookTooLong);
  }

  /** Marks tasks that never started as finished. */
  #markNeverStarted(): void {
    for (const [name, state] of this.#states) {
      if (state.State !== 'dead') this.#states.set(name, { ...state, State: 'dead' });
    }
    this.#publish();
  }

  #fail(error: unknown): void {
    const text = reasonOf(error);
    const now = this.#dependencies.clock.now();
    for (const [name, state] of this.#states) {
      const failed = withTaskEvent(state, now, 'Setup Failure', text, { FailsTask: true });
      this.#states.set(name, { ...failed, State: 'dead', Failed: true });
    }
    this.#stopAll();
    this.#publish();
  }

  #publish(): void {
    this.#report = this.#describe();
    this.#dependencies.changed(this.#report);
  }

  #describe(): AllocationReport {
    const described = describeStates([...this.#states.values()]);
    return {
      ID: this.#allocation.ID,
      ...described,
      ...(this.#isTooLong && described.ClientStatus === 'complete' ? { ClientDescription: tookTooLong } : {}),
      TaskStates: Object.fromEntries(this.#states),
      ...(this.#network === null ? {} : { NetworkStatus: this.#network }),
      ...this.#health.verdict,
    };
  }
}

/** Returns the message of a restart event, as in the original scheduler. */
function restartReason({ isForAll, task }: Extract<TaskCommand, { kind: 'restart' }>): string {
  if (task !== null) return 'User requested task to restart';
  return isForAll ? 'User requested all tasks to restart' : 'User requested running tasks to restart';
}

async function allDone(runners: readonly TaskRunner[]): Promise<void> {
  await Promise.all(runners.map(({ done }) => done));
}

/** Returns the last report of an allocation that no longer runs, whatever the state of its tasks. */
export function endedReport({ ID, TaskStates }: Allocation, now: number): AllocationReport {
  const states = Object.entries(TaskStates ?? {}).map(
    ([name, state]) => [name, endedTaskState(state, now)] as const,
  );
  return { ID, ClientStatus: 'complete', ClientDescription: '', TaskStates: Object.fromEntries(states) };
}

function storedState({ TaskStates }: Allocation, { Name }: Task): StoredTaskState | null {
  return TaskStates !== null && Object.hasOwn(TaskStates, Name) ? (TaskStates[Name] ?? null) : null;
}

/** Whether an earlier run of the agent has finished a task. */
function hasFinished(allocation: Allocation, task: Task): boolean {
  const stored = storedState(allocation, task);
  return stored?.State === 'dead' && !stored.Failed && endsByItself(allocation.Job?.Type ?? '', task);
}

function initialState(allocation: Allocation, task: Task, now: number): TaskState {
  const stored = storedState(allocation, task);
  return hasFinished(allocation, task) ? endedTaskState(stored, now) : resumeTaskState(stored);
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
