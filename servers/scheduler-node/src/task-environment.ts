import type { AllocatedResources } from '@tamis/scheduler-model/allocated-resources.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Task } from '@tamis/scheduler-model/task.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { cleanName, interpolate, type VariableLookup } from './interpolation.js';
import { portVariables } from './port-variables.js';

/** Paths of a task's directories, as it sees them. */
export interface TaskDirectories {
  /** Directory shared by the tasks of the allocation. */
  readonly alloc: string;
  /** The task's working files. */
  readonly local: string;
  /** The task's secrets, which only it may read. */
  readonly secrets: string;
}

/** Node properties that tasks can reference. */
export interface NodeFacts {
  readonly id: string;
  readonly name: string;
  readonly datacenter: string;
  readonly region: string;
  readonly nodeClass: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly meta: ReadonlyMap<string, string>;
}

/** A task with its allocation and node. */
export interface PlacedTask {
  readonly allocation: Allocation;
  readonly job: Job;
  readonly group: TaskGroup;
  readonly task: Task;
}

/** The environment of a task, and the function that expands references such as `${SCHEDULER_ALLOC_ID}` in its configuration. */
export interface TaskEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly lookup: VariableLookup;
}

/** Prefixes of variables. Programs written for Nomad find the names they expect. */
const prefixes = ['SCHEDULER_', 'NOMAD_'] as const;

/** Variables that identify the processes of a task; `Env` cannot override them. */
export const markers = Object.freeze({ allocation: 'SCHEDULER_ALLOC_ID', task: 'SCHEDULER_TASK_NAME' });

/**
 * Creates the environment of a task: its identity, resources and meta, then its own `Env` with expanded references. Unknown
 * references are kept.
 */
export function taskEnvironment(
  placed: PlacedTask,
  directories: TaskDirectories,
  node: NodeFacts,
): TaskEnvironment {
  const { allocation, job, group, task } = placed;
  const facts = nodeReferences(node);
  const values = {
    ...identityVariables(placed, node),
    ...limitVariables(allocation, task),
    ALLOC_DIR: directories.alloc,
    TASK_DIR: directories.local,
    SECRETS_DIR: directories.secrets,
    ...portVariables(allocation, task.Name),
  };
  const variables = new Map(Object.entries(values).flatMap(underEachPrefix));
  const fixed = [markers.allocation, markers.task].map((name) => [name, variables.get(name) ?? ''] as const);
  const lookup: VariableLookup = (name) => facts.get(name) ?? variables.get(name);
  const added = [
    ...metaVariables(job, { ...job.Meta, ...group.Meta, ...task.Meta }).flatMap(underEachPrefix),
    ...Object.entries(task.Env ?? {}),
  ];
  for (const [name, value] of added) variables.set(name, interpolate(value, lookup));
  for (const [name, value] of fixed) variables.set(name, value);
  return { variables: Object.fromEntries(variables), lookup };
}

function underEachPrefix([name, value]: readonly [string, string]): readonly (readonly [string, string])[] {
  return prefixes.map((prefix) => [`${prefix}${name}`, value] as const);
}

function identityVariables(
  { allocation, job, group, task }: PlacedTask,
  node: NodeFacts,
): Readonly<Record<string, string>> {
  return {
    ALLOC_ID: allocation.ID,
    SHORT_ALLOC_ID: allocation.ID.slice(0, 8),
    ALLOC_NAME: allocation.Name,
    ALLOC_INDEX: /\[(\d+)\]$/.exec(allocation.Name)?.[1] ?? '0',
    JOB_ID: job.ID,
    JOB_NAME: job.Name,
    ...(job.ParentID === '' ? {} : { JOB_PARENT_ID: job.ParentID }),
    NAMESPACE: job.Namespace,
    GROUP_NAME: group.Name,
    TASK_NAME: task.Name,
    REGION: node.region,
    DC: node.datacenter,
  };
}

/** Resources allocated to the task, in MHz and MB; the requested ones if the row has none. */
function limitVariables({ AllocatedResources }: Allocation, task: Task): Readonly<Record<string, string>> {
  const given = (AllocatedResources as Partial<AllocatedResources> | null)?.Tasks?.[task.Name];
  const memoryMax = Number(given?.Memory?.MemoryMaxMB ?? task.Resources?.MemoryMaxMB ?? 0);
  const cores = given?.Cpu?.ReservedCores ?? [];
  return {
    CPU_LIMIT: String(given?.Cpu?.CpuShares ?? task.Resources?.CPU ?? 0),
    MEMORY_LIMIT: String(given?.Memory?.MemoryMB ?? task.Resources?.MemoryMB ?? 0),
    ...(memoryMax > 0 ? { MEMORY_MAX_LIMIT: String(memoryMax) } : {}),
    ...(cores.length > 0 ? { CPU_CORES: cores.join(',') } : {}),
  };
}

/** Returns `META_` variables with each key unchanged and in capitals. Omitted optional keys of a dispatched job are empty. */
function metaVariables(
  { Dispatched, ParameterizedJob }: Job,
  meta: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  const optional = Dispatched ? (ParameterizedJob?.MetaOptional ?? []) : [];
  const values = new Map([...optional.map((key) => [key, ''] as const), ...Object.entries(meta)]);
  return [...values].flatMap(([key, value]) =>
    [key.toUpperCase(), key].map((name) => [`META_${cleanName(name)}`, value] as const),
  );
}

function nodeReferences(node: NodeFacts): ReadonlyMap<string, string> {
  return new Map([
    ...[...node.attributes].map(([key, value]) => [`attr.${key}`, value] as const),
    ...[...node.meta].map(([key, value]) => [`meta.${key}`, value] as const),
    ['node.unique.id', node.id],
    ['node.unique.name', node.name],
    ['node.datacenter', node.datacenter],
    ['node.region', node.region],
    ['node.class', node.nodeClass],
  ]);
}
