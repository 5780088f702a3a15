/** The options of placement. With the same state and options it makes the same plan. */
export interface PlacementOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** IDs of what the plan creates. */
  readonly uuid: () => string;
  /** The order in which equal nodes are looked at follows from it. */
  readonly seed: string;
  /** Most allocations in one plan. Stops a job of a million from being one write that holds up all others. */
  readonly maxPlacements: number;
  /** Whether the plan also says how many allocations of each group it wants: for those who only look. */
  readonly countsDesired?: boolean;
}
