import type { Socket } from 'node:net';
import { watchForTakeover } from '@tamis/etcd';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { ElectedLeadership } from '@tamis/scheduler-state/cluster/elected-leadership.js';
import type { KnownLeader } from '@tamis/scheduler-state/cluster/leadership.js';
import { parseAddress, type Address } from '@tamis/scheduler-model/host/address.js';
import { DialError } from '@tamis/scheduler-model/host/dial.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

export interface LeaderTakeoverOptions {
  readonly election: Pick<ElectedLeadership, 'current' | 'subscribe' | 'removeLeader'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Opens a connection to the RPC port of a server. @throws DialError */
  readonly dial: (address: Address) => Promise<Socket>;
  /** Called after a dead leader is removed, and once for all failed removals with the same reason. */
  readonly removed: (leader: KnownLeader, error: unknown) => void;
}

/** Detects a dead leader by its RPC port. */
export interface LeaderTakeover {
  close(): void;
}

/** Removes a leader whose RPC port refuses connections after it has accepted one, see `watchForTakeover`. */
export function createLeaderTakeover(options: LeaderTakeoverOptions): LeaderTakeover {
  const { election, clock, dial, removed } = options;
  /** The term and the reason of the last reported failure. */
  let reportedLeader = '';
  return watchForTakeover({
    clock,
    leader() {
      const leader = election.current();
      return leader.location === 'there' ? { ...leader, address: leader.server.address } : null;
    },
    subscribe: (listener) => election.subscribe(listener),
    dial: (address) => dial(parseAddress(address, 0)),
    isRefused: (error) => error instanceof DialError && error.isRefused,
    async remove(leader) {
      try {
        await election.removeLeader(leader.term);
        removed(leader, null);
      } catch (error) {
        const failure = `${leader.term} ${reasonOf(error)}`;
        if (failure === reportedLeader) return;
        reportedLeader = failure;
        removed(leader, error);
      }
    },
  });
}
