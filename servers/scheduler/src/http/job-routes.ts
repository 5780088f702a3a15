import { firstParameter, runSteps, type QueryParameters } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Key } from 'tamis';
import type { Access } from '../acl/access.js';
import type { NamespaceCapability } from '../acl/capability.js';
import { SchedulerError } from '../errors.js';
import { jobKey, type Job } from '../model/job.js';
import { jobs } from '../model/jobs.js';
import { completeJob, submittedJobShape } from '../model/job-defaults.js';
import { jobStub } from '../model/job-stub.js';
import type { JobSummary } from '../model/job-summary.js';
import { listErrors, listWarnings } from '../model/job-rules/findings.js';
import { examiningJob, isPriority, priorityBounds, sizeErrors } from '../model/job-validation.js';
import { defaultNamespace } from '../model/namespace.js';
import { s, type Input } from '../model/shape.js';
import { deregisterJob, type Deregistration } from '../state/deregister-job.js';
import { examiningRegistration, registerJob, type Registered } from '../state/register-job.js';
import { textKey } from '../state/key.js';
import { createFinder } from '../state/sorted-rows.js';
import type { Snapshot } from '../state/snapshot.js';
import { accessOf, refuse, requireCapability, visibleRows } from './access.js';
import { sendJson, sendText, setIndexHeader } from '../requests/answer.js';
import { pauseAfterLong, readBody, readBodyStrictly } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { jobRead } from './job-reads.js';
import { answerJobWrite } from './job-writes.js';
import { addListRoute, type ListResource, type Selection } from './list-route.js';
import { parsePretty, parseSwitch, readNamespace, type ReadQuery } from '../requests/query.js';
import { addReadRoute, partOf } from './read-route.js';
import { hangUpSignal, pathAfter, queryOf, requireRegion } from '../requests/request.js';
import { explainMissing } from './unbuilt-routes.js';

const jobList: ListResource<Job> = {
  path: '/v1/jobs',
  tables: ['jobs', 'job_summaries'],
  schema: jobs.schema,
  indexes: jobs.filterIndexes,
  filteringParameters: ['prefix'],
  canReverse: true,
  authorise: (access, query) => visibleRows(access, 'list-jobs', query),
  select: selectJobs,
  stub(query) {
    const withMeta = parseSwitch(query.parameters, 'meta');
    const summaryOf = createSummaryFinder();
    return (job, snapshot) => jobStub(job, summaryOf(job, snapshot), withMeta);
  },
};

/** Finds the summaries of jobs. Those of one list are found side by side, because both stand in one order. */
function createSummaryFinder(): (job: Job, snapshot: Snapshot) => JobSummary | null {
  let snapshotInUse: Snapshot | null = null;
  let find: ((key: Key) => JobSummary | undefined) | null = null;
  return (job, snapshot) => {
    if (find === null || snapshotInUse !== snapshot) {
      snapshotInUse = snapshot;
      find = createFinder(snapshot.tables.job_summaries.primary);
    }
    return find(textKey(jobKey(job))) ?? null;
  };
}

function selectJobs({ tables }: Snapshot, { namespace, prefix }: ReadQuery): Selection<Job> {
  const { primary, indexes } = tables.jobs;
  const found = { rows: primary, indexes };
  if (namespace === '*') {
    const where = prefix === '' ? null : (job: Job): boolean => job.ID.startsWith(prefix);
    return { ...found, keyPrefix: '', where };
  }
  const keyPrefix = `${readNamespace(namespace)}.${prefix}`;
  return { ...found, keyPrefix, where: null, ...(prefix === '' ? { keyField: jobs.idField } : {}) };
}

const registrationShape = s.struct({
  Job: submittedJobShape,
  EnforceIndex: s.bool,
  JobModifyIndex: s.uint,
  EvalPriority: s.int,
  PolicyOverride: s.bool,
  PreserveCounts: s.bool,
  PreserveResources: s.bool,
  Submission: s.any,
  Region: s.string,
  Namespace: s.string,
  SecretID: s.any,
});

const registering: readonly NamespaceCapability[] = ['submit-job', 'register-job'];
const stopping: readonly NamespaceCapability[] = ['submit-job', 'deregister-job'];
const purging: readonly NamespaceCapability[] = ['submit-job', 'purge-job'];

type RegistrationBody = Input<typeof registrationShape>;

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
    const access = accessOf(request, context);
    const { given: body, warnings } = await readBodyStrictly(registrationShape, request);
    await pauseAfterLong(request);
    const registration = planRegistration(body, parameters, pathId, context);
    await pauseAfterLong(request);
    await requireJobRight(access, registration.job, context);
    await context.leader.require(hangUpSignal(reply));
    const { clock, slices, state } = context;
    const examining = examiningRegistration(state.snapshot().tables, registration, clock.now());
    const examined = await runSteps(slices, examining);
    const registered = await state.write((transaction) =>
      registerJob(transaction, registration, context, examined),
    );
    setIndexHeader(reply, registered.index);
    const Warnings = listWarnings([...warnings, ...examined.warnings]);
    return sendJson(reply, { ...writeAnswer(registered), Warnings }, parsePretty(parameters));
  }

  const config = {
    regionOf(request: FastifyRequest): string {
      const parameters = queryOf(request, context.limits);
      try {
        return regionOf(readBody(registrationShape, request.body), parameters);
      } catch {
        // Whoever answers says what is wrong with the body.
        return firstParameter(parameters, 'region');
      }
    },
  };

  for (const method of ['PUT', 'POST'] as const) {
    app.route({
      method,
      url: jobList.path,
      config,
      handler: (request, reply) => register(request, reply, null),
    });
    app.route({
      method,
      url: `${jobRead.prefix}*`,
      config,
      async handler(request, reply) {
        const path = pathAfter(request, jobRead.prefix);
        const write = answerJobWrite(context, request, reply, path);
        return write ?? onJob(request, reply, (id) => register(request, reply, id));
      },
    });
  }

  async function deregister(request: FastifyRequest, reply: FastifyReply, ID: string): Promise<FastifyReply> {
    const parameters = queryOf(request, context.limits);
    requireRegion(firstParameter(parameters, 'region'), context.region);
    const deregistration = planDeregistration(parameters, ID);
    const { job, purge } = deregistration;
    requireCapability(accessOf(request, context), purge ? purging : stopping, job.Namespace);
    await context.leader.require(hangUpSignal(reply));
    const deregistered = await context.state.write((transaction) =>
      deregisterJob(transaction, deregistration, context),
    );
    setIndexHeader(reply, deregistered.index);
    const volumes = { VolumeEvalID: '', VolumeEvalIndex: 0 };
    return sendJson(reply, { ...writeAnswer(deregistered), ...volumes }, parsePretty(parameters));
  }

  app.delete(`${jobRead.prefix}*`, (request, reply) =>
    onJob(request, reply, (id) => deregister(request, reply, id)),
  );
}

/** A write to the job itself: what belongs to a job has paths of its own, which do not take it. */
async function onJob(
  request: FastifyRequest,
  reply: FastifyReply,
  write: (id: string) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const path = pathAfter(request, jobRead.prefix);
  const target = partOf(jobRead, path);
  if (target === null) return sendText(reply, 404, explainMissing(jobRead.prefix + path));
  return target.part.suffix === '' ? write(target.id) : sendText(reply, 405, 'Invalid method');
}

/** A job that is wrong in itself is refused as such, whoever sends it; what surrounds it is not for everybody. */
async function requireJobRight(access: Access, job: Job, { clock, slices }: HttpContext): Promise<void> {
  if (access.allowsNamespace(registering, job.Namespace)) return;
  const { errors } = await runSteps(slices, examiningJob(job, clock.now()));
  if (errors.length > 0) throw new SchedulerError('invalid-job', listErrors(errors));
  refuse();
}

function planDeregistration(parameters: QueryParameters, ID: string): Deregistration {
  // Nothing runs here that these two could tell how to end, but a typing mistake in them is one.
  parseSwitch(parameters, 'global');
  parseSwitch(parameters, 'no_shutdown_delay');
  const priority = firstParameter(parameters, 'eval_priority');
  return {
    job: { Namespace: readNamespace(firstParameter(parameters, 'namespace')), ID },
    purge: parseSwitch(parameters, 'purge'),
    evalPriority: requireEvalPriority(/^\d{0,9}$/.test(priority) ? Number(priority) : NaN),
  };
}

/** Null for 0, which is none given. */
function requireEvalPriority(priority: number | bigint): number | null {
  if (Number(priority) === 0) return null;
  if (isPriority(priority)) return Number(priority);
  const { least, most } = priorityBounds;
  throw new SchedulerError(
    'bad-eval-priority',
    `Eval priority must be between ${least} and ${most} inclusively`,
  );
}

function planRegistration(
  body: RegistrationBody,
  parameters: QueryParameters,
  pathId: string | null,
  context: HttpContext,
): Parameters<typeof registerJob>[1] {
  const { Job: job } = body;
  if (job === undefined) throw new SchedulerError('no-job', 'Job must be specified');
  if (job.ID === undefined) throw new SchedulerError('no-job-id', "Job ID hasn't been provided");
  if (pathId !== null && pathId !== job.ID) {
    throw new SchedulerError('other-job-id', 'Job ID does not match name');
  }
  const tooLarge = sizeErrors(job);
  if (tooLarge.length > 0) throw new SchedulerError('invalid-job', listErrors(tooLarge));
  const evalPriority = requireEvalPriority(body.EvalPriority ?? 0);
  requireRegion(regionOf(body, parameters), context.region);
  const namespace =
    firstParameter(parameters, 'namespace') || body.Namespace || job.Namespace || defaultNamespace;
  return {
    job: completeJob(job, { namespace, region: context.region }, context.intern),
    enforceIndex: body.EnforceIndex === true ? (body.JobModifyIndex ?? 0) : null,
    evalPriority,
    preserved: { counts: body.PreserveCounts === true, resources: body.PreserveResources === true },
  };
}

/** `global`, which clients send by habit, means the region of whoever is asked. */
function regionOf({ Region, Job: job }: RegistrationBody, parameters: QueryParameters): string {
  const region = Region || firstParameter(parameters, 'region') || job?.Region || '';
  return region === 'global' ? '' : region;
}

function writeAnswer({ evalId, evalCreateIndex, jobModifyIndex, index }: Registered): object {
  return {
    EvalID: evalId,
    EvalCreateIndex: evalCreateIndex,
    JobModifyIndex: jobModifyIndex,
    Index: index,
    LastContact: 0,
    KnownLeader: false,
    NextToken: '',
  };
}
