import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import { TokenRequested } from '../app/failure-notice.js';
import { AlertList } from '../overview/alert-list.js';
import { HourPlot, type HourList } from '../overview/hour-plot.js';
import { PoolUses } from '../overview/pool-use.js';
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

const milliseconds = (nanoseconds: number | bigint): number => Number(nanoseconds) / 1e6;

const changedAllocations: HourList<Allocation> = {
  ...{ title: 'Allocations of the last hour', list: 'allocations', topic: 'Allocation' },
  ...{ filter: 'ModifyTime > now - 1h', sort: '-ModifyIndex', right: readJob.right },
  query: { namespace: '*', task_states: 'false' },
  changeOf: ({ ModifyTime, ClientStatus }) => ({ at: milliseconds(ModifyTime), status: ClientStatus }),
};

const madeEvaluations: HourList<Evaluation> = {
  ...{ title: 'Evaluations of the last hour', list: 'evaluations', topic: 'Evaluation' },
  ...{ filter: 'CreateTime > now - 1h', sort: '-CreateIndex', right: readJob.right },
  query: { namespace: '*' },
  // Empty parameters are not sent.
  changeOf: ({ CreateTime = 0, Status = '' }: Partial<Evaluation>) => ({
    at: milliseconds(CreateTime),
    status: Status,
  }),
};

/** Shows the state of the cluster, alerts first. */
export function OverviewPage() {
  return (
    <>
      <h1>Overview</h1>
      <AlertList />
      <TokenRequested.Provider value>
        <ServerLine />
        <div class="overview">
          <PoolUses />
          <HourPlot of={changedAllocations} />
          <HourPlot of={madeEvaluations} />
          {lists.map((list) => (
            <StateCounts key={list.name} list={list} />
          ))}
        </div>
      </TokenRequested.Provider>
    </>
  );
}
