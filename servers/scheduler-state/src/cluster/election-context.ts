import type { Clock as MonotonicClock, Election, Registry } from '@tamis/etcd';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Server } from './leadership.js';
import type { RegisteredServer } from './server-list.js';
import type { DisagreementError } from './shared-settings.js';

/** The server that takes part in an election, and what it tells of it. */
export interface ElectionOptions {
  readonly clock: Clock;
  readonly self: Server;
  /** Servers that must have registered before the first leader of all is elected. */
  readonly bootstrapExpect: number;
  /** Whether this server reaches others by mutual TLS, and they it. */
  readonly hasMutualTls: boolean;
  /** Told of what kept an elected server from leading. */
  readonly failed: (error: unknown) => void;
  /** Told of what keeps revisions in the store that nobody needs any more. */
  readonly uncompacted: (error: unknown) => void;
  /** Told of another server that has registered under the name of this one. */
  readonly displaced: (by: RegisteredServer | null) => void;
  /** Told when the store has not answered for the length of a lease, and when it does again. */
  readonly contact: (isThere: boolean) => void;
  /** Told that this server must not share the state with servers that were there before it: it stands no more. */
  readonly disagrees: (error: DisagreementError) => void;
}

/** A store in which servers elect their leader. */
export interface ElectionPlace {
  readonly election: Election;
  readonly registry: Registry;
  /** The storage that the leader appends to, and whose log this server follows. */
  readonly storage: {
    /**
     * Prepares the log for a leader: waits until everything is applied here that was committed before its term, and ends
     * what the leader before has left. Resolves to whether it may append.
     */
    lead(term: number, timeoutMs: number): Promise<boolean>;
    /** Gives the history a new number where nobody can know whether it is the one from before. */
    renew(term: number): Promise<boolean>;
    readonly log: {
      /** The end of the log; nothing where there has never been a leader. */
      head(): object | undefined;
      /** Resolves when this server holds everything that was committed before the call. */
      refresh(): Promise<void>;
      /** The time of the monotonic clock at which the last refresh that is done began. */
      refreshedAt(): number;
    };
  };
  /** Seconds after which a leader that is not heard of is replaced; at least 2. */
  readonly leaseTtl: number;
  /** The clock of the lease, which never goes back. */
  readonly monotonic: MonotonicClock;
}

/** What the parts of an elected leadership work with. */
export type ElectionContext = ElectionPlace & Omit<ElectionOptions, 'displaced' | 'uncompacted'>;
