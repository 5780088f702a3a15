import { rmdir } from 'node:fs/promises';
import { kill } from 'node:process';
import { sleep } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { cgroupAt, killCgroup } from './cgroups.js';
import type { TaskProcess, ProcessScan } from './process-scan.js';

/** Identifies a task's processes. */
export interface TaskIdentity {
  /** PID of the first process, which leads a group (setpgid(2)). */
  readonly leader: number;
  /** Directory of its cgroup; null if the agent may not create one. */
  readonly cgroup: string | null;
  readonly allocation: string;
  readonly task: string;
}

export interface TaskProcessDependencies {
  readonly clock: Pick<Clock, 'after'>;
  readonly scan: ProcessScan;
}

/** Number of checks for remaining processes of ended tasks, and the delay between them in ms: two seconds in all. */
const looks = 100;
const pause = 20;

/** Sends a signal to all processes of a task. */
export async function signalTask(
  identity: TaskIdentity,
  signal: NodeJS.Signals,
  { scan }: TaskProcessDependencies,
): Promise<void> {
  const pids = await pidsOf(identity, scan);
  // If the system does not list environments, only the process group is known.
  if (pids.length === 0) sendSignal(-identity.leader, signal);
  for (const pid of pids) sendSignal(pid, signal);
}

/** Sends a signal only to the first process of a task; its children may interpret it differently. */
export function signalLeader({ leader }: Pick<TaskIdentity, 'leader'>, signal: NodeJS.Signals): void {
  sendSignal(leader, signal);
}

/** Kills all processes of a task and waits until they have ended. */
export async function killTask(identity: TaskIdentity, dependencies: TaskProcessDependencies): Promise<void> {
  killTaskNow(identity);
  await endAll(() => pidsOf(identity, dependencies.scan), dependencies);
  if (identity.cgroup !== null) await rmdir(identity.cgroup).catch(() => undefined);
}

/** Kills everything that can be killed synchronously. */
export function killTaskNow({ cgroup, leader }: TaskIdentity): void {
  if (cgroup !== null) killCgroup(cgroup);
  sendSignal(-leader, 'SIGKILL');
}

/** Tasks started and left running by an earlier run of the agent. */
export interface OrphanTasks {
  /** IDs of allocations. */
  readonly allocations: ReadonlySet<string>;
  readonly cgroups: readonly string[];
  /** Leaders of groups. */
  readonly groups: readonly number[];
}

/** Kills the processes and waits until they have ended. Returns their number. */
export async function killTasks(left: OrphanTasks, dependencies: TaskProcessDependencies): Promise<number> {
  const find = async (): Promise<readonly number[]> => {
    const marked = await dependencies.scan();
    const inGroups = await Promise.all(left.cgroups.map((path) => cgroupAt(path).pids()));
    return [
      ...marked.filter(({ allocation }) => left.allocations.has(allocation)).map(pidOf),
      ...inGroups.flat(),
    ];
  };
  const found = new Set([...left.groups, ...(await find())]);
  for (const cgroup of left.cgroups) killCgroup(cgroup);
  for (const leader of left.groups) sendSignal(-leader, 'SIGKILL');
  await endAll(find, dependencies);
  for (const cgroup of left.cgroups) await rmdir(cgroup).catch(() => undefined);
  return found.size;
}

/** Kills processes until none is found. */
async function endAll(
  find: () => Promise<readonly number[]>,
  { clock }: Pick<TaskProcessDependencies, 'clock'>,
): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    const pids = await find();
    if (pids.length === 0) return;
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await sleep(clock, pause);
  }
}

/** Returns the PIDs of a task. The kernel lists those of a cgroup; others are found by their environment. */
async function pidsOf(
  { allocation, cgroup, task }: TaskIdentity,
  scan: ProcessScan,
): Promise<readonly number[]> {
  if (cgroup !== null) return cgroupAt(cgroup).pids();
  const isOfTask = (process: TaskProcess): boolean =>
    process.allocation === allocation && process.task === task;
  return (await scan()).filter(isOfTask).map(pidOf);
}

function pidOf({ pid }: TaskProcess): number {
  return pid;
}

/** @param pid a process, or the negative ID of a group. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    kill(pid, signal);
  } catch {
    // It has already ended, as intended.
  }
}
