import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { stopTexts, type Stop } from './decision.js';
import { desiredUpdates, stopGroups, type Counted } from './desired-updates.js';
import type { PlanBuilder } from './plan-builder.js';
import type { PlacementOptions } from './placement-options.js';
import { reconcileNodes, type NodesDecision } from './reconcile-nodes.js';
import { createMetricsRecorder } from './metrics-recorder.js';
import { examine } from './select-node.js';
import { unfinished } from './sort-allocations.js';
import type { PlacementContext } from './placement-context.js';

/** Places the groups of a system job once on every feasible node. Returns true if one plan was not enough. */
export function* placeOnNodes(
  context: PlacementContext,
  allocations: readonly Allocation[],
  plan: PlanBuilder,
  options: PlacementOptions,
): Generator<undefined, boolean, undefined> {
  const { job } = context;
  const groups = job.TaskGroups ?? [];
  const names = new Set(groups.map(({ Name }) => Name));
  const removed = unfinished(allocations).filter(({ TaskGroup }) => !names.has(TaskGroup));
  const stops = removed.map((allocation): Stop => {
    const isLost = context.isNodeRemoved(allocation.NodeID);
    return { allocation, description: stopTexts.notNeeded, isLost };
  });
  yield* stopGroups(stops, plan);
  for (const { allocation } of stops) context.proposed.remove(allocation);
  for (const group of groups) {
    const own = allocations.filter(({ TaskGroup }) => TaskGroup === group.Name);
    const decision = decide(context, group, own);
    plan.desire(group.Name, () => desiredUpdates(countedOf(decision), own));
    yield;
    settle(context, group, decision, plan);
    if (decision.hasMore) plan.stepAt(options.now + Number(job.Update.Stagger) / 1_000_000);
    const hasMore = yield* placeGroup(context, group, decision, plan);
    if (hasMore) return true;
  }
  return false;
}

function countedOf({ requests, ...decision }: NodesDecision): Counted {
  return { ...decision, requests: requests.map(({ request }) => request) };
}

function decide(context: PlacementContext, group: TaskGroup, own: readonly Allocation[]): NodesDecision {
  const { job, nodes, nodeOf, isNodeRemoved, isPlace, changeOf } = context;
  return reconcileNodes(own, {
    job,
    group,
    name: group.Name,
    nodes,
    nodeOf,
    isNodeRemoved,
    changeOf,
    isPlace,
    isFeasible: (node) => context.placeableOf(group).feasibility.infeasibleReason(node) === null,
  });
}

function settle(
  context: PlacementContext,
  group: TaskGroup,
  { stops, inPlace }: NodesDecision,
  plan: PlanBuilder,
): void {
  for (const stop of stops) {
    context.proposed.remove(stop.allocation);
    plan.stop(stop);
  }
  for (const allocation of inPlace) {
    const fit = context.refit(allocation, group);
    if (fit === null) continue;
    context.proposed.remove(allocation);
    context.proposed.add(fit.node, group.Name, fit.claim);
    plan.retain(allocation, fit.resources, '');
  }
}

function* placeGroup(
  context: PlacementContext,
  group: TaskGroup,
  { requests, unfit, isPresent }: NodesDecision,
  plan: PlanBuilder,
): Generator<undefined, boolean, undefined> {
  const placeable = context.placeableOf(group);
  // One recorder for the whole group, because its metrics include all considered nodes.
  const recorder = createMetricsRecorder(context.space);
  for (const node of unfit) {
    examine(placeable, node, context.proposed, recorder);
    yield;
  }
  let failures = 0;
  for (const { node, request } of requests) {
    if (plan.isFull) return true;
    const leaving = request.replaces?.allocation ?? null;
    if (leaving !== null) context.proposed.remove(leaving);
    const found = examine(placeable, node, context.proposed, recorder);
    if (found !== null) {
      context.proposed.add(node, group.Name, found.claim);
      const metrics = recorder.metrics();
      plan.place(request, group.Name, { node, resources: found.resources, metrics, deploymentId: '' });
    } else {
      failures += 1;
      if (leaving !== null) context.proposed.restore(leaving);
    }
    yield;
  }
  // Infeasible nodes do not count as missing allocations, except if no node is feasible.
  if (requests.length === 0 && !isPresent && group.Count > 0) failures = 1;
  for (let count = 0; count < failures; count += 1)
    plan.fail(group.Name, count === 0 ? recorder.metrics() : null);
  plan.look(placeable.feasibility);
  return false;
}
