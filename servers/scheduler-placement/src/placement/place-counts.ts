import type { Steps } from '@tamis/http';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import type { CurrentDeployment } from './current-deployment.js';
import { desiredUpdates } from './desired-updates.js';
import type { GroupDecision, PlacementRequest } from './decision.js';
import type { PlanBuilder } from './plan-builder.js';
import type { PlacementOptions } from './placement-options.js';
import { deploymentFor, type PlanDeployment } from './new-deployment.js';
import type { OlderVersion } from './older-version.js';
import { isPause } from './pause.js';
import { reconcileGroup } from './reconcile-group.js';
import { reschedules } from './reschedule.js';
import { selectNode, type Placeable } from './select-node.js';
import type { CandidateNodes, PlacementContext } from './placement-context.js';

/** Places the groups of a service or batch job up to their counts. Returns true if one plan was not enough. */
export function* placeCounts(
  context: PlacementContext,
  evaluation: Evaluation,
  allocations: readonly Allocation[],
  current: CurrentDeployment,
  plan: PlanBuilder,
  options: PlacementOptions,
): Generator<undefined, boolean, undefined> {
  const decisions = yield* decide(context, evaluation, allocations, current, plan, options);
  const deployment = deploymentFor(context.job, evaluation, decisions, current, options);
  if (deployment?.isNew === true) plan.deploy(deployment.row);
  yield;
  // Stopped allocations free resources for new ones of any group.
  for (const { stops } of decisions) {
    for (const [at, stop] of stops.entries()) {
      if (isPause(at)) yield;
      context.proposed.remove(stop.allocation);
      plan.stop(stop);
    }
    yield;
  }
  for (const decision of decisions) {
    for (const { allocation, at } of decision.later) plan.postpone(allocation, at);
    yield* retainInPlace(context, decision, deployment, plan);
    yield;
  }
  const hopeless: Hopeless = new Set();
  for (const decision of decisions) {
    for (const request of decision.requests) {
      if (plan.isFull) return true;
      yield* placeOne(context, decision, request, deployment, hopeless, plan);
      yield;
    }
    for (const { count, older } of decision.further) {
      if (decision.group === null) continue;
      if (!hopeless.has(older?.group ?? decision.group)) return true;
      plan.fail(decision.name, null, count);
    }
    const groups = new Set(decision.requests.map(({ older }) => older));
    if (groups.size === 0) groups.add(null);
    for (const older of groups) {
      const candidates = nodesFor(context, decision, older);
      if (candidates !== null) plan.look(candidates.placeable.feasibility);
    }
  }
  return false;
}

function* decide(
  context: PlacementContext,
  evaluation: Evaluation,
  allocations: readonly Allocation[],
  deployment: CurrentDeployment,
  plan: PlanBuilder,
  { now, maxPlacements }: PlacementOptions,
): Generator<undefined, readonly GroupDecision[], undefined> {
  const { job } = context;
  const groups = new Map((job.TaskGroups ?? []).map((group) => [group.Name, group]));
  const byGroup = new Map<string, Allocation[]>([...groups.keys()].map((name) => [name, []]));
  for (const allocation of allocations) {
    const list = byGroup.get(allocation.TaskGroup) ?? [];
    list.push(allocation);
    byGroup.set(allocation.TaskGroup, list);
  }
  const decisions: GroupDecision[] = [];
  for (const [name, own] of byGroup) {
    const decision = yield* reconcileGroup(own, {
      job,
      name,
      group: groups.get(name) ?? null,
      deployment,
      olderVersions: context.olderVersions,
      now,
      maxRequests: maxPlacements,
      evaluationId: evaluation.ID,
      isNodeRemoved: context.isNodeRemoved,
      changeOf: context.changeOf,
      failedDeployment: deployment.isFailed ? (deployment.row?.ID ?? null) : null,
    });
    decisions.push(decision);
    plan.desire(name, () => desiredUpdates(decision, own));
    yield;
  }
  return decisions;
}

function* retainInPlace(
  context: PlacementContext,
  { group, inPlace, name }: GroupDecision,
  deployment: PlanDeployment | null,
  plan: PlanBuilder,
): Steps<void> {
  if (group === null) return;
  for (const [at, allocation] of inPlace.entries()) {
    if (isPause(at)) yield;
    const fit = context.refit(allocation, group);
    // Other allocations of the job may have taken the resources. The allocation then stays unchanged until resources are free.
    if (fit === null) continue;
    context.proposed.remove(allocation);
    context.proposed.add(fit.node, name, fit.claim);
    plan.retain(allocation, fit.resources, deploymentIdOf(deployment, name));
  }
}

/** Groups, each of one version, that could not be placed. */
type Hopeless = Set<TaskGroup>;

/** Returns candidate nodes for a group in its current or older version; null if the group no longer exists. */
function nodesFor(
  context: PlacementContext,
  { group: current }: GroupDecision,
  older: OlderVersion | null,
): (CandidateNodes & { readonly group: TaskGroup; readonly placeable: Placeable }) | null {
  const group = older?.group ?? current;
  if (group === null) return null;
  const candidates = older === null ? context : context.candidatesOf(older.job);
  return { ...candidates, group, placeable: candidates.placeableOf(group) };
}

function* placeOne(
  context: PlacementContext,
  decision: GroupDecision,
  request: PlacementRequest,
  deployment: PlanDeployment | null,
  hopeless: Hopeless,
  plan: PlanBuilder,
): Generator<undefined, void, undefined> {
  const { name } = decision;
  const candidates = nodesFor(context, decision, request.older);
  if (candidates === null) return;
  const leaving = request.replaces?.allocation ?? null;
  if (leaving !== null) context.proposed.remove(leaving);
  // After one failure, the rest of the group would fail too, except for a replacement that frees resources itself.
  const isHopeless = hopeless.has(candidates.group);
  const { found, metrics } = isHopeless
    ? { found: null, metrics: null }
    : yield* selectNode(
        candidates.placeable,
        candidates.round(),
        candidates.space,
        context.proposed,
        failedNodes(request),
      );
  if (found !== null) {
    context.proposed.add(found.node, name, found.claim);
    const { node, resources } = found;
    const deploymentId = request.older?.deploymentId ?? deploymentIdOf(deployment, name);
    plan.place(request, name, { node, resources, metrics, deploymentId });
    return;
  }
  hopeless.add(candidates.group);
  plan.fail(name, metrics);
  if (request.replaces === null) return;
  const { allocation, why } = request.replaces;
  // A healthy allocation keeps running until the new version can be placed.
  if (why === 'lost' || why === 'migrating') plan.giveUp(request.replaces);
  else context.proposed.restore(allocation);
}

function deploymentIdOf(deployment: PlanDeployment | null, group: string): string {
  const state = deployment?.row.TaskGroups?.[group] ?? null;
  return deployment === null || state === null ? '' : deployment.row.ID;
}

/** Returns the nodes where an allocation has failed before. They are penalised, but not excluded. */
function failedNodes({ replaces }: PlacementRequest): ReadonlySet<string> {
  if (replaces?.why !== 'failed') return noNodes;
  const { allocation } = replaces;
  return new Set([allocation.NodeID, ...reschedules(allocation).map(({ PrevNodeID }) => PrevNodeID)]);
}

const noNodes: ReadonlySet<string> = new Set();
