import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import { exact } from '@tamis/scheduler-model/exact.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { maxScalingEvents, type ScalingEvent } from '@tamis/scheduler-model/scaling-events.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { deploymentsOfJob } from './lookups.js';
import { registerJob, type Registered } from './register-job.js';
import type { Transaction } from './transaction.js';

/** A request to change the count of a group, or a message about it. */
export interface ScalingRequest {
  readonly job: Pick<Job, 'Namespace' | 'ID'>;
  readonly group: string;
  /** Null for a message that changes nothing. */
  readonly count: number | bigint | null;
  readonly message: string;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** The required JobModifyIndex of the job; null for any. */
  readonly enforceIndex: number | bigint | null;
}

/**
 * Changes the count of a group and records a scaling event.
 *
 * @throws SchedulerError `not-found`, `bad-request`, or errors of a registration.
 */
export function scaleJob(transaction: Transaction, request: ScalingRequest): Registered {
  const { job: name, group: groupName, count } = request;
  const job = transaction.get('jobs', jobKey(name));
  if (job === null) throw notFound(`job ${quote(name.ID)} not found`);
  const group = (job.TaskGroups ?? []).find(({ Name }) => Name === groupName);
  if (group === undefined)
    throw badRequest(`task group ${quote(groupName)} specified for scaling does not exist in job`);
  const { index } = transaction;
  const scaled =
    count === null
      ? { evalId: '', evalCreateIndex: 0, jobModifyIndex: job.JobModifyIndex, index }
      : setCount(transaction, { job, group, count, request });
  recordEvent(transaction, job, groupName, {
    Time: exact(transaction.stamp()),
    Count: count,
    PreviousCount: group.Count,
    Error: request.isError,
    Message: request.message,
    Meta: request.meta,
    EvalID: scaled.evalId === '' ? null : scaled.evalId,
    CreateIndex: index,
  });
  return { ...scaled, index };
}

interface Change {
  readonly job: Job;
  readonly group: TaskGroup;
  readonly count: number | bigint;
  readonly request: ScalingRequest;
}

function setCount(transaction: Transaction, { job, group, count, request }: Change): Registered {
  if (job.Stop) throw badRequest(`job ${quote(job.ID)} is stopped: run it again before it is scaled`);
  checkBounds(group, count);
  const ofJob = deploymentsOfJob(transaction.tables, { Namespace: job.Namespace, JobID: job.ID });
  const isActive = [...ofJob].some(
    (one) => isActiveDeployment(one) && BigInt(one.JobCreateIndex) === BigInt(job.CreateIndex),
  );
  if (isActive) throw badRequest('job scaling blocked due to active deployment');
  const TaskGroups = (job.TaskGroups ?? []).map((one) => (one === group ? { ...one, Count: count } : one));
  const registration = {
    job: { ...job, TaskGroups },
    enforceIndex: request.enforceIndex,
    evalPriority: null,
  };
  return registerJob(transaction, { ...registration, cause: 'job-scaling' });
}

/**
 * Checks the count against the bounds of the group. Autoscalers show these messages, which are those of the original scheduler.
 */
function checkBounds({ Scaling }: TaskGroup, count: number | bigint): void {
  if (Scaling === null) return;
  const { Min, Max } = Scaling;
  if (count < Min) throw badRequest(`group count was less than scaling policy minimum: ${count} < ${Min}`);
  if (Max > 0 && count > Max)
    throw badRequest(`group count was greater than scaling policy maximum: ${count} > ${Max}`);
}

function recordEvent(transaction: Transaction, job: Job, group: string, event: ScalingEvent): void {
  const { index } = transaction;
  const stored = transaction.get('scaling_events', jobKey(job));
  const earlier = stored?.Events ?? {};
  const ofGroup = Object.hasOwn(earlier, group) ? (earlier[group] ?? []) : [];
  transaction.put('scaling_events', {
    Namespace: job.Namespace,
    JobID: job.ID,
    Events: { ...earlier, [group]: [event, ...ofGroup].slice(0, maxScalingEvents) },
    CreateIndex: stored?.CreateIndex ?? index,
    ModifyIndex: index,
  });
}
