import { t } from 'tamis';
import { getRow, lookupRows } from 'tamis/table';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { isFinished, isStopped } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { jobKey, type Job } from '@tamis/scheduler-model/job.js';
import type { ScalingEvent, ScalingEvents } from '@tamis/scheduler-model/scaling-events.js';
import { readBody } from '../../kernel/requests/body.js';
import { scaleJob, type ScalingRequest } from '@tamis/scheduler-state/state/scale-job.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { registeredJson } from './job-registration.js';
import { targetOf } from './job-writes.js';
import { readNamespace } from '../../kernel/query.js';
import { readRoute } from '../../lists/read-route.js';
import { namespaceRight, withinNamespace } from '../../kernel/rights.js';
import type { Call } from '../../kernel/route.js';
import { writeRoute } from '../../lists/write-route.js';

export const scalingRequestShape = t.struct({
  /** `Group`, and `Job` and `Namespace`, which must match the path. */
  Target: t.map(t.string),
  Count: t.nullable(t.int),
  Message: t.string,
  Error: t.bool,
  Meta: t.map(t.any),
  PolicyOverride: t.bool,
  EnforceIndex: t.bool,
  JobModifyIndex: t.uint,
});

/** Maximum characters of a message, and of its meta as JSON. Prevents retained events from filling a row. */
const maxMessage = 1_024;
const maxMeta = 8_192;

const path = '/v1/job/{job_id}/scale';

/** The counts of a job's groups, and their scaling events. */
export const jobScaling: readonly ClusterRoute[] = [
  readRoute({
    path,
    tag: 'jobs',
    summary: 'Read the counts of the groups of a job, and the events that changed them',
    right: withinNamespace('read-job', 'read-job-scaling'),
    parameters: ['namespace'],
    response: { kind: 'json', schema: 'JobScaleStatus' },
    tables: ['jobs', 'allocations', 'scaling_events'],
    missing: 'job not found',
    find(query, id) {
      const key = jobKey({ Namespace: readNamespace(query.namespace), ID: id });
      return ({ tables }) => {
        const job = getRow(tables.jobs, key);
        if (job === null) return null;
        const events = getRow(tables.scaling_events, key);
        return {
          index: null,
          project: () => scaleJson(job, lookupRows(tables.allocations.indexes.JobID, id), events),
        };
      };
    },
  }),
  writeRoute({
    path,
    tag: 'jobs',
    summary: 'Give a group of a job another count, or keep a word about it',
    failures: [404],
    right: namespaceRight('submit-job', 'scale-job'),
    parameters: ['namespace'],
    body: { schema: 'JobScaling', required: true },
    response: { kind: 'json', schema: 'JobRegistered' },
    parse: parseScaling,
    write: ({ request }, context) => context.state.write((transaction) => scaleJob(transaction, request)),
    project: (registered) => ({
      index: registered.index,
      body: { ...registeredJson(registered), Warnings: '' },
    }),
  }),
];

function parseScaling(call: Call): { readonly Namespace: string; readonly request: ScalingRequest } {
  const given = readBody(scalingRequestShape, call.request.body);
  const job = targetOf(call);
  const { Target = {}, Message = '', Error: isError = false, Meta = null } = given;
  const count = given.Count ?? null;
  const { Namespace = '', Job: id = '', Group = '' } = Target;
  if (Namespace !== '' && Namespace !== job.Namespace)
    throw badRequest('namespace in payload did not match header');
  if (id !== '' && id !== job.ID) throw badRequest('job ID in payload did not match URL');
  if (Group === '') throw badRequest('missing task group name for scaling action');
  if (count !== null && count < 0) throw badRequest("scaling action count can't be negative");
  if (count !== null && isError) throw badRequest('scaling action should not contain count if error is true');
  if (Message.length > maxMessage) throw badRequest(`message longer than ${maxMessage} characters`);
  if (
    JSON.stringify(Meta, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
      .length > maxMeta
  )
    throw badRequest(`meta longer than ${maxMeta} characters`);
  const request = {
    ...{ job, group: Group, count, message: Message, isError, meta: Meta },
    enforceIndex: given.EnforceIndex === true ? (given.JobModifyIndex ?? 0) : null,
  };
  return { Namespace: job.Namespace, request };
}

interface GroupScale {
  readonly Desired: number | bigint;
  Placed: number;
  Running: number;
  Healthy: number;
  Unhealthy: number;
  readonly Events: readonly ScalingEvent[] | null;
}

/** Counts the current allocations of each group: those that have not ended and are not stopping. */
function scaleJson(job: Job, allocations: Iterable<Allocation>, events: ScalingEvents | null): object {
  const groups = new Map<string, GroupScale>(
    (job.TaskGroups ?? []).map(({ Name, Count }) => [
      Name,
      {
        ...{ Desired: Count, Placed: 0, Running: 0, Healthy: 0, Unhealthy: 0 },
        Events: events?.Events?.[Name] ?? null,
      },
    ]),
  );
  for (const row of allocations) {
    const group = row.Namespace === job.Namespace ? groups.get(row.TaskGroup) : undefined;
    if (group === undefined || isFinished(row) || isStopped(row)) continue;
    group.Placed += 1;
    if (row.ClientStatus === 'running') group.Running += 1;
    const healthy = row.DeploymentStatus?.Healthy ?? null;
    if (healthy !== null) group[healthy ? 'Healthy' : 'Unhealthy'] += 1;
  }
  return {
    ...{ JobID: job.ID, Namespace: job.Namespace, JobCreateIndex: job.CreateIndex },
    ...{ JobModifyIndex: job.JobModifyIndex, JobStopped: job.Stop },
    TaskGroups: Object.fromEntries(groups),
  };
}
