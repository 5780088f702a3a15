import { firstParameter } from '@tamis/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NamespaceCapability } from '../acl/capability.js';
import { SchedulerError } from '../errors.js';
import { isPriority, priorityBounds } from '../model/job-validation.js';
import { s } from '../model/shape.js';
import type { StartedChild } from '../state/child-job.js';
import { dispatchJob } from '../state/dispatch-job.js';
import { evaluateJob } from '../state/evaluate-job.js';
import { forcePeriodic } from '../state/periodic-launch.js';
import { accessOf, requireCapability } from './access.js';
import { readBody } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { readNamespace } from '../requests/query.js';
import { queryOf } from '../requests/request.js';
import { answerWrite, hasBody, type Write } from './write-route.js';

export const evaluationShape = s.struct({
  JobID: s.string,
  Namespace: s.string,
  EvalOptions: s.struct({ ForceReschedule: s.bool }),
});
export const dispatchShape = s.struct({
  JobID: s.string,
  Payload: s.bytes,
  Meta: s.map(s.string),
  Priority: s.int,
});

interface JobWrite {
  readonly capabilities: readonly NamespaceCapability[];
  readonly plan: (
    request: FastifyRequest,
    job: { readonly Namespace: string; readonly ID: string },
    context: HttpContext,
  ) => Write<{ readonly index: number | bigint }>;
}

/** A write whose result keeps its own type between the action and what is shown of it. */
function write<R extends { readonly index: number | bigint }>(
  action: Write<R>['action'],
  show: Write<R>['show'],
): Write<{ readonly index: number | bigint }> {
  return { action, show: (result) => show(result as R) };
}

/** Writes to what belongs to a job, by the words behind its id. */
export const jobWrites: ReadonlyMap<string, JobWrite> = new Map<string, JobWrite>([
  [
    '/evaluate',
    {
      capabilities: ['submit-job'],
      plan(request, job, context) {
        const body = hasBody(request) ? readBody(evaluationShape, request.body) : {};
        requireSame(body.JobID, job.ID);
        const force = body.EvalOptions?.ForceReschedule === true;
        return write(
          (transaction) => evaluateJob(transaction, job, force, context),
          ({ evalId, evalCreateIndex, jobModifyIndex }) => ({
            ...{ EvalID: evalId, EvalCreateIndex: evalCreateIndex, JobModifyIndex: jobModifyIndex },
            ...{ Warnings: '', LastContact: 0, KnownLeader: false, NextToken: '' },
          }),
        );
      },
    },
  ],
  [
    '/dispatch',
    {
      capabilities: ['dispatch-job'],
      plan(request, job, context) {
        const body = hasBody(request) ? readBody(dispatchShape, request.body) : {};
        requireSame(body.JobID, job.ID);
        const parameters = queryOf(request, context.limits);
        const dispatch = {
          job,
          payload: body.Payload || null,
          meta: new Map(Object.entries(body.Meta ?? {})),
          idempotencyToken: firstParameter(parameters, 'idempotency_token'),
          priority: readPriority(body.Priority),
        };
        return write(
          (transaction) => dispatchJob(transaction, dispatch, context),
          (started: StartedChild) => ({
            DispatchedJobID: started.id,
            JobCreateIndex: started.jobCreateIndex,
            EvalID: started.evalId,
            EvalCreateIndex: started.evalCreateIndex,
          }),
        );
      },
    },
  ],
  [
    '/periodic/force',
    {
      capabilities: ['submit-job', 'dispatch-job'],
      plan: (_request, job, context) =>
        write(
          (transaction) => forcePeriodic(transaction, job, context),
          ({ evalId, evalCreateIndex }: StartedChild) => ({
            EvalID: evalId,
            EvalCreateIndex: evalCreateIndex,
          }),
        ),
    },
  ],
]);

function requireSame(given: string | undefined, id: string): void {
  if (given !== undefined && given !== '' && given !== id) {
    throw new SchedulerError('other-job-id', 'Job ID does not match name');
  }
}

/** Null for 0, which is none given. */
function readPriority(priority: number | bigint | undefined): number | null {
  if (priority === undefined || Number(priority) === 0) return null;
  if (isPriority(priority)) return Number(priority);
  const { least, most } = priorityBounds;
  throw new SchedulerError('bad-dispatch', `priority must be between [${least}, ${most}]`);
}

/** Carries out the write that the end of a path names; null when it names none. */
export function answerJobWrite(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> | null {
  const found = [...jobWrites].find(([suffix]) => path.endsWith(suffix));
  if (found === undefined) return null;
  const [suffix, { capabilities, plan }] = found;
  const namespace = readNamespace(firstParameter(queryOf(request, context.limits), 'namespace'));
  requireCapability(accessOf(request, context), capabilities, namespace);
  const job = { Namespace: namespace, ID: path.slice(0, -suffix.length) };
  return answerWrite(context, request, reply, plan(request, job, context));
}
