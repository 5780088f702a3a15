import { SchedulerError } from '../errors.js';
import { jobKey, type Job } from '../model/job.js';
import { listErrors } from '../model/job-rules/findings.js';
import { updateProblem } from '../model/job-update.js';
import { validateJob } from '../model/job-validation.js';
import { preserveJob, type Preserved } from '../model/preserved-job.js';
import { isSameSpec } from '../model/same-spec.js';
import { isStartedLater, writeEvaluation, writeVersion, type JobWriteDependencies } from './job-version.js';
import { scanRows, wholeRange } from './ordered.js';
import type { Transaction } from './transaction.js';

/** A job to be registered, completed with its defaults, and how. */
export interface Registration {
  readonly job: Job;
  /** Compare and set: the JobModifyIndex that the stored job must have, 0 for none stored. Null: no condition. */
  readonly enforceIndex: number | bigint | null;
  /** The priority of the evaluation; null for that of the job. */
  readonly evalPriority: number | null;
  /** What stays as the stored job has it; nothing where it is absent. */
  readonly preserved?: Preserved;
}

export interface Registered {
  /** Empty for jobs that are started by time or by dispatch. */
  readonly evalId: string;
  readonly evalCreateIndex: number;
  readonly jobModifyIndex: number | bigint;
  readonly index: number | bigint;
}

/**
 * Registers a job: a new one, a new version of one, or, when nothing in it changed, only a new evaluation of it.
 *
 * @throws SchedulerError `invalid-job` or `enforce-index`.
 */
export function registerJob(
  transaction: Transaction,
  registration: Registration,
  dependencies: JobWriteDependencies,
): Registered {
  const { job: asked, enforceIndex, preserved } = registration;
  const stored = transaction.get('jobs', jobKey(asked));
  const job = preserved === undefined ? asked : preserveJob(asked, stored, preserved);
  const stamp = dependencies.stamp();
  const errors = [...missingSurroundings(transaction, job), ...validateJob(job, Number(stamp / 1_000_000n))];
  if (errors.length > 0) throw new SchedulerError('invalid-job', listErrors(errors));
  if (enforceIndex !== null) enforce(enforceIndex, stored);
  const problem = stored === null ? null : updateProblem(stored, job);
  if (problem !== null) throw new SchedulerError('invalid-job', problem);

  const isUnchanged = stored !== null && isSameSpec(job, stored);
  const written = isUnchanged ? stored : writeVersion(transaction, job, stored, stamp);
  const cause = { triggeredBy: 'job-register', priority: registration.evalPriority };
  const evalId = isStartedLater(job) ? '' : writeEvaluation(transaction, written, cause, dependencies);
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
