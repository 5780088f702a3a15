import type { Allocation } from '../model/allocation.js';
import type { TaskGroup } from '../model/task-group.js';
import { stopTexts } from './decision.js';
import type { Draft } from './draft.js';
import type { Means } from './means.js';
import { reconcileNodes, type NodesDecision } from './reconcile-nodes.js';
import { createSearchRecord } from './search-record.js';
import { examine } from './select-node.js';
import { unfinished } from './sort-allocations.js';
import type { Workbench } from './workbench.js';

/** Places the groups of a system job, once on every node that will do. True when a plan was not enough. */
export function* placeOnNodes(
  bench: Workbench,
  allocations: readonly Allocation[],
  draft: Draft,
  means: Means,
): Generator<undefined, boolean, undefined> {
  const { job } = bench;
  const groups = job.TaskGroups ?? [];
  const names = new Set(groups.map(({ Name }) => Name));
  for (const allocation of unfinished(allocations)) {
    if (names.has(allocation.TaskGroup)) continue;
    bench.proposal.remove(allocation);
    draft.stop({ allocation, description: stopTexts.notNeeded, isLost: bench.isNodeGone(allocation.NodeID) });
  }
  for (const group of groups) {
    const own = allocations.filter(({ TaskGroup }) => TaskGroup === group.Name);
    const decision = decide(bench, group, own);
    yield;
    settle(bench, group, decision, draft);
    if (decision.hasMore) draft.stepAt(means.now + Number(job.Update.Stagger) / 1_000_000);
    const hasMore = yield* placeGroup(bench, group, decision, draft);
    if (hasMore) return true;
  }
  return false;
}

function decide(bench: Workbench, group: TaskGroup, own: readonly Allocation[]): NodesDecision {
  const { job, nodes, nodeOf, isNodeGone, isPlace, changeOf } = bench;
  return reconcileNodes(own, {
    job,
    group,
    name: group.Name,
    nodes,
    nodeOf,
    isNodeGone,
    changeOf,
    isPlace,
  });
}

function settle(bench: Workbench, group: TaskGroup, { stops, inPlace }: NodesDecision, draft: Draft): void {
  for (const stop of stops) {
    bench.proposal.remove(stop.allocation);
    draft.stop(stop);
  }
  for (const allocation of inPlace) {
    const fit = bench.refit(allocation, group);
    if (fit === null) continue;
    bench.proposal.remove(allocation);
    bench.proposal.add(fit.node, group.Name, fit.claim);
    draft.keep(allocation, fit.resources, '');
  }
}

function* placeGroup(
  bench: Workbench,
  group: TaskGroup,
  { wanted }: NodesDecision,
  draft: Draft,
): Generator<undefined, boolean, undefined> {
  const placeable = bench.placeableOf(group);
  // One record for the whole group: it tells of all nodes that were in question.
  const record = createSearchRecord(bench.space);
  let failures = 0;
  for (const { node, wanted: one } of wanted) {
    if (draft.isFull) return true;
    const leaving = one.replaces?.allocation ?? null;
    if (leaving !== null) bench.proposal.remove(leaving);
    const isUnfit = placeable.feasibility.obstacle(node) !== null;
    const found = examine(placeable, node, bench.proposal, record);
    if (found !== null) {
      bench.proposal.add(node, group.Name, found.claim);
      const metrics = record.metrics();
      draft.place(one, group.Name, { node, resources: found.resources, metrics, deploymentId: '' });
    } else {
      // A node that cannot have the job is none that it is missing on, and loses what it has of an older version.
      if (!isUnfit) failures += 1;
      if (leaving !== null && !isUnfit) bench.proposal.restore(leaving);
      if (leaving !== null && isUnfit) {
        draft.stop({ allocation: leaving, description: stopTexts.notNeeded, isLost: false });
      }
    }
    yield;
  }
  for (let count = 0; count < failures; count += 1)
    draft.fail(group.Name, count === 0 ? record.metrics() : null);
  draft.look(placeable.feasibility);
  return false;
}
