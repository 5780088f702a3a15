import type { Steps } from '@tamis/http';
import { healthOf, isFinished } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { DeploymentGroup } from '@tamis/scheduler-model/deployment.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { allocationName, freeIndexes, nameIndex, type GroupNames } from './allocation-name.js';
import type { Replacement, PlacementRequest } from './decision.js';
import type { GroupContext } from './group-context.js';
import { isPause } from './pause.js';
import type { SortedAllocations } from './sort-allocations.js';
import { specChange } from './spec-change.js';

/** The reason why a rollout is on hold: it was paused, has failed, or waits for the promotion of its canaries. */
export type PauseReason = 'no' | 'paused' | 'failed' | 'canaries';

/** A step of the update of older versions to the current one. */
export interface UpdateStep {
  readonly pauseReason: PauseReason;
  readonly inPlace: readonly Allocation[];
  /** Replacements of running allocations of older versions. */
  readonly replaced: readonly PlacementRequest[];
  /** Allocations that are gone or leaving, and whose replacements may have the current version. */
  readonly advancing: ReadonlySet<Allocation>;
  readonly canaries: readonly PlacementRequest[];
  readonly furtherCanaries: number;
  readonly desiredCanaries: number;
}

/**
 * Plans the next step of an update.
 *
 * @param regular all allocations except canaries.
 */
export function* planUpdate(
  regular: SortedAllocations,
  canaries: SortedAllocations,
  group: TaskGroup,
  state: DeploymentGroup | null,
  names: GroupNames,
  context: GroupContext,
): Steps<UpdateStep> {
  const { deployment, job } = context;
  const { inPlace, outdated, needsReplacing } = yield* sortOutdated(regular, group, names, context);
  const leaving = replacementsOf(regular).map(({ allocation }) => allocation);
  const stale = leaving.filter((one) => specChange(one.Job, job, group) === 'destructive');
  const isProven = job.Stable || (stale.length === 0 && !needsReplacing);
  const desired = desiredCanaries(group, state, isProven);
  const pauseReason = pauseReasonOf(deployment, desired);
  const isGoing = !deployment.isPaused && !deployment.isFailed;
  const canaryCount = nameCanaries(canaries, isGoing ? desired : 0, { inPlace, outdated }, context);
  const step = { pauseReason, desiredCanaries: desired, ...canaryCount };
  if (pauseReason !== 'no') return { ...step, inPlace: [], replaced: [], advancing: new Set() };
  const isStale = new Set(stale);
  const upToDate = leaving.filter((one) => !isStale.has(one));
  // Allocations that are placed in any case count as not yet healthy.
  const there = regular.retained.length + regular.done.length + leaving.length;
  const placed = Math.max(0, Number(group.Count) - there) + upToDate.length;
  const limit = Math.max(
    0,
    updateLimit([...regular.retained, ...canaries.retained], group, context) - placed,
  );
  const moved = stale.slice(0, limit);
  return {
    ...step,
    inPlace,
    advancing: new Set([...upToDate, ...moved]),
    replaced: outdated.slice(0, limit - moved.length).map((allocation) => ({
      name: names.after(allocation),
      replaces: { allocation, why: 'updating' },
      isCanary: false,
      older: null,
    })),
  };
}

/** Returns the replacements needed regardless of the update. */
export function replacementsOf({ lost, migrating, again }: SortedAllocations): Replacement[] {
  return [
    ...lost.map((allocation) => ({ allocation, why: 'lost' as const })),
    ...migrating.map((allocation) => ({ allocation, why: 'migrating' as const })),
    ...again.map((allocation) => ({ allocation, why: 'failed' as const })),
  ];
}

/** Allocations of older versions, by the kind of change to the current version. */
interface Outdated {
  readonly inPlace: readonly Allocation[];
  readonly outdated: readonly Allocation[];
}

/** Sorts allocations of older versions by kind of change. Allocations that have already ended come first. */
function* sortOutdated(
  { retained }: SortedAllocations,
  group: TaskGroup,
  names: GroupNames,
  { changeOf }: GroupContext,
): Steps<Outdated & { readonly needsReplacing: boolean }> {
  const inPlace: Allocation[] = [];
  const outdated: Allocation[] = [];
  let needsReplacing = false;
  for (const [at, allocation] of retained.entries()) {
    if (isPause(at)) yield;
    const change = changeOf(allocation, group);
    if (change === 'none') continue;
    needsReplacing ||= change === 'destructive';
    if (change === 'in-place' && !isFinished(allocation) && names.reserve(allocation))
      inPlace.push(allocation);
    else outdated.push(allocation);
  }
  outdated.sort(
    (a, b) => Number(isFinished(b)) - Number(isFinished(a)) || nameIndex(a.Name) - nameIndex(b.Name),
  );
  return { inPlace, outdated, needsReplacing };
}

/**
 * Returns the number of canaries required before the rollout continues. 0 if the version is promoted or proven: a version
 * reverted to has succeeded before.
 */
function desiredCanaries(group: TaskGroup, state: DeploymentGroup | null, isProven: boolean): number {
  if (state !== null) return state.Promoted ? 0 : Number(state.DesiredCanaries);
  const isRolledOut = Number(group.Update?.MaxParallel ?? 0) > 0;
  return isRolledOut && !isProven ? Number(group.Update?.Canary ?? 0) : 0;
}

function pauseReasonOf({ isPaused, isFailed }: GroupContext['deployment'], canaries: number): PauseReason {
  if (isFailed) return 'failed';
  if (isPaused) return 'paused';
  return canaries > 0 ? 'canaries' : 'no';
}

/** Returns canaries that replace lost ones, and new ones named after the allocations that they will replace. */
function nameCanaries(
  canaries: SortedAllocations,
  desired: number,
  { inPlace, outdated }: Outdated,
  { job, name, maxRequests }: GroupContext,
): Pick<UpdateStep, 'canaries' | 'furtherCanaries'> {
  const replaced: PlacementRequest[] = replacementsOf(canaries).map((replaces) => ({
    name: replaces.allocation.Name,
    replaces,
    isCanary: true,
    older: null,
  }));
  const there = [...canaries.retained.map(({ Name }) => Name), ...replaced.map(({ name }) => name)];
  const missing = Math.max(0, desired - there.length);
  const listed = Math.min(missing, maxRequests);
  const taken = new Set(there.map(nameIndex));
  const names = outdated.map(({ Name }) => nameIndex(Name)).filter((at) => !taken.has(at));
  const retained = inPlace.map(({ Name }) => nameIndex(Name));
  const more = freeIndexes(new Set([...taken, ...names, ...retained]));
  const fresh = Array.from({ length: listed }, (_, at) => ({
    name: allocationName(job.ID, name, names[at] ?? more.next().value),
    replaces: null,
    isCanary: true,
    older: null,
  }));
  return { canaries: [...replaced, ...fresh], furtherCanaries: missing - listed };
}

/** Returns how many more allocations may be stopped at once. Healthy new allocations allow more; unhealthy ones allow none. */
function updateLimit(
  retained: readonly Allocation[],
  group: TaskGroup,
  { deployment }: GroupContext,
): number {
  const parallel = Number(group.Update?.MaxParallel ?? 0);
  if (parallel === 0) return Infinity;
  let limit = parallel;
  for (const allocation of retained) {
    if (deployment.row === null || allocation.DeploymentID !== deployment.row.ID) continue;
    if (healthOf(allocation) === false) return 0;
    if (healthOf(allocation) === null) limit -= 1;
  }
  return limit;
}
