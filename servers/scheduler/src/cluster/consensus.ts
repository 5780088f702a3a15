import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';

/** A server as the others know it. */
export interface Server {
  /** The name of its member, such as `srv1.global`. */
  readonly name: string;
  /** Host and port of its RPC. */
  readonly address: string;
}

/** What the headers of a read tell about the leader. */
export interface LeaderContact {
  /** Milliseconds since this server last heard from the leader; 0 on the leader itself. */
  readonly lastContact: number;
  readonly knownLeader: boolean;
}

/**
 * Who of the servers decides, as far as this one knows. All that may change from one moment to the next is asked for
 * anew each time: with several servers a leader comes and goes, and what waits for one in `require` goes on when there
 * is one. Writes, and reads that are not stale, are for the leader; a server that is not it passes them on to
 * `current().address`.
 */
export interface Consensus {
  /** The leader; null while there is none. */
  current(): Server | null;
  /** Whether there is a leader. */
  readonly known: boolean;
  /** Whether it is this server. */
  readonly isLeader: boolean;
  /**
   * Resolves when there is a leader. Without one the request is held for as long as an election may take.
   *
   * @throws SchedulerError `no-leader`, or `client-gone` when the signal is aborted before.
   */
  require(signal: AbortSignal): Promise<void>;
  contact(): LeaderContact;
  /** Refuses everybody who waits, or comes later, at once. */
  stop(): void;
}

export interface SingleServerDependencies {
  /** Servers that must be there before a leader is elected; this one is alone. */
  readonly bootstrapExpect: number;
  /** This server, asked for when it is needed: its port is known once it listens. */
  readonly self: () => Server;
  readonly clock: Clock;
}

/** Milliseconds that a request is held for an election to end. */
const electionPatience = 5_000;

/** A server that is alone leads itself, unless it has been told to wait for others: they never come. */
export function createSingleServer({ bootstrapExpect, self, clock }: SingleServerDependencies): Consensus {
  const known = bootstrapExpect <= 1;
  const started = clock.now();
  const refusals = new Set<() => void>();
  let stopped = false;

  function hold(signal: AbortSignal): Promise<void> {
    return new Promise((_resolve, reject) => {
      const settle = (error: SchedulerError) => (): void => {
        cancel();
        refusals.delete(refuse);
        signal.removeEventListener('abort', leave);
        reject(error);
      };
      const refuse = settle(noLeader());
      const leave = settle(new SchedulerError('client-gone', 'The client is gone'));
      const cancel = clock.after(electionPatience, refuse);
      refusals.add(refuse);
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave);
    });
  }

  return {
    current: () => (known ? self() : null),
    known,
    isLeader: known,
    async require(signal) {
      if (known) return;
      if (stopped) throw noLeader();
      await hold(signal);
    },
    contact() {
      return { lastContact: known ? 0 : Math.trunc(clock.now() - started), knownLeader: known };
    },
    stop() {
      stopped = true;
      for (const refuse of [...refusals]) refuse();
    },
  };
}

function noLeader(): SchedulerError {
  return new SchedulerError('no-leader', 'No cluster leader');
}
