import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';

/** Who leads the cluster, as far as this server knows. */
export interface Leadership {
  /** Whether there is a leader. */
  readonly known: boolean;
  /**
   * Resolves when there is a leader, which is at once or never: then it waits as long as an election may take.
   *
   * @throws SchedulerError `no-leader`, or `client-gone` when the signal is aborted before.
   */
  require(signal: AbortSignal): Promise<void>;
  /** What the headers of a read tell about the leader. */
  contact(): { readonly lastContact: number; readonly knownLeader: boolean };
  /** Refuses everybody who waits, or comes later, at once. */
  stop(): void;
}

export interface LeadershipDependencies {
  /** Servers that must be there before a leader is elected; this one is alone. */
  readonly bootstrapExpect: number;
  readonly clock: Clock;
}

/** Milliseconds that a request is held for an election to end. */
const electionPatience = 5_000;

/** A server that is alone leads itself, unless it has been told to wait for others. */
export function createLeadership({ bootstrapExpect, clock }: LeadershipDependencies): Leadership {
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
      signal.addEventListener('abort', leave);
    });
  }

  return {
    known,
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
