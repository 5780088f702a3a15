import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/** The heartbeat deadlines of the nodes: a node that misses one is down. */
export interface Heartbeats {
  /** Restarts the timer of a node; returns the milliseconds until the next heartbeat is due. */
  beat(nodeId: string): number;
  /** Nodes that have a deadline. */
  count(): number;
  stop(): void;
}

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Milliseconds between heartbeats when there are few nodes. */
  readonly minTtlMs: number;
  /** Milliseconds that a heartbeat may be late. */
  readonly grace: number;
  /** Called for a node that has missed its deadline. */
  readonly missed: (nodeId: string) => void;
}

/** Heartbeats a second that a server takes; with more nodes each comes less often. */
const maxRate = 50;

export function createHeartbeats({ clock, random, minTtlMs, grace, missed }: HeartbeatOptions): Heartbeats {
  const cancels = new Map<string, () => void>();

  return {
    beat(nodeId) {
      cancels.get(nodeId)?.();
      const min = Math.max(minTtlMs, (cancels.size / maxRate) * 1_000);
      // Nodes that registered together do not come back together.
      const ttl = Math.round(min * (1 + random()));
      const cancel = clock.after(ttl + grace, () => {
        cancels.delete(nodeId);
        missed(nodeId);
      });
      cancels.set(nodeId, cancel);
      return ttl;
    },
    count: () => cancels.size,
    stop() {
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
    },
  };
}
