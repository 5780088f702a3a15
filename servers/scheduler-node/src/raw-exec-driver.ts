import { spawn, type ChildProcess } from 'node:child_process';
import { rmdir } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { createTurnQueue, type EventLoop, type Processes } from '@tamis/http';
import { blockedDirectory, fileName, giveTaskDirectory } from './allocation-directory.js';
import type { Cgroup, Cgroups } from './cgroups.js';
import { configKeys } from '@tamis/scheduler-model/driver-config.js';
import { readText, readTexts, requireKnownKeys } from './driver-config.js';
import { DriverError, type RunningTask, type TaskDriver, type TaskExit, type TaskSpec } from './driver.js';
import { removePidFile, writePidFile } from './pid-file.js';
import { resolveCommand } from './resolve-command.js';
import { planRunAs, type RunAs } from './run-as.js';
import { openTaskOutput } from './task-output.js';
import {
  killTaskNow,
  killTask,
  signalLeader,
  signalTask,
  type TaskProcessDependencies,
  type TaskIdentity,
} from './task-processes.js';
import type { Users } from './users.js';

/** Options and dependencies of raw_exec. */
export interface RawExecOptions extends TaskProcessDependencies {
  /** Whether the operator enabled it. */
  readonly enabled: boolean;
  readonly processes: Processes;
  readonly users: Users;
  /** Null if the agent may not create cgroups. */
  readonly cgroups: Cgroups | null;
  /** Search path for commands. Tasks receive no other variables of the agent. */
  readonly searchPath: string;
  /** Node.js copies its process to start a program, which blocks for some ms: one start per turn. */
  readonly pace: Pick<EventLoop, 'defer'>;
}

/**
 * Runs local programs without isolation, as the task's user or the agent's: `command`, `args`. Processes that a program starts
 * are ended with it. They are identified by cgroup, otherwise by environment and process group.
 */
export function createRawExecDriver(options: RawExecOptions): TaskDriver {
  const { cgroups, enabled, pace, processes, searchPath, users } = options;
  const running = new Set<TaskIdentity>();
  const turnToStart = createTurnQueue(pace);

  async function run(task: TaskSpec, stopping: AbortSignal): Promise<RunningTask> {
    const { command, args } = readProgram(task);
    const path = task.environment['PATH'] ?? searchPath;
    const file = await resolveCommand(command, path, task.directory);
    const runAs = await planRunAs(task.user, users, path);
    const warning = await prepareDirectory(task, runAs);
    const created = cgroups?.create(`${task.allocation}.${fileName(task.name)}`);
    const cgroup = (await created?.catch(() => null)) ?? null;
    await turnToStart();
    if (stopping.aborted) {
      if (cgroup !== null) await rmdir(cgroup.path).catch(() => undefined);
      throw new DriverError('stopped before it began', false);
    }
    const words = [...runAs.prefix, file, ...args];
    const program = await startProgram(words, command, { task, runAs, path, cgroup });
    const identity: TaskIdentity = {
      leader: program.pid,
      cgroup: program.cgroup?.path ?? null,
      allocation: task.allocation,
      task: task.name,
    };
    running.add(identity);
    const followed = follow(program.child, identity, task, options, () => running.delete(identity));
    await writePidFile(task.directory, identity, processes);
    program.release();
    return { ...followed, warning };
  }

  return {
    name: 'raw_exec',
    health: () => ({
      detected: enabled,
      healthy: enabled,
      description: enabled ? 'Healthy' : 'raw_exec is not enabled on this client',
    }),
    async start(task, stopping) {
      if (!enabled) throw new DriverError('raw_exec is not enabled on this client', false);
      return run(task, stopping);
    },
    abandon() {
      for (const identity of running) killTaskNow(identity);
    },
  };
}

/** @throws DriverError */
function readProgram({ config }: TaskSpec): { readonly command: string; readonly args: readonly string[] } {
  requireKnownKeys(config, configKeys('raw_exec'));
  const command = readText(config, 'command', '');
  if (command === '') throw new DriverError('Bad config: command is missing', false);
  return { command, args: readTexts(config, 'args') };
}

/** Gives the user of a task access to its directory. Returns an error message if that is not possible. */
async function prepareDirectory({ directory }: TaskSpec, { user }: RunAs): Promise<string | null> {
  if (user === null) return null;
  await giveTaskDirectory(directory, user);
  const blocked = await blockedDirectory(directory, user);
  if (blocked === null) return null;
  return `User ${JSON.stringify(user.name)} cannot reach the files of this task by their path: ${blocked} is closed to others`;
}

interface Surroundings {
  readonly task: TaskSpec;
  readonly runAs: RunAs;
  readonly path: string;
  readonly cgroup: Cgroup | null;
}

/** Waits until the agent has added the process to its cgroup. If the agent ends first, the program never starts. */
const gate = ['/bin/sh', '-c', 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"', 'sh'];

async function startProgram(
  words: readonly string[],
  command: string,
  { task, runAs, path, cgroup }: Surroundings,
) {
  const isGated = cgroup !== null;
  const [file = '', ...args] = isGated ? [...gate, ...words] : words;
  const child = await spawnProgram(file, args, command, { task, runAs, path, isGated });
  // A spawned child has a PID.
  const pid = child.pid ?? 0;
  const isInGroup = await cgroup?.add(pid).then(
    () => true,
    () => false,
  );
  if (cgroup !== null && isInGroup !== true) await rmdir(cgroup.path).catch(() => undefined);
  return {
    child,
    pid,
    /** Null if it could not be added to its cgroup. */
    cgroup: isInGroup === true ? cgroup : null,
    /** Lets the program start. */
    release(): void {
      const door = child.stdio[3] as Writable | undefined;
      // It may have ended already.
      door?.on('error', () => undefined);
      door?.end('go\n');
    },
  };
}

function spawnProgram(
  file: string,
  args: readonly string[],
  command: string,
  { task, runAs, path, isGated }: Omit<Surroundings, 'cgroup'> & { readonly isGated: boolean },
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = ({ code, message }: NodeJS.ErrnoException): void => {
      const reason = code === undefined || code.startsWith('ERR_') ? message : code;
      reject(new DriverError(`Cannot start ${JSON.stringify(command)}: ${reason}`, code === 'EAGAIN'));
    };
    try {
      const child = spawn(file, args, {
        cwd: task.directory,
        env: { PATH: path, ...task.environment },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', ...(isGated ? ['pipe' as const] : [])],
        ...runAs.ids,
      });
      child.once('spawn', () => resolve(child));
      child.once('error', refuse);
    } catch (error) {
      // An argument or variable contains a zero byte.
      refuse(error as NodeJS.ErrnoException);
    }
  });
}

function follow(
  child: ChildProcess,
  identity: TaskIdentity,
  task: TaskSpec,
  options: RawExecOptions,
  ended: () => void,
): Pick<RunningTask, 'exit' | 'signal' | 'stop'> {
  for (const stream of ['stdout', 'stderr'] as const) {
    const output = openTaskOutput(task.logs, stream);
    // A full disk loses output but does not fail the task. The output is still read, so that the program does not block.
    output.on('error', () => child[stream]?.resume());
    child[stream]?.pipe(output);
  }
  let shouldYield = false;

  /** Kills the remaining processes of the program. */
  async function clear(): Promise<void> {
    shouldYield = true;
    await killTask(identity, options);
    await removePidFile(task.directory).catch(() => undefined);
    ended();
  }

  const exit = new Promise<TaskExit>((resolve) => {
    child.once('exit', (code, signal) => {
      const number = signal === null ? 0 : constants.signals[signal];
      void clear().then(() => resolve({ code: code ?? 128 + number, signal: number, message: '' }));
    });
  });
  return {
    exit,
    signal(signal) {
      if (!shouldYield) signalLeader(identity, signal);
    },
    stop(signal, killTimeout) {
      if (shouldYield) return;
      void signalTask(identity, signal in constants.signals ? (signal as NodeJS.Signals) : 'SIGINT', options);
      const cancel = options.clock.after(
        killTimeout,
        () => void (shouldYield || killTask(identity, options)),
      );
      void exit.then(cancel);
    },
  };
}
