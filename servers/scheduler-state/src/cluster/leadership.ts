import { createListeners } from '@tamis/http';
import { untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';

/** A server as the others know it. */
export interface Server {
  /** The name of its member, such as `srv1.global`. */
  readonly name: string;
  /** Host and port of its RPC. */
  readonly address: string;
}

/** A leader that is there: this server, or another one to which writes and reads that are not stale are passed on. */
export interface KnownLeader {
  readonly location: 'here' | 'there';
  readonly server: Server;
  /** The number of its election: each is greater than those before, and the log refuses writes of an earlier one. */
  readonly term: number;
}

/** The leader as far as this server knows. */
export type Leader = KnownLeader | { readonly location: 'nobody' };

/** The term in which this server leads; null while it does not. */
export function termOf(leader: Leader): number | null {
  return leader.location === 'here' ? leader.term : null;
}

/** The headers of a read about the leader. */
export interface LeaderContact {
  /** Milliseconds since this server last heard from the leader; 0 on the leader itself. */
  readonly lastContact: number;
  readonly knownLeader: boolean;
}

/**
 * The leadership of the servers of a region. It may change at any time: callers must read `current` again, or subscribe.
 */
export interface Leadership {
  current(): Leader;
  /** Calls `listener` after every change, until the function returned is called. */
  subscribe(listener: () => void): () => void;
  /**
   * Resolves with the leader, as soon as there is one: a request is held for as long as an election may take.
   *
   * @param timeoutMs the remaining milliseconds if it has been held before; default: `electionTimeoutMs`.
   * @throws SchedulerError `no-leader`, or `client-gone` when the signal is aborted before.
   */
  require(signal: AbortSignal, timeoutMs?: number): Promise<KnownLeader>;
  contact(): LeaderContact;
  /** Refuses all waiting and future callers at once. */
  stop(): void;
}

/** A leadership and the function that reports elections to it. */
export interface AnnouncedLeadership extends Leadership {
  /** Takes the outcome of an election; the same leader again is a sign of life of it. */
  announce(leader: Leader): void;
}

/** Milliseconds that a request is held for an election to end. */
export const electionTimeoutMs = 5_000;

export function createLeadership(clock: Clock): AnnouncedLeadership {
  let leader: Leader = { location: 'nobody' };
  let lastContact = clock.elapsed();
  let isStopped = false;
  const { subscribe, notify } = createListeners();
  /** Requests that wait for a leader. */
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
      // Until now there was one; and one that is announced has just been heard of.
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
  /** Servers that must be there before a leader is elected; this one is alone. */
  readonly bootstrapExpect: number;
  readonly self: Server;
  readonly clock: Clock;
}

/** A single server leads itself, unless it is configured to wait for others, which never come. */
export function createSingleServer({ bootstrapExpect, self, clock }: SingleServerDependencies): Leadership {
  const leadership = createLeadership(clock);
  if (bootstrapExpect <= 1) leadership.announce({ location: 'here', server: self, term: 1 });
  return leadership;
}

/** The error for requests that need a leader. */
export function noLeader(): SchedulerError {
  return new SchedulerError('no-leader', 'No cluster leader');
}
