import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { kill } from 'node:process';
import type { Clock } from '../clock.js';
import { readText, readTexts, requireKnownKeys } from './driver-config.js';
import { DriverError, type RunningTask, type TaskDriver, type TaskExit, type TaskToRun } from './driver.js';
import { forgetProcess, noteProcess } from './process-note.js';
import type { Processes } from '../storage/owner.js';
import { openTaskOutput } from './task-output.js';

/** What raw_exec needs of the agent. */
export interface RawExecOptions {
  /** Whether the operator has allowed it. */
  readonly enabled: boolean;
  readonly clock: Pick<Clock, 'after'>;
  readonly processes: Processes;
  /** The search path for commands; of the agent's environment tasks get nothing else. */
  readonly searchPath: string;
}

/**
 * Runs programs of this machine as they are, with the rights of the agent and without isolation: `command`, `args`.
 * A program gets a process group of its own, so that what it starts is ended with it.
 */
export function createRawExecDriver({ enabled, clock, processes, searchPath }: RawExecOptions): TaskDriver {
  return {
    name: 'raw_exec',
    health: () => ({
      detected: enabled,
      healthy: enabled,
      description: enabled ? 'Healthy' : 'raw_exec is not enabled on this client',
    }),
    async start(task) {
      if (!enabled) throw new DriverError('raw_exec is not enabled on this client', false);
      requireKnownKeys(task.config, ['command', 'args']);
      const command = readText(task.config, 'command', '');
      if (command === '') throw new DriverError('Bad config: command is missing', false);
      const child = await spawnGroup(command, readTexts(task.config, 'args'), task, searchPath);
      const running = follow(child, task, clock);
      if (child.pid !== undefined) await noteProcess(task.directory, child.pid, processes);
      void running.exit.then(() => forgetProcess(task.directory)).catch(() => undefined);
      return running;
    },
  };
}

function spawnGroup(
  command: string,
  args: readonly string[],
  { environment, directory }: TaskToRun,
  searchPath: string,
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: directory,
      env: { PATH: searchPath, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.once('spawn', () => resolve(child));
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ENOENT' ? 'there is no such program' : String(error.code ?? error.message);
      reject(new DriverError(`Cannot start ${JSON.stringify(command)}: ${reason}`, error.code === 'EAGAIN'));
    });
  });
}

function follow(child: ChildProcess, task: TaskToRun, clock: Pick<Clock, 'after'>): RunningTask {
  for (const stream of ['stdout', 'stderr'] as const) {
    const output = openTaskOutput(task.logs, stream);
    // A full disk loses output, not the task: what cannot be kept is read all the same, lest the program blocks.
    output.on('error', () => child[stream]?.resume());
    child[stream]?.pipe(output);
  }
  let isOver = false;
  const exit = new Promise<TaskExit>((resolve) => {
    child.once('exit', (code, signal) => {
      isOver = true;
      // What the program has left behind ends with it.
      signalGroup(child, 'SIGKILL');
      const number = signal === null ? 0 : constants.signals[signal];
      resolve({ code: code ?? 128 + number, signal: number, message: '' });
    });
  });
  return {
    exit,
    stop(signal, killTimeout) {
      if (isOver) return;
      signalGroup(child, signal in constants.signals ? (signal as NodeJS.Signals) : 'SIGINT');
      const cancel = clock.after(killTimeout, () => {
        if (!isOver) signalGroup(child, 'SIGKILL');
      });
      void exit.then(cancel);
    },
  };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalProcesses(pid, signal);
}

/** Sends a signal to a process and to all that it has started. */
export function signalProcesses(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(-pid, signal);
  } catch {
    // The group is gone, which is what was wanted.
  }
}
