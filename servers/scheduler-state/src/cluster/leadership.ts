import { createListeners } from '@tamis/http';
import { untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';

/** A server, as other servers know it. */
export interface Server {
  /** Member name, such as `srv1.global`. */
  readonly name: string;
  /** Host and port of its RPC endpoint. */
  readonly address: string;
}

/** A known leader: this server, or another one that writes and consistent reads are forwarded to. */
export interface KnownLeader {
  readonly location: 'here' | 'there';
  readonly server: Server;
  /** Term of the leader: it increases with each election, and the log rejects writes of earlier terms. */
  readonly term: number;
}

/** The leader; `nobody` if this server does not know one. */
export type Leader = KnownLeader | { readonly location: 'nobody' };

/** Returns the term in which this server leads; null if it does not lead. */
export function termOf(leader: Leader): number | null {
  return leader.location === 'here' ? leader.term : null;
}

/** Leader information for the headers of a read. */
export interface LeaderContact {
  /** Time since this server last had contact with the leader, in ms; 0 on the leader. */
  readonly lastContact: number;
  readonly knownLeader: boolean;
}

/** The leadership of a region. It may change at any time, so callers must read `current` again or subscribe. */
export interface Leadership {
  current(): Leader;
  /** Calls `listener` after every change. The returned function unsubscribes. */
  subscribe(listener: () => void): () => void;
  /**
   * Resolves with the leader once there is one. Waits at most as long as an election may take.
   *
   * @param timeoutMs the remaining time if the request waited before; default: `electionTimeoutMs`.
   * @throws SchedulerError `no-leader`, or `client-gone` if the signal is aborted first.
   */
  require(signal: AbortSignal, timeoutMs?: number): Promise<KnownLeader>;
  contact(): LeaderContact;
  /** Rejects all waiting and future callers immediately. */
  stop(): void;
}

/** A leadership with a function that receives election results. */
export interface AnnouncedLeadership extends Leadership {
  /** Sets the result of an election. Announcing the same leader again renews the contact with it. */
  announce(leader: Leader): void;
}

/** Maximum time that a request waits for an election, in ms. */
export const electionTimeoutMs = 5_000;

export function createLeadership(clock: Clock): AnnouncedLeadership {
  let leader: Leader = { location: 'nobody' };
  let lastContact = clock.elapsed();
  let isStopped = false;
  const { subscribe, notify } = createListeners();
  /** Callbacks of requests that wait for a leader. */
  const waiting = new Set<() => void>();

  function awaitLeader(signal: AbortSignal, timeoutMs: number): Promise<KnownLeader> {
    return untilNotified(signal, ({ resolve, reject }) => {
      const look = (): void => {
        if (leader.location !== 'nobody') resolve(leader);
        else if (isStopped) reject(noLeader());
      };
      const cancel = clock.after(timeoutMs, () => reject(noLeader()));
      waiting.add(look);
      return () => {
        cancel();
        waiting.delete(look);
      };
    });
  }

  return {
    current: () => leader,
    subscribe,
    async require(signal, timeoutMs = electionTimeoutMs) {
      if (leader.location !== 'nobody') return leader;
      if (isStopped) throw noLeader();
      return awaitLeader(signal, timeoutMs);
    },
    contact() {
      const isHere = leader.location === 'here';
      return {
        lastContact: isHere ? 0 : Math.trunc(clock.elapsed() - lastContact),
        knownLeader: leader.location !== 'nobody',
      };
    },
    stop() {
      isStopped = true;
      for (const look of [...waiting]) look();
    },
    announce(next) {
      // This is contact with a leader: this server led until now, or another leader was announced.
      if (leader.location === 'here' || next.location !== 'nobody') lastContact = clock.elapsed();
      if (isSame(leader, next)) return;
      leader = next;
      notify();
      for (const look of [...waiting]) look();
    },
  };
}

function isSame(a: Leader, b: Leader): boolean {
  if (a.location === 'nobody' || b.location === 'nobody') return a.location === b.location;
  return a.location === b.location && a.term === b.term && a.server.name === b.server.name;
}

export interface SingleServerDependencies {
  /** Number of servers required before an election. The server is the only one, so it leads only if this is 1. */
  readonly bootstrapExpect: number;
  readonly self: Server;
  readonly clock: Clock;
}

/** Creates the leadership of a single server. It leads itself, unless it is configured to wait for other servers. */
export function createSingleServer({ bootstrapExpect, self, clock }: SingleServerDependencies): Leadership {
  const leadership = createLeadership(clock);
  if (bootstrapExpect <= 1) leadership.announce({ location: 'here', server: self, term: 1 });
  return leadership;
}

/** Returns the error of requests that need a leader. */
export function noLeader(): SchedulerError {
  return new SchedulerError('no-leader', 'No cluster leader');
}
