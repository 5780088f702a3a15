import type { Node } from '@tamis/scheduler-model/node.js';
import type { NodeScore, PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';

/** Maximum number of stored scores per allocation. Prevents large clusters from making allocations large. */
const maxScores = 5;

/** The set of nodes to search. */
export interface SearchSpace {
  readonly pool: string;
  readonly nodesInPool: number;
  /** Number of ready nodes by datacenter. */
  readonly available: ReadonlyMap<string, number>;
}

/** Records the evaluated nodes of one search. */
export type MetricsRecorder = ReturnType<typeof createMetricsRecorder>;

export function createMetricsRecorder(space: SearchSpace) {
  let nodesEvaluated = 0;
  let nodesFiltered = 0;
  let nodesExhausted = 0;
  const classFiltered = new Map<string, number>();
  const constraintFiltered = new Map<string, number>();
  const classExhausted = new Map<string, number>();
  const dimensionExhausted = new Map<string, number>();
  const scores: NodeScore[] = [];
  return {
    evaluated: (): void => void (nodesEvaluated += 1),
    filtered(node: Node, reason: string): void {
      nodesFiltered += 1;
      if (node.NodeClass !== '') increment(classFiltered, node.NodeClass);
      increment(constraintFiltered, reason);
    },
    exhausted(node: Node, dimension: string): void {
      nodesExhausted += 1;
      if (node.NodeClass !== '') increment(classExhausted, node.NodeClass);
      increment(dimensionExhausted, dimension);
    },
    scored: (score: NodeScore): void => void scores.push(score),
    metrics: (): PlacementMetrics => ({
      NodesEvaluated: nodesEvaluated,
      NodesFiltered: nodesFiltered,
      NodesInPool: space.nodesInPool,
      NodePool: space.pool,
      NodesAvailable: Object.fromEntries(space.available),
      ClassFiltered: tableOf(classFiltered),
      ConstraintFiltered: tableOf(constraintFiltered),
      NodesExhausted: nodesExhausted,
      ClassExhausted: tableOf(classExhausted),
      DimensionExhausted: tableOf(dimensionExhausted),
      QuotaExhausted: null,
      ResourcesExhausted: null,
      Scores: null,
      ScoreMetaData: bestOf(scores),
      AllocationTime: 0,
      CoalescedFailures: 0,
    }),
  };
}

export function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function tableOf(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> | null {
  return counts.size === 0 ? null : Object.fromEntries(counts);
}

function bestOf(scores: readonly NodeScore[]): readonly NodeScore[] | null {
  if (scores.length === 0) return null;
  return [...scores].sort((a, b) => b.NormScore - a.NormScore).slice(0, maxScores);
}
