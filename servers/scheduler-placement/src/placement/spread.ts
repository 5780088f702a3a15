import type { Job } from '@tamis/scheduler-model/job.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import type { ProposedUsage } from './proposed-usage.js';
import { resolveTarget } from '@tamis/scheduler-model/target.js';

/** Returns a score for an even spread of allocations; 0 without a spread. */
export type SpreadScore = (node: Node, proposed: ProposedUsage) => number;

/** Returns the score function; null for a group without a spread. */
export function createSpreadScore(job: Job, group: TaskGroup): SpreadScore | null {
  const spreads = [...(group.Spreads ?? []), ...(job.Spreads ?? [])].map((spread) => ({
    attribute: spread.Attribute,
    weight: Number(spread.Weight),
    targets: desiredCounts(spread.SpreadTarget ?? [], Number(group.Count)),
  }));
  if (spreads.length === 0) return null;
  const weights = spreads.reduce((sum, { weight }) => sum + Math.abs(weight), 0) || 1;
  return (node, proposed) => {
    let total = 0;
    for (const { attribute, weight, targets } of spreads) {
      const value = resolveTarget(attribute, node);
      const used = proposed.values(attribute, group.Name);
      if (value === null) total -= 1;
      else if (targets === null) total += evenBoost(used, value);
      else total += targetBoost(targets, used, value) * (weight / weights);
    }
    return total;
  };
}

type Target = NonNullable<NonNullable<TaskGroup['Spreads']>[number]['SpreadTarget']>[number];

/** Returns the desired number of allocations per value, `*` for all others; null for an even spread. */
function desiredCounts(targets: readonly Target[], count: number): ReadonlyMap<string, number> | null {
  if (targets.length === 0) return null;
  const desired = new Map(targets.map(({ Value, Percent }) => [Value, (Number(Percent) / 100) * count]));
  const rest = 100 - targets.reduce((sum, { Percent }) => sum + Number(Percent), 0);
  if (rest > 0 && !desired.has('*')) desired.set('*', (rest / 100) * count);
  return desired;
}

function targetBoost(
  targets: ReadonlyMap<string, number>,
  used: ReadonlyMap<string, number>,
  value: string,
): number {
  const desired = targets.get(value) ?? targets.get('*') ?? 0;
  if (desired === 0) return -1;
  return (desired - ((used.get(value) ?? 0) + 1)) / desired;
}

/** Returns a number from 1 (for a value with fewer allocations than others) to -1 (for a value with more). */
function evenBoost(used: ReadonlyMap<string, number>, value: string): number {
  const counts = [...used.values()].filter((count) => count > 0);
  if (counts.length === 0) return 0;
  const current = used.get(value) ?? 0;
  const min = Math.min(...counts);
  const max = Math.max(...counts);
  if (current !== min) return (min - current) / min;
  return min === max ? -1 : (max - min) / min;
}
