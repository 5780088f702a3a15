import { t } from 'tamis';
import { firstParameter } from '@tamis/http';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { isPriority, priorityBounds } from '@tamis/scheduler-model/job-validation.js';
import { dispatchJob } from '@tamis/scheduler-state/state/dispatch-job.js';
import { evaluateJob } from '@tamis/scheduler-state/state/evaluate-job.js';
import { forcePeriodic } from '@tamis/scheduler-state/state/periodic-launch.js';
import { readBody } from '../../kernel/requests/body.js';
import { registeredJson } from './job-registration.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { readNamespace } from '../../kernel/query.js';
import { namespaceRight } from '../../kernel/rights.js';
import type { Call } from '../../kernel/route.js';
import { hasBody, sameId, writeRoute } from '../../lists/write-route.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { base64 } from '@tamis/scheduler-model/row-type.js';

export const evaluationShape = t.struct({
  JobID: t.string,
  Namespace: t.string,
  EvalOptions: t.struct({ ForceReschedule: t.bool }),
});
export const dispatchShape = t.struct({
  JobID: t.string,
  Payload: base64,
  Meta: t.map(t.string),
  Priority: t.int,
  IdempotencyToken: t.string,
  IdPrefixTemplate: t.string,
});

/** The job to write. */
export interface JobTarget {
  readonly Namespace: string;
  readonly ID: string;
}

/** @throws SchedulerError `bad-request` */
export function targetOf({ id, parameters }: Call): JobTarget {
  if (id === '') throw badRequest('Missing job ID');
  return { Namespace: readNamespace(firstParameter(parameters, 'namespace')), ID: id };
}

const jobWrite = { tag: 'jobs', failures: [404] } as const;

/** Writes to data that belongs to a job. */
export const jobWrites: readonly ClusterRoute[] = [
  writeRoute({
    ...jobWrite,
    right: namespaceRight('submit-job'),
    path: '/v1/job/{job_id}/evaluate',
    summary: 'Evaluate a job again',
    parameters: ['namespace'],
    body: { schema: 'JobEvaluation', required: false },
    response: { kind: 'json', schema: 'JobRegistered' },
    parse(call) {
      const body = hasBody(call.request) ? readBody(evaluationShape, call.request.body) : {};
      requireSame(body.JobID, call.id);
      return { ...targetOf(call), force: body.EvalOptions?.ForceReschedule === true };
    },
    write: ({ force, ...job }, context) =>
      context.state.write((transaction) => evaluateJob(transaction, job, force)),
    project: (evaluated) => ({
      index: evaluated.index,
      body: { ...registeredJson(evaluated), Warnings: '' },
    }),
  }),
  writeRoute({
    ...jobWrite,
    right: namespaceRight('dispatch-job'),
    path: '/v1/job/{job_id}/dispatch',
    summary: 'Start a parameterised job',
    parameters: ['namespace', 'idempotency_token'],
    body: { schema: 'JobDispatch', required: false },
    response: { kind: 'json', schema: 'JobDispatched' },
    parse(call) {
      const body = hasBody(call.request) ? readBody(dispatchShape, call.request.body) : {};
      requireSame(body.JobID, call.id);
      const job = targetOf(call);
      return {
        Namespace: job.Namespace,
        job,
        payload: body.Payload || null,
        meta: new Map(Object.entries(body.Meta ?? {})),
        idempotencyToken: readToken(
          firstParameter(call.parameters, 'idempotency_token'),
          body.IdempotencyToken,
        ),
        idPrefix: body.IdPrefixTemplate ?? '',
        priority: readPriority(body.Priority),
      };
    },
    write: (dispatch, context) => context.state.write((transaction) => dispatchJob(transaction, dispatch)),
    project: ({ index, id, jobCreateIndex, evalId, evalCreateIndex }) => ({
      index,
      body: {
        ...{ DispatchedJobID: id, JobCreateIndex: jobCreateIndex },
        ...{ EvalID: evalId, EvalCreateIndex: evalCreateIndex, Index: index },
      },
    }),
  }),
  writeRoute({
    ...jobWrite,
    right: namespaceRight('submit-job', 'dispatch-job'),
    path: '/v1/job/{job_id}/periodic/force',
    summary: 'Launch a periodic job now',
    parameters: ['namespace'],
    response: { kind: 'json', schema: 'PeriodicLaunched' },
    parse: targetOf,
    write: (job, context) => context.state.write((transaction) => forcePeriodic(transaction, job)),
    project: ({ index, evalId, evalCreateIndex }) => ({
      index,
      body: { EvalID: evalId, EvalCreateIndex: evalCreateIndex, Index: index },
    }),
  }),
];

/** @throws SchedulerError `bad-request` if body and path contain different job IDs. */
export const requireSame = sameId('Job ID does not match name');

/** Returns the token; one in the query and one in the body must be equal. */
function readToken(inQuery: string, inBody = ''): string {
  if (inQuery === '' || inBody === '' || inQuery === inBody) return inQuery || inBody;
  throw badRequest(`IdempotencyToken must be the idempotency_token of the query, got ${quote(inBody)}`);
}

/** Returns null for 0, which means not given. */
function readPriority(priority: number | bigint | undefined): number | null {
  if (priority === undefined || Number(priority) === 0) return null;
  if (isPriority(priority)) return Number(priority);
  const { min, max } = priorityBounds;
  throw badRequest(`priority must be between [${min}, ${max}]`);
}
