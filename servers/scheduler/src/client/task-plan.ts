import { join } from 'node:path';
import type { Allocation } from '../model/allocation.js';
import type { Job } from '../model/job.js';
import type { Task } from '../model/task.js';
import type { TaskGroup } from '../model/task-group.js';
import type { TaskDriver } from './driver.js';
import type { RestartPolicy } from './restart-policy.js';
import type { TaskPlan } from './task-runner.js';

/** What a client knows of itself when it runs tasks. */
export interface TaskSurroundings {
  readonly drivers: ReadonlyMap<string, TaskDriver>;
  /** The directory of the allocation. */
  readonly directory: string;
  readonly node: NodeFacts;
}

/** What tasks may refer to as `${node.…}`, `${attr.…}` and `${meta.…}`. */
export interface NodeFacts {
  readonly id: string;
  readonly name: string;
  readonly datacenter: string;
  readonly region: string;
  readonly nodeClass: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly meta: ReadonlyMap<string, string>;
}

/** When a task runs, relative to the main ones. */
export type TaskHook = 'prestart' | 'main' | 'poststart' | 'poststop';

export function hookOf({ Lifecycle }: Task): TaskHook {
  const hook = Lifecycle?.Hook ?? '';
  return hook === 'prestart' || hook === 'poststart' || hook === 'poststop' ? hook : 'main';
}

/** Reads a task of an allocation into what a driver needs. */
export function planTask(
  allocation: Allocation,
  job: Job,
  group: TaskGroup,
  task: Task,
  surroundings: TaskSurroundings,
): TaskPlan {
  const directory = taskDirectory(surroundings.directory, task.Name);
  const environment = environmentOf(allocation, job, group, task, surroundings);
  const expand = expander(environment, surroundings.node);
  const isBatch = job.Type === 'batch' || job.Type === 'sysbatch';
  const isSidecar = task.Lifecycle?.Sidecar === true;
  const logs = task.LogConfig;
  return {
    name: task.Name,
    driverName: task.Driver,
    driver: surroundings.drivers.get(task.Driver) ?? null,
    run: {
      id: `${allocation.ID}/${task.Name}`,
      config: expandAll(task.Config ?? {}, expand) as Readonly<Record<string, unknown>>,
      environment: { ...environment, ...(expandAll(task.Env ?? {}, expand) as Record<string, string>) },
      directory,
      logs: {
        directory: logs?.Disabled === true ? null : join(surroundings.directory, 'logs'),
        name: fileName(task.Name),
        maxFiles: Math.max(1, logs?.MaxFiles === undefined ? 10 : Number(logs.MaxFiles)),
        maxFileBytes:
          Math.max(1, logs?.MaxFileSizeMB === undefined ? 10 : Number(logs.MaxFileSizeMB)) * 1_048_576,
      },
    },
    restart: restartOf(task, group),
    endsByItself: (isBatch || hookOf(task) !== 'main') && !isSidecar,
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

/** What every task finds in its environment. */
function environmentOf(
  allocation: Allocation,
  job: Job,
  group: TaskGroup,
  task: Task,
  { directory, node }: TaskSurroundings,
): Readonly<Record<string, string>> {
  const meta = Object.entries({ ...job.Meta, ...group.Meta, ...task.Meta });
  const index = /\[(\d+)\]$/.exec(allocation.Name)?.[1] ?? '0';
  return {
    SCHEDULER_ALLOC_ID: allocation.ID,
    SCHEDULER_SHORT_ALLOC_ID: allocation.ID.slice(0, 8),
    SCHEDULER_ALLOC_NAME: allocation.Name,
    SCHEDULER_ALLOC_INDEX: index,
    SCHEDULER_ALLOC_DIR: directory,
    SCHEDULER_TASK_DIR: taskDirectory(directory, task.Name),
    SCHEDULER_JOB_ID: job.ID,
    SCHEDULER_JOB_NAME: job.Name,
    SCHEDULER_NAMESPACE: job.Namespace,
    SCHEDULER_GROUP_NAME: group.Name,
    SCHEDULER_TASK_NAME: task.Name,
    SCHEDULER_REGION: node.region,
    SCHEDULER_DC: node.datacenter,
    SCHEDULER_CPU_LIMIT: String(task.Resources?.CPU ?? 0),
    SCHEDULER_MEMORY_LIMIT: String(task.Resources?.MemoryMB ?? 0),
    ...Object.fromEntries(
      meta.map(([name, value]) => [
        `SCHEDULER_META_${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`,
        value,
      ]),
    ),
  };
}

/** Replaces `${node.unique.id}`, `${attr.kernel.name}`, `${meta.rack}` and `${NAME}`; what is not known stays. */
function expander(environment: Readonly<Record<string, string>>, node: NodeFacts): (text: string) => string {
  const facts = new Map([
    ['node.unique.id', node.id],
    ['node.unique.name', node.name],
    ['node.datacenter', node.datacenter],
    ['node.region', node.region],
    ['node.class', node.nodeClass],
  ]);
  const find = (name: string): string | undefined => {
    if (name.startsWith('attr.')) return node.attributes.get(name.slice('attr.'.length));
    if (name.startsWith('meta.')) return node.meta.get(name.slice('meta.'.length));
    const variable = name.startsWith('env.') ? name.slice('env.'.length) : name;
    return facts.get(name) ?? (Object.hasOwn(environment, variable) ? environment[variable] : undefined);
  };
  return (text) => text.replace(/\$\{([^}]{1,200})\}/g, (whole, name: string) => find(name.trim()) ?? whole);
}

function expandAll(value: unknown, expand: (text: string) => string): unknown {
  if (typeof value === 'string') return expand(value);
  if (Array.isArray(value)) return value.map((item: unknown) => expandAll(item, expand));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandAll(item, expand)]));
}

/** The directory of a task below that of its allocation. */
export function taskDirectory(directory: string, name: string): string {
  return join(directory, fileName(name));
}

/** Names come from whoever registers jobs: as part of a path they must not lead anywhere else. */
export function fileName(name: string): string {
  const safe = encodeURIComponent(name === '.' || name === '..' ? name.replaceAll('.', '_') : name);
  return safe.slice(0, 200);
}
