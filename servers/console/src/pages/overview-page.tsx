import { ServerLine } from '../overview/server-line.js';
import { StateCounts, type CountedList } from '../overview/state-counts.js';

const readJob = { right: 'read-job in a namespace', isInNamespaces: true } as const;

const lists: readonly CountedList[] = [
  {
    ...{ name: 'jobs', title: 'Jobs', field: 'Status', topic: 'Job' },
    ...{ right: 'list-jobs in a namespace', isInNamespaces: true },
  },
  {
    ...{ name: 'allocations', title: 'Allocations', field: 'ClientStatus', topic: 'Allocation' },
    ...readJob,
  },
  {
    ...{ name: 'nodes', title: 'Nodes', field: 'Status', topic: 'Node' },
    ...{ right: 'node read', isInNamespaces: false },
  },
  { ...{ name: 'deployments', title: 'Deployments', field: 'Status', topic: 'Deployment' }, ...readJob },
  { ...{ name: 'evaluations', title: 'Evaluations', field: 'Status', topic: 'Evaluation' }, ...readJob },
];

/** How the cluster is doing, at one look. */
export function OverviewPage() {
  return (
    <>
      <h1>Overview</h1>
      <ServerLine />
      <div class="overview">
        {lists.map((list) => (
          <StateCounts key={list.name} list={list} />
        ))}
      </div>
    </>
  );
}
