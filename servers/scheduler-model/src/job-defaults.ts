import { t } from 'tamis';
import { completeShape } from './complete-shape.js';
import { groupBlocks, networkShape, numaShape, scalingFields, taskBlocks } from './job-blocks.js';
import { jobShape, type JobInput, type Job } from './job.js';
import {
  migrateShape,
  reschedulePolicyShape,
  scalingShape,
  taskGroupShape,
  type TaskGroupInput,
} from './task-group.js';
import { resourcesShape, taskShape, type TaskInput } from './task.js';
import { fieldsOf, type Input } from './row-type.js';

const submittedTaskShape = t.struct({
  ...fieldsOf(taskShape),
  ...taskBlocks,
  Resources: t.nullable(
    t.struct({ ...fieldsOf(resourcesShape), Networks: t.list(networkShape), NUMA: t.nullable(numaShape) }),
  ),
});

const submittedGroupShape = t.struct({
  ...fieldsOf(taskGroupShape),
  ...groupBlocks,
  Scaling: t.nullable(t.struct({ ...fieldsOf(scalingShape), ...scalingFields })),
  Tasks: t.list(submittedTaskShape),
});

const outerJobShape = t.struct({
  ...fieldsOf(jobShape),
  Reschedule: t.nullable(reschedulePolicyShape),
  Migrate: t.nullable(migrateShape),
  NomadTokenID: t.string,
  ConsulToken: t.string,
  VaultToken: t.string,
});

/** A job as it was submitted. */
export type SubmittedJob = Input<typeof outerJobShape>;

/**
 * A job as clients submit it. Two blocks may be set on the job for all its groups, one field has an older name, and secrets of
 * other systems are not stored. Blocks stored as arbitrary JSON have types here, so that mistakes are found.
 */
export const submittedJobShape = t.struct({
  ...fieldsOf(outerJobShape),
  TaskGroups: t.list(submittedGroupShape),
});

const second = 1_000_000_000;
const minute = 60 * second;
const hour = 60 * minute;

const defaultUpdate = {
  Stagger: 30 * second,
  MaxParallel: 1,
  HealthCheck: 'checks',
  MinHealthyTime: 10 * second,
  HealthyDeadline: 5 * minute,
  ProgressDeadline: 10 * minute,
  AutoRevert: false,
  AutoPromote: false,
  Canary: 0,
};
const defaultMigrate = {
  MaxParallel: 1,
  HealthCheck: 'checks',
  MinHealthyTime: 10 * second,
  HealthyDeadline: 5 * minute,
};
const defaultDisk = { Sticky: false, SizeMB: 300, Migrate: false };
const defaultLog = { MaxFiles: 10, MaxFileSizeMB: 10, Disabled: false };
const defaultPeriodic = { Enabled: true, SpecType: 'cron', TimeZone: 'UTC' };

function defaultRestart(type: string): NonNullable<TaskGroupInput['RestartPolicy']> {
  const isLongRunning = type === 'service' || type === 'system';
  return {
    ...(isLongRunning ? { Attempts: 2, Interval: 30 * minute } : { Attempts: 3, Interval: 24 * hour }),
    Delay: 15 * second,
    Mode: 'fail',
    RenderTemplates: false,
  };
}

function defaultReschedule(type: string): TaskGroupInput['ReschedulePolicy'] {
  if (type === 'service') {
    return { Delay: 30 * second, DelayFunction: 'exponential', MaxDelay: hour, Unlimited: true };
  }
  if (type === 'batch') {
    return { Attempts: 1, Interval: 24 * hour, Delay: 5 * second, DelayFunction: 'constant' };
  }
  return undefined;
}

/** The values of a job that its registration determines. */
export interface JobPlace {
  readonly namespace: string;
  readonly region: string;
}

/**
 * Completes a submitted job with the documented defaults. Fields owned by the cluster (status, version, indexes, stamp, parent)
 * start at zero whatever the client sent.
 */
export function completeJob(submitted: SubmittedJob, place: JobPlace): Job {
  const { Reschedule, Migrate, NomadTokenID, ...given } = submitted;
  const type = given.Type || 'service';
  const hasUpdate = isRequested(given.Update) || type === 'service' || type === 'system';
  const update = hasUpdate ? { ...defaultUpdate, ...given.Update } : undefined;
  const job: JobInput = {
    ...given,
    ...ownedByCluster,
    Namespace: place.namespace,
    Region: place.region,
    Type: type,
    Name: given.Name ?? given.ID ?? '',
    Priority: given.Priority ?? 50,
    Datacenters: given.Datacenters ?? ['*'],
    NodePool: given.NodePool || 'default',
    SchedulerTokenID: given.SchedulerTokenID ?? NomadTokenID ?? '',
    ...weighted(given),
    TaskGroups: (given.TaskGroups ?? []).map((group) =>
      completeGroup(group ?? {}, { type, update, reschedule: Reschedule, migrate: Migrate }),
    ),
    Update: update === undefined ? {} : { Stagger: update.Stagger, MaxParallel: update.MaxParallel },
    ...(given.Periodic === undefined ? {} : { Periodic: { ...defaultPeriodic, ...given.Periodic } }),
    ...(given.ParameterizedJob === undefined
      ? {}
      : {
          ParameterizedJob: {
            ...given.ParameterizedJob,
            Payload: given.ParameterizedJob.Payload || 'optional',
          },
        }),
  };
  return completeShape(jobShape, job);
}

interface Weighted {
  readonly Affinities?: JobInput['Affinities'] | undefined;
  readonly Spreads?: JobInput['Spreads'] | undefined;
}

/** Default weight: half the maximum. */
const defaultWeight = 50;

/** Returns the preferences of a job, group or task with default weights. */
function weighted({ Affinities, Spreads }: Weighted): Pick<JobInput, 'Affinities' | 'Spreads'> {
  const withWeight = <T extends { readonly Weight?: number | bigint | undefined }>(one: T | undefined) => ({
    ...one,
    Weight: one?.Weight ?? defaultWeight,
  });
  return {
    ...(Affinities === undefined ? {} : { Affinities: Affinities.map(withWeight) }),
    ...(Spreads === undefined ? {} : { Spreads: Spreads.map(withWeight) }),
  };
}

/** Stored jobs always have this block; it has no effect if all values are zero. */
function isRequested(update: SubmittedJob['Update']): boolean {
  return Object.values(update ?? {}).some((value) => Boolean(value));
}

/** Fields owned by the cluster; values from clients are ignored. */
const ownedByCluster = {
  ParentID: '',
  Dispatched: false,
  Status: '',
  StatusDescription: '',
  Stable: false,
  Version: 0,
  SubmitTime: 0,
  CreateIndex: 0,
  ModifyIndex: 0,
  JobModifyIndex: 0,
} as const;

interface FromJob {
  readonly type: string;
  readonly update: TaskGroupInput['Update'];
  readonly reschedule: TaskGroupInput['ReschedulePolicy'];
  readonly migrate: TaskGroupInput['Migrate'];
}

function completeGroup(group: TaskGroupInput, job: FromJob): TaskGroupInput {
  const Count = group.Count ?? group.Scaling?.Min ?? 1;
  const restart = { ...defaultRestart(job.type), ...group.RestartPolicy };
  const update = merge(job.update ?? (group.Update && defaultUpdate), group.Update);
  const reschedule = merge(merge(defaultReschedule(job.type), job.reschedule), group.ReschedulePolicy);
  const migrate = merge(
    merge(job.type === 'service' ? defaultMigrate : undefined, job.migrate),
    group.Migrate,
  );
  return {
    ...group,
    ...weighted(group),
    Count,
    ...(group.Scaling === undefined ? {} : { Scaling: { Enabled: true, Min: Count, ...group.Scaling } }),
    RestartPolicy: restart,
    EphemeralDisk: { ...defaultDisk, ...group.EphemeralDisk },
    Tasks: (group.Tasks ?? []).map((task) => completeTask(task ?? {}, restart)),
    ...(update === undefined ? {} : { Update: update }),
    ...(reschedule === undefined ? {} : { ReschedulePolicy: reschedule }),
    ...(migrate === undefined ? {} : { Migrate: migrate }),
  };
}

function completeTask(task: TaskInput, restart: NonNullable<TaskInput['RestartPolicy']>): TaskInput {
  const cores = task.Resources?.Cores ?? 0;
  return {
    ...task,
    ...weighted({ Affinities: task.Affinities }),
    // Whole cores and CPU shares exclude each other.
    Resources: { CPU: cores > 0 ? 0 : 100, MemoryMB: 300, ...task.Resources },
    RestartPolicy: { ...restart, ...task.RestartPolicy },
    LogConfig: { ...defaultLog, ...task.LogConfig },
    KillTimeout: task.KillTimeout ?? 5 * second,
  };
}

/** Merges two blocks, the second overriding the first; undefined if both are missing. */
function merge<T extends object>(base: T | undefined, more: T | undefined): T | undefined {
  return base === undefined ? more : more === undefined ? base : { ...base, ...more };
}
