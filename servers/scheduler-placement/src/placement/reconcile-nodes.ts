import { isFinished, isStopped, isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { allocationName } from './allocation-name.js';
import { stopTexts, type Stop, type PlacementRequest } from './decision.js';
import type { GroupContext } from './group-context.js';
import { isOfVersion } from './sort-allocations.js';

/** The decision about a group with one allocation per node. */
export interface NodesDecision {
  readonly requests: readonly { readonly node: Node; readonly request: PlacementRequest }[];
  readonly stops: readonly Stop[];
  readonly inPlace: readonly Allocation[];
  /** Eligible nodes that are not feasible for the group, regardless of capacity. */
  readonly unfit: readonly Node[];
  /** Whether the group has retained allocations or completed work. */
  readonly isPresent: boolean;
  /** Whether allocations are left to update in the next step. */
  readonly hasMore: boolean;
}

export type NodesContext = Pick<GroupContext, 'job' | 'name' | 'isNodeRemoved' | 'changeOf'> & {
  readonly group: TaskGroup;
  /** The eligible nodes. */
  readonly nodes: readonly Node[];
  readonly nodeOf: (id: string) => Node | null;
  /** Whether a job may be on a node, regardless of the node's status. */
  readonly isPlace: (node: Node) => boolean;
  /** Whether a node is feasible for the group, regardless of capacity. */
  readonly isFeasible: (node: Node) => boolean;
};

export function reconcileNodes(all: readonly Allocation[], context: NodesContext): NodesDecision {
  const { group, name, job, nodes } = context;
  const stops: Stop[] = [];
  const inPlace: Allocation[] = [];
  const outdated: Allocation[] = [];
  const occupied = new Set(all.filter((one) => isDone(one, context)).map(({ NodeID }) => NodeID));
  for (const allocation of all) {
    if (isTerminal(allocation)) continue;
    const stop = stopOf(allocation, occupied, context);
    if (stop !== null) {
      stops.push(stop);
      continue;
    }
    const change = context.changeOf(allocation, group);
    if (change !== 'none' && !isFeasibleFor(allocation, context)) {
      stops.push({ allocation, description: stopTexts.notNeeded, isLost: false });
      continue;
    }
    occupied.add(allocation.NodeID);
    if (change === 'in-place') inPlace.push(allocation);
    if (change === 'destructive') outdated.push(allocation);
  }
  const parallel = Number(group.Update?.MaxParallel ?? 0) || Infinity;
  const replaced = outdated.slice(0, parallel).flatMap((allocation) => {
    const node = context.nodeOf(allocation.NodeID);
    const request: PlacementRequest = {
      name: allocation.Name,
      replaces: { allocation, why: 'updating' },
      isCanary: false,
      older: null,
    };
    return node === null ? [] : [{ node, request }];
  });
  const fresh = group.Count > 0 ? nodes.filter(({ ID }) => !occupied.has(ID)) : [];
  const [fit, unfit] = [fresh.filter(context.isFeasible), fresh.filter((node) => !context.isFeasible(node))];
  const request: PlacementRequest = {
    name: allocationName(job.ID, name, 0),
    replaces: null,
    isCanary: false,
    older: null,
  };
  return {
    stops,
    inPlace,
    unfit,
    isPresent: occupied.size > 0,
    requests: [...replaced, ...fit.map((node) => ({ node, request }))],
    hasMore: outdated.length > parallel,
  };
}

/** Whether a new version may stay on the node of an allocation. */
function isFeasibleFor({ NodeID }: Allocation, { nodeOf, isFeasible }: NodesContext): boolean {
  const node = nodeOf(NodeID);
  return node !== null && isFeasible(node);
}

/** Whether an allocation of a system batch job has finished. It is not repeated on its node before the next version. */
function isDone(allocation: Allocation, { job }: NodesContext): boolean {
  const isTried = job.Type === 'sysbatch' && !isStopped(allocation) && isFinished(allocation);
  return isTried && allocation.ClientStatus !== 'lost' && isOfVersion(allocation, job);
}

function stopOf(allocation: Allocation, occupied: ReadonlySet<string>, context: NodesContext): Stop | null {
  const node = context.nodeOf(allocation.NodeID);
  if (node === null || context.isNodeRemoved(allocation.NodeID)) {
    return { allocation, description: stopTexts.lost, isLost: true };
  }
  if (allocation.DesiredTransition.Migrate === true) {
    return { allocation, description: stopTexts.nodeTainted, isLost: false };
  }
  const isMisplaced = occupied.has(allocation.NodeID) || context.group.Count <= 0 || !context.isPlace(node);
  return isMisplaced ? { allocation, description: stopTexts.notNeeded, isLost: false } : null;
}
