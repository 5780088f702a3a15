import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { JobStub } from '@tamis/scheduler-model/job-stub.js';
import type { NodeStub } from '@tamis/scheduler-model/node.js';
import { addressOf, jobAddress } from '../app/location.js';
import { RowLink } from '../detail/links.js';
import { ListPage } from '../lists/list-page.js';
import type { ListDeclaration } from '../lists/list-declaration.js';
import { ageColumn } from '../table/age-column.js';
import { fieldColumn } from '../table/field-column.js';
import { idColumn } from '../table/id-column.js';
import { jobColumn } from '../table/job-column.js';
import { countText } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** A row with its own ID, unlike jobs, whose IDs are unique only in their namespaces. */
interface RowWithId {
  readonly ID: string;
  readonly ModifyIndex: number | bigint;
}

/** Returns the properties shared by the lists of rows with IDs. @param one singular name of the rows in routes */
function rowsWithId<N extends 'node' | 'allocation' | 'deployment' | 'evaluation'>(one: N) {
  return {
    resource: `${one}s`,
    path: `/v1/${one}s`,
    objectOf: ({ ID }: RowWithId) => `/v1/${one}/${encodeURIComponent(ID)}`,
    keyOf: ({ ID }: RowWithId) => ID,
    versionOf: ({ ModifyIndex }: RowWithId) => String(ModifyIndex),
  } as const;
}

/** The properties shared by the lists of rows without names: the newest come first. */
const newestFirst = {
  query: { namespace: '*' },
  sample: {},
  sort: '-CreateIndex',
  right: 'read-job in a namespace',
} as const;

const jobs: ListDeclaration<JobStub> = {
  resource: 'jobs',
  title: 'Jobs',
  path: '/v1/jobs',
  query: { namespace: '*' },
  sample: { meta: 'true' },
  objectOf: ({ ID, Namespace }) =>
    `/v1/job/${encodeURIComponent(ID)}?namespace=${encodeURIComponent(Namespace)}`,
  // The row of a job includes the states of its allocations.
  topics: ['Job', 'Allocation'],
  sort: '',
  facets: ['Status', 'Type', 'Namespace', 'Datacenters', 'NodePool'],
  keyOf: ({ Namespace, ID }) => `${Namespace}.${ID}`,
  versionOf: ({ ModifyIndex, JobSummary }) => `${ModifyIndex} ${JobSummary?.ModifyIndex ?? ''}`,
  right: 'list-jobs in a namespace',
  examples: ['Status == "running" and Priority >= 50', 'Type == "batch"', 'ID starts with "web"'],
  columns: [
    {
      title: 'Job',
      width: 'minmax(16ch, 3fr)',
      sort: 'Name',
      render: (job) => (
        <a href={jobAddress(job)}>
          <UntrustedText text={job.Name === '' ? job.ID : job.Name} />
        </a>
      ),
    },
    fieldColumn('Status', { width: 'minmax(10ch, 1fr)', isSorted: true, isStatus: true }),
    {
      ...fieldColumn<JobStub>('Type', { width: 'minmax(9ch, 2fr)', isSorted: true, from: 600 }),
      render: (job) => kindOf(job),
    },
    fieldColumn('Priority', { width: '9ch', isSorted: true, from: 600, isNumeric: true }),
    {
      title: 'Running',
      width: '10ch',
      isNumeric: true,
      render: ({ JobSummary }) => runningOf(JobSummary),
      from: 900,
    },
    fieldColumn('Namespace', { width: 'minmax(12ch, 1fr)', isSorted: true, from: 900 }),
    ageColumn('Submitted', 'SubmitTime', { sort: 'SubmitTime', from: 900 }),
  ],
};

/** Returns the type of a job, and whether it is periodic or parameterised. */
function kindOf({ Type, Periodic, ParameterizedJob }: JobStub): string {
  return `${Type}${Periodic ? ', periodic' : ''}${ParameterizedJob ? ', parameterised' : ''}`;
}

/** Returns how many allocations run, out of the desired number. */
function runningOf(summary: JobStub['JobSummary']): string {
  const groups = Object.values(summary?.Summary ?? {});
  const running = sum(groups.map(({ Running }) => Running));
  const others = sum(groups.flatMap(({ Queued, Starting }) => [Queued, Starting]));
  return others === 0 ? countText(running) : `${countText(running)} of ${countText(running + others)}`;
}

const nodes: ListDeclaration<NodeStub> = {
  title: 'Nodes',
  ...rowsWithId('node'),
  query: {},
  sample: { os: 'true', resources: 'true' },
  topics: ['Node'],
  sort: '',
  facets: ['Status', 'SchedulingEligibility', 'Datacenter', 'NodeClass', 'NodePool'],
  right: 'node read',
  examples: [
    'Status == "ready" and Datacenter == "dc1"',
    'Attributes["cpu.arch"] == "arm64"',
    'DrainStrategy is not empty',
  ],
  columns: [
    {
      title: 'Node',
      width: 'minmax(14ch, 2fr)',
      sort: 'Name',
      render: ({ ID, Name }) => (
        <a href={addressOf(['nodes', ID])}>
          <UntrustedText text={Name === '' ? ID : Name} />
        </a>
      ),
    },
    fieldColumn('Status', { width: 'minmax(11ch, 1fr)', isSorted: true, isStatus: true }),
    fieldColumn('SchedulingEligibility', {
      title: 'Eligibility',
      width: 'minmax(11ch, 1fr)',
      isSorted: true,
      isStatus: true,
      from: 600,
    }),
    { title: 'Drain', width: '8ch', render: ({ Drain }) => (Drain ? 'draining' : ''), from: 900 },
    fieldColumn('Datacenter', { width: 'minmax(10ch, 1fr)', isSorted: true, from: 600 }),
    fieldColumn('NodeClass', { title: 'Class', width: 'minmax(10ch, 1fr)', isSorted: true, from: 900 }),
    fieldColumn('NodePool', { title: 'Pool', width: 'minmax(10ch, 1fr)', isSorted: true, from: 900 }),
    {
      title: 'Address',
      width: 'minmax(14ch, 1fr)',
      render: ({ Address }) => Address,
      from: 1200,
    },
    {
      title: 'Version',
      width: '10ch',
      render: ({ Version }) => Version,
      from: 1200,
    },
  ],
};

/** The fields of an allocation in the list. */
type AllocationStub = Pick<
  Allocation,
  | 'ID'
  | 'Namespace'
  | 'JobID'
  | 'TaskGroup'
  | 'NodeID'
  | 'NodeName'
  | 'ClientStatus'
  | 'DesiredStatus'
  | 'CreateTime'
  | 'ModifyTime'
  | 'ModifyIndex'
>;

const allocations: ListDeclaration<AllocationStub> = {
  title: 'Allocations',
  ...rowsWithId('allocation'),
  ...newestFirst,
  query: { namespace: '*', task_states: 'false' },
  sample: { task_states: 'true' },
  topics: ['Allocation'],
  facets: ['ClientStatus', 'DesiredStatus', 'Namespace'],
  examples: ['ClientStatus == "failed"', 'DesiredStatus == "run" and ClientStatus != "running"'],
  columns: [
    idColumn('Allocation', 'allocations'),
    jobColumn(),
    fieldColumn('TaskGroup', { title: 'Group', width: 'minmax(9ch, 1fr)', isSorted: true, from: 900 }),
    fieldColumn('ClientStatus', {
      title: 'Status',
      width: 'minmax(11ch, 1fr)',
      isSorted: true,
      isStatus: true,
    }),
    fieldColumn('DesiredStatus', {
      title: 'Desired',
      width: 'minmax(9ch, 1fr)',
      isSorted: true,
      from: 900,
    }),
    {
      title: 'Node',
      width: 'minmax(12ch, 1fr)',
      render: ({ NodeID, NodeName }) => <RowLink to="nodes" id={NodeID} name={NodeName} />,
      from: 600,
    },
    fieldColumn('Namespace', { width: 'minmax(11ch, 1fr)', isSorted: true, from: 1200 }),
    ageColumn('Created', 'CreateTime', { from: 900 }),
    ageColumn('Changed', 'ModifyTime', { sort: 'ModifyIndex', from: 600 }),
  ],
};

const deployments: ListDeclaration<Deployment> = {
  title: 'Deployments',
  ...rowsWithId('deployment'),
  ...newestFirst,
  topics: ['Deployment'],
  facets: ['Status', 'Namespace'],
  examples: ['Status == "running"', 'Status == "failed" and JobVersion > 0'],
  columns: [
    idColumn('Deployment', 'deployments'),
    jobColumn(),
    fieldColumn('JobVersion', { title: 'Version', width: '8ch', from: 600, isNumeric: true }),
    fieldColumn('Status', { width: 'minmax(12ch, 1fr)', isSorted: true, isStatus: true }),
    {
      title: 'Healthy',
      width: '12ch',
      isNumeric: true,
      render: healthyOf,
      from: 600,
    },
    {
      title: 'Description',
      width: 'minmax(20ch, 3fr)',
      render: ({ StatusDescription }) => StatusDescription,
      from: 1200,
    },
    fieldColumn('Namespace', { width: 'minmax(11ch, 1fr)', isSorted: true, from: 900 }),
    ageColumn('Changed', 'ModifyTime', { sort: 'ModifyIndex', from: 900 }),
  ],
};

/** Returns how many allocations of a deployment are healthy, out of the desired number. */
function healthyOf({ TaskGroups }: Deployment): string {
  const groups = Object.values(TaskGroups ?? {}).filter((group) => group !== null);
  const healthy = sum(groups.map(({ HealthyAllocs }) => HealthyAllocs));
  const desired = sum(groups.map(({ DesiredTotal }) => DesiredTotal));
  return `${countText(healthy)} of ${countText(desired)}`;
}

const evaluations: ListDeclaration<Evaluation> = {
  title: 'Evaluations',
  ...rowsWithId('evaluation'),
  ...newestFirst,
  topics: ['Evaluation'],
  facets: ['Status', 'TriggeredBy', 'Type', 'Namespace'],
  examples: ['Status == "blocked"', 'TriggeredBy == "node-update" and Status != "complete"'],
  columns: [
    idColumn('Evaluation', 'evaluations'),
    jobColumn(),
    fieldColumn('Status', { width: 'minmax(11ch, 1fr)', isSorted: true, isStatus: true }),
    fieldColumn('TriggeredBy', {
      title: 'Triggered by',
      width: 'minmax(14ch, 1fr)',
      isSorted: true,
      from: 600,
    }),
    fieldColumn('Type', { width: 'minmax(9ch, 1fr)', isSorted: true, from: 900 }),
    fieldColumn('Priority', { width: '8ch', from: 900, isNumeric: true }),
    {
      title: 'Description',
      width: 'minmax(18ch, 2fr)',
      // Empty parameters are not sent.
      render: ({ StatusDescription = '' }: Partial<Evaluation>) => StatusDescription,
      from: 1200,
    },
    fieldColumn('Namespace', { width: 'minmax(11ch, 1fr)', isSorted: true, from: 1200 }),
    ageColumn('Changed', 'ModifyTime', { sort: 'ModifyIndex', from: 900 }),
  ],
};

function sum(counts: readonly (number | bigint)[]): number {
  return counts.reduce<number>((total, count) => total + Number(count), 0);
}

/** The pages of the lists. */
export const listPages = {
  jobs: () => <ListPage list={jobs} />,
  nodes: () => <ListPage list={nodes} />,
  allocations: () => <ListPage list={allocations} />,
  deployments: () => <ListPage list={deployments} />,
  evaluations: () => <ListPage list={evaluations} />,
};
