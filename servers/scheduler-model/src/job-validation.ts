import { driverConfigWarnings } from './driver-config.js';
import { drain, type Steps } from '@tamis/http';
import { jobTypes, type JobInput, type Job } from './job.js';
import { conditionErrors, conditionLimitErrors, conditionWarnings } from './job-rules/conditions.js';
import { when } from './job-rules/findings.js';
import { groupsErrors } from './job-rules/group.js';
import { launchErrors } from './job-rules/launch.js';
import { promotionWarnings, updateWarnings } from './job-rules/policies.js';
import { metaErrors } from './job-rules/task.js';
import { findUnsupported } from './job-rules/unsupported.js';
import { quote } from './quote.js';

/** Bounds of the priority of jobs and evaluations. */
export const priorityBounds = { min: 1, max: 100 } as const;

/** Maximum number of task groups and tasks per job. Prevents small bodies of empty groups that expand to large jobs. */
const maxParts = 2_000;
/** Maximum length of an ID, in bytes. Prevents IDs too long for URLs and headers: such a job could not be deleted or paged to. */
const maxIdLength = 1_024;

/** Maximum number of networks and services per job. Prevents many empty blocks that slow down each placement. */
const maxBlocks = 5_000;

/** Returns an error if a job is too large to complete and validate; otherwise an empty list. */
export function sizeErrors({ TaskGroups }: JobInput): string[] {
  const groups = TaskGroups ?? [];
  const tasks = groups.flatMap((group) => group?.Tasks ?? []);
  const parts = groups.length + tasks.length;
  const ofGroups = groups.map((group) => lengthOf(group?.Networks) + lengthOf(group?.Services));
  const ofTasks = tasks.map((task) => lengthOf(task?.Resources?.Networks) + lengthOf(task?.Services));
  const blocks = [...ofGroups, ...ofTasks].reduce((sum, length) => sum + length, 0);
  return [
    ...when(parts > maxParts, `Job has ${parts} task groups and tasks, more than ${maxParts}`),
    ...when(blocks > maxBlocks, `Job has ${blocks} networks and services, more than ${maxBlocks}`),
  ];
}

function lengthOf(list: readonly unknown[] | undefined): number {
  return list?.length ?? 0;
}

/** Findings about a completed job, one sentence each, in the order of its fields. */
export interface JobFindings {
  /** Mistakes; empty for a valid job. */
  readonly errors: readonly string[];
  /** Warnings about unsupported features and about probable mistakes. */
  readonly warnings: readonly string[];
}

/** Validates a whole job at once. See {@link examiningJob}. */
export function examineJob(job: Job, now: number): JobFindings {
  return drain(examiningJob(job, now));
}

/**
 * Validates a completed job part by part, because it may have thousands.
 *
 * @param now ms since 1970; the timetable must match after it.
 */
export function* examiningJob(job: Job, now: number): Steps<JobFindings> {
  const tooMany = conditionLimitErrors(job);
  if (tooMany.length > 0) return { errors: tooMany, warnings: [] };
  const ofGroups = yield* groupsErrors(job);
  const { refused, warned } = yield* findUnsupported(job);
  const errors = [
    ...when(job.Region === '', 'Missing job region'),
    ...validateId(job.ID),
    // If the name was derived from the ID, its mistake is reported already.
    ...(job.Name === job.ID && job.ID !== '' ? [] : validateName(job.Name)),
    ...when(job.Namespace === '', 'Job must be in a namespace'),
    ...validateType(job.Type),
    ...validateDatacenters(job),
    ...when((job.TaskGroups ?? []).length === 0, 'Missing job task groups'),
    ...metaErrors(job.Meta),
    ...conditionErrors(job, job.Type),
    ...ofGroups,
    ...launchErrors(job, now),
    ...when(job.Type === '_core', 'job type cannot be core'),
    ...when(job.Payload !== null, "job can't be submitted with a payload, only dispatched"),
    ...when(
      !isPriority(job.Priority),
      `job priority must be between [${priorityBounds.min}, ${priorityBounds.max}]`,
    ),
    ...refused,
  ];
  const warnings = yield* findMistrusted(job);
  return { errors, warnings: [...warned, ...warnings] };
}

/** Returns warnings about probably unintended settings. */
function* findMistrusted(job: Job): Steps<string[]> {
  const warnings = [...promotionWarnings(job), ...conditionWarnings('Job', job, job.Type)];
  for (const [at, group] of (job.TaskGroups ?? []).entries()) {
    const path = `Job.TaskGroups[${at}]`;
    warnings.push(...updateWarnings(path, group), ...conditionWarnings(path, group, job.Type));
    for (const [place, task] of (group.Tasks ?? []).entries()) {
      yield;
      const ofTask = `${path}.Tasks[${place}]`;
      const ofConfig = driverConfigWarnings(task.Driver, task.Config);
      warnings.push(
        ...conditionWarnings(ofTask, task, job.Type),
        ...ofConfig.map((text) => `${ofTask}.${text}`),
      );
    }
  }
  return warnings;
}

export function isPriority(priority: number | bigint): boolean {
  return priority >= priorityBounds.min && priority <= priorityBounds.max;
}

/** Returns mistakes in the ID of a job; empty if it is valid. */
export function validateId(id: string): string[] {
  if (id === '') return ['Missing job ID'];
  if (Buffer.byteLength(id) > maxIdLength) return [`Job ID is longer than ${maxIdLength} bytes`];
  if (id.includes(' ')) return ['Job ID contains a space'];
  // Clients remove such path segments before sending, even escaped (WHATWG URL, dot segments).
  if (id === '.' || id === '..') return [`Job ID is "${id}", which leads elsewhere in every URL`];
  return when(id.includes('\0'), 'Job ID contains a null character');
}

function validateName(name: string): string[] {
  if (name === '') return ['Missing job name'];
  if (Buffer.byteLength(name) > maxIdLength) return [`Job Name is longer than ${maxIdLength} bytes`];
  return when(name.includes('\0'), 'Job Name contains a null character');
}

function validateType(type: string): string[] {
  if (type === '') return ['Missing job type'];
  const known: readonly string[] = [...jobTypes, '_core'];
  return when(!known.includes(type), `Invalid job type: ${quote(type)}`);
}

function validateDatacenters(job: Job): string[] {
  const datacenters = job.Datacenters ?? [];
  if (datacenters.length === 0) return when(job.Multiregion === null, 'Missing job datacenters');
  return when(datacenters.includes(''), 'Job datacenter must be non-empty string');
}
