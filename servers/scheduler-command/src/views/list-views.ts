import type { AclPolicy } from '@tamis/scheduler-model/acl-policy.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { JobStub } from '@tamis/scheduler-model/job-stub.js';
import type { JobSummary } from '@tamis/scheduler-model/job-summary.js';
import type { Namespace } from '@tamis/scheduler-model/namespace.js';
import type { NodeStub } from '@tamis/scheduler-model/node.js';
import { formatAge, millisecondsOf } from '../terminal/ages.js';
import type { Column } from '../terminal/table.js';
import { endOf, type TokenView } from './shown-token.js';
import { allocationColumns, type AllocationRow } from './allocation-table.js';
import type { ListName, RunCommand } from '../command.js';
import type { EvaluationView } from './shown-evaluation.js';
import { listRows } from '../list-rows.js';
import { listPaths } from '../list-paths.js';
import { shortId, type Session } from '../session.js';

/** The row type of each list. */
interface ListedRows {
  readonly jobs: JobStub;
  readonly nodes: NodeStub;
  readonly allocations: AllocationRow;
  readonly deployments: Deployment;
  readonly evaluations: EvaluationView;
  readonly namespaces: Namespace;
  readonly acl_tokens: TokenView;
  readonly acl_policies: Pick<AclPolicy, 'Name' | 'Description'>;
}

/** The display of a list. */
interface ListView<T> {
  readonly columns: (session: Session) => readonly Column<T>[];
  /** Whether the newest rows come first by default. */
  readonly isNewestFirst?: true;
  /** The message for an empty list, with advice. */
  readonly empty: string;
}

const views: { readonly [N in ListName]: ListView<ListedRows[N]> } = {
  jobs: {
    columns: jobColumns,
    empty: 'No jobs. scheduler job run FILE runs one, examples are in examples/jobs.',
  },
  nodes: {
    columns: nodeColumns,
    empty: 'No nodes: scheduler agent --client --servers HOST:4647 starts one.',
  },
  allocations: {
    columns: allocationColumns,
    isNewestFirst: true,
    empty: 'No allocations: nothing has been placed.',
  },
  deployments: {
    columns: deploymentColumns,
    isNewestFirst: true,
    empty: 'No deployments: services have them, from their first version on.',
  },
  evaluations: { columns: evaluationColumns, isNewestFirst: true, empty: 'No evaluations.' },
  namespaces: {
    columns: () => [
      { title: 'NAME', cell: ({ Name }) => Name, isWhole: true },
      { title: 'DESCRIPTION', cell: ({ Description }) => Description },
    ],
    empty: 'No namespaces: the token may see none.',
  },
  acl_tokens: { columns: tokenColumns, empty: 'No tokens: scheduler acl bootstrap makes the first one.' },
  acl_policies: {
    columns: () => [
      { title: 'NAME', cell: ({ Name }) => Name, isWhole: true },
      { title: 'DESCRIPTION', cell: ({ Description }) => Description },
    ],
    empty: 'No policies: scheduler acl policy apply NAME FILE writes one.',
  },
};

/** Creates the command that prints a list of the API. */
export function createListCommand<N extends ListName>(name: N): RunCommand {
  const { columns, empty, isNewestFirst }: ListView<ListedRows[N]> = views[name];
  return (session, given) =>
    listRows<ListedRows[N]>(session, given, {
      ...{ path: listPaths[name], columns: columns(session), empty },
      ...(isNewestFirst === true ? { isNewestFirst } : {}),
    });
}

/** Returns the columns of a table of jobs. */
export function jobColumns({ namespace, now }: Session): readonly Column<JobStub>[] {
  const title = 'NAMESPACE';
  return [
    { title: 'ID', cell: ({ ID }) => ID, isWhole: true },
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

/** Returns `3 running, 1 failed`. */
function countsOf(summary: JobSummary | null): string {
  const groups = Object.values(summary?.Summary ?? {});
  const sums = states.map((state) => {
    const sum = groups.reduce((total, group) => total + Number(group[state]), 0);
    return sum === 0 ? '' : `${sum} ${state.toLowerCase()}`;
  });
  return sums.filter((text) => text !== '').join(', ');
}

function nodeColumns(session: Session): readonly Column<NodeStub>[] {
  return [
    { title: 'ID', cell: ({ ID }) => shortId(ID, session) },
    { title: 'NAME', cell: ({ Name }) => Name, cut: 'middle' },
    { title: 'DATACENTER', cell: ({ Datacenter }) => Datacenter },
    { title: 'POOL', cell: ({ NodePool }) => NodePool, isOptional: true },
    { title: 'CLASS', cell: ({ NodeClass }) => NodeClass, isOptional: true },
    { title: 'ADDRESS', cell: ({ Address }) => Address, isOptional: true },
    {
      title: 'ELIGIBILITY',
      cell: ({ Drain, SchedulingEligibility }) => (Drain ? 'draining' : SchedulingEligibility),
      isStatus: true,
    },
    { title: 'STATUS', cell: ({ Status }) => Status, isStatus: true },
  ];
}

function deploymentColumns(session: Session): readonly Column<Deployment>[] {
  return [
    { title: 'ID', cell: ({ ID }) => shortId(ID, session) },
    { title: 'JOB', cell: ({ JobID }) => JobID, isWhole: true },
    { title: 'VERSION', cell: ({ JobVersion }) => String(JobVersion) },
    { title: 'STATUS', cell: ({ Status }) => Status, isStatus: true },
    {
      title: 'CREATED',
      cell: ({ CreateTime }) => formatAge(millisecondsOf(CreateTime), session.now()),
      isOptional: true,
    },
    { title: 'DESCRIPTION', cell: ({ StatusDescription }) => StatusDescription, isOptional: true },
  ];
}

function evaluationColumns(session: Session): readonly Column<EvaluationView>[] {
  return [
    { title: 'ID', cell: ({ ID }) => shortId(ID, session) },
    { title: 'JOB', cell: ({ JobID }) => JobID, isWhole: true },
    { title: 'TRIGGERED BY', cell: ({ TriggeredBy = '' }) => TriggeredBy },
    { title: 'PRIORITY', cell: ({ Priority = 0 }) => String(Priority), isOptional: true },
    { title: 'STATUS', cell: ({ Status }) => Status, isStatus: true },
    {
      title: 'NOT PLACED',
      cell: ({ FailedTGAllocs }) => Object.keys(FailedTGAllocs ?? {}).join(', '),
      isOptional: true,
    },
    {
      title: 'CREATED',
      cell: ({ CreateTime = 0 }) => formatAge(millisecondsOf(CreateTime), session.now()),
      isOptional: true,
    },
  ];
}

function tokenColumns(session: Session): readonly Column<TokenView>[] {
  return [
    { title: 'ACCESSOR', cell: ({ AccessorID }) => shortId(AccessorID, session) },
    { title: 'NAME', cell: ({ Name }) => Name },
    { title: 'TYPE', cell: ({ Type }) => Type },
    { title: 'POLICIES', cell: ({ Policies }) => (Policies ?? []).join(', ') },
    { title: 'ENDS', cell: ({ ExpirationTime }) => endOf(session, ExpirationTime), isOptional: true },
  ];
}
