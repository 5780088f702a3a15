import { claimOf, type AllocatedResources } from '@tamis/scheduler-model/allocated-resources.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { getRow } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { candidatesFor, createPlaceTest } from './candidates.js';
import type { PlacementOptions } from './placement-options.js';
import { findOlderVersions, type OlderVersions } from './older-version.js';
import { createProposedUsage, type ProposedUsage } from './proposed-usage.js';
import { createMetricsRecorder } from './metrics-recorder.js';
import { createSeededRandom, shuffle } from './seeded-random.js';
import { examine, preparePlaceable, type FittingNode, type Placeable } from './select-node.js';
import { unfinished } from './sort-allocations.js';
import { specChange, type SpecChange } from './spec-change.js';

/** The nodes where a version of a job can be placed. */
export type CandidateNodes = ReturnType<typeof createCandidateNodes>;

/** The context of placing one job. Its candidates are those of the current version. */
export interface PlacementContext extends CandidateNodes {
  readonly job: Job;
  readonly olderVersions: OlderVersions;
  candidatesOf(version: Job): CandidateNodes;
  readonly proposed: ProposedUsage;
  readonly nodeOf: (id: string) => Node | null;
  /** Whether a job may be on a node, regardless of the node's status. */
  readonly isPlace: (node: Node) => boolean;
  /** Whether allocations on a node are lost. */
  readonly isNodeRemoved: (id: string) => boolean;
  readonly changeOf: (allocation: Allocation, group: TaskGroup) => SpecChange;
  /** Returns the resources for updating an allocation in place; null if it does not fit. */
  refit(allocation: Allocation, group: TaskGroup): FittingNode | null;
}

export function createPlacementContext(
  tables: Tables,
  job: Job,
  allocations: readonly Allocation[],
  options: PlacementOptions,
): PlacementContext {
  const proposed = createProposedUsage(tables, unfinished(allocations));
  const candidatesByVersion = new Map<Job, CandidateNodes>();
  const current = candidatesOf(job);
  const isPlace = createPlaceTest(job);
  const known = new Map<string, Node | null>();

  function nodeOf(id: string): Node | null {
    let node = known.get(id);
    if (node === undefined) known.set(id, (node = getRow(tables.nodes, id)));
    return node;
  }

  function candidatesOf(version: Job): CandidateNodes {
    let candidates = candidatesByVersion.get(version);
    if (candidates === undefined)
      candidatesByVersion.set(version, (candidates = createCandidateNodes(tables, version, options)));
    return candidates;
  }

  function refit(allocation: Allocation, group: TaskGroup): FittingNode | null {
    const node = nodeOf(allocation.NodeID);
    if (node === null || !isPlace(node)) return null;
    proposed.remove(allocation);
    const found = examine(current.placeableOf(group), node, proposed, createMetricsRecorder(current.space));
    proposed.restore(allocation);
    const retained = allocation.AllocatedResources as AllocatedResources | null;
    if (found === null || retained === null) return found;
    // An update in place keeps resources, ports and cores.
    return { node, resources: retained, claim: claimOf(allocation) };
  }

  return {
    ...current,
    job,
    olderVersions: findOlderVersions(tables, job),
    candidatesOf,
    proposed,
    nodeOf,
    isPlace,
    isNodeRemoved(id) {
      const node = nodeOf(id);
      return node === null || node.Status === 'down' || node.Status === 'disconnected';
    },
    refit,
    changeOf(allocation, group) {
      const change = specChange(allocation.Job, job, group);
      return change === 'in-place' && refit(allocation, group) === null ? 'destructive' : change;
    },
  };
}

function createCandidateNodes(tables: Tables, version: Job, options: PlacementOptions) {
  const { nodes: found, space } = candidatesFor(tables, version);
  const nodes = shuffle(found, createSeededRandom(options.seed));
  const placeables = new Map<string, Placeable>();
  let offset = 0;
  return {
    /** The nodes, in search order. */
    nodes,
    /** Iterates over the nodes once, starting where the last search ended. */
    *round(): Iterable<Node> {
      for (let count = 0; count < nodes.length; count += 1) {
        const node = nodes[offset % nodes.length] as Node; // The list is not empty here.
        offset += 1;
        yield node;
      }
    },
    space: { ...space, size: nodes.length },
    placeableOf(group: TaskGroup): Placeable {
      let placeable = placeables.get(group.Name);
      if (placeable === undefined) placeables.set(group.Name, (placeable = preparePlaceable(version, group)));
      return placeable;
    },
  };
}
