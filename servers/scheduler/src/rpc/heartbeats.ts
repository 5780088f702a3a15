import type { Clock } from '@tamis/scheduler-model/base/clock.js';

/** Heartbeat deadlines of nodes. A node that misses one is down. */
export type Heartbeats = ReturnType<typeof createHeartbeats>;

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Heartbeat interval with few nodes, in ms. */
  readonly minTtlMs: number;
  /** Time by which a heartbeat may be late, in ms. */
  readonly grace: number;
  /** Called for a node that missed its deadline. */
  readonly missed: (nodeId: string) => void;
}

/** Maximum heartbeats per second on a server. With more nodes, each node sends fewer heartbeats. */
const maxRate = 50;

export function createHeartbeats({ clock, random, minTtlMs, grace, missed }: HeartbeatOptions) {
  const cancels = new Map<string, () => void>();

  return {
    /** Restarts the timer of a node. Returns the time until the next heartbeat is due, in ms. */
    beat(nodeId: string): number {
      cancels.get(nodeId)?.();
      const min = Math.max(minTtlMs, (cancels.size / maxRate) * 1_000);
      // The random factor prevents nodes that registered together from sending all their heartbeats together.
      const ttl = Math.round(min * (1 + random()));
      const cancel = clock.after(ttl + grace, () => {
        cancels.delete(nodeId);
        missed(nodeId);
      });
      cancels.set(nodeId, cancel);
      return ttl;
    },
    /** Returns the number of nodes with a deadline. */
    count: (): number => cancels.size,
    stop(): void {
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
    },
  };
}
