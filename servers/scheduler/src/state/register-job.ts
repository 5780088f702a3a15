import { SchedulerError } from '../errors.js';
import { completeShape } from '../model/complete-shape.js';
import { evaluationShape, type GivenEvaluation } from '../model/evaluation.js';
import type { Intern } from '../model/intern.js';
import { jobKey, type Job } from '../model/job.js';
import { summariseJob } from '../model/job-summary.js';
import { listErrors, validateJob } from '../model/job-validation.js';
import { isSameSpec } from '../model/same-spec.js';
import { prefixRange, scanRows, wholeRange } from './ordered.js';
import { jobVersionPrefix } from './tables.js';
import type { Transaction } from './transaction.js';

/** A job to be registered, completed with its defaults, and how. */
export interface Registration {
  readonly job: Job;
  /** Compare and set: the JobModifyIndex that the stored job must have, 0 for none stored. Null: no condition. */
  readonly enforceIndex: number | bigint | null;
  /** The priority of the evaluation; null for that of the job. */
  readonly evalPriority: number | null;
}

export interface Registered {
  /** Empty for jobs that are started by time or by dispatch. */
  readonly evalId: string;
  readonly evalCreateIndex: number;
  readonly jobModifyIndex: number | bigint;
  readonly index: number | bigint;
}

export interface RegisterDependencies {
  /** Nanoseconds. */
  readonly stamp: () => bigint;
  readonly uuid: () => string;
  readonly intern: Intern;
}

/** Versions of a job that are kept, the current one included. */
const keptVersions = 6;

/**
 * Registers a job: a new one, a new version of one, or, when nothing in it changed, only a new evaluation of it.
 *
 * @throws SchedulerError `invalid-job` or `enforce-index`.
 */
export function registerJob(
  transaction: Transaction,
  registration: Registration,
  dependencies: RegisterDependencies,
): Registered {
  const { job, enforceIndex } = registration;
  const errors = [...missingSurroundings(transaction, job), ...validateJob(job)];
  if (errors.length > 0) throw new SchedulerError('invalid-job', listErrors(errors));
  const stored = transaction.get('jobs', jobKey(job));
  if (enforceIndex !== null) enforce(enforceIndex, stored);

  const isUnchanged = stored !== null && isSameSpec(job, stored);
  const written = isUnchanged ? stored : writeVersion(transaction, job, stored, dependencies.stamp());
  const evalId = isStartedLater(job) ? '' : writeEvaluation(transaction, written, registration, dependencies);
  return {
    evalId,
    evalCreateIndex: evalId === '' ? 0 : transaction.index,
    jobModifyIndex: written.JobModifyIndex,
    index: isUnchanged && evalId === '' ? written.ModifyIndex : transaction.index,
  };
}

function missingSurroundings(transaction: Transaction, job: Job): string[] {
  const name = JSON.stringify(job.ID);
  const errors: string[] = [];
  if (job.Namespace !== '' && transaction.get('namespaces', job.Namespace) === null) {
    errors.push(`job ${name} is in nonexistent namespace ${JSON.stringify(job.Namespace)}`);
  }
  if (!hasNodePool(transaction, job.NodePool)) {
    errors.push(`job ${name} is in nonexistent node pool ${JSON.stringify(job.NodePool)}`);
  }
  return errors;
}

/** A pool exists as soon as a node is in it; two always do. */
function hasNodePool(transaction: Transaction, pool: string): boolean {
  if (pool === 'default' || pool === 'all') return true;
  for (const node of scanRows(transaction.tables.nodes.primary, wholeRange, false)) {
    if (node.NodePool === pool) return true;
  }
  return false;
}

function enforce(index: number | bigint, stored: Job | null): void {
  const prefix = `Enforcing job modify index ${index}`;
  if (stored === null) {
    if (BigInt(index) !== 0n) throw new SchedulerError('enforce-index', `${prefix}: job does not exist`);
  } else if (BigInt(index) === 0n) {
    throw new SchedulerError('enforce-index', `${prefix}: job already exists`);
  } else if (BigInt(index) !== BigInt(stored.JobModifyIndex)) {
    const found = `job exists with conflicting job modify index: ${stored.JobModifyIndex}`;
    throw new SchedulerError('enforce-index', `${prefix}: ${found}`);
  }
}

function writeVersion(transaction: Transaction, job: Job, stored: Job | null, stamp: bigint): Job {
  const { index } = transaction;
  const written: Job = {
    ...job,
    Status: statusOf(job, stored),
    Version: stored === null ? 0 : exact(BigInt(stored.Version) + 1n),
    SubmitTime: exact(stamp),
    CreateIndex: stored?.CreateIndex ?? index,
    ModifyIndex: index,
    JobModifyIndex: index,
  };
  transaction.put('jobs', written);
  transaction.put('job_versions', written);
  forgetOldVersions(transaction, written);
  transaction.put(
    'job_summaries',
    summariseJob(written, transaction.get('job_summaries', jobKey(written)), index),
  );
  return written;
}

/** Nothing has been placed yet; a job that has work keeps running while its new version is rolled out. */
function statusOf(job: Job, stored: Job | null): string {
  if (job.Stop) return 'dead';
  if (job.Type === 'system' || isStartedLater(job)) return 'running';
  return stored?.Status === 'running' ? 'running' : 'pending';
}

function isStartedLater(job: Job): boolean {
  return job.Periodic !== null || job.ParameterizedJob !== null;
}

function forgetOldVersions(transaction: Transaction, job: Job): void {
  const { primary } = transaction.tables.job_versions;
  const versions = scanRows(primary, prefixRange(jobVersionPrefix(job)), false);
  const keys = [...versions].map((version) => primary.order.text(version));
  for (const key of keys.slice(0, -keptVersions)) transaction.delete('job_versions', key);
}

function writeEvaluation(
  transaction: Transaction,
  job: Job,
  { evalPriority }: Registration,
  { stamp, uuid, intern }: RegisterDependencies,
): string {
  const ID = uuid();
  const now = exact(stamp());
  const given: GivenEvaluation = {
    ID,
    Namespace: job.Namespace,
    Priority: evalPriority ?? job.Priority,
    Type: job.Type,
    TriggeredBy: 'job-register',
    JobID: job.ID,
    JobModifyIndex: job.JobModifyIndex,
    Status: 'pending',
    CreateIndex: transaction.index,
    ModifyIndex: transaction.index,
    CreateTime: now,
    ModifyTime: now,
  };
  transaction.put('evaluations', completeShape(evaluationShape, given, intern));
  return ID;
}

/** The form in which rows hold integers: a number where every digit of it counts, else a bigint. */
function exact(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
