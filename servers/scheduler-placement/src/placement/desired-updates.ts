import type { Steps } from '@tamis/http';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { DesiredUpdates } from '@tamis/scheduler-state/state/plan.js';
import type { GroupDecision, PlacementRequest, Stop } from './decision.js';
import { isPause } from './pause.js';
import type { PlanBuilder } from './plan-builder.js';

/** The parts of a decision that determine how many allocations to place, change and stop. */
export type Counted = Pick<GroupDecision, 'requests' | 'stops' | 'inPlace'> &
  Partial<Pick<GroupDecision, 'further'>>;

/** Returns the counts of a decision about a group. @param own all allocations of the group. */
export function desiredUpdates(
  { requests, further = [], stops, inPlace }: Counted,
  own: readonly Allocation[],
): DesiredUpdates {
  const count = (test: (request: PlacementRequest) => boolean): number => requests.filter(test).length;
  const more = (isCanary: boolean): number =>
    further.reduce((sum, one) => (one.isCanary === isCanary ? sum + one.count : sum), 0);
  const touched = new Set(
    [...stops.map(({ allocation }) => allocation), ...inPlace].concat(
      requests.flatMap(({ replaces }) => (replaces === null ? [] : [replaces.allocation])),
    ),
  );
  return {
    ignore: own.filter((one) => !isTerminal(one) && !touched.has(one)).length,
    place:
      more(false) + count(({ isCanary, replaces }) => !isCanary && !movingReasons.has(replaces?.why ?? '')),
    canary: more(true) + count(({ isCanary }) => isCanary),
    migrate: count(({ replaces }) => replaces?.why === 'migrating'),
    stop: stops.length,
    inPlace: inPlace.length,
    destructive: count(({ replaces }) => replaces?.why === 'updating'),
  };
}

/** Reasons for replacing a running allocation that are counted separately. */
const movingReasons: ReadonlySet<string> = new Set(['migrating', 'updating']);

/** Stops allocations of groups that are no longer wanted. */
export function* stopGroups(stops: readonly Stop[], plan: PlanBuilder): Steps<void> {
  const byGroup = new Map<string, Stop[]>();
  for (const [at, stop] of stops.entries()) {
    if (isPause(at)) yield;
    plan.stop(stop);
    const { TaskGroup } = stop.allocation;
    const own = byGroup.get(TaskGroup);
    if (own === undefined) byGroup.set(TaskGroup, [stop]);
    else own.push(stop);
  }
  for (const [group, own] of byGroup) {
    plan.desire(group, () => desiredUpdates({ requests: [], stops: own, inPlace: [] }, []));
  }
}
