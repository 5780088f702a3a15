import type { Task } from '@tamis/scheduler-model/task.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { fileName, logDirectory, taskDirectories } from './allocation-directory.js';
import type { TaskDriver } from './driver.js';
import { interpolateAll } from './interpolation.js';
import type { RestartPolicy } from './restart-policy.js';
import { taskEnvironment, type NodeFacts, type PlacedTask } from './task-environment.js';
import type { TaskPlan } from './task-runner.js';

/** The context in which a client runs tasks. */
export interface TaskContext {
  readonly drivers: ReadonlyMap<string, TaskDriver>;
  /** Directory of the allocation. */
  readonly directory: string;
  readonly node: NodeFacts;
}

/** When a task runs, relative to the main tasks. */
export type TaskHook = 'prestart' | 'main' | 'poststart' | 'poststop';

export function hookOf({ Lifecycle }: Task): TaskHook {
  const hook = Lifecycle?.Hook ?? '';
  return hook === 'prestart' || hook === 'poststart' || hook === 'poststop' ? hook : 'main';
}

/** Whether a task is finished when it ends without an error, as in batch jobs. */
export function endsByItself(jobType: string, task: Task): boolean {
  const isBatch = jobType === 'batch' || jobType === 'sysbatch';
  return (isBatch || hookOf(task) !== 'main') && task.Lifecycle?.Sidecar !== true;
}

/** Converts a task of an allocation to the input of a driver. */
export function planTask(placed: PlacedTask, { directory, drivers, node }: TaskContext): TaskPlan {
  const { allocation, job, group, task } = placed;
  const directories = taskDirectories(directory, task.Name);
  const environment = taskEnvironment(placed, directories, node);
  const logs = task.LogConfig;
  return {
    name: task.Name,
    driverName: task.Driver,
    driver: drivers.get(task.Driver) ?? null,
    run: {
      allocation: allocation.ID,
      name: task.Name,
      config: interpolateAll(task.Config ?? {}, environment.lookup) as Readonly<Record<string, unknown>>,
      user: task.User,
      environment: environment.variables,
      directory: directories.task,
      logs: {
        directory: logs?.Disabled === true ? null : logDirectory(directory),
        name: fileName(task.Name),
        maxFiles: Math.max(1, logs?.MaxFiles === undefined ? 10 : Number(logs.MaxFiles)),
        maxFileBytes:
          Math.max(1, logs?.MaxFileSizeMB === undefined ? 10 : Number(logs.MaxFileSizeMB)) * 1_048_576,
      },
    },
    restart: restartOf(task, group),
    endsByItself: endsByItself(job.Type, task),
    killSignal: task.KillSignal === '' ? 'SIGINT' : task.KillSignal,
    killTimeout: toMilliseconds(task.KillTimeout),
    shutdownDelay: toMilliseconds(task.ShutdownDelay),
  };
}

export function toMilliseconds(nanoseconds: number | bigint): number {
  return Number(nanoseconds) / 1e6;
}

function restartOf(task: Task, group: TaskGroup): RestartPolicy {
  const policy = task.RestartPolicy ?? group.RestartPolicy;
  if (policy === null) return { attempts: 0, interval: 0, delay: 0, mode: 'fail' };
  return {
    attempts: Number(policy.Attempts),
    interval: toMilliseconds(policy.Interval),
    delay: toMilliseconds(policy.Delay),
    mode: policy.Mode === 'delay' ? 'delay' : 'fail',
  };
}
