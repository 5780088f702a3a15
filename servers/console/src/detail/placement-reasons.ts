import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';
import { counted } from '../text/format.js';
import { countedReasons } from './counted-reasons.js';

/** Returns the groups of a job that were not placed, with the known reasons. Rows may contain any value. */
export function unplacedGroups(
  of: unknown,
): readonly (readonly [group: string, Partial<PlacementMetrics>])[] {
  if (typeof of !== 'object' || of === null) return [];
  return Object.entries(of).map(([group, metrics]) => [group, (metrics ?? {}) as Partial<PlacementMetrics>]);
}

/** Returns the reasons why a group was not placed, the most important of each kind first. */
export function placementReasons(metrics: Partial<PlacementMetrics>): readonly string[] {
  return [
    ...countedReasons(metrics.NodesAvailable)
      .filter(([, count]) => count === 0)
      .map(([name]) => `no node in the datacenter ${name}`),
    ...outcome(metrics.ConstraintFiltered, 'does not meet', 'do not meet'),
    ...outcome(metrics.ClassFiltered, 'was left out, of the class', 'were left out, of the class'),
    ...outcome(metrics.DimensionExhausted, 'has not enough', 'have not enough'),
    ...outcome(metrics.ClassExhausted, 'is full, of the class', 'are full, of the class'),
  ];
}

function outcome(table: unknown, one: string, several: string): readonly string[] {
  return countedReasons(table).map(
    ([reason, count]) => `${counted(count, 'node')} ${count === 1 ? one : several}: ${reason}`,
  );
}
