import { sleep } from '@tamis/http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock.js';

/** Another server that leads, as far as this one knows. */
export interface WatchedLeader {
  readonly term: number;
  /** Host and port. */
  readonly address: string;
}

export interface TakeoverOptions<Leader extends WatchedLeader> {
  /** The leader if it is a different server; null if none exists or it is this one. */
  readonly leader: () => Leader | null;
  /** Calls `listener` when the leader may be another one. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly clock: Clock;
  /** Opens a connection to a server. */
  readonly dial: (address: string) => Promise<Socket>;
  /** Whether an error of `dial` says that the port was refused. */
  readonly isRefused: (error: unknown) => boolean;
  /** Called of a leader that is dead; it is called again while that leader is still the one. */
  readonly remove: (leader: Leader) => Promise<void>;
}

/** Delay before connecting to the leader again, in ms, if that may fail. */
const redialDelay = 200;

/**
 * Keeps a connection to the leader. If it ends and the port then refuses a new one, no process listens there any more: the leader
 * is removed and the next one elected without waiting for the lease to expire. A leader that was never reached is not removed: a
 * firewall may refuse the connection.
 *
 * A refused connection does not prove that the leader no longer writes. The guard of each commit does.
 */
export function watchForTakeover<Leader extends WatchedLeader>(
  options: TakeoverOptions<Leader>,
): { close(): void } {
  const { clock, dial } = options;
  let watched: { readonly term: number; readonly end: AbortController } | null = null;
  let isClosed = false;

  function look(): void {
    const next = isClosed ? null : options.leader();
    if (watched?.term === next?.term) return;
    watched?.end.abort();
    watched = next === null ? null : { term: next.term, end: new AbortController() };
    if (watched !== null && next !== null) void watch(next, watched.end.signal);
  }

  async function watch(leader: Leader, signal: AbortSignal): Promise<void> {
    let wasReached = false;
    while (!signal.aborted) {
      const started = clock.now();
      try {
        const socket = await dial(leader.address);
        wasReached = true;
        await ended(socket, signal);
        // A port that accepts and closes connections at once is tried no more often than one that does not respond.
        if (clock.now() - started < redialDelay) await sleep(clock, redialDelay, signal);
      } catch (error) {
        const isDead = wasReached && options.isRefused(error);
        if (isDead && !signal.aborted) await options.remove(leader);
        await sleep(clock, redialDelay, signal);
      }
    }
  }

  const withdraw = options.subscribe(look);
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
    // Detects that the peer's machine is gone without closing the connection.
    socket.setKeepAlive(true, 1_000);
    socket.resume();
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
