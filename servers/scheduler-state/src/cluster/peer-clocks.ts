import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { ServerList } from './server-list.js';

/** The clock of another server when it was last queried. */
export interface PeerClock {
  readonly name: string;
  /** Time by which this clock is ahead of this server's clock, in ms; negative if it is slow. */
  readonly ahead: number;
}

/** The clocks of the other servers of the region, compared with the one of this server. */
export type PeerClocks = ReturnType<typeof watchPeerClocks>;

export interface PeerClockOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly servers: Pick<ServerList, 'all'>;
  /** Name of this server. */
  readonly self: string;
  /**
   * Requests the time of a server by RPC address, in ms since 1970; null if it does not report it. Rejects if there is no
   * response.
   */
  readonly timeOf: (address: string) => Promise<number | null>;
  /** Called when a clock starts or stops differing from this server's. */
  readonly noted: (peer: PeerClock, isApart: boolean) => void;
}

/** Interval between comparisons, in ms. */
const interval = 10_000;
/** Maximum tolerated difference between clocks, in ms. */
const maxSkewMs = 1_000;

export function isApart({ ahead }: PeerClock): boolean {
  return Math.abs(ahead) > maxSkewMs;
}

/** Compares the clocks of all current servers periodically. */
export function watchPeerClocks(options: PeerClockOptions) {
  const { clock, servers, self, timeOf, noted } = options;
  let known: ReadonlyMap<string, PeerClock> = new Map();
  let cancel = (): void => undefined;
  let isClosed = false;

  async function compare(name: string, address: string): Promise<readonly PeerClock[]> {
    const before = clock.now();
    try {
      const time = await timeOf(address);
      const after = clock.now();
      // The remote clock was read at an unknown moment of the round trip, so its duration is not a difference.
      const ahead = time === null ? 0 : time > after ? time - after : Math.min(0, time - before);
      return time === null ? [] : [{ name, ahead }];
    } catch {
      // Other modules detect servers that cannot be reached.
      return [];
    }
  }

  async function look(): Promise<void> {
    const others = servers.all().filter(({ name }) => name !== self);
    const found = (await Promise.all(others.map(({ name, address }) => compare(name, address)))).flat();
    if (isClosed) return;
    const before = known;
    known = new Map(found.map((peer) => [peer.name, peer]));
    for (const peer of found) {
      const last = before.get(peer.name);
      if (isApart(peer) !== (last !== undefined && isApart(last))) noted(peer, isApart(peer));
    }
    cancel = clock.after(interval, () => void look());
  }

  void look();
  return {
    /** Returns the clocks of servers that responded, in order of their names. */
    all: (): readonly PeerClock[] => [...known.values()],
    close(): void {
      isClosed = true;
      cancel();
    },
  };
}

/** Describes how far clocks differ; empty if they agree. */
export function describeClocks(peers: readonly PeerClock[]): string {
  const texts = peers.filter(isApart).map(({ name, ahead }) => {
    const seconds = (Math.abs(ahead) / 1_000).toFixed(1);
    return `the clock of ${name} is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the one of this server`;
  });
  return texts.join('; ');
}
