import type { Job } from '@tamis/scheduler-model/job.js';
import type { NodeCapacity, NodeUsage } from '@tamis/scheduler-model/node-capacity.js';
import type { Claim } from '@tamis/scheduler-model/allocated-resources.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { meets } from './constraint.js';
import type { ProposedUsage } from './proposed-usage.js';
import { resolveTarget } from '@tamis/scheduler-model/target.js';

/**
 * Returns the score of a node for a task group, as named parts from about -1 to 1. The node with the highest mean is the best
 * one.
 */
export type Scorer = (
  node: Node,
  capacity: NodeCapacity,
  claim: Claim,
  proposed: ProposedUsage,
  penalised: ReadonlySet<string>,
) => Record<string, number>;

export function createScorer(job: Job, group: TaskGroup): Scorer {
  const affinity = createAffinityScore(job, group);
  const spread = createSpreadScore(job, group);
  return (node, capacity, claim, proposed, penalised) => {
    const scores: Record<string, number> = {
      binpack: packScore(capacity, proposed.usage(node.ID), claim),
    };
    const collisions = proposed.count(node.ID, group.Name);
    if (collisions > 0) scores['job-anti-affinity'] = -(collisions + 1) / Math.max(1, Number(group.Count));
    if (penalised.has(node.ID)) scores['node-reschedule-penalty'] = -1;
    const attraction = affinity?.(node) ?? 0;
    if (attraction !== 0) scores['node-affinity'] = attraction;
    const boost = spread?.(node, proposed) ?? 0;
    if (boost !== 0) scores['allocation-spread'] = boost;
    return scores;
  };
}

/** Whether all nodes must be checked to find the best one. */
export function hasPreferences(job: Job, group: TaskGroup): boolean {
  const lists = [job.Affinities, job.Spreads, group.Affinities, group.Spreads];
  const ofTasks = (group.Tasks ?? []).map(({ Affinities }) => Affinities);
  return [...lists, ...ofTasks].some((list) => list !== null && list.length > 0);
}

export function meanOf(scores: Readonly<Record<string, number>>): number {
  const values = Object.values(scores);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns the score of Google's bin packing algorithm "BestFit v3": 20 - (10^free cpu + 10^free memory). It is 0 for an empty
 * node and 18 for a full one.
 */
function packScore(capacity: NodeCapacity, usage: NodeUsage, claim: Claim): number {
  const freeCpu = 1 - ratio(usage.cpu + claim.cpu, capacity.cpu);
  const freeMemory = 1 - ratio(usage.memory + claim.memory, capacity.memory);
  const score = 20 - (10 ** freeCpu + 10 ** freeMemory);
  return Math.min(Math.max(score, 0), 18) / 18;
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 1;
}

function createAffinityScore(job: Job, group: TaskGroup): ((node: Node) => number) | null {
  const affinities = [
    ...(job.Affinities ?? []),
    ...(group.Affinities ?? []),
    ...(group.Tasks ?? []).flatMap(({ Affinities }) => Affinities ?? []),
  ];
  const weights = affinities.reduce((sum, { Weight }) => sum + Math.abs(Number(Weight)), 0);
  if (weights === 0) return null;
  return (node) =>
    affinities.reduce((sum, one) => (meets(one, node) ? sum + Number(one.Weight) : sum), 0) / weights;
}

/** Returns a score for an even spread of allocations; 0 without a spread. */
type SpreadScore = (node: Node, proposed: ProposedUsage) => number;

/** Returns the score function; null for a group without a spread. */
function createSpreadScore(job: Job, group: TaskGroup): SpreadScore | null {
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
