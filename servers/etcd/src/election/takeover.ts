import type { Socket } from 'node:net';
import { pause, type Clock } from '../clock.js';

/** Another server that leads, as far as this one knows. */
export interface WatchedLeader {
  readonly term: number;
  /** Host and port. */
  readonly address: string;
}

export interface TakeoverOptions<Leader extends WatchedLeader> {
  /** The leader, where it is another server; null for none, and for this one. */
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

/** Milliseconds before the leader is dialled again where that may be in vain. */
const redialDelay = 200;

/**
 * Keeps a connection to the leader. Where it ends and the port then refuses another one, no process listens there any
 * more: the leader is removed, and the next one elected, without waiting for the end of its lease. One that was never
 * reached is left alone: it may be a firewall that refuses.
 *
 * A port that refuses is no proof that the leader writes no more. The guard of each commit is.
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
        // A port that takes connections and ends them at once is dialled no more often than one that does not answer.
        if (clock.now() - started < redialDelay) await pause(clock, redialDelay, signal);
      } catch (error) {
        const isDead = wasReached && options.isRefused(error);
        if (isDead && !signal.aborted) await options.remove(leader);
        await pause(clock, redialDelay, signal);
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
    // Tells when the machine at the other end is gone without a word.
    socket.setKeepAlive(true, 1_000);
    socket.resume();
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
