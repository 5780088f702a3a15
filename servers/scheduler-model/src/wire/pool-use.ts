/** Used and total amount of a resource. */
export interface Share {
  Used: number;
  Total: number;
}

/** Use of a node pool: total resources of its ready nodes, and the part allocated. */
export interface PoolUse {
  readonly NodePool: string;
  Nodes: number;
  /** Number of ready nodes; other nodes do not count. */
  ReadyNodes: number;
  Allocations: number;
  /** CPU in MHz. */
  readonly CPU: Share;
  /** Memory in MB. */
  readonly MemoryMB: Share;
  /** Disk in MB. */
  readonly DiskMB: Share;
}
