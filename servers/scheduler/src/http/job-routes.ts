import { t, type Key } from 'tamis';
import { firstParameter, runSteps, type QueryParameters } from '@tamis/http';
import type { Access } from '../acl/access.js';
import type { NamespaceCapability } from '../acl/capability.js';
import { SchedulerError } from '../errors.js';
import { jobKey, type Job } from '../model/job.js';
import { jobs } from '../model/jobs.js';
import { jobStub } from '../model/job-stub.js';
import { completeJob, submittedJobShape } from '../model/job-defaults.js';
import type { JobSummary } from '../model/job-summary.js';
import { listErrors, listWarnings } from '../model/job-rules/findings.js';
import { examiningJob, isPriority, priorityBounds, sizeErrors } from '../model/job-validation.js';
import { defaultNamespace } from '../model/namespace.js';
import { deregisterJob, type Deregistration } from '../state/deregister-job.js';
import { examiningRegistration, registerJob, type Registered } from '../state/register-job.js';
import { textKey } from '../state/key.js';
import type { Snapshot } from '../state/snapshot.js';
import { createFinder } from '../state/sorted-rows.js';
import { refuse, requireCapability } from './access.js';
import type { Selection } from './access-path.js';
import { pauseAfterLong, readBodyStrictly } from '../requests/body.js';
import type { HttpContext } from './context.js';
import { jobReads } from './job-reads.js';
import { jobWrites } from './job-writes.js';
import { listRoute } from './list-route.js';
import { parseSwitch, readNamespace, type ReadQuery } from './query.js';
import { rowsOfNamespace, type Right } from './rights.js';
import type { Call, Route } from './route.js';
import { writeRoute } from './write-route.js';
import type { Input } from '../model/row-type.js';

const jobsPath = '/v1/jobs';

const jobList = listRoute<Job>({
  path: jobsPath,
  summary: 'List jobs',
  tag: 'jobs',
  right: rowsOfNamespace('list-jobs'),
  entry: 'JobListStub',
  tables: ['jobs', 'job_summaries'],
  schema: jobs.schema,
  indexes: jobs.filterIndexes,
  parameters: ['namespace', 'reverse', 'meta'],
  select: selectJobs,
  stub(query) {
    const withMeta = parseSwitch(query.parameters, 'meta');
    const summaryOf = createSummaryFinder();
    return (job, snapshot) => jobStub(job, summaryOf(job, snapshot), withMeta);
  },
});

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

const registrationShape = t.struct({
  Job: submittedJobShape,
  EnforceIndex: t.bool,
  JobModifyIndex: t.uint,
  EvalPriority: t.int,
  PolicyOverride: t.bool,
  PreserveCounts: t.bool,
  PreserveResources: t.bool,
  Submission: t.any,
  Region: t.string,
  Namespace: t.string,
  SecretID: t.any,
});

const registering: readonly NamespaceCapability[] = ['submit-job', 'register-job'];
const stopping: readonly NamespaceCapability[] = ['submit-job', 'deregister-job'];
const purging: readonly NamespaceCapability[] = ['submit-job', 'purge-job'];

type RegistrationBody = Input<typeof registrationShape>;

/** A registration that has been read. */
interface ParsedRegistration {
  readonly registration: Parameters<typeof registerJob>[1];
  /** The region that it is for; empty for that of whoever is asked. */
  readonly region: string;
  readonly warnings: readonly string[];
}

/** Registers a job: at the path of all jobs, or at its own, where its ID must be the same in the body. */
function registrationRoute(
  path: string,
  summary: string,
  failures: readonly 404[],
): Route<HttpContext, Access> {
  return writeRoute({
    ...{ path, summary, failures },
    tag: 'jobs',
    right: registrationRight,
    parameters: ['namespace'],
    body: { schema: 'JobRegistration', required: true },
    answer: { kind: 'json', schema: 'JobRegistered' },
    parse: (call, context) => parseRegistration(call, path === jobsPath ? null : call.id, context),
    regionOf: ({ region }) => region,
    async write({ registration, warnings }, context) {
      const { clock, slices, state } = context;
      const examining = examiningRegistration(state.snapshot().tables, registration, clock.now());
      const examined = await runSteps(slices, examining);
      const registered = await state.write((transaction) =>
        registerJob(transaction, registration, context, examined),
      );
      return { registered, warnings: [...warnings, ...examined.warnings] };
    },
    show: ({ registered, warnings }) => ({
      index: registered.index,
      body: { ...showRegistered(registered), Warnings: listWarnings(warnings) },
    }),
  });
}

/** A job that is wrong in itself is refused as such, whoever sends it; what surrounds it is not for everybody. */
const registrationRight: Right<Access, ParsedRegistration, void, HttpContext> = {
  name: 'namespace:submit-job',
  async grant(ask, { registration: { job } }, { clock, slices }) {
    const access = await ask();
    if (access.allowsNamespace(registering, job.Namespace)) return;
    const { errors } = await runSteps(slices, examiningJob(job, clock.now()));
    if (errors.length > 0) throw new SchedulerError('invalid-job', listErrors(errors));
    refuse();
  },
};

/** A long body takes a turn for each step. */
async function parseRegistration(
  { request, parameters }: Call,
  pathId: string | null,
  context: HttpContext,
): Promise<ParsedRegistration> {
  const { given: body, warnings } = await readBodyStrictly(registrationShape, request);
  await pauseAfterLong(request);
  const registration = planRegistration(body, parameters, pathId, context);
  await pauseAfterLong(request);
  return { registration, warnings, region: regionOf(body, parameters) };
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

function showRegistered({ evalId, evalCreateIndex, jobModifyIndex, index }: Registered): object {
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

const deregistration = writeRoute({
  method: 'delete',
  path: '/v1/job/{job_id}',
  summary: 'Stop a job',
  tag: 'jobs',
  right: {
    name: 'namespace:submit-job',
    async grant(ask: () => Access | Promise<Access>, { job, purge }: Deregistration) {
      requireCapability(await ask(), purge ? purging : stopping, job.Namespace);
    },
  },
  parameters: ['namespace', 'purge', 'global', 'no_shutdown_delay', 'eval_priority'],
  failures: [404],
  answer: { kind: 'json', schema: 'JobDeregistered' },
  parse: ({ parameters, id }) => planDeregistration(parameters, id),
  write: (asked, context) => context.state.write((transaction) => deregisterJob(transaction, asked, context)),
  show: (deregistered) => ({
    index: deregistered.index,
    body: { ...showRegistered(deregistered), VolumeEvalID: '', VolumeEvalIndex: 0 },
  }),
});

/** The routes of jobs. */
export const jobRoutes: readonly Route<HttpContext, Access>[] = [
  jobList,
  registrationRoute(jobsPath, 'Register a job', []),
  ...jobReads.slice(0, 1),
  registrationRoute('/v1/job/{job_id}', 'Register a job under its ID', [404]),
  deregistration,
  ...jobReads.slice(1),
  ...jobWrites,
];
