import type { Job } from '@tamis/scheduler-model/job.js';
import { nodeRegisteredPrefix } from '@tamis/scheduler-model/cluster-flag.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import { isReady } from '@tamis/scheduler-state/state/node-rows.js';
import { prefixRange, scanRows, fullRange } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import type { SearchSpace } from './metrics-recorder.js';

/** The candidate nodes for a job by location and node status. */
export interface Candidates {
  readonly nodes: readonly Node[];
  readonly space: SearchSpace;
}

/** Maximum number of cached results per table of nodes. Prevents jobs with many datacenters from filling the memory. */
const maxCached = 100;

/** Cached by table, because tables are immutable and many jobs need the same nodes. */
const candidatesByTables = new WeakMap<Tables['nodes'], WeakMap<Tables['marks'], Map<string, Candidates>>>();

/** Returns the ready nodes of the job's pool and datacenters, in order of their IDs. */
export function candidatesFor(tables: Tables, job: Job): Candidates {
  const byFlags =
    candidatesByTables.get(tables.nodes) ?? new WeakMap<Tables['marks'], Map<string, Candidates>>();
  candidatesByTables.set(tables.nodes, byFlags);
  const known = byFlags.get(tables.marks) ?? new Map<string, Candidates>();
  byFlags.set(tables.marks, known);
  const key = JSON.stringify([job.NodePool, job.Datacenters]);
  const found = known.get(key) ?? findCandidates(tables, job);
  if (known.size < maxCached) known.set(key, found);
  return found;
}

function findCandidates(tables: Tables, job: Job): Candidates {
  const registered = registeredNodes(tables);
  const isPlace = createPlaceTest(job);
  const nodes: Node[] = [];
  const available = new Map<string, number>();
  let nodesInPool = 0;
  for (const node of scanRows(tables.nodes.primary, fullRange, false)) {
    if (!isInPool(job, node)) continue;
    nodesInPool += 1;
    if (!isReady(node) || !isPlace(node) || !registered.has(node.ID)) continue;
    nodes.push(node);
    available.set(node.Datacenter, (available.get(node.Datacenter) ?? 0) + 1);
  }
  return { nodes, space: { pool: job.NodePool, nodesInPool, available } };
}

/** Returns a test of nodes: whether the location of a node suits a job, regardless of the node's status. */
export function createPlaceTest(job: Job): (node: Node) => boolean {
  const isRequested = datacenterTest(job.Datacenters ?? []);
  return (node) => isInPool(job, node) && isRequested(node.Datacenter);
}

function isInPool(job: Job, node: Node): boolean {
  return job.NodePool === 'all' || job.NodePool === (node.NodePool || 'default');
}

/** Cached by table of flags. Flags rarely change, and such a table is immutable. */
const registeredByTable = new WeakMap<Tables['marks'], ReadonlySet<string>>();

function registeredNodes({ marks }: Tables): ReadonlySet<string> {
  const known = registeredByTable.get(marks);
  if (known !== undefined) return known;
  const registered = new Set<string>();
  for (const { Key } of scanRows(marks.primary, prefixRange(nodeRegisteredPrefix), false)) {
    registered.add(Key.slice(nodeRegisteredPrefix.length));
  }
  registeredByTable.set(marks, registered);
  return registered;
}

/** Returns a test of datacenters: whether one of the patterns matches, in which `*` matches any string. */
function datacenterTest(patterns: readonly string[]): (datacenter: string) => boolean {
  const known = new Map<string, boolean>();
  return (datacenter) => {
    let required = known.get(datacenter);
    if (required === undefined) {
      required = patterns.some((pattern) => matchesGlob(pattern, datacenter));
      known.set(datacenter, required);
    }
    return required;
  };
}

/**
 * Whether a string matches a glob. Backtracks only to the last `*`, so the time is limited by the product of the lengths.
 * Implemented directly, because glob libraries create regular expressions, whose time is not limited.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let restart = 0;
  while (place < text.length) {
    if (pattern[at] === '*') {
      star = at;
      restart = place;
      at += 1;
    } else if (at < pattern.length && pattern[at] === text[place]) {
      at += 1;
      place += 1;
    } else if (star !== -1) {
      at = star + 1;
      restart += 1;
      place = restart;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
