/** Options of placement. The same state and options result in the same plan. */
export interface PlacementOptions {
  /** Current time in ms since 1970. */
  readonly now: number;
  /** Creates IDs for new objects of the plan. */
  readonly uuid: () => string;
  /** Seed for the search order of equal nodes. */
  readonly seed: string;
  /**
   * Maximum number of allocations per plan. Prevents a job with a million allocations from becoming one write that blocks all
   * others.
   */
  readonly maxPlacements: number;
  /** Whether to count the desired changes of each group, for dry runs. */
  readonly countsDesired?: boolean;
}
