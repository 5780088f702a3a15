import { CronError, parseCron } from './cron.js';
import { jobTypes, type GivenJob, type Job } from './job.js';
import type { TaskGroup } from './task-group.js';
import type { Task } from './task.js';

/** Bounds of a job's priority and of an evaluation's. */
export const priorityBounds = { least: 1, most: 100 } as const;

/** Task groups and tasks of one job. Stops small bodies of empty groups, each of which grows to a full one. */
const maxParts = 2_000;
/** Bytes of an ID. Stops IDs that no URL or header can carry: such a job could not be deleted, nor paged to. */
const maxIdLength = 1_024;
/** Timetables of one job. Stops many that never come: each is searched for years ahead. */
const maxSpecs = 100;

/** Whether a job is too large to be completed and looked at at all; empty when it is not. */
export function sizeErrors({ TaskGroups }: GivenJob): string[] {
  const groups = TaskGroups ?? [];
  const parts = groups.reduce((count, group) => count + (group?.Tasks?.length ?? 0), groups.length);
  return parts > maxParts ? [`Job has ${parts} task groups and tasks, more than ${maxParts}`] : [];
}

/** What is wrong with a completed job, one sentence each, in the order of its fields. Empty when nothing is. */
export function validateJob(job: Job): string[] {
  const groups = job.TaskGroups ?? [];
  return [
    ...(job.Region === '' ? ['Missing job region'] : []),
    ...validateId(job.ID),
    ...(job.Name === '' ? ['Missing job name'] : []),
    ...(job.Namespace === '' ? ['Job must be in a namespace'] : []),
    ...validateType(job.Type),
    ...validateDatacenters(job),
    ...(groups.length === 0 ? ['Missing job task groups'] : []),
    ...validateGroups(job, groups),
    ...validateKind(job),
    ...(job.Type === '_core' ? ['job type cannot be core'] : []),
    ...(job.Payload === null ? [] : ["job can't be submitted with a payload, only dispatched"]),
    ...(isPriority(job.Priority)
      ? []
      : [`job priority must be between [${priorityBounds.least}, ${priorityBounds.most}]`]),
  ];
}

export function isPriority(priority: number | bigint): boolean {
  return priority >= priorityBounds.least && priority <= priorityBounds.most;
}

/** Several findings as one text, in the form that clients of the real scheduler know. */
export function listErrors(errors: readonly string[]): string {
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  return `${count} occurred:\n\t${errors.map((error) => `* ${error}`).join('\n\t')}\n\n`;
}

function validateId(id: string): string[] {
  if (id === '') return ['Missing job ID'];
  if (Buffer.byteLength(id) > maxIdLength) return [`Job ID is longer than ${maxIdLength} bytes`];
  if (id.includes(' ')) return ['Job ID contains a space'];
  return id.includes('\0') ? ['Job ID contains a null character'] : [];
}

function validateType(type: string): string[] {
  if (type === '') return ['Missing job type'];
  const known: readonly string[] = [...jobTypes, '_core'];
  return known.includes(type) ? [] : [`Invalid job type: ${JSON.stringify(type)}`];
}

function validateDatacenters(job: Job): string[] {
  const datacenters = job.Datacenters ?? [];
  if (datacenters.length === 0) return job.Multiregion === null ? ['Missing job datacenters'] : [];
  return datacenters.includes('') ? ['Job datacenter must be non-empty string'] : [];
}

function validateGroups(job: Job, groups: readonly TaskGroup[]): string[] {
  const errors = nameErrors(
    groups,
    (place) => `Job task group ${place} missing name`,
    (place, name, first) => `Job task group ${place} redefines '${name}' from group ${first}`,
  );
  for (const { Name, Count } of groups) {
    if (job.Type === 'system' && Count > 1) {
      errors.push(`Job task group ${Name} has count ${Count}. Count cannot exceed 1 with system scheduler`);
    }
  }
  for (const group of groups) {
    const found = validateGroup(group);
    if (found.length > 0) errors.push(`Task group ${group.Name} validation failed: ${listErrors(found)}`);
  }
  return errors;
}

function validateGroup(group: TaskGroup): string[] {
  const tasks = group.Tasks ?? [];
  const errors = [
    ...(group.Count < 0 ? ["Task group count can't be negative"] : []),
    ...(tasks.length === 0 ? ['Missing tasks for task group'] : []),
    ...nameErrors(
      tasks,
      (place) => `Task ${place} missing name`,
      (place, name, first) => `Task ${place} redefines '${name}' from task ${first}`,
    ),
    ...(tasks.filter((task) => task.Leader).length > 1 ? ['Only one task may be marked as leader'] : []),
  ];
  for (const task of tasks) {
    const found = validateTask(task);
    if (found.length > 0) errors.push(`Task ${task.Name} validation failed: ${listErrors(found)}`);
  }
  return errors;
}

function validateTask(task: Task): string[] {
  return [
    ...(task.Name === '' ? ['Missing task name'] : []),
    ...(/[/\\]/.test(task.Name) ? ['Task name cannot include slashes'] : []),
    ...(task.Driver === '' ? ['Missing task driver'] : []),
  ];
}

/** Names that are missing or given twice. Places count from 1. */
function nameErrors(
  named: readonly { readonly Name: string }[],
  missing: (place: number) => string,
  twice: (place: number, name: string, first: number) => string,
): string[] {
  const places = new Map<string, number>();
  const errors: string[] = [];
  for (const [at, { Name }] of named.entries()) {
    const first = places.get(Name);
    if (Name === '') errors.push(missing(at + 1));
    else if (first !== undefined) errors.push(twice(at + 1, Name, first));
    else places.set(Name, at + 1);
  }
  return errors;
}

function validateKind(job: Job): string[] {
  if (job.Type === 'batch' || job.Type === 'sysbatch') return validateTimetable(job);
  const only = 'can only be used with "batch" or "sysbatch" scheduler';
  return [
    ...(job.Periodic?.Enabled === true ? [`Periodic ${only}`] : []),
    ...(job.ParameterizedJob === null ? [] : [`Parameterized job ${only}`]),
  ];
}

/** A timetable that cannot be read would mean a job that never runs. */
function validateTimetable({ Periodic }: Job): string[] {
  if (Periodic === null || !Periodic.Enabled) return [];
  const specs = [Periodic.Spec, ...(Periodic.Specs ?? [])].filter((spec) => spec !== '');
  if (specs.length === 0) return ['Must specify a spec'];
  if (specs.length > maxSpecs) return [`Periodic has ${specs.length} specs, more than ${maxSpecs}`];
  return specs.flatMap((spec) => {
    try {
      parseCron(spec, Periodic.TimeZone);
      return [];
    } catch (error) {
      if (!(error instanceof CronError)) throw error;
      return [`Invalid cron spec ${JSON.stringify(spec)}: ${error.message}`];
    }
  });
}
