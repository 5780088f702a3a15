import type { Allocation } from '../model/allocation.js';
import type { Job } from '../model/job.js';
import type { Node } from '../model/node.js';
import type { TaskGroup } from '../model/task-group.js';
import { getRow } from '../state/table.js';
import type { Tables } from '../state/tables.js';
import { candidatesFor, createPlaceTest } from './candidates.js';
import type { Means } from './means.js';
import { createProposal, type Proposal } from './proposal.js';
import { createSearchRecord, type SearchSpace } from './search-record.js';
import { createSeededRandom, shuffle } from './seeded-random.js';
import { examine, preparePlaceable, type Found, type Placeable } from './select-node.js';
import { unfinished } from './sort-allocations.js';
import { specChange, type SpecChange } from './spec-change.js';

/** What the placing of one job works with. */
export interface Workbench {
  readonly job: Job;
  /** In the order in which they are looked at. */
  readonly nodes: readonly Node[];
  readonly space: SearchSpace & { readonly size: number };
  readonly proposal: Proposal;
  nodeOf(id: string): Node | null;
  /** Whether a node may have the job at all, apart from its state. */
  isPlace(node: Node): boolean;
  /** Whether what ran on a node is lost. */
  isNodeGone(id: string): boolean;
  placeableOf(group: TaskGroup): Placeable;
  changeOf(allocation: Allocation, group: TaskGroup): SpecChange;
  /** What an allocation gets when it becomes the current version where it is; null when it cannot. */
  refit(allocation: Allocation, group: TaskGroup): Found | null;
}

export function createWorkbench(
  tables: Tables,
  job: Job,
  allocations: readonly Allocation[],
  means: Means,
): Workbench {
  const { nodes, space } = candidatesFor(tables, job);
  const proposal = createProposal(tables, unfinished(allocations));
  const placeables = new Map<string, Placeable>();
  const isPlace = createPlaceTest(job);
  const known = new Map<string, Node | null>();

  function nodeOf(id: string): Node | null {
    let node = known.get(id);
    if (node === undefined) known.set(id, (node = getRow(tables.nodes, id)));
    return node;
  }

  function placeableOf(group: TaskGroup): Placeable {
    let placeable = placeables.get(group.Name);
    if (placeable === undefined) placeables.set(group.Name, (placeable = preparePlaceable(job, group)));
    return placeable;
  }

  function refit(allocation: Allocation, group: TaskGroup): Found | null {
    const node = nodeOf(allocation.NodeID);
    if (node === null || !isPlace(node)) return null;
    proposal.remove(allocation);
    const found = examine(placeableOf(group), node, proposal, createSearchRecord(space));
    proposal.restore(allocation);
    return found;
  }

  return {
    job,
    nodes: shuffle(nodes, createSeededRandom(means.seed)),
    space: { ...space, size: nodes.length },
    proposal,
    nodeOf,
    isPlace,
    isNodeGone(id) {
      const node = nodeOf(id);
      return node === null || node.Status === 'down' || node.Status === 'disconnected';
    },
    placeableOf,
    refit,
    changeOf(allocation, group) {
      const change = specChange(allocation.Job, job, group);
      return change === 'in-place' && refit(allocation, group) === null ? 'destructive' : change;
    },
  };
}
