import type { Steps } from '@tamis/http';
import type { Allocation } from '../model/allocation.js';
import type { Evaluation } from '../model/evaluation.js';
import type { TaskGroup } from '../model/task-group.js';
import type { CurrentDeployment } from './current-deployment.js';
import type { GroupDecision, Wanted } from './decision.js';
import type { Draft } from './draft.js';
import type { Means } from './means.js';
import { deploymentFor, type PlanDeployment } from './new-deployment.js';
import type { OlderVersion } from './older-version.js';
import { isPause } from './pause.js';
import { reconcileGroup } from './reconcile-group.js';
import { reschedules } from './reschedule.js';
import { selectNode, type Placeable } from './select-node.js';
import type { Places, Workbench } from './workbench.js';

/** Places the groups of a service or batch, each as often as its count says. True when a plan was not enough. */
export function* placeCounts(
  bench: Workbench,
  evaluation: Evaluation,
  allocations: readonly Allocation[],
  current: CurrentDeployment,
  draft: Draft,
  means: Means,
): Generator<undefined, boolean, undefined> {
  const decisions = yield* decide(bench, evaluation, allocations, current, means);
  const deployment = deploymentFor(bench.job, evaluation, decisions, current, means);
  if (deployment?.isNew === true) draft.deploy(deployment.row);
  yield;
  // What stops makes room for what is placed, whichever group it is of.
  for (const { stops } of decisions) {
    for (const [at, stop] of stops.entries()) {
      if (isPause(at)) yield;
      bench.proposal.remove(stop.allocation);
      draft.stop(stop);
    }
    yield;
  }
  for (const decision of decisions) {
    for (const { allocation, at } of decision.later) draft.postpone(allocation, at);
    yield* keepInPlace(bench, decision, deployment, draft);
    yield;
  }
  const hopeless: Hopeless = new Set();
  for (const decision of decisions) {
    for (const wanted of decision.wanted) {
      if (draft.isFull) return true;
      yield* placeOne(bench, decision, wanted, deployment, hopeless, draft);
      yield;
    }
    for (const { count, older } of decision.further) {
      if (decision.group === null) continue;
      if (!hopeless.has(older?.group ?? decision.group)) return true;
      draft.fail(decision.name, null, count);
    }
    const groups = new Set(decision.wanted.map(({ older }) => older));
    if (groups.size === 0) groups.add(null);
    for (const older of groups) {
      const places = placesOf(bench, decision, older);
      if (places !== null) draft.look(places.placeable.feasibility);
    }
  }
  return false;
}

function* decide(
  bench: Workbench,
  evaluation: Evaluation,
  allocations: readonly Allocation[],
  deployment: CurrentDeployment,
  { now, maxPlacements }: Means,
): Generator<undefined, readonly GroupDecision[], undefined> {
  const { job } = bench;
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
      olderVersions: bench.olderVersions,
      now,
      maxWanted: maxPlacements,
      evaluationId: evaluation.ID,
      isNodeGone: bench.isNodeGone,
      changeOf: bench.changeOf,
      failedDeployment: deployment.isFailed ? (deployment.row?.ID ?? null) : null,
    });
    decisions.push(decision);
    yield;
  }
  return decisions;
}

function* keepInPlace(
  bench: Workbench,
  { group, inPlace, name }: GroupDecision,
  deployment: PlanDeployment | null,
  draft: Draft,
): Steps<void> {
  if (group === null) return;
  for (const [at, allocation] of inPlace.entries()) {
    if (isPause(at)) yield;
    const fit = bench.refit(allocation, group);
    // Others of the job may have taken the room by now; the allocation then stays as it is until there is some.
    if (fit === null) continue;
    bench.proposal.remove(allocation);
    bench.proposal.add(fit.node, name, fit.claim);
    draft.keep(allocation, fit.resources, deploymentIdOf(deployment, name));
  }
}

/** Groups, each as one version has it, that have found no place. */
type Hopeless = Set<TaskGroup>;

/** Where a group goes as the current version has it, or as an older one had it; null for a group that is no more. */
function placesOf(
  bench: Workbench,
  { group: current }: GroupDecision,
  older: OlderVersion | null,
): (Places & { readonly group: TaskGroup; readonly placeable: Placeable }) | null {
  const group = older?.group ?? current;
  if (group === null) return null;
  const places = older === null ? bench : bench.placesOf(older.job);
  return { ...places, group, placeable: places.placeableOf(group) };
}

function* placeOne(
  bench: Workbench,
  decision: GroupDecision,
  wanted: Wanted,
  deployment: PlanDeployment | null,
  hopeless: Hopeless,
  draft: Draft,
): Generator<undefined, void, undefined> {
  const { name } = decision;
  const places = placesOf(bench, decision, wanted.older);
  if (places === null) return;
  const leaving = wanted.replaces?.allocation ?? null;
  if (leaving !== null) bench.proposal.remove(leaving);
  // One failure speaks for the rest of the group, unless what it replaces makes room of its own.
  const isHopeless = hopeless.has(places.group);
  const { found, metrics } = isHopeless
    ? { found: null, metrics: null }
    : yield* selectNode(places.placeable, places.round(), places.space, bench.proposal, failedNodes(wanted));
  if (found !== null) {
    bench.proposal.add(found.node, name, found.claim);
    const { node, resources } = found;
    const deploymentId = wanted.older?.deploymentId ?? deploymentIdOf(deployment, name);
    draft.place(wanted, name, { node, resources, metrics, deploymentId });
    return;
  }
  hopeless.add(places.group);
  draft.fail(name, metrics);
  if (wanted.replaces === null) return;
  const { allocation, why } = wanted.replaces;
  // What runs well goes on until there is a place for the next version.
  if (why === 'lost' || why === 'migrating') draft.giveUp(wanted.replaces);
  else bench.proposal.restore(allocation);
}

function deploymentIdOf(deployment: PlanDeployment | null, group: string): string {
  const state = deployment?.row.TaskGroups?.[group] ?? null;
  return deployment === null || state === null ? '' : deployment.row.ID;
}

/** Nodes on which an allocation has failed: they are not forbidden, only less liked. */
function failedNodes({ replaces }: Wanted): ReadonlySet<string> {
  if (replaces?.why !== 'failed') return noNodes;
  const { allocation } = replaces;
  return new Set([allocation.NodeID, ...reschedules(allocation).map(({ PrevNodeID }) => PrevNodeID)]);
}

const noNodes: ReadonlySet<string> = new Set();
