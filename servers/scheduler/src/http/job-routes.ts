import { firstParameter, readFirstJson, type QueryParameters } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { jobFilterSchema, jobKey, type Job } from '../model/job.js';
import { completeJob, submittedJobShape } from '../model/job-defaults.js';
import { jobStub } from '../model/job-stub.js';
import { isPriority, priorityBounds } from '../model/job-validation.js';
import { defaultNamespace, namespaceName } from '../model/namespace.js';
import { readShape, ShapeError } from '../model/read-shape.js';
import { s, type Given } from '../model/shape.js';
import { orderRows } from '../state/ordered.js';
import { registerJob, type Registered } from '../state/register-job.js';
import type { Snapshot } from '../state/snapshot.js';
import { getRow } from '../state/table.js';
import { sendJson, setIndexHeader } from './answer.js';
import type { HttpContext } from './context.js';
import { addListRoute, type ListResource, type Selection } from './list-route.js';
import { parsePretty, parseSwitch, type ReadQuery } from './query.js';
import { addReadRoute, type ReadResource } from './read-route.js';
import { pathAfter, queryOf, requireRegion } from './request.js';

const jobList: ListResource<Job> = {
  path: '/v1/jobs',
  tables: ['jobs', 'job_summaries'],
  schema: jobFilterSchema,
  filteringParameters: ['prefix'],
  canReverse: true,
  select: selectJobs,
  stub(query) {
    const withMeta = parseSwitch(query.parameters, 'meta');
    return (job, snapshot) => jobStub(job, getRow(snapshot.tables.job_summaries, jobKey(job)), withMeta);
  },
};

function selectJobs({ tables }: Snapshot, { namespace, prefix }: ReadQuery): Selection<Job> {
  const { primary } = tables.jobs;
  if (namespace === '*') {
    return { rows: primary, keyPrefix: '', where: prefix === '' ? null : (job) => job.ID.startsWith(prefix) };
  }
  const name = namespace || defaultNamespace;
  // A key is `<namespace>.<id>`: a name with a dot would select rows of another namespace.
  const rows = namespaceName.test(name) ? primary : orderRows(primary.order, []);
  return { rows, keyPrefix: `${name}.${prefix}`, where: null };
}

const jobRead: ReadResource<Job> = {
  prefix: '/v1/job/',
  table: 'jobs',
  find: ({ tables }, ID, { namespace }) =>
    getRow(tables.jobs, jobKey({ Namespace: namespace || defaultNamespace, ID })),
  show: (job) => job,
  missing: 'job not found',
  otherSuffixes: [
    '/allocations',
    '/evaluations',
    '/deployments',
    '/deployment',
    '/summary',
    '/versions',
    '/services',
    '/submission',
    '/actions',
    '/scale',
    '/tag',
  ],
};

const registrationShape = s.struct({
  Job: submittedJobShape,
  EnforceIndex: s.bool,
  JobModifyIndex: s.uint,
  EvalPriority: s.int,
  Region: s.string,
  Namespace: s.string,
});

type RegistrationBody = Given<typeof registrationShape>;

/** Adds the routes of jobs. */
export function addJobRoutes(app: FastifyInstance, context: HttpContext): void {
  addListRoute(app, context, jobList);
  addReadRoute(app, context, jobRead);

  async function register(
    request: FastifyRequest,
    reply: FastifyReply,
    pathId: string | null,
  ): Promise<FastifyReply> {
    const parameters = queryOf(request, context.limits);
    const body = readRegistration(request.body);
    const registration = planRegistration(body, parameters, pathId, context);
    const registered = await context.state.write((transaction) =>
      registerJob(transaction, registration, context),
    );
    setIndexHeader(reply, registered.index);
    return sendJson(reply, registrationAnswer(registered), parsePretty(parameters));
  }

  for (const method of ['PUT', 'POST'] as const) {
    app.route({ method, url: jobList.path, handler: (request, reply) => register(request, reply, null) });
    app.route({
      method,
      url: `${jobRead.prefix}*`,
      handler: (request, reply) => register(request, reply, pathAfter(request, jobRead.prefix)),
    });
  }
}

function readRegistration(body: unknown): RegistrationBody {
  if (typeof body !== 'string' || body.trim() === '') {
    throw new SchedulerError('empty-body', 'Request body is empty');
  }
  try {
    return readShape(registrationShape, readFirstJson(body), '');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new SchedulerError('bad-body', `${error.path || 'Request body'}: ${error.problem}`);
  }
}

function planRegistration(
  body: RegistrationBody,
  parameters: QueryParameters,
  pathId: string | null,
  context: HttpContext,
): Parameters<typeof registerJob>[1] {
  const { Job: job, EvalPriority: evalPriority = 0 } = body;
  if (job === undefined) throw new SchedulerError('no-job', 'Job must be specified');
  if (job.ID === undefined) throw new SchedulerError('no-job-id', "Job ID hasn't been provided");
  if (pathId !== null && pathId !== job.ID) {
    throw new SchedulerError('other-job-id', 'Job ID does not match name');
  }
  if (evalPriority !== 0 && !isPriority(evalPriority)) {
    const { least, most } = priorityBounds;
    throw new SchedulerError(
      'bad-eval-priority',
      `Eval priority must be between ${least} and ${most} inclusively`,
    );
  }
  const region = body.Region || firstParameter(parameters, 'region') || job.Region || 'global';
  // `global`, which clients send by habit, means the region of whoever is asked.
  requireRegion(region === 'global' ? '' : region, context.region);
  const namespace =
    firstParameter(parameters, 'namespace') || body.Namespace || job.Namespace || defaultNamespace;
  return {
    job: completeJob(job, { namespace, region: context.region }, context.intern),
    enforceIndex: body.EnforceIndex === true ? (body.JobModifyIndex ?? 0) : null,
    evalPriority: evalPriority === 0 ? null : Number(evalPriority),
  };
}

function registrationAnswer({ evalId, evalCreateIndex, jobModifyIndex, index }: Registered): object {
  return {
    EvalID: evalId,
    EvalCreateIndex: evalCreateIndex,
    JobModifyIndex: jobModifyIndex,
    Warnings: '',
    Index: index,
    LastContact: 0,
    KnownLeader: false,
    NextToken: '',
  };
}
