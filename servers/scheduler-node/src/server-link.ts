import type { NodeInput } from '@tamis/scheduler-model/node.js';
import type { AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';

/** The response of a server to a registration or a heartbeat. */
export interface HeartbeatResponse {
  /** Time within which the next heartbeat is expected, in ms. */
  readonly heartbeatTtl: number;
  /** Index of the state. */
  readonly index: number;
  /** Host and port of the RPC endpoints of all servers of the region; empty for a single server. */
  readonly servers: readonly string[];
}

/** The position up to which a node knows its allocations. An index is valid only in the history of one server. */
export interface AllocationCursor {
  readonly history: string;
  readonly index: number;
}

/** The age of a response. Within an incarnation the response with the larger index is newer, whichever server sent it. */
export interface ResponseAge {
  readonly incarnation: number;
  readonly index: number;
}

/**
 * A response about allocations, line by line. Each job and group precedes the first allocation that needs it. Its size therefore
 * depends on the changes, and no line is long.
 */
export type AllocationLine =
  /** The start. With `isWhole` all allocations follow, and missing ones no longer exist. */
  | (AllocationCursor & ResponseAge & { readonly kind: 'begin'; readonly isWhole: boolean })
  /** A job without its groups, with its number in this response. */
  | { readonly kind: 'job'; readonly job: number; readonly row: unknown }
  | { readonly kind: 'group'; readonly job: number; readonly row: unknown }
  /** An allocation without its job; null for a finished one. */
  | { readonly kind: 'allocation'; readonly job: number | null; readonly row: unknown }
  /** An allocation that is unchanged since this index. */
  | { readonly kind: 'kept'; readonly id: string; readonly index: number }
  /** The end, with the node's total number of allocations. */
  | { readonly kind: 'end'; readonly count: number };

/** The connection of a node's client to one of the servers; it switches when that server is unreachable. */
export interface ServerLink {
  /** Registers the node, or updates it. @throws SchedulerError */
  register(node: NodeInput): Promise<HeartbeatResponse>;
  /** Sends a heartbeat. @throws SchedulerError; `permission-denied` if the node must register first. */
  heartbeat(): Promise<HeartbeatResponse>;
  /**
   * Yields changes to the node's allocations since a position, as soon as there are some; null for everything. @throws
   * SchedulerError
   */
  allocations(since: AllocationCursor | null, signal: AbortSignal): AsyncIterable<AllocationLine>;
  /** Reports the status of allocations; returns the IDs that do not belong to this node. @throws SchedulerError */
  update(updates: readonly AllocationUpdate[]): Promise<readonly string[]>;
  /** Switches to a different server, because the last one was not useful. */
  turnAway(): void;
}
