import type { Allocation } from '../model/allocation.js';
import type { Job } from '../model/job.js';
import type { Node } from '../model/node.js';
import type { TaskGroup } from '../model/task-group.js';
import { getRow } from '../state/table.js';
import type { Tables } from '../state/tables.js';
import { candidatesFor, createPlaceTest } from './candidates.js';
import type { Means } from './means.js';
import { findOlderVersions, type OlderVersions } from './older-version.js';
import { createProposal, type Proposal } from './proposal.js';
import { createSearchRecord, type SearchSpace } from './search-record.js';
import { createSeededRandom, shuffle } from './seeded-random.js';
import { examine, preparePlaceable, type Found, type Placeable } from './select-node.js';
import { unfinished } from './sort-allocations.js';
import { specChange, type SpecChange } from './spec-change.js';

/** Where a version of a job may be placed. */
export interface Places {
  /** In the order in which they are looked at. */
  readonly nodes: readonly Node[];
  readonly space: SearchSpace & { readonly size: number };
  /** Goes round the nodes once, beginning where the last search ended. */
  round(): Iterable<Node>;
  placeableOf(group: TaskGroup): Placeable;
}

/** What the placing of one job works with. The places are those of its current version. */
export interface Workbench extends Places {
  readonly job: Job;
  readonly olderVersions: OlderVersions;
  placesOf(version: Job): Places;
  readonly proposal: Proposal;
  nodeOf(id: string): Node | null;
  /** Whether a node may have the job at all, apart from its state. */
  isPlace(node: Node): boolean;
  /** Whether what ran on a node is lost. */
  isNodeGone(id: string): boolean;
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
  const proposal = createProposal(tables, unfinished(allocations));
  const placesByVersion = new Map<Job, Places>();
  const current = placesOf(job);
  const isPlace = createPlaceTest(job);
  const known = new Map<string, Node | null>();

  function nodeOf(id: string): Node | null {
    let node = known.get(id);
    if (node === undefined) known.set(id, (node = getRow(tables.nodes, id)));
    return node;
  }

  function placesOf(version: Job): Places {
    let places = placesByVersion.get(version);
    if (places === undefined) placesByVersion.set(version, (places = createPlaces(tables, version, means)));
    return places;
  }

  function refit(allocation: Allocation, group: TaskGroup): Found | null {
    const node = nodeOf(allocation.NodeID);
    if (node === null || !isPlace(node)) return null;
    proposal.remove(allocation);
    const found = examine(current.placeableOf(group), node, proposal, createSearchRecord(current.space));
    proposal.restore(allocation);
    return found;
  }

  return {
    ...current,
    job,
    olderVersions: findOlderVersions(tables, job),
    placesOf,
    proposal,
    nodeOf,
    isPlace,
    isNodeGone(id) {
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

function createPlaces(tables: Tables, version: Job, means: Means): Places {
  const { nodes: found, space } = candidatesFor(tables, version);
  const nodes = shuffle(found, createSeededRandom(means.seed));
  const placeables = new Map<string, Placeable>();
  let offset = 0;
  return {
    nodes,
    *round() {
      for (let count = 0; count < nodes.length; count += 1) {
        const node = nodes[offset % nodes.length] as Node; // there is at least one here
        offset += 1;
        yield node;
      }
    },
    space: { ...space, size: nodes.length },
    placeableOf(group) {
      let placeable = placeables.get(group.Name);
      if (placeable === undefined) placeables.set(group.Name, (placeable = preparePlaceable(version, group)));
      return placeable;
    },
  };
}
