import type { NodeInput } from '@tamis/scheduler-model/node.js';
import type { AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';

/** The response of a server to a registration or a heartbeat. */
export interface HeartbeatResponse {
  /** Milliseconds within which the next heartbeat is expected. */
  readonly heartbeatTtl: number;
  /** The index of the state. */
  readonly index: number;
  /** Host and port of the RPC of all servers of the region; empty if a single server needs no others. */
  readonly servers: readonly string[];
}

/** The position up to which a node has heard of its allocations. An index means something in the history of one server only. */
export interface AllocationCursor {
  readonly history: string;
  readonly index: number;
}

/** The age of a response: of two in one incarnation the one with the greater index is newer, regardless of their servers. */
export interface ResponseAge {
  readonly incarnation: number;
  readonly index: number;
}

/**
 * A response about allocations, line by line: each job and each of its groups once, before the first allocation that needs it, so
 * its size depends on the changes and no line is long.
 */
export type AllocationLine =
  /** The beginning. With `isWhole` all allocations follow, and those that do not are gone. */
  | (AllocationCursor & ResponseAge & { readonly kind: 'begin'; readonly isWhole: boolean })
  /** A job without its groups, with a number in this response. */
  | { readonly kind: 'job'; readonly job: number; readonly row: unknown }
  | { readonly kind: 'group'; readonly job: number; readonly row: unknown }
  /** An allocation without its job; null for one that is over. */
  | { readonly kind: 'allocation'; readonly job: number | null; readonly row: unknown }
  /** An allocation that is as it was at this index. */
  | { readonly kind: 'kept'; readonly id: string; readonly index: number }
  /** The end, with the number of allocations that the node has by now. */
  | { readonly kind: 'end'; readonly count: number };

/** The servers, as the client of a node talks to them: to one of them, and to another when it is gone. */
export interface ServerLink {
  /** Registers the node, for the first time or after a change. @throws SchedulerError */
  register(node: NodeInput): Promise<HeartbeatResponse>;
  /** Says that the node is there. @throws SchedulerError; `permission-denied` for a node that must register first. */
  heartbeat(): Promise<HeartbeatResponse>;
  /**
   * Changes of the allocations of this node since it last heard of them, as soon as there are some; null for
   * everything. @throws SchedulerError
   */
  allocations(since: AllocationCursor | null, signal: AbortSignal): AsyncIterable<AllocationLine>;
  /** Reports the status of allocations; returns the IDs that do not belong to this node. @throws SchedulerError */
  update(updates: readonly AllocationUpdate[]): Promise<readonly string[]>;
  /** Starts with a different server from now on, because the last one was not useful. */
  turnAway(): void;
}
