import { sleep } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { DriverError, type RunningTask, type TaskDriver, type TaskExit, type TaskSpec } from './driver.js';
import { createRestartTracker, type RestartPolicy, type RestartTracker } from './restart-policy.js';
import { type TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import { withTaskEvent } from './task-events.js';

/** A task of an allocation, ready to run. */
export interface TaskPlan {
  readonly name: string;
  /** Null if the client has no such driver. */
  readonly driver: TaskDriver | null;
  readonly driverName: string;
  readonly run: TaskSpec;
  readonly restart: RestartPolicy;
  /** Whether ending without an error is the purpose, as in batch jobs. */
  readonly endsByItself: boolean;
  readonly killSignal: string;
  /** Time between signal and kill, in ms. */
  readonly killTimeout: number;
  /** Delay between the stop command and the stop, in ms. */
  readonly shutdownDelay: number;
}

export interface TaskRunnerDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  /** The initial state: as an earlier run of the agent left it, or new. */
  readonly initial: TaskState;
  /** Called with every change. */
  readonly changed: (state: TaskState) => void;
}

/** Runs a task and restarts it by its restart policy. */
export function startTask(plan: TaskPlan, dependencies: TaskRunnerDependencies): TaskRunner {
  return new TaskRunner(plan, dependencies);
}

/** Runs one task until it finishes permanently. */
export class TaskRunner {
  /** Settles when it has finished; never rejects. */
  readonly done: Promise<void>;
  readonly #plan: TaskPlan;
  readonly #dependencies: TaskRunnerDependencies;
  readonly #restarts: RestartTracker;
  readonly #stopping = new AbortController();
  #state: TaskState;
  #running: RunningTask | null = null;
  /** Delay before the running program is stopped, in ms. */
  #delay: number;
  /** Whether the running program is being stopped for a restart. */
  #isRestarting = false;

  constructor(plan: TaskPlan, dependencies: TaskRunnerDependencies) {
    this.#plan = plan;
    this.#delay = plan.shutdownDelay;
    this.#dependencies = dependencies;
    this.#restarts = createRestartTracker(plan.restart, dependencies.random);
    this.#state = dependencies.initial;
    this.done = this.#run();
  }

  get state(): TaskState {
    return this.#state;
  }

  /** Stops it, with a reason if that is not obvious. Further calls have no effect. */
  /** @param isAtOnce whether to ignore the `ShutdownDelay` of the task. */
  stop(reason = '', isAtOnce = false): void {
    if (this.#isStopping || this.#state.State === 'dead') return;
    this.#stopping.abort();
    const what = `Sent interrupt. Waiting ${this.#plan.killTimeout / 1_000}s before force killing`;
    this.#update(this.#note('Killing', reason === '' ? what : `${reason}: ${what}`));
    if (isAtOnce) this.#delay = 0;
    if (this.#running !== null) this.#endRunning();
  }

  /** Whether its program runs and is not being stopped. */
  get isRunning(): boolean {
    return this.#running !== null && !this.#isStopping;
  }

  /** Restarts its program immediately, without counting it for the restart policy. */
  restart(reason: string): void {
    if (!this.isRunning || this.#isRestarting) return;
    this.#isRestarting = true;
    this.#update(this.#note('Restart Signaled', reason));
    this.#endRunning();
  }

  /** Sends a signal to its program. */
  signal(signal: NodeJS.Signals): void {
    if (!this.isRunning) return;
    this.#update(this.#note('Signaling', `Task being sent signal ${signal}`));
    this.#running?.signal(signal);
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #now(): string {
    return new Date(this.#dependencies.clock.now()).toISOString();
  }

  async #run(): Promise<void> {
    const isResumed = this.#state.Events.length > 0;
    this.#update(
      isResumed
        ? this.#note('Restored', 'The agent was started again, and so is the task')
        : this.#note('Received', 'Task received by client'),
    );
    for (;;) {
      const exit = this.#isStopping ? null : await this.#runOnce();
      if (this.#isStopping) return this.#finish(false);
      if (exit === null) return this.#finish(true);
      if (this.#isRestarting) {
        this.#isRestarting = false;
        this.#beginAgain('Task restarting in 0s: as a user has requested');
        continue;
      }
      if (exit !== 'again' && isSuccess(exit) && this.#plan.endsByItself) return this.#finish(false);
      if (!(await this.#restart())) return this.#finish(true);
    }
  }

  /** Null if the task could not be started and must not be retried. */
  async #runOnce(): Promise<TaskExit | 'again' | null> {
    const running = await this.#start();
    if (running === null || running === 'again') return running;
    this.#running = running;
    this.#update({
      ...this.#note('Started', 'Task started by client'),
      State: 'running',
      StartedAt: this.#now,
    });
    if (running.warning !== null) this.#update(this.#note('Driver', running.warning));
    if (this.#isStopping) this.#endRunning();
    const exit = await running.exit;
    this.#running = null;
    this.#update(this.#note('Terminated', describeExit(exit), { ExitCode: exit.code, Signal: exit.signal }));
    return exit;
  }

  async #start(): Promise<RunningTask | 'again' | null> {
    const { driver, driverName, run } = this.#plan;
    try {
      if (driver === null) {
        throw new DriverError(`This client has no driver ${JSON.stringify(driverName)}`, false);
      }
      return await driver.start(run, this.#stopping.signal);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      if (this.#isStopping) return null;
      this.#update(this.#note('Driver Failure', error.message, { FailsTask: !error.isRecoverable }));
      return error.isRecoverable ? 'again' : null;
    }
  }

  /** Waits until the task may restart; false if its policy forbids it. */
  async #restart(): Promise<boolean> {
    const { clock } = this.#dependencies;
    const decision = this.#restarts.next(clock.elapsed());
    if (decision.kind === 'fail') {
      this.#update(this.#note('Not Restarting', decision.reason, { FailsTask: true }));
      return false;
    }
    this.#beginAgain(`Task restarting in ${(decision.delay / 1_000).toFixed(1)}s: ${decision.reason}`);
    await sleep(clock, decision.delay, this.#stopping.signal);
    return true;
  }

  #beginAgain(text: string): void {
    this.#update({
      ...this.#note('Restarting', text),
      State: 'pending',
      Restarts: this.#state.Restarts + 1,
      LastRestart: this.#now,
    });
  }

  #endRunning(): void {
    const { killSignal, killTimeout } = this.#plan;
    this.#dependencies.clock.after(this.#delay, () => this.#running?.stop(killSignal, killTimeout));
  }

  #finish(failed: boolean): void {
    this.#update({ ...this.#state, State: 'dead', Failed: failed, FinishedAt: this.#now });
  }

  #note(type: string, text: string, more: Parameters<typeof withTaskEvent>[4] = {}): TaskState {
    return withTaskEvent(this.#state, this.#dependencies.clock.now(), type, text, more);
  }

  #update(next: TaskState): void {
    this.#state = next;
    this.#dependencies.changed(next);
  }
}

function isSuccess({ code, message }: TaskExit): boolean {
  return code === 0 && message === '';
}

function describeExit({ code, signal, message }: TaskExit): string {
  const parts = [
    `Exit Code: ${code}`,
    ...(signal === 0 ? [] : [`Signal: ${signal}`]),
    ...(message === '' ? [] : [`Exit Message: ${JSON.stringify(message)}`]),
  ];
  return parts.join(', ');
}
