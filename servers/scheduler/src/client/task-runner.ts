import type { Clock } from '../clock.js';
import { DriverError, type RunningTask, type TaskDriver, type TaskExit, type TaskSpec } from './driver.js';
import { createRestartTracker, type RestartPolicy } from './restart-policy.js';
import { withTaskEvent, type TaskState } from './task-events.js';

/** One task of an allocation, ready to be run. */
export interface TaskPlan {
  readonly name: string;
  /** Null when the client has no such driver. */
  readonly driver: TaskDriver | null;
  readonly driverName: string;
  readonly run: TaskSpec;
  readonly restart: RestartPolicy;
  /** Whether ending without an error is the purpose, as it is for batch work. */
  readonly endsByItself: boolean;
  readonly killSignal: string;
  /** Milliseconds. */
  readonly killTimeout: number;
  /** Milliseconds between being told to stop and being stopped. */
  readonly shutdownDelay: number;
}

export interface TaskRunnerDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  /** Where it begins: what an earlier run of the agent has told of it, or nothing. */
  readonly initial: TaskState;
  /** Told of every change. */
  readonly changed: (state: TaskState) => void;
}

/** Runs one task until it is over for good. */
export interface TaskRunner {
  readonly state: TaskState;
  /** Settles when it is over; never rejects. */
  readonly done: Promise<void>;
  /** Ends it, and says why where that is not plain. Calling it again changes nothing. */
  stop(reason?: string): void;
}

/** Starts to run a task, and starts it again as its restart policy says. */
export function startTask(
  plan: TaskPlan,
  { clock, random, initial, changed }: TaskRunnerDependencies,
): TaskRunner {
  const restarts = createRestartTracker(plan.restart, random);
  const stopping = new AbortController();
  let state = initial;
  let running: RunningTask | null = null;

  function update(next: TaskState): void {
    state = next;
    changed(state);
  }

  const note = (type: string, text: string, more: Parameters<typeof withTaskEvent>[4] = {}): TaskState =>
    withTaskEvent(state, clock.now(), type, text, more);

  /** Null when the task could not be started and is not to be tried again. */
  async function runOnce(): Promise<TaskExit | 'again' | null> {
    try {
      if (plan.driver === null) {
        throw new DriverError(`This client has no driver ${JSON.stringify(plan.driverName)}`, false);
      }
      running = await plan.driver.start(plan.run, stopping.signal);
    } catch (error) {
      if (!(error instanceof DriverError)) throw error;
      if (stopping.signal.aborted) return null;
      update(note('Driver Failure', error.message, { FailsTask: !error.isRecoverable }));
      return error.isRecoverable ? 'again' : null;
    }
    update({ ...note('Started', 'Task started by client'), State: 'running', StartedAt: timeOf(clock) });
    if (running.warning !== null) update(note('Driver', running.warning));
    if (stopping.signal.aborted) endRunning();
    const exit = await running.exit;
    running = null;
    update(note('Terminated', describeExit(exit), { ExitCode: exit.code, Signal: exit.signal }));
    return exit;
  }

  async function run(): Promise<void> {
    update(note('Received', 'Task received by client'));
    for (;;) {
      const exit = stopping.signal.aborted ? null : await runOnce();
      if (stopping.signal.aborted) return finish(false);
      if (exit === null) return finish(true);
      if (exit !== 'again' && isSuccess(exit) && plan.endsByItself) return finish(false);
      const decision = restarts.next(clock.now());
      if (decision.kind === 'fail') {
        update(note('Not Restarting', decision.reason, { FailsTask: true }));
        return finish(true);
      }
      update({
        ...note(
          'Restarting',
          `Task restarting in ${(decision.delay / 1_000).toFixed(1)}s: ${decision.reason}`,
        ),
        State: 'pending',
        Restarts: state.Restarts + 1,
        LastRestart: timeOf(clock),
      });
      await pause(decision.delay, clock, stopping.signal);
    }
  }

  function finish(failed: boolean): void {
    update({ ...state, State: 'dead', Failed: failed, FinishedAt: timeOf(clock) });
  }

  function endRunning(): void {
    clock.after(plan.shutdownDelay, () => running?.stop(plan.killSignal, plan.killTimeout));
  }

  return {
    get state() {
      return state;
    },
    done: run(),
    stop(reason = '') {
      if (stopping.signal.aborted || state.State === 'dead') return;
      stopping.abort();
      const what = `Sent interrupt. Waiting ${plan.killTimeout / 1_000}s before force killing`;
      update(note('Killing', reason === '' ? what : `${reason}: ${what}`));
      if (running !== null) endRunning();
    },
  };
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

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Waits, or until the signal is aborted. */
function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}
