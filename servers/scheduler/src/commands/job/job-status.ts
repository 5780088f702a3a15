import type { Deployment } from '../../model/deployment.js';
import type { Evaluation } from '../../model/evaluation.js';
import type { JobStub } from '../../model/job-stub.js';
import type { GroupSummary, JobSummary } from '../../model/job-summary.js';
import { harmless } from '../../terminal/harmless.js';
import { formatAge, millisecondsOf } from '../../terminal/ages.js';
import { fieldLines, tableLines, type Column } from '../../terminal/table.js';
import { allocationColumns, type AllocationRow } from '../alloc/allocation-table.js';
import { deploymentLines } from '../deployment/deployment-view.js';
import { failureLines } from '../eval/placement-failures.js';
import { findJob, jobPath, type ShownJob } from '../find-job.js';
import type { Given } from '../given.js';
import { listRows } from '../list-rows.js';
import { writeJson } from '@tamis/http';
import { shortId, widthOfScreen, writeLines, type Session } from '../session.js';

/** `job status`: the list of jobs, or one job. */
export async function showJobs(session: Session, given: Given): Promise<undefined> {
  const id = given.argument('JOB');
  if (id !== null) return showJob(session, await findJob(session, id));
  return listJobs(session, given);
}

export async function listJobs(session: Session, given: Given): Promise<undefined> {
  return listRows<JobStub>(session, given, {
    path: '/v1/jobs',
    columns: jobColumns(session),
    empty: 'No jobs. scheduler job run FILE runs one, examples are in examples/jobs.',
  });
}

function jobColumns({ namespace, now }: Session): readonly Column<JobStub>[] {
  const title = 'NAMESPACE';
  return [
    { title: 'ID', cell: ({ ID }) => ID, cut: 'middle' },
    ...(namespace === '*' ? [{ title, cell: ({ Namespace }: JobStub) => Namespace }] : []),
    { title: 'TYPE', cell: kindOf },
    { title: 'PRIORITY', cell: ({ Priority }) => String(Priority), isOptional: true },
    { title: 'STATUS', cell: ({ Status, Stop }) => (Stop ? 'dead (stopped)' : Status), isStatus: true },
    { title: 'ALLOCATIONS', cell: ({ JobSummary: summary }) => countsOf(summary) },
    {
      title: 'SUBMITTED',
      cell: ({ SubmitTime }) => formatAge(millisecondsOf(SubmitTime), now()),
      isOptional: true,
    },
  ];
}

function kindOf({ Type, Periodic, ParameterizedJob }: JobStub): string {
  return `${Type}${Periodic ? ', periodic' : ''}${ParameterizedJob ? ', parameterised' : ''}`;
}

const states = ['Running', 'Starting', 'Queued', 'Failed', 'Lost', 'Complete'] as const;

/** `3 running, 1 failed`. */
function countsOf(summary: JobSummary | null): string {
  const groups = Object.values(summary?.Summary ?? {});
  const sums = states.map((state) => {
    const sum = groups.reduce((total, group) => total + Number(group[state]), 0);
    return sum === 0 ? '' : `${sum} ${state.toLowerCase()}`;
  });
  return sums.filter((text) => text !== '').join(', ');
}

/** One job with all that belongs to it. */
export async function showJob(session: Session, job: ShownJob): Promise<undefined> {
  const { api } = session;
  const { ID, Namespace: namespace } = job;
  const read = async <T>(...path: readonly string[]): Promise<T> =>
    (await api.get<T>(jobPath(ID, ...path), { namespace })).body;
  const [summary, deployment, evaluations, allocations] = await Promise.all([
    read<JobSummary>('summary'),
    read<Deployment | null>('deployment'),
    read<readonly Evaluation[]>('evaluations'),
    read<readonly AllocationRow[]>('allocations'),
  ]);
  if (session.isJson) {
    const all = {
      Job: job,
      Summary: summary,
      Deployment: deployment,
      Evaluations: evaluations,
      Allocations: allocations,
    };
    await session.out.write(`${writeJson(all, 2)}\n`);
    return undefined;
  }
  await writeLines(session, jobLines(session, job, { summary, deployment, evaluations, allocations }));
  return undefined;
}

interface JobParts {
  readonly summary: JobSummary;
  readonly deployment: Deployment | null;
  readonly evaluations: readonly Evaluation[];
  readonly allocations: readonly AllocationRow[];
}

/** Allocations that are shown of a job. */
const mostAllocations = 20;

function jobLines(session: Session, job: ShownJob, parts: JobParts): string[] {
  const { palette } = session;
  const layout = { width: widthOfScreen(session), palette };
  const groups = Object.entries(parts.summary.Summary ?? {}).map(([name, counts]) => ({ name, counts }));
  const newest = [...parts.allocations].reverse().slice(0, mostAllocations);
  const blocked = [...parts.evaluations].reverse().find(({ Status }) => Status === 'blocked');
  const more = parts.allocations.length - newest.length;
  return [
    ...fieldLines(jobFields(session, job), layout),
    ...(groups.length === 0 ? [] : ['', ...tableLines(groupColumns, groups, layout)]),
    ...(parts.deployment === null ? [] : ['', ...deploymentLines(session, parts.deployment)]),
    ...(blocked === undefined
      ? []
      : ['', palette.strong('NOT PLACED'), ...failureLines(blocked.FailedTGAllocs)]),
    ...(newest.length === 0 ? [] : ['', ...tableLines(allocationColumns(session), newest, layout)]),
    ...(more > 0
      ? [
          palette.faint(
            `and ${more} more: scheduler alloc status --filter 'JobID == ${harmless(JSON.stringify(job.ID))}'`,
          ),
        ]
      : []),
    ...hints(session, newest),
  ];
}

function jobFields(session: Session, job: ShownJob): readonly (readonly [string, string])[] {
  const { ID, Name, Namespace, Type, Priority, Datacenters, Status, StatusDescription, Version } = job;
  return [
    ['ID', ID],
    ['Name', Name === ID ? '' : Name],
    ['Namespace', Namespace === 'default' ? '' : Namespace],
    ['Type', Type],
    ['Priority', String(Priority)],
    ['Datacenters', (Datacenters ?? []).join(', ')],
    ['Status', job.Stop ? 'dead (stopped)' : Status],
    ['Description', StatusDescription],
    ['Version', `${Version}${job.Stable ? ' (stable)' : ''}`],
    ['Submitted', formatAge(millisecondsOf(job.SubmitTime), session.now())],
    ['Periodic', job.Periodic === null ? '' : periodicOf(job.Periodic)],
    ['Started by', job.ParentID],
    ['Parameterised', job.ParameterizedJob === null || job.Dispatched ? '' : `scheduler job dispatch ${ID}`],
  ];
}

function periodicOf({ Enabled, Spec, Specs, TimeZone }: NonNullable<ShownJob['Periodic']>): string {
  const times = Spec === '' ? (Specs ?? []).join('; ') : Spec;
  return `${times} (${TimeZone})${Enabled ? '' : ', off'}`;
}

interface GroupRow {
  readonly name: string;
  readonly counts: GroupSummary;
}

const groupColumns: readonly Column<GroupRow>[] = [
  { title: 'GROUP', cell: ({ name }) => name, cut: 'middle' },
  ...(['Queued', 'Starting', 'Running', 'Failed', 'Complete', 'Lost'] as const).map((state) => ({
    title: state.toUpperCase(),
    cell: ({ counts }: GroupRow) => String(counts[state]),
  })),
];

function hints(session: Session, allocations: readonly AllocationRow[]): string[] {
  const failed = allocations.find(({ ClientStatus }) => ClientStatus === 'failed');
  const running = allocations.find(({ ClientStatus }) => ClientStatus === 'running');
  const said =
    failed !== undefined
      ? `scheduler alloc status ${shortId(failed.ID, session)} tells why it failed`
      : running !== undefined
        ? `scheduler alloc logs ${shortId(running.ID, session)} shows what it writes`
        : null;
  return said === null || !session.out.isTerminal ? [] : ['', session.palette.faint(said)];
}
