import { t } from 'tamis';
import { firstParameter, runGenerator, type QueryParameters } from '@tamis/http';
import type { Access } from '../../../services/acl/access.js';
import type { NamespaceCapability } from '../../../services/acl/capability.js';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { completeJob, submittedJobShape } from '@tamis/scheduler-model/job-defaults.js';
import { listErrors, listWarnings } from '@tamis/scheduler-model/job-rules/findings.js';
import {
  examiningJob,
  isPriority,
  priorityBounds,
  sizeErrors,
} from '@tamis/scheduler-model/job-validation.js';
import { fieldsOf, type Input } from '@tamis/scheduler-model/row-type.js';
import { defaultNamespace } from '@tamis/scheduler-model/namespace.js';
import {
  examiningRegistration,
  registerJob,
  type Registered,
  type Registration,
} from '@tamis/scheduler-state/state/register-job.js';
import { readBodyStrictly, stepOn } from '../../kernel/requests/body.js';
import { refuse } from '../../kernel/access.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import type { Right } from '../../kernel/rights.js';
import type { Call } from '../../kernel/route.js';
import { writeRoute } from '../../lists/write-route.js';

/** Path of all jobs, where a job is registered whatever its ID. */
export const jobsPath = '/v1/jobs';

export const registrationShape = t.struct({
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

/** A registration that is only planned. */
export const plannedShape = t.struct({ ...fieldsOf(registrationShape), Diff: t.bool });

/** A registration that is only validated: a missing ID is one of the reported mistakes. */
export const validatedShape = t.struct(fieldsOf(registrationShape));

const registering: readonly NamespaceCapability[] = ['submit-job', 'register-job'];

type RegistrationBody = Input<typeof registrationShape> & Pick<Input<typeof plannedShape>, 'Diff'>;

/** A parsed registration. */
export interface ParsedRegistration {
  readonly registration: Registration;
  /** Region of the job; empty for the region of the called agent. */
  readonly region: string;
  readonly warnings: readonly string[];
  /** Whether a plan includes the differences from the stored job. */
  readonly diff: boolean;
}

/** Registers a job: at the path of all jobs, or at its own path, which must match the ID in the body. */
export function registrationRoute(path: string, summary: string, failures: readonly 404[]): ClusterRoute {
  return writeRoute({
    ...{ path, summary, failures },
    tag: 'jobs',
    right: registrationRight,
    parameters: ['namespace'],
    body: { schema: 'JobRegistration', required: true },
    response: { kind: 'json', schema: 'JobRegistered' },
    parse: (call, context) => parseRegistration(call, path === jobsPath ? null : call.id, context),
    regionOf: ({ region }) => region,
    async write({ registration, warnings }, context) {
      const { clock, slices, state } = context;
      const examining = examiningRegistration(state.snapshot().tables, registration, clock.now());
      const examined = await runGenerator(slices, examining);
      const registered = await state.write((transaction) => registerJob(transaction, registration, examined));
      return { registered, warnings: [...warnings, ...examined.warnings] };
    },
    project: ({ registered, warnings }) => ({
      index: registered.index,
      body: { ...registeredJson(registered), Warnings: listWarnings(warnings) },
    }),
  });
}

/** An invalid job is rejected for every caller; other checks reveal state, so they require rights. */
export const registrationRight: Right<Access, ParsedRegistration, void, HttpContext> = {
  name: 'namespace:submit-job',
  async grant(getAccess, { registration: { job } }, { clock, slices }) {
    const access = await getAccess();
    if (access.allowsNamespace(registering, job.Namespace)) return;
    const { errors } = await runGenerator(slices, examiningJob(job, clock.now()));
    if (errors.length > 0) throw badRequest(listErrors(errors));
    refuse();
  },
};

/** A long body is processed in several turns. */
export async function parseRegistration(
  { request, parameters }: Call,
  pathId: string | null,
  context: HttpContext,
  shape: typeof registrationShape | typeof plannedShape | typeof validatedShape = registrationShape,
): Promise<ParsedRegistration> {
  const { given, warnings } = await readBodyStrictly(shape, request);
  const body: RegistrationBody = given;
  const { Job: job } = body;
  const isLooked = shape === validatedShape && job !== undefined;
  const whole = isLooked ? { ...body, Job: { ...job, ID: job.ID ?? '' } } : body;
  const registration = await stepOn(request.body, () => planRegistration(whole, parameters, pathId, context));
  return { registration, warnings, diff: body.Diff === true, region: regionOf(body, parameters) };
}

/** Returns null for 0, which means not given. */
export function requireEvalPriority(priority: number | bigint): number | null {
  if (Number(priority) === 0) return null;
  if (isPriority(priority)) return Number(priority);
  const { min, max } = priorityBounds;
  throw badRequest(`Eval priority must be between ${min} and ${max} inclusively`);
}

function planRegistration(
  body: RegistrationBody,
  parameters: QueryParameters,
  pathId: string | null,
  context: HttpContext,
): Registration {
  const { Job: job } = body;
  if (job === undefined) throw badRequest('Job must be specified');
  if (job.ID === undefined) throw badRequest("Job ID hasn't been provided");
  if (pathId !== null && pathId !== job.ID) throw badRequest('Job ID does not match name');
  const tooLarge = sizeErrors(job);
  if (tooLarge.length > 0) throw badRequest(listErrors(tooLarge));
  const evalPriority = requireEvalPriority(body.EvalPriority ?? 0);
  const namespace =
    firstParameter(parameters, 'namespace') || body.Namespace || job.Namespace || defaultNamespace;
  return {
    job: completeJob(job, { namespace, region: context.region }),
    enforceIndex: body.EnforceIndex === true ? (body.JobModifyIndex ?? 0) : null,
    evalPriority,
    preserved: { counts: body.PreserveCounts === true, resources: body.PreserveResources === true },
  };
}

/** `global`, which clients send by default, means the region of the called agent. */
function regionOf({ Region, Job: job }: RegistrationBody, parameters: QueryParameters): string {
  const region = Region || firstParameter(parameters, 'region') || job?.Region || '';
  return region === 'global' ? '' : region;
}

export function registeredJson({ evalId, evalCreateIndex, jobModifyIndex, index }: Registered): object {
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
