import type { Socket } from 'node:net';
import {
  compactRegularly,
  confirmLeader,
  connect,
  EtcdError,
  joinElection,
  renewLease,
  monotonicClock,
  openLog,
  raisedAlarms,
  readOverview,
  watchForTakeover,
  type Clock as MonotonicClock,
  type Log,
  type Transport,
} from '@tamis/etcd';
import { connectTcp, createListeners, mayDialPeer, sleep } from '@tamis/http';
import { SecretsError } from '../base/errors.js';
import type { DriverContext, OpenStore, StoreElection } from './driver.js';
import type { RootStorage, Space } from './storage.js';
import { createCommits, failureOf, notActive } from './commits.js';
import type { EtcdPlace } from './etcd-place.js';
import { checkState, followReplica, type Replica } from './replica.js';

/** Timeout for loading the store at startup, in ms. */
const loadTimeoutMs = 60_000;
/** Delay before an elected server retries to prepare its term, in ms. */
const retryDelay = 250;
/** Time for which a standby treats its data as current, in ms. Exact reads query the active server. */
const freshTime = 1_000;
/** Timeout for connecting to another server, in ms. */
const dialTimeoutMs = 2_000;

const loadedAnew =
  'the store was reloaded: this server was disconnected for a long time, or etcd was restored; if it was restored, tokens revoked since then are valid again';

/** Dependencies of a shared store. */
export interface SharedStoreParts {
  readonly place: EtcdPlace;
  readonly context: DriverContext;
  readonly transport: Transport & { close(): void };
  /** Monotonic clock for the lease. */
  readonly clock: MonotonicClock;
}

/**
 * Opens a store in etcd, and its election.
 *
 * @throws SecretsError if etcd cannot be reached, or contains other data
 */
export function openEtcdStore(place: EtcdPlace, context: DriverContext): Promise<OpenStore> {
  return shareStore({ place, context, transport: connect(place.connection), clock: monotonicClock });
}

/** Like {@link openEtcdStore}, with an open transport, which is closed with the store. */
export async function shareStore(given: SharedStoreParts): Promise<OpenStore> {
  const { place, transport, clock } = given;
  const closing = new AbortController();
  try {
    const { head } = await readOverview(transport, place.prefix);
    if (head !== undefined) checkState(head.state);
    const log = openLog({ transport, clock, prefix: place.prefix });
    const replica = followReplica(log, closing.signal);
    await loaded(log, replica);
    return share({ ...given, log, replica, closing });
  } catch (error) {
    closing.abort();
    transport.close();
    throw explainStart(error);
  }
}

/** Adds the message and the address of etcd to an error, because the operator sees no log at startup. */
function explainStart(error: unknown): unknown {
  const isClear = !(error instanceof EtcdError) || error.code === 'no-space';
  return isClear ? failureOf(error) : new SecretsError('storage-failed', error.message);
}

async function loaded(log: Log, replica: Replica): Promise<void> {
  const failed = new Promise<never>((_resolve, reject) => {
    replica.subscribe(() => {
      const failure = replica.failure();
      if (failure !== null) reject(failure);
    });
  });
  const isThere = await Promise.race([log.reached(1, loadTimeoutMs), failed]);
  if (!isThere) throw new SecretsError('storage-failed', 'etcd did not hand out the store in time');
}

interface Parts extends SharedStoreParts {
  readonly log: Log;
  readonly replica: Replica;
  readonly closing: AbortController;
}

/** A term in which this server is the writer. */
interface LeaderTerm {
  readonly id: number;
  readonly term: number;
  readonly resets: number;
  readonly since: number;
  isReady: boolean;
}

function share(parts: Parts): OpenStore {
  const { place, context, transport, clock, log, replica, closing } = parts;
  const { logger } = context;
  const key = `${place.prefix}leader`;
  const lease = renewLease({ transport, clock, ttl: place.leaseTtl });
  const election = joinElection({ transport, clock, lease, key });
  const isLeading = confirmLeader(transport, key);
  const { peer } = place;
  const self = { name: peer.api, address: peer.address };
  const listeners = createListeners();
  let leaderTerm: LeaderTerm | null = null;
  let leaderTerms = 0;
  let isCandidate = false;

  function look(): void {
    if (closing.signal.aborted) return;
    const leader = election.current();
    if (leader?.isOwn !== true || replica.failure() !== null) leaderTerm = null;
    else if (
      leaderTerm === null ||
      leaderTerm.term !== leader.term ||
      leaderTerm.resets !== replica.resets()
    ) {
      const entered = { term: leader.term, resets: replica.resets(), since: context.clock.now() };
      leaderTerm = { ...entered, id: (leaderTerms += 1), isReady: false };
      void begin(leaderTerm);
    }
    if (isCandidate && leader?.isOwn === false && leader.address === self.address) {
      // This process listens at that address now, so the entry was left by an earlier run or under an expired lease.
      void election.removeLeader(leader.term).catch(() => undefined);
    }
    listeners.notify();
  }

  /** Begins a term: applies all commits of earlier terms before any response or write. */
  async function begin(entered: LeaderTerm): Promise<void> {
    while (leaderTerm === entered && !closing.signal.aborted) {
      try {
        if ((await log.reached(entered.term, loadTimeoutMs)) && (await log.finish(entered.term)) === 'done') {
          entered.isReady = true;
          return look();
        }
      } catch (error) {
        logger.warn({ reason: (error as Error).message }, 'this server was elected and cannot begin yet');
      }
      await sleep(clock, retryDelay);
    }
  }

  /** Returns the current term if its lease has not expired according to the clock. */
  function currentOffice(): LeaderTerm | null {
    const leader = election.current();
    return leaderTerm !== null &&
      leaderTerm.isReady &&
      leader?.isOwn === true &&
      leader.term === leaderTerm.term
      ? leaderTerm
      : null;
  }

  function otherLeader(): { readonly term: number; readonly address: string; readonly name: string } | null {
    const leader = election.current();
    if (leader === undefined || leader.isOwn || leader.address === self.address) return null;
    return mayDialPeer(leader.address, peer.tls !== null) ? leader : null;
  }

  const takeover = watchForTakeover({
    clock,
    leader: otherLeader,
    subscribe: (listener) => election.subscribe(listener),
    dial,
    isRefused: (error) => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED',
    async remove({ term, address }) {
      try {
        if (!isCandidate) return;
        await election.removeLeader(term);
        logger.warn({ address }, 'the active server is gone: another one is elected');
      } catch (error) {
        logger.warn(
          { address, reason: (error as Error).message },
          'the active server is gone, and stays elected',
        );
      }
    },
  });
  let resets = replica.resets();
  /** Whether all entries were loaded again. Reported as a warning until this process ends, because it is not stored. */
  let isAnew = false;
  const unsubscribe = [
    election.subscribe(look),
    replica.subscribe(() => {
      if (replica.resets() > Math.max(resets, 1)) {
        isAnew = true;
        logger.error({}, loadedAnew);
      }
      resets = replica.resets();
      const failure = replica.failure();
      if (failure !== null && !closing.signal.aborted)
        logger.error(
          { reason: failure.message },
          'the contents of etcd cannot be read: requests are refused',
        );
      look();
    }),
  ];
  void compactRegularly({
    ...{ transport, clock, signal: closing.signal },
    isDue: () => currentOffice() !== null,
    onFailure: ({ message }) =>
      logger.warn({ reason: message }, 'old revisions in etcd could not be removed'),
  });
  const write = createCommits({
    ...{ log, clock, uuid: context.uuid, leaderTerm: currentOffice },
    lost: () => {
      lease.abandon();
      look();
    },
  });

  /** Checks for newer data, if this server is not the leader. */
  async function requireCurrent(): Promise<void> {
    const failure = replica.failure();
    if (failure !== null) throw failure;
    if (currentOffice() !== null || clock.now() - log.refreshedAt() < freshTime) return;
    await log.refresh().catch((error: unknown) => {
      throw failureOf(error);
    });
  }

  const storage: RootStorage = {
    isOwn: () => true,
    entries: () => replica.entries(),
    async get(path) {
      await requireCurrent();
      const value = replica.get(path);
      return value === undefined ? null : Uint8Array.from(value);
    },
    async list(prefix) {
      await requireCurrent();
      return replica.list(prefix);
    },
    async write(changes, expectedIndex) {
      if (currentOffice() === null) throw notActive();
      await write(changes, expectedIndex);
    },
    space: () => spaceOf(transport),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      takeover.close();
      for (const stop of unsubscribe) stop();
      election.close();
      await lease.close();
      transport.close();
    },
  };
  const shared: StoreElection = {
    peer,
    stand() {
      isCandidate = true;
      election.campaign(self);
      look();
    },
    async withdraw() {
      isCandidate = false;
      await election.resign();
      look();
    },
    current() {
      const own = currentOffice();
      if (own !== null) return { location: 'here', leaderTerm: own.id, since: own.since };
      const other = otherLeader();
      if (other === null) return { location: 'nobody' };
      return { location: 'there', address: other.address, api: other.name };
    },
    subscribe: listeners.subscribe,
    watch: (path, listener) => replica.watch(path, listener),
    async refresh() {
      const failure = replica.failure();
      if (failure !== null) throw failureOf(failure);
      await log.refresh().catch((error: unknown) => {
        throw failureOf(error);
      });
    },
    isPerformanceStandby: place.isPerformanceStandby,
    warnings: () => (isAnew ? [loadedAnew] : []),
    async confirm(id) {
      const own = currentOffice();
      if (own?.id !== id) return false;
      const isSo = await isLeading(own.term).catch(() => false);
      return isSo && currentOffice()?.id === id;
    },
  };
  look();
  return { storage, election: shared };
}

/** Returns the free space. etcd does not report it, except when no space is left. */
async function spaceOf(transport: Transport): Promise<Space | null> {
  try {
    const alarms = await raisedAlarms(transport);
    return alarms.some(({ kind }) => kind === 'no-space') ? { free: 0, total: 1 } : null;
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    throw new SecretsError('storage-failed', 'etcd cannot be reached', error.message);
  }
}

function dial(address: string): Promise<Socket> {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  return connectTcp({ host, port: Number(port) }, dialTimeoutMs);
}
