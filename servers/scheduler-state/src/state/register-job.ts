import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { jsonSize } from 'tamis/internal';
import type { Steps } from '@tamis/http';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { listErrors } from '@tamis/scheduler-model/job-rules/findings.js';
import { updateProblem } from '@tamis/scheduler-model/job-update.js';
import { examineJob, examiningJob, type JobFindings } from '@tamis/scheduler-model/job-validation.js';
import { preserveJob, type Preserved } from '@tamis/scheduler-model/preserved-job.js';
import { isSameSpec } from '@tamis/scheduler-model/same-spec.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { writeEvaluation } from './evaluation-writes.js';
import { writeVersion } from './job-writes.js';
import { scanRows, fullRange, getRow } from 'tamis/table';
import type { Tables } from './tables.js';
import type { Transaction } from './transaction.js';

/** A job to register, completed with its defaults, and the options of its registration. */
export interface Registration {
  readonly job: Job;
  /** Required JobModifyIndex of the stored job, for compare-and-set; 0 if there must be no stored job, null for no condition. */
  readonly enforceIndex: number | bigint | null;
  /** Priority of the evaluation; null for that of the job. */
  readonly evalPriority: number | null;
  /** The parts of the stored job to preserve; none if omitted. */
  readonly preserved?: Preserved;
  /** The trigger of its evaluation; default: `job-register`. */
  readonly cause?: 'job-scaling';
}

export interface Registered {
  /** Empty for periodic and parameterised jobs. */
  readonly evalId: string;
  readonly evalCreateIndex: number;
  readonly jobModifyIndex: number | bigint;
  readonly index: number | bigint;
}

/** The result of examining a registration. Examined before the write, because examining would block other writes. */
export interface ExaminedRegistration extends JobFindings {
  /** The stored job at the time of the examination. */
  readonly stored: Job | null;
  /** The job that would replace it. */
  readonly job: Job;
}

/** Examines a job part by part as it would be registered now. */
export function* examiningRegistration(
  tables: Tables,
  { job: requested, preserved }: Registration,
  now: number,
): Steps<ExaminedRegistration> {
  const stored = getRow(tables.jobs, jobKey(requested));
  const job = preserved === undefined ? requested : preserveJob(requested, stored, preserved);
  const examined = yield* examiningJob(job, now);
  yield* measuring(job);
  return { stored, job, ...examined };
}

/** Measures the parts of a job, so that their sizes are cached when the job is written. */
function* measuring({ TaskGroups }: Job): Steps<void> {
  for (const group of TaskGroups ?? []) {
    for (const task of group.Tasks ?? []) {
      jsonSize(task);
      yield;
    }
    jsonSize(group);
    yield;
  }
  jsonSize(TaskGroups);
}

/**
 * Registers a new job or a new version. An unchanged job only gets a new evaluation.
 *
 * @param examined the result of examining the job. The examination is repeated if the job to write differs.
 * @throws SchedulerError `bad-request`.
 */
export function registerJob(
  transaction: Transaction,
  registration: Registration,
  examined: ExaminedRegistration | null = null,
): Registered {
  const { job: requested, enforceIndex } = registration;
  const stored = transaction.get('jobs', jobKey(requested));
  const job = jobToWrite(registration, stored, examined);
  const stamp = transaction.stamp();
  const found = job === examined?.job ? examined : examineJob(job, Number(stamp / 1_000_000n));
  const errors = [...missingSurroundings(transaction.tables, job), ...found.errors];
  if (errors.length > 0) throw badRequest(listErrors(errors));
  if (enforceIndex !== null) enforce(enforceIndex, stored);
  const problem = stored === null ? null : updateProblem(stored, job);
  if (problem !== null) throw badRequest(problem);

  const isUnchanged = stored !== null && isSameSpec(job, stored);
  const written = isUnchanged ? stored : writeVersion(transaction, job, stored, stamp);
  const triggeredBy = registration.cause ?? 'job-register';
  const cause = { triggeredBy, priority: registration.evalPriority };
  const evalId = isStartedLater(job) ? '' : writeEvaluation(transaction, written, cause);
  return {
    evalId,
    evalCreateIndex: evalId === '' ? 0 : transaction.index,
    jobModifyIndex: written.JobModifyIndex,
    index: isUnchanged && evalId === '' ? written.ModifyIndex : transaction.index,
  };
}

/** Returns the examined job. If the stored job whose parts are preserved has changed since, returns a new one. */
function jobToWrite(
  { job, preserved }: Registration,
  stored: Job | null,
  examined: ExaminedRegistration | null,
): Job {
  if (preserved === undefined) return job;
  return examined !== null && examined.stored === stored ? examined.job : preserveJob(job, stored, preserved);
}

/** Returns the errors of a job whose namespace or node pool does not exist. */
export function missingSurroundings(tables: Pick<Tables, 'namespaces' | 'nodes'>, job: Job): string[] {
  const name = quote(job.ID);
  const errors: string[] = [];
  if (job.Namespace !== '' && getRow(tables.namespaces, job.Namespace) === null) {
    errors.push(`job ${name} is in nonexistent namespace ${quote(job.Namespace)}`);
  }
  if (!hasNodePool(tables, job.NodePool)) {
    errors.push(`job ${name} is in nonexistent node pool ${quote(job.NodePool)}`);
  }
  return errors;
}

/** Whether a node pool exists. It exists while it contains a node; two pools always exist. */
function hasNodePool({ nodes }: Pick<Tables, 'nodes'>, pool: string): boolean {
  if (pool === 'default' || pool === 'all') return true;
  for (const node of scanRows(nodes.primary, fullRange, false)) {
    if (node.NodePool === pool) return true;
  }
  return false;
}

function enforce(index: number | bigint, stored: Job | null): void {
  const prefix = `Enforcing job modify index ${index}`;
  if (stored === null) {
    if (BigInt(index) !== 0n) throw badRequest(`${prefix}: job does not exist`);
  } else if (BigInt(index) === 0n) {
    throw badRequest(`${prefix}: job already exists`);
  } else if (BigInt(index) !== BigInt(stored.JobModifyIndex)) {
    const found = `job exists with conflicting job modify index: ${stored.JobModifyIndex}`;
    throw badRequest(`${prefix}: ${found}`);
  }
}
