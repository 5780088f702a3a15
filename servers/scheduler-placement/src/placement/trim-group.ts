import { isFinished } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { nameIndex } from './allocation-name.js';
import { stopTexts, type Stop } from './decision.js';
import { isOfVersion, type SortedAllocations } from './sort-allocations.js';

export function stopAll(allocations: readonly Allocation[]): Stop[] {
  return allocations
    .filter((allocation) => !isFinished(allocation))
    .map((allocation) => ({ allocation, description: stopTexts.notNeeded, isLost: false }));
}

export function lose(allocations: readonly Allocation[]): Stop[] {
  return allocations.map((allocation) => ({ allocation, description: stopTexts.lost, isLost: true }));
}

function versionOf({ Job }: Allocation): number {
  return Number(Job?.Version ?? 0);
}

/** Removes allocations beyond the count: first those to be rescheduled, then the least valuable of the others. */
export function trimGroup(
  sorted: SortedAllocations,
  count: number,
  job: Job,
): { readonly sorted: SortedAllocations; readonly stops: readonly Stop[] } {
  const { done, lost, migrating, again, retained } = sorted;
  let surplus = retained.length + done.length + lost.length + migrating.length + again.length - count;
  const cut = (from: readonly Allocation[]): [rest: Allocation[], cut: Allocation[]] => {
    const amount = Math.min(Math.max(0, surplus), from.length);
    surplus -= amount;
    return [from.slice(amount), from.slice(0, amount)];
  };
  const [restLost, cutLost] = cut(lost);
  const [restMigrating, cutMigrating] = cut(migrating);
  const [restAgain] = cut(again);
  // After a promotion two allocations have the same name: the canary and the allocation that it replaces.
  const newest = new Map<string, number>();
  for (const one of retained) newest.set(one.Name, Math.max(newest.get(one.Name) ?? 0, versionOf(one)));
  const isSuperseded = (one: Allocation): boolean => versionOf(one) < (newest.get(one.Name) ?? 0);
  // Computed once per allocation, because sorting tens of thousands compares each of them many times.
  const byMerit = retained
    .map((one) => ({
      one,
      superseded: Number(isSuperseded(one)),
      finished: Number(isFinished(one)),
      index: nameIndex(one.Name),
      current: Number(isOfVersion(one, job)),
    }))
    .sort(
      (a, b) =>
        b.superseded - a.superseded || b.finished - a.finished || b.index - a.index || a.current - b.current,
    )
    .map(({ one }) => one);
  const [restRetained, cutRetained] = cut(byMerit);
  return {
    sorted: { ...sorted, retained: restRetained, lost: restLost, migrating: restMigrating, again: restAgain },
    stops: [...lose(cutLost), ...stopAll(cutMigrating), ...stopAll(cutRetained)],
  };
}
