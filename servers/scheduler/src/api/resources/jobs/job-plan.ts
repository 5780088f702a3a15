import { runGenerator } from '@tamis/http';
import { diffJobs } from '@tamis/scheduler-model/job-diff.js';
import { annotateDiff, type UpdateCounts } from '@tamis/scheduler-model/job-plan-diff.js';
import { listErrors, listWarnings } from '@tamis/scheduler-model/job-rules/findings.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { updateProblem } from '@tamis/scheduler-model/job-update.js';
import { omitEmpty } from '@tamis/scheduler-model/omit-empty.js';
import { examineDrivers } from '@tamis/scheduler-model/job-rules/drivers.js';
import { examiningJob } from '@tamis/scheduler-model/job-validation.js';
import {
  maxPlannedPlacements,
  planningRegistration,
  type PlannedRegistration,
} from '@tamis/scheduler-placement/placement/plan-registration.js';
import type { DesiredUpdates } from '@tamis/scheduler-state/state/plan.js';
import { missingSurroundings } from '@tamis/scheduler-state/state/register-job.js';
import { scanRows, fullRange, getRow } from 'tamis/table';
import type { ClusterRoute } from '../../kernel/context.js';
import { parseRegistration, plannedShape, registrationRight, validatedShape } from './job-registration.js';
import { namespaceRight } from '../../kernel/rights.js';
import { writeRoute } from '../../lists/write-route.js';

/** Validates and plans jobs before registration, without changing anything. */
export const jobPlans: readonly ClusterRoute[] = [
  writeRoute({
    path: '/v1/job/{job_id}/plan',
    summary: 'Return what registering a job would do',
    tag: 'jobs',
    right: registrationRight,
    parameters: ['namespace'],
    body: { schema: 'JobPlanRequest', required: true },
    response: { kind: 'json', schema: 'JobPlan' },
    parse: (call, context) => parseRegistration(call, call.id, context, plannedShape),
    regionOf: ({ region }) => region,
    async write({ registration, diff, warnings }, context) {
      const { clock, slices, state } = context;
      const snapshot = state.snapshot();
      const planned = await runGenerator(
        slices,
        planningRegistration(snapshot, registration, clock.now(), context),
      );
      return { index: snapshot.index, planned, diff, warnings };
    },
    project: ({ index, planned, diff, warnings }) => ({
      index,
      body: planJson(planned, diff, index, warnings),
    }),
  }),
  writeRoute({
    path: '/v1/validate/job',
    summary: 'Report what is wrong with a job',
    tag: 'jobs',
    right: namespaceRight('read-job'),
    parameters: ['namespace'],
    body: { schema: 'JobRegistration', required: true },
    response: { kind: 'json', schema: 'JobValidation' },
    async parse(call, context) {
      const parsed = await parseRegistration(call, null, context, validatedShape);
      return { ...parsed, Namespace: parsed.registration.job.Namespace };
    },
    regionOf: ({ region }) => region,
    async write({ registration: { job }, warnings }, { clock, slices, state }) {
      const { index, tables } = state.snapshot();
      const found = await runGenerator(slices, examiningJob(job, clock.now()));
      const stored = getRow(tables.jobs, jobKey(job));
      const problem = stored === null ? null : updateProblem(stored, job);
      const drivers = examineDrivers(job, scanRows(tables.nodes.primary, fullRange, false));
      return {
        index,
        errors: [
          ...missingSurroundings(tables, job),
          ...found.errors,
          ...(problem === null ? [] : [problem]),
          ...drivers.errors,
        ],
        warnings: [...warnings, ...found.warnings, ...drivers.warnings],
      };
    },
    project: ({ index, errors, warnings }) => ({
      index,
      body: {
        DriverConfigValidated: true,
        ValidationErrors: errors.length === 0 ? null : errors,
        Error: errors.length === 0 ? '' : listErrors(errors),
        Warnings: listWarnings(warnings),
        Index: index,
      },
    }),
  }),
];

/** Go's zero time, which clients treat as missing. */
const noTime = '0001-01-01T00:00:00Z';

function planJson(
  { created, stored, job, plan, nextLaunch, warnings: found }: PlannedRegistration,
  withDiff: boolean,
  Index: number,
  given: readonly string[],
): object {
  const desired = plan?.desired ?? new Map<string, DesiredUpdates>();
  const failed = [...(plan?.failed ?? [])];
  const more =
    plan?.hasMore === true
      ? [`Only the first ${maxPlannedPlacements} placements were tried: there may be no room for others.`]
      : [];
  const updates = new Map([...desired].map(([group, counts]) => [group, updateCounts(counts)]));
  return {
    Annotations: {
      DesiredTGUpdates: Object.fromEntries([...desired].map(([name, counts]) => [name, desiredJson(counts)])),
      PreemptedAllocs: null,
    },
    FailedTGAllocs: failed.length === 0 ? null : Object.fromEntries(failed),
    JobModifyIndex: stored?.JobModifyIndex ?? 0,
    CreatedEvals: created.length === 0 ? null : created.map(omitEmpty),
    Diff: withDiff ? annotateDiff(diffJobs(stored, job), updates) : null,
    NextPeriodicLaunch: nextLaunch === null ? noTime : new Date(nextLaunch).toISOString(),
    Warnings: listWarnings([...given, ...found, ...more]),
    Index,
  };
}

function desiredJson(counts: DesiredUpdates): object {
  return {
    ...{ Ignore: counts.ignore, Place: counts.place, Migrate: counts.migrate, Stop: counts.stop },
    ...{ InPlaceUpdate: counts.inPlace, DestructiveUpdate: counts.destructive },
    ...{ Canary: counts.canary, Preemptions: 0 },
  };
}

/** Returns the counts that are not 0, by their names in differences. */
function updateCounts(counts: DesiredUpdates): UpdateCounts {
  const words: readonly (readonly [string, number])[] = [
    ['ignore', counts.ignore],
    ['create', counts.place],
    ['destroy', counts.stop],
    ['migrate', counts.migrate],
    ['in-place update', counts.inPlace],
    ['create/destroy update', counts.destructive],
    ['canary', counts.canary],
  ];
  return Object.fromEntries(words.filter(([, count]) => count > 0));
}
