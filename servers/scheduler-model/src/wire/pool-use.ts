/** How much of a resource is allocated, and how much there is. */
export interface Share {
  Used: number;
  Total: number;
}

/** The use of a node pool: what its ready nodes have to give, and what of it their allocations have been given. */
export interface PoolUse {
  readonly NodePool: string;
  Nodes: number;
  /** The nodes that are ready: only they count below. */
  ReadyNodes: number;
  Allocations: number;
  /** MHz. */
  readonly CPU: Share;
  /** MB. */
  readonly MemoryMB: Share;
  /** MB. */
  readonly DiskMB: Share;
}
