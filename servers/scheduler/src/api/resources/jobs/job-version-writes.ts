import { t } from 'tamis';
import { runGenerator } from '@tamis/http';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { listWarnings } from '@tamis/scheduler-model/job-rules/findings.js';
import { examiningRegistration } from '@tamis/scheduler-state/state/register-job.js';
import {
  revertedJob,
  revertJob,
  setStability,
  type Reversion,
} from '@tamis/scheduler-state/state/revert-job.js';
import { readBody } from '../../kernel/requests/body.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { registeredJson } from './job-registration.js';
import { requireSame, targetOf } from './job-writes.js';
import { namespaceRight } from '../../kernel/rights.js';
import type { Call } from '../../kernel/route.js';
import { writeRoute } from '../../lists/write-route.js';

const secrets = { ConsulToken: t.string, VaultToken: t.string };
export const reversionShape = t.struct({
  ...{ JobID: t.string, JobVersion: t.uint, EnforcePriorVersion: t.nullable(t.uint), ...secrets },
});
export const stabilityShape = t.struct({ JobID: t.string, JobVersion: t.uint, Stable: t.bool });

const versionWrite = {
  tag: 'jobs',
  failures: [404],
  right: namespaceRight('submit-job'),
  parameters: ['namespace'],
} as const;

/** Writes to the versions of a job. */
export const jobVersionWrites: readonly ClusterRoute[] = [
  writeRoute({
    ...versionWrite,
    path: '/v1/job/{job_id}/revert',
    summary: 'Return a job to one of its versions',
    body: { schema: 'JobReversion', required: true },
    response: { kind: 'json', schema: 'JobRegistered' },
    parse: parseReversion,
    async write(reversion, context) {
      const { clock, slices, state } = context;
      const { tables } = state.snapshot();
      const job = revertedJob(tables, reversion);
      const registration = { job, enforceIndex: null, evalPriority: null };
      const examined = await runGenerator(slices, examiningRegistration(tables, registration, clock.now()));
      const registered = await state.write((transaction) => revertJob(transaction, reversion, examined));
      return { registered, warnings: examined.warnings };
    },
    project: ({ registered, warnings }) => ({
      index: registered.index,
      body: { ...registeredJson(registered), Warnings: listWarnings(warnings) },
    }),
  }),
  writeRoute({
    ...versionWrite,
    path: '/v1/job/{job_id}/stable',
    summary: 'Say whether a version of a job is one to return to',
    body: { schema: 'JobStability', required: true },
    response: { kind: 'json', schema: 'JobStabilityWritten' },
    parse(call) {
      const { JobID, JobVersion, Stable } = readBody(stabilityShape, call.request.body);
      requireSame(JobID, call.id);
      const job = targetOf(call);
      return { ...job, job, version: requireVersion(JobVersion), isStable: Stable === true };
    },
    write: (stability, { state }) => state.write((transaction) => setStability(transaction, stability)),
    project: ({ index, jobModifyIndex }) => ({
      index,
      body: { JobModifyIndex: jobModifyIndex, Index: index },
    }),
  }),
];

function parseReversion(call: Call): Reversion & { readonly Namespace: string } {
  const { JobID, JobVersion, EnforcePriorVersion } = readBody(reversionShape, call.request.body);
  requireSame(JobID, call.id);
  const job = targetOf(call);
  return {
    Namespace: job.Namespace,
    job,
    version: requireVersion(JobVersion),
    priorVersion: EnforcePriorVersion ?? null,
  };
}

/** The version is required: the first version is 0, so a missing one would mean that. */
function requireVersion(version: number | bigint | undefined): number | bigint {
  if (version !== undefined) return version;
  throw badRequest('JobVersion: must say which version');
}
