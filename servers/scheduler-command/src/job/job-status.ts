import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import type { JobStub } from '@tamis/scheduler-model/job-stub.js';
import { timetableOf } from '@tamis/scheduler-model/timetable.js';
import type { GroupSummary, JobSummary } from '@tamis/scheduler-model/job-summary.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import { formatAge, millisecondsOf } from '../terminal/ages.js';
import { fieldLines, tableLines, type Column, type FieldView } from '../terminal/table.js';
import { allocationColumns, type AllocationRow } from '../views/allocation-table.js';
import { deploymentLines } from '../views/deployment-view.js';
import { failureLines } from '../views/placement-failures.js';
import { findJob, jobPath, type JobView } from '../find-job.js';
import type { Given } from '../given.js';
import { listPaths } from '../list-paths.js';
import { jobColumns, createListCommand } from '../views/list-views.js';
import { shortId, writeResponse, type Session } from '../session.js';

/** `job status`: prints the list of jobs, or one job. */
export async function printJobs(session: Session, given: Given): Promise<number | void> {
  const id = given.argument('JOB');
  if (id !== null) return printJob(session, await findJob(session, id));
  return createListCommand('jobs')(session, given);
}

/** Prints one job with its related objects. */
export async function printJob(session: Session, job: JobView): Promise<void> {
  const { api } = session;
  const { ID, Namespace: namespace } = job;
  const read = async <T>(...path: readonly string[]): Promise<T> =>
    (await api.get<T>(jobPath(ID, ...path), { namespace })).body;
  const children = isStartedLater(job)
    ? api.get<readonly JobStub[]>(listPaths.jobs, {
        ...{ namespace, prefix: `${ID}/`, sort: '-SubmitTime', per_page: maxAllocations },
      })
    : null;
  const [summary, deployment, evaluations, allocations] = await Promise.all([
    read<JobSummary>('summary'),
    read<Deployment | null>('deployment'),
    read<readonly Evaluation[]>('evaluations'),
    read<readonly AllocationRow[]>('allocations'),
  ]);
  const launched = ((await children)?.body ?? []).filter(({ ParentID }) => ParentID === ID);
  const next = nextLaunchOf(session, job);
  const all = {
    Job: job,
    NextLaunch: next === null ? null : new Date(next).toISOString(),
    Children: launched,
    Summary: summary,
    Deployment: deployment,
    Evaluations: evaluations,
    Allocations: allocations,
  };
  const parts = { summary, deployment, evaluations, allocations, children: launched, next };
  await writeResponse(session, all, () => jobLines(session, job, parts));
}

/** Returns the next launch in ms since 1970; null for a job without a timetable. */
function nextLaunchOf({ now }: Session, job: JobView): number | null {
  if (job.Stop || job.Periodic?.Enabled !== true) return null;
  try {
    return timetableOf(job).next(now());
  } catch {
    // Imported jobs may have invalid timetables.
    return null;
  }
}

interface JobParts {
  readonly summary: JobSummary;
  readonly deployment: Deployment | null;
  readonly evaluations: readonly Evaluation[];
  readonly allocations: readonly AllocationRow[];
  /** Its child jobs, newest first. */
  readonly children: readonly JobStub[];
  readonly next: number | null;
}

/** Maximum number of allocations shown per job. */
const maxAllocations = 20;

function jobLines(session: Session, job: JobView, parts: JobParts): string[] {
  const { palette } = session;
  const { layout } = session;
  const groups = Object.entries(parts.summary.Summary ?? {}).map(([name, counts]) => ({ name, counts }));
  const newest = [...parts.allocations].reverse().slice(0, maxAllocations);
  const blocked = [...parts.evaluations].reverse().find(({ Status }) => Status === 'blocked');
  const more = parts.allocations.length - newest.length;
  return [
    ...fieldLines(jobFields(session, job, parts), layout),
    ...(groups.length === 0 ? [] : ['', ...tableLines(groupColumns, groups, layout)]),
    ...(parts.deployment === null ? [] : ['', ...deploymentLines(session, parts.deployment)]),
    ...(blocked === undefined
      ? []
      : ['', palette.strong('NOT PLACED'), ...failureLines(blocked.FailedTGAllocs)]),
    ...(parts.children.length === 0
      ? []
      : [
          '',
          palette.strong('LAUNCHED'),
          ...tableLines(jobColumns({ ...session, namespace: null }), parts.children, layout),
        ]),
    ...(newest.length === 0 ? [] : ['', ...tableLines(allocationColumns(session), newest, layout)]),
    ...(more > 0
      ? [
          palette.faint(
            `and ${more} more: scheduler alloc status --filter 'JobID == ${sanitizeForTerminal(JSON.stringify(job.ID))}'`,
          ),
        ]
      : []),
    ...hints(session, newest),
  ];
}

function jobFields(
  session: Session,
  job: JobView,
  { next, summary }: Pick<JobParts, 'next' | 'summary'>,
): readonly FieldView[] {
  const { ID, Name, Namespace, Type, Priority, Datacenters, Status, StatusDescription, Version } = job;
  return [
    ['ID', ID, 'whole'],
    ['Name', Name === ID ? '' : Name],
    ['Namespace', Namespace === 'default' ? '' : Namespace, 'whole'],
    ['Type', Type],
    ['Priority', String(Priority)],
    ['Datacenters', (Datacenters ?? []).join(', ')],
    ['Status', job.Stop ? 'dead (stopped)' : Status],
    ['Description', StatusDescription],
    ['Version', `${Version}${job.Stable ? ' (stable)' : ''}`],
    ['Submitted', formatAge(millisecondsOf(job.SubmitTime), session.now())],
    ['Periodic', job.Periodic === null ? '' : periodicOf(job.Periodic)],
    [
      'Next launch',
      next === null ? '' : `${new Date(next).toISOString()}, ${formatAge(next, session.now())}`,
    ],
    ['Launched', isStartedLater(job) ? childrenOf(summary) : ''],
    ['Started by', job.ParentID, 'whole'],
    [
      'Parameterised',
      job.ParameterizedJob === null || job.Dispatched ? '' : `scheduler job dispatch ${ID}`,
      'whole',
    ],
  ];
}

/** Returns `2 running, 5 dead`. */
function childrenOf({ Children: { Pending, Running, Dead } }: JobSummary): string {
  const counts = { pending: Pending, running: Running, dead: Dead };
  const reported = Object.entries(counts).filter(([, count]) => Number(count) > 0);
  return reported.map(([word, count]) => `${count} ${word}`).join(', ') || 'nothing yet';
}

function periodicOf({ Enabled, Spec, Specs, TimeZone }: NonNullable<JobView['Periodic']>): string {
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
      ? `scheduler alloc status ${shortId(failed.ID, session)} shows why it failed`
      : running !== undefined
        ? `scheduler alloc logs ${shortId(running.ID, session)} shows what it writes`
        : null;
  return said === null || !session.out.isTerminal ? [] : ['', session.palette.faint(said)];
}
