import type { GivenNode } from '../model/node.js';
import type { AllocationUpdate } from '../state/update-allocations.js';

/** What a server says to a registration or a heartbeat. */
export interface Heard {
  /** Milliseconds within which the next heartbeat is expected. */
  readonly heartbeatTtl: number;
  readonly index: number;
}

/** The servers, as the client of a node talks to them: to one of them, and to another when it is gone. */
export interface ServerLink {
  /** Registers the node, for the first time or after a change. @throws SchedulerError */
  register(node: GivenNode): Promise<Heard>;
  /** Says that the node is there. @throws SchedulerError; `permission-denied` for a node that must register first. */
  heartbeat(): Promise<Heard>;
  /** The allocations of this node, in full, as soon as the index is greater than `after`. @throws SchedulerError */
  allocations(
    after: number,
    signal: AbortSignal,
  ): Promise<{ readonly index: number; readonly allocations: readonly unknown[] }>;
  /** Reports what became of allocations; returns the IDs that are not of this node. @throws SchedulerError */
  update(updates: readonly AllocationUpdate[]): Promise<readonly string[]>;
}
