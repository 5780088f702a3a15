import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { NodeStub } from '@tamis/scheduler-model/node.js';
import { JobLink, RowLink } from '../detail/links.js';
import { placementReasons, unplacedGroups } from '../detail/placement-reasons.js';
import { Age } from '../text/age.js';
import { counted, shortId } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import type { Alert } from './alert.js';

const inAllNamespaces = { namespace: '*' } as const;

/** Returns the singular or plural noun. */
const named =
  (one: string, several: string) =>
  (count: number): string =>
    count === 1 ? one : several;

const deployments = {
  ...{ list: 'deployments', topic: 'Deployment', countedBy: 'Status' },
  ...{ sort: '-CreateIndex', query: inAllNamespaces },
} as const;

/** Failed deployments; an older one may have been followed by a successful one. */
export const failedDeployments: Alert<Deployment> = {
  ...deployments,
  title: named('failed deployment', 'failed deployments'),
  filter: 'Status == "failed"',
  tone: 'bad',
  render: (deployment) => (
    <>
      {versionOf(deployment)}: <UntrustedText text={deployment.StatusDescription} />
    </>
  ),
};

export const pausedDeployments: Alert<Deployment> = {
  ...deployments,
  title: named('deployment waits to be promoted', 'deployments wait to be promoted'),
  filter: 'Status == "running" and StatusDescription contains "requires manual promotion"',
  tone: 'busy',
  render: (deployment) => versionOf(deployment),
};

export const blockedEvaluations: Alert<Evaluation> = {
  ...{ list: 'evaluations', topic: 'Evaluation', countedBy: 'Status' },
  ...{ sort: '-CreateIndex', query: inAllNamespaces },
  title: named('blocked evaluation', 'blocked evaluations'),
  filter: 'Status == "blocked"',
  tone: 'bad',
  render: ({ ID, JobID, Namespace, FailedTGAllocs }) => {
    const [[group = '', metrics = {}] = []] = unplacedGroups(FailedTGAllocs);
    const [reason = 'no node has room'] = placementReasons(metrics);
    return (
      <>
        <JobLink id={JobID} namespace={Namespace} />, <RowLink to="evaluations" id={ID} />:{' '}
        {group !== '' && (
          <>
            <UntrustedText text={group} maxLength={40} />,{' '}
          </>
        )}
        <UntrustedText text={reason} maxLength={120} />
      </>
    );
  },
};

export const nodesDown: Alert<NodeStub> = {
  ...{ list: 'nodes', topic: 'Node', countedBy: 'Status', sort: '', query: {} },
  title: named('node down', 'nodes down'),
  filter: 'Status == "down" or Status == "disconnected"',
  tone: 'bad',
  render: ({ ID, Name, Status, Datacenter }) => (
    <>
      <RowLink to="nodes" id={ID} name={Name} /> in <UntrustedText text={Datacenter} />:{' '}
      <UntrustedText text={Status} />
    </>
  ),
};

const allocations = {
  ...{ list: 'allocations', topic: 'Allocation', countedBy: 'ClientStatus', sort: '-CreateIndex' },
} as const;

export const failedAllocations: Alert<Allocation> = {
  ...allocations,
  query: { ...inAllNamespaces, task_states: 'false' },
  title: named('failed allocation without a successor', 'failed allocations without a successor'),
  filter: 'ClientStatus == "failed" and DesiredStatus == "run" and NextAllocation is empty',
  tone: 'bad',
  render: (allocation) => placeOf(allocation),
};

export const restartingAllocations: Alert<Allocation> = {
  ...allocations,
  query: { ...inAllNamespaces, task_states: 'true' },
  title: named('allocation restarted in the last hour', 'allocations restarted in the last hour'),
  filter: 'any TaskStates as _, state { state.Restarts > 0 and state.LastRestart > now - 1h }',
  tone: 'busy',
  render: (allocation) => (
    <>
      {placeOf(allocation)}: {counted(restartsOf(allocation.TaskStates), 'restart')}
    </>
  ),
};

function versionOf({ ID, JobID, Namespace, JobVersion, ModifyTime }: Deployment) {
  return (
    <>
      <JobLink id={JobID} namespace={Namespace} />,{' '}
      <RowLink to="deployments" id={ID} name={`version ${JobVersion}`} />, <Age nanoseconds={ModifyTime} />
    </>
  );
}

function placeOf({ ID, JobID, Namespace, NodeID, NodeName }: Allocation) {
  return (
    <>
      <RowLink to="allocations" id={ID} /> of <JobLink id={JobID} namespace={Namespace} /> on{' '}
      <RowLink to="nodes" id={NodeID} name={NodeName === '' ? shortId(NodeID) : NodeName} />
    </>
  );
}

function restartsOf(states: Allocation['TaskStates']): number {
  return Object.values(states ?? {}).reduce((sum, state) => sum + Number(state?.Restarts ?? 0), 0);
}
