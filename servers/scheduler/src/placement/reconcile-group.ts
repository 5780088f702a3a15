import { healthOf, isFinished } from '../model/allocation-status.js';
import type { Allocation } from '../model/allocation.js';
import type { DeploymentGroup } from '../model/deployment.js';
import type { TaskGroup } from '../model/task-group.js';
import { allocationName, freeIndexes, nameIndex } from './allocation-name.js';
import type { CurrentDeployment } from './current-deployment.js';
import { stopTexts, type GroupDecision, type Stop, type Wanted } from './decision.js';
import {
  isOfVersion,
  sortAllocations,
  type SortedAllocations,
  type SortingContext,
} from './sort-allocations.js';
import type { SpecChange } from './spec-change.js';

/** Everything that decides what becomes of a group. */
export interface GroupContext extends SortingContext {
  readonly name: string;
  readonly deployment: CurrentDeployment;
  /** Most new allocations that are listed. Stops a count of a billion from filling the memory. */
  readonly maxWanted: number;
  /** What it takes to bring an allocation to the current version, on its node. */
  readonly changeOf: (allocation: Allocation, group: TaskGroup) => SpecChange;
}

/** Compares the allocations that a group of a service or batch has with those that it is to have. */
export function reconcileGroup(all: readonly Allocation[], context: GroupContext): GroupDecision {
  const { group, name, deployment, job } = context;
  const sorted = sortAllocations(all, context);
  const stale = sorted.kept.filter(({ ID }) => deployment.staleCanaries.has(ID));
  const kept = sorted.kept.filter(({ ID }) => !deployment.staleCanaries.has(ID));
  const base = { name, group, startsVersion: !all.some((allocation) => isOfVersion(allocation, job)) };
  if (group === null) {
    const stops = [...stopAll(sorted.kept), ...stopAll(sorted.migrating), ...lose(sorted.lost)];
    return { ...base, wanted: [], further: 0, stops, inPlace: [], later: [], canaries: 0 };
  }
  const state = deployment.row?.TaskGroups?.[name] ?? null;
  const placedCanaries = new Set(isCanarying(state) ? state.PlacedCanaries : []);
  const canaries = kept.filter(({ ID }) => placedCanaries.has(ID));
  const regular = kept.filter(({ ID }) => !placedCanaries.has(ID));
  const trimmed = trim({ ...sorted, kept: regular }, Number(group.Count), context);
  const update = planUpdate(trimmed.sorted, canaries, group, state, context);
  const placements = planPlacements(trimmed.sorted, update, group, context);
  const staying = new Set(trimmed.sorted.kept);
  return {
    ...base,
    wanted: [...update.canaries, ...placements.wanted, ...update.replaced],
    further: placements.further + update.furtherCanaries,
    stops: [...stopAll(stale), ...trimmed.stops],
    inPlace: update.inPlace,
    later: sorted.later.filter(({ allocation }) => staying.has(allocation)),
    canaries: update.desiredCanaries,
  };
}

function isCanarying(state: DeploymentGroup | null): state is DeploymentGroup {
  return state !== null && state.DesiredCanaries > 0 && !state.Promoted;
}

function stopAll(allocations: readonly Allocation[]): Stop[] {
  return allocations
    .filter((allocation) => !isFinished(allocation))
    .map((allocation) => ({ allocation, description: stopTexts.notNeeded, isLost: false }));
}

function lose(allocations: readonly Allocation[]): Stop[] {
  return allocations.map((allocation) => ({ allocation, description: stopTexts.lost, isLost: true }));
}

/** Takes out what is more than the count: first what would have to be placed anew, then the worst of what is there. */
function trim(
  sorted: SortedAllocations,
  count: number,
  { job }: GroupContext,
): { readonly sorted: SortedAllocations; readonly stops: readonly Stop[] } {
  const { done, lost, migrating, again, kept } = sorted;
  let surplus = kept.length + done.length + lost.length + migrating.length + again.length - count;
  const cut = (from: readonly Allocation[]): [rest: Allocation[], cut: Allocation[]] => {
    const amount = Math.min(Math.max(0, surplus), from.length);
    surplus -= amount;
    return [from.slice(amount), from.slice(0, amount)];
  };
  const [restLost, cutLost] = cut(lost);
  const [restMigrating, cutMigrating] = cut(migrating);
  const [restAgain] = cut(again);
  const current = new Set(kept.filter((one) => isOfVersion(one, job)).map(({ Name }) => Name));
  const isSuperseded = (one: Allocation): boolean => !isOfVersion(one, job) && current.has(one.Name);
  const byMerit = [...kept].sort(
    (a, b) =>
      Number(isSuperseded(b)) - Number(isSuperseded(a)) ||
      Number(isFinished(b)) - Number(isFinished(a)) ||
      nameIndex(b.Name) - nameIndex(a.Name) ||
      Number(isOfVersion(a, job)) - Number(isOfVersion(b, job)),
  );
  const [restKept, cutKept] = cut(byMerit);
  return {
    sorted: { ...sorted, kept: restKept, lost: restLost, migrating: restMigrating, again: restAgain },
    stops: [...lose(cutLost), ...stopAll(cutMigrating), ...stopAll(cutKept)],
  };
}

/** How far the update from older versions goes in this step. */
interface UpdateStep {
  readonly inPlace: readonly Allocation[];
  readonly replaced: readonly Wanted[];
  readonly canaries: readonly Wanted[];
  readonly furtherCanaries: number;
  readonly desiredCanaries: number;
  /** Whether nothing but replacements may be placed. */
  readonly isHeld: boolean;
}

function planUpdate(
  { kept, done, migrating }: SortedAllocations,
  canaries: readonly Allocation[],
  group: TaskGroup,
  state: DeploymentGroup | null,
  context: GroupContext,
): UpdateStep {
  const { deployment, changeOf } = context;
  const inPlace: Allocation[] = [];
  const outdated: Allocation[] = [];
  for (const allocation of kept) {
    const change = changeOf(allocation, group);
    if (change === 'none') continue;
    if (change === 'in-place' && !isFinished(allocation)) inPlace.push(allocation);
    else outdated.push(allocation);
  }
  outdated.sort((a, b) => nameIndex(a.Name) - nameIndex(b.Name));
  const asked = Number(group.Update?.Canary ?? 0);
  const mayHaveCanaries = state === null || isCanarying(state);
  const needsCanaries = asked > 0 && outdated.length > 0 && mayHaveCanaries;
  const isHeld = deployment.isPaused || deployment.isFailed || needsCanaries || isCanarying(state);
  const isGoing = !deployment.isPaused && !deployment.isFailed;
  const missing = needsCanaries && isGoing ? Math.max(0, asked - canaries.length) : 0;
  const listed = Math.min(missing, context.maxWanted);
  // What is placed anyway counts as one that is not healthy yet.
  const placed = Math.max(0, Number(group.Count) - kept.length - done.length - migrating.length);
  const limit = isHeld ? 0 : Math.max(0, updateLimit([...kept, ...canaries], group, context) - placed);
  return {
    inPlace,
    isHeld,
    desiredCanaries: needsCanaries ? asked : 0,
    furtherCanaries: missing - listed,
    canaries: nameCanaries(listed, canaries, outdated, context),
    replaced: outdated.slice(0, limit).map((allocation) => ({
      name: allocation.Name,
      replaces: { allocation, why: 'updating' },
      isCanary: false,
    })),
  };
}

/** Canaries take the names of those that they will replace. */
function nameCanaries(
  missing: number,
  canaries: readonly Allocation[],
  outdated: readonly Allocation[],
  { job, name }: GroupContext,
): Wanted[] {
  const taken = new Set(canaries.map(({ Name }) => nameIndex(Name)));
  const names = outdated.map(({ Name }) => nameIndex(Name)).filter((at) => !taken.has(at));
  const more = freeIndexes(new Set([...taken, ...names]));
  return Array.from({ length: missing }, (_, at) => ({
    name: allocationName(job.ID, name, names[at] ?? more.next().value),
    replaces: null,
    isCanary: true,
  }));
}

/** How many more allocations may be taken down at a time. Healthy ones make room for others, unhealthy ones stop it. */
function updateLimit(kept: readonly Allocation[], group: TaskGroup, { deployment }: GroupContext): number {
  const parallel = Number(group.Update?.MaxParallel ?? 0);
  if (parallel === 0) return Infinity;
  let limit = parallel;
  for (const allocation of kept) {
    if (deployment.row === null || allocation.DeploymentID !== deployment.row.ID) continue;
    if (healthOf(allocation) === false) return 0;
    if (healthOf(allocation) === null) limit -= 1;
  }
  return limit;
}

/** What takes the place of allocations that are gone or go, and what is missing. */
function planPlacements(
  { kept, done, lost, migrating, again }: SortedAllocations,
  { isHeld }: UpdateStep,
  group: TaskGroup,
  { job, name, maxWanted }: GroupContext,
): { readonly wanted: readonly Wanted[]; readonly further: number } {
  const replacements = [
    ...lost.map((allocation) => ({ allocation, why: 'lost' as const })),
    ...migrating.map((allocation) => ({ allocation, why: 'migrating' as const })),
    ...again.map((allocation) => ({ allocation, why: 'failed' as const })),
  ];
  const wanted: Wanted[] = replacements.map((replaces) => ({
    name: replaces.allocation.Name,
    replaces,
    isCanary: false,
  }));
  const there = [...kept, ...done];
  const missing = isHeld ? 0 : Math.max(0, Number(group.Count) - there.length - replacements.length);
  const listed = Math.min(missing, maxWanted);
  const taken = new Set([...there, ...replacements.map(({ allocation }) => allocation)].map(indexOf));
  const free = freeIndexes(taken);
  for (let count = 0; count < listed; count += 1) {
    wanted.push({ name: allocationName(job.ID, name, free.next().value), replaces: null, isCanary: false });
  }
  return { wanted, further: missing - listed };
}

function indexOf({ Name }: Allocation): number {
  return nameIndex(Name);
}
