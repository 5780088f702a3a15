import type { Steps } from '@tamis/http';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { DeploymentGroup } from '@tamis/scheduler-model/deployment.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { createGroupNames, type GroupNames } from './allocation-name.js';
import type { Further, GroupDecision, Replacement, PlacementRequest } from './decision.js';
import type { GroupContext } from './group-context.js';
import type { OlderVersion } from './older-version.js';
import { planUpdate, replacementsOf, type UpdateStep } from './plan-update.js';
import {
  isOfVersion,
  sortAllocations,
  splitAllocations,
  type SortedAllocations,
} from './sort-allocations.js';
import { lose, stopAll, trimGroup } from './trim-group.js';

/** Compares the existing allocations of a group of a service or batch job with the desired ones. */
export function* reconcileGroup(all: readonly Allocation[], context: GroupContext): Steps<GroupDecision> {
  const { group, name, deployment, job } = context;
  const [stale, live] = splitAllocations(yield* sortAllocations(all, context), deployment.staleCanaries);
  yield;
  const base = { name, group, startsVersion: !all.some((allocation) => isOfVersion(allocation, job)) };
  const removed = [...stopAll([...stale.retained, ...stale.migrating]), ...lose(stale.lost)];
  if (group === null) {
    const stops = [...removed, ...stopAll([...live.retained, ...live.migrating]), ...lose(live.lost)];
    return { ...base, requests: [], further: [], stops, inPlace: [], later: [], canaries: 0 };
  }
  const state = deployment.row?.TaskGroups?.[name] ?? null;
  const [canaries, regular] = splitAllocations(live, canariesOf(state));
  yield;
  const trimmed = trimGroup(regular, Number(group.Count), job);
  yield;
  const { retained, done, lost, migrating, again } = trimmed.sorted;
  const there = [...retained, ...done, ...lost, ...migrating, ...again];
  const names = createGroupNames(job.ID, name, there, (one) => isOfVersion(one, job));
  yield;
  const step = yield* planUpdate(trimmed.sorted, canaries, group, state, names, context);
  yield;
  const placements = planPlacements(trimmed.sorted, step, group, names, context);
  yield;
  const leaving = new Set(step.replaced.map(({ replaces }) => replaces?.allocation));
  const staying = new Set([...retained, ...canaries.retained].filter((one) => !leaving.has(one)));
  return {
    ...base,
    requests: [...step.canaries, ...placements.requests, ...step.replaced],
    further: [...placements.further, { count: step.furtherCanaries, isCanary: true, older: null }].filter(
      ({ count }) => count > 0,
    ),
    stops: [...removed, ...trimmed.stops],
    inPlace: step.inPlace,
    later: live.later.filter(({ allocation }) => staying.has(allocation)),
    canaries: step.desiredCanaries,
  };
}

function canariesOf(state: DeploymentGroup | null): ReadonlySet<string> {
  return new Set(state === null || state.Promoted ? [] : state.PlacedCanaries);
}

/** Requests replacements for allocations that are gone or leaving, and allocations that are missing. */
function planPlacements(
  sorted: SortedAllocations,
  step: UpdateStep,
  group: TaskGroup,
  names: GroupNames,
  context: GroupContext,
): { readonly requests: readonly PlacementRequest[]; readonly further: readonly Further[] } {
  const { maxRequests } = context;
  const replacements = replacementsOf(sorted);
  const requests: PlacementRequest[] = replacements.map((replaces) => ({
    name: names.after(replaces.allocation),
    replaces,
    isCanary: false,
    older: olderFor(replaces, sorted, step, context),
  }));
  const { count, older } = desiredCount(sorted, step, group, context);
  const there = sorted.retained.length + sorted.done.length + replacements.length;
  const missing = Math.max(0, count - there);
  const listed = Math.min(missing, maxRequests);
  for (let at = 0; at < listed; at += 1) {
    requests.push({ name: names.next(), replaces: null, isCanary: false, older });
  }
  return { requests, further: [{ count: missing - listed, isCanary: false, older }] };
}

/**
 * Returns the older version that a replacement must have; null for the current one. A replacement has the current version only if
 * the update allows it.
 */
function olderFor(
  { allocation }: Replacement,
  { retained }: SortedAllocations,
  { advancing, pauseReason }: UpdateStep,
  { olderVersions, job, name }: GroupContext,
): OlderVersion | null {
  const retainsVersion = pauseReason === 'paused' && isOfVersion(allocation, job);
  return advancing.has(allocation) || retainsVersion
    ? null
    : olderVersions.goodFor(allocation, name, retained);
}

/** Returns the desired number of allocations, and the version that missing ones must have. */
function desiredCount(
  { retained }: SortedAllocations,
  { pauseReason }: UpdateStep,
  group: TaskGroup,
  { olderVersions, name }: GroupContext,
): { readonly count: number; readonly older: OlderVersion | null } {
  const count = Number(group.Count);
  if (pauseReason === 'no') return { count, older: null };
  const older = olderVersions.goodFor(null, name, retained);
  // Each count belongs to a version. After a failed deployment, the current count is still the only known one.
  if (pauseReason === 'failed') return { count, older };
  return { count: older === null ? 0 : Math.min(count, Number(older.group.Count)), older };
}
