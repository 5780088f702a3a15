import type { Clock as MonotonicClock, Election, Registry } from '@tamis/etcd';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Server } from './leadership.js';
import type { RegisteredServer } from './server-list.js';
import type { DisagreementError } from './shared-settings.js';

/** The server that takes part in an election, and its callbacks. */
export interface ElectionOptions {
  readonly clock: Clock;
  readonly self: Server;
  /** Number of servers that must be registered before the first election of the cluster. */
  readonly bootstrapExpect: number;
  /** Whether servers connect to each other with mutual TLS. */
  readonly hasMutualTls: boolean;
  /** Receives errors that prevent an elected server from leading. */
  readonly failed: (error: unknown) => void;
  /** Receives errors of compaction, after which obsolete revisions remain in the store. */
  readonly uncompacted: (error: unknown) => void;
  /** Called if another server has registered under the name of this one. */
  readonly displaced: (by: RegisteredServer | null) => void;
  /** Called when the store has not responded for the length of a lease, and again when it responds. */
  readonly contact: (isThere: boolean) => void;
  /** Called if this server must not share the state with servers that registered earlier. It then no longer runs for election. */
  readonly disagrees: (error: DisagreementError) => void;
}

/** A store in which servers elect their leader. */
export interface ElectionPlace {
  readonly election: Election;
  readonly registry: Registry;
  /** The storage that the leader appends to, and whose log this server follows. */
  readonly storage: {
    /**
     * Prepares the log for a leader: applies everything committed before its term, and removes leftovers of the previous leader.
     * Resolves to whether this server may append.
     */
    lead(term: number, timeoutMs: number): Promise<boolean>;
    /** Assigns a new history number if the history may differ from the previous one. */
    renew(term: number): Promise<boolean>;
    readonly log: {
      /** Returns the end of the log; undefined if there has never been a leader. */
      head(): object | undefined;
      /** Resolves when this server has everything committed before the call. */
      refresh(): Promise<void>;
      /** Returns the monotonic time at which the last completed refresh started. */
      refreshedAt(): number;
    };
  };
  /** Time without contact after which a leader is replaced, in seconds; at least 2. */
  readonly leaseTtl: number;
  /** The monotonic clock of the lease. */
  readonly monotonic: MonotonicClock;
}

/** The dependencies of the parts of an elected leadership. */
export type ElectionContext = ElectionPlace & Omit<ElectionOptions, 'displaced' | 'uncompacted'>;
