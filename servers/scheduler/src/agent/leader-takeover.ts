import type { Socket } from 'node:net';
import type { Clock } from '../clock.js';
import type { ElectedLeadership } from '../cluster/elected-leadership.js';
import type { KnownLeader } from '../cluster/leadership.js';
import { parseAddress, type Address } from '../host/address.js';
import { DialError } from '../host/dial.js';

export interface LeaderTakeoverOptions {
  readonly election: Pick<ElectedLeadership, 'current' | 'subscribe' | 'removeLeader'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Opens a connection to the RPC port of a server. @throws DialError */
  readonly dial: (address: Address) => Promise<Socket>;
  /** Told of a dead leader that was removed, and of one that could not be. */
  readonly removed: (leader: KnownLeader, error: unknown) => void;
}

/** Milliseconds before the leader is dialled again where that may be in vain. */
const redialDelay = 200;

/** The RPC port of another server, where this one has noticed that it is dead. */
export interface LeaderTakeover {
  close(): void;
}

/**
 * Keeps a connection to the RPC port of the leader. Where it ends and the port then refuses another one, no process
 * listens there any more: the leader is removed, and the next one elected, without waiting for the end of its lease. One
 * that was never reached is left alone: it may be a firewall that refuses.
 *
 * A port that refuses is no proof that the leader writes no more. The log is: it takes nothing of an earlier term.
 */
export function createLeaderTakeover(options: LeaderTakeoverOptions): LeaderTakeover {
  const { election, clock, dial, removed } = options;
  let watched: { readonly leader: KnownLeader; readonly end: AbortController } | null = null;
  let isClosed = false;

  function look(): void {
    const leader = election.current();
    const next = leader.location === 'there' && !isClosed ? leader : null;
    if (watched !== null && watched.leader.term === next?.term) return;
    watched?.end.abort();
    watched = next === null ? null : { leader: next, end: new AbortController() };
    if (watched !== null) void watch(watched.leader, watched.end.signal);
  }

  async function watch(leader: KnownLeader, signal: AbortSignal): Promise<void> {
    let wasReached = false;
    while (!signal.aborted) {
      const begun = clock.now();
      try {
        const socket = await dial(parseAddress(leader.server.address, 0));
        wasReached = true;
        await ended(socket, signal);
        // A port that takes connections and ends them at once is dialled no more often than one that does not answer.
        if (clock.now() - begun < redialDelay) await pause(redialDelay, signal);
      } catch (error) {
        const isDead = wasReached && error instanceof DialError && error.isRefused;
        if (isDead && !signal.aborted) await remove(leader);
        await pause(redialDelay, signal);
      }
    }
  }

  async function remove(leader: KnownLeader): Promise<void> {
    try {
      await election.removeLeader(leader.term);
      removed(leader, null);
    } catch (error) {
      removed(leader, error);
    }
  }

  function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(milliseconds, end);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    });
  }

  const withdraw = election.subscribe(look);
  look();
  return {
    close() {
      isClosed = true;
      withdraw();
      look();
    },
  };
}

/** Resolves when a connection is over, at the latest with the signal. Nothing is sent on it. */
function ended(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => void socket.destroy();
    socket.on('error', end);
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    // Tells when the machine at the other end is gone without a word.
    socket.setKeepAlive(true, 1_000);
    socket.resume();
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
