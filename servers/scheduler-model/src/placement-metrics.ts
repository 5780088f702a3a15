/** Why an allocation was placed on its node, or nowhere. Keys of the maps are reasons, resources and classes. */
export interface PlacementMetrics {
  readonly NodesEvaluated: number;
  readonly NodesFiltered: number;
  readonly NodesInPool: number;
  readonly NodePool: string;
  readonly NodesAvailable: Readonly<Record<string, number>>;
  readonly ClassFiltered: Readonly<Record<string, number>> | null;
  readonly ConstraintFiltered: Readonly<Record<string, number>> | null;
  readonly NodesExhausted: number;
  readonly ClassExhausted: Readonly<Record<string, number>> | null;
  readonly DimensionExhausted: Readonly<Record<string, number>> | null;
  readonly QuotaExhausted: null;
  readonly ResourcesExhausted: null;
  readonly Scores: null;
  readonly ScoreMetaData: readonly NodeScore[] | null;
  readonly AllocationTime: number;
  /** Number of allocations of the group that failed for the same reasons. */
  readonly CoalescedFailures: number;
}

/** The components of a node's score, and their mean. */
export interface NodeScore {
  readonly NodeID: string;
  readonly Scores: Readonly<Record<string, number>>;
  readonly NormScore: number;
}
