import { createListeners, sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { methods } from '../protocol/methods.js';
import {
  deleteOperation,
  getOperation,
  isCreatedAt,
  putOperation,
  rangeRequest,
} from '../protocol/requests.js';
import { followRange } from '../watch/follow-range.js';
import { changeOf, type KeyChange } from '../watch/watch.js';
import type { LeaseRenewer } from './lease.js';

/** Delay before a failed call is retried, in ms. */
const retryDelay = 100;
/** Delay before an election that etcd refuses (no space, no permission) is retried, in ms. */
const refusedDelay = 1_000;

/** A candidate, as visible to the other servers. */
export interface Candidate {
  readonly name: string;
  /** Its address for the others. */
  readonly address: string;
}

/** A leader as the cluster knows it. */
export interface ElectedLeader extends Candidate {
  /** The revision that created its key: greater than that of every leader before. */
  readonly term: number;
  /** Whether it is this process, with a lease that it may still rely on. */
  readonly isOwn: boolean;
}

/** An election among the servers that share a key: the one that has created it leads, until it is deleted or its lease expires. */
export type Election = ReturnType<typeof joinElection>;

export interface ElectionDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly lease: LeaseRenewer;
  /** Such as `/scheduler/global/leader`. */
  readonly key: string;
}

export function joinElection({ transport, clock, lease, key }: ElectionDependencies) {
  const closing = new AbortController();
  const listeners = createListeners();
  /** Last known state of the leader's key; without a value if it was deleted or is unknown. */
  let received: KeyChange | undefined;
  /** Value of the key for this process; undefined while it is not a candidate. */
  let candidacy: Buffer | undefined;
  let wake = (): void => undefined;
  const unsubscribe = lease.subscribe(() => notifyChange());
  void followRange({ transport, clock, range: { key }, read, hear, signal: closing.signal });
  void run();

  function notifyChange(): void {
    wake();
    listeners.notify();
  }

  /** Takes the newer of two states of the key: a response and the watch may arrive in either order. */
  function hear(change: KeyChange): void {
    if (received !== undefined && change.modRevision < received.modRevision) return;
    received = change;
    notifyChange();
  }

  /** Reads the key. A read that was made after a revision was heard of, and is older, is of a store that was restored. */
  async function read(): Promise<number> {
    const before = received?.modRevision ?? 0;
    const { header, kvs } = await transport.call(methods.range, rangeRequest({ key }));
    const [kv] = kvs;
    const revision = Number(header?.revision ?? 0);
    if (revision < before) received = undefined;
    hear(kv === undefined ? deletedAt(revision) : changeOf(kv));
    return revision;
  }

  function deletedAt(revision: number): KeyChange {
    return { key, value: undefined, createRevision: 0, modRevision: revision, version: 0, lease: 0n };
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const current = lease.current();
      if (candidacy !== undefined && current !== undefined && received?.value === undefined)
        await stand(candidacy, current.id);
      else await news();
    }
  }

  /** Resolves at the next change of the leader, the lease or the candidacy. */
  function news(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
      if (closing.signal.aborted) resolve();
    });
  }

  /** One attempt. An attempt with an unknown outcome is repeated: then the key exists, and its lease identifies the owner. */
  async function stand(value: Buffer, leaseId: bigint): Promise<void> {
    try {
      const { succeeded, header, responses } = await transport.call(methods.txn, {
        compare: [isCreatedAt(key, 0)],
        success: [putOperation(key, value, leaseId)],
        failure: [getOperation({ key })],
      });
      const revision = Number(header?.revision ?? 0);
      const found = responses[0]?.responseRange?.kvs[0];
      if (succeeded)
        hear({ key, value, createRevision: revision, modRevision: revision, version: 1, lease: leaseId });
      else if (found !== undefined) hear(changeOf(found));
    } catch (error) {
      if (error instanceof EtcdError && error.code === 'lease-not-found') lease.abandon();
      const isOpen = error instanceof EtcdError && (error.code === 'unknown' || error.code === 'not-sent');
      await sleep(clock, isOpen ? retryDelay : refusedDelay, closing.signal);
    }
  }

  /**
   * Without space in etcd a deletion succeeds but an election does not: then there would be no leader at all. The additional put
   * makes etcd refuse both.
   */
  async function remove(term: number): Promise<void> {
    const { succeeded, header } = await transport.call(methods.txn, {
      compare: [isCreatedAt(key, term)],
      success: [deleteOperation({ key }), putOperation(`${key}.removed`, Buffer.from(String(term)))],
      failure: [],
    });
    if (succeeded) hear(deletedAt(Number(header?.revision ?? 0)));
  }

  /** Returns the leader as known to this process. Each call checks the clock, because the lease may have ended. */
  function current(): ElectedLeader | undefined {
    if (received?.value === undefined) return undefined;
    const { name, address } = readCandidate(received.value);
    const tenure = lease.current();
    return {
      name,
      address,
      term: received.createRevision,
      isOwn: tenure !== undefined && received.lease === tenure.id,
    };
  }

  return {
    current,
    /** Calls `listener` when the leader may have changed. */
    subscribe: listeners.subscribe,
    /** Runs for election, until `resign` or `close`. */
    campaign({ name, address }: Candidate): void {
      candidacy = Buffer.from(JSON.stringify({ name, address }));
      wake();
    },
    /**
     * Withdraws the candidacy, and gives up the leadership if this process leads.
     *
     * @throws EtcdError `no-space`: then no other server could be elected, and this process remains the leader.
     */
    async resign(): Promise<void> {
      const leader = current();
      const before = candidacy;
      candidacy = undefined;
      if (leader?.isOwn !== true) return;
      try {
        await remove(leader.term);
      } catch (error) {
        if (error instanceof EtcdError && error.code === 'no-space') candidacy = before;
        throw error;
      }
    },
    /**
     * Removes a leader that is known to be dead, before its lease expires. Only for callers whose connection it has refused. Does
     * nothing if it is no longer the leader.
     *
     * @throws EtcdError `no-space`: then no other server could be elected.
     */
    removeLeader: remove,
    /** Waits for no call under way: one that still elects this process does so with its lease, which is to be closed too. */
    close(): void {
      closing.abort();
      unsubscribe();
      wake();
    },
  };
}

/** The candidate in the value of the leader's key; a foreign value is ignored. */
export function readCandidate(value: Buffer): Candidate {
  try {
    const read = JSON.parse(value.toString()) as Partial<Candidate> | null;
    return { name: String(read?.name ?? ''), address: String(read?.address ?? '') };
  } catch {
    return { name: '', address: '' };
  }
}
