import {
  compactRegularly,
  connect,
  joinElection,
  joinRegistry,
  renewLease,
  monotonicClock,
  readOverview,
  type Connection,
  type EtcdSettings,
} from '@tamis/etcd';
import { createStampClock, type Clock } from '@tamis/scheduler-model/base/clock.js';
import { createElectedLeadership, type ElectedLeadership } from '../cluster/elected-leadership.js';
import type { ElectionOptions } from '../cluster/election-context.js';
import { termOf } from '../cluster/leadership.js';
import { readRegistration } from '../cluster/server-list.js';
import { tableShapes } from '@tamis/scheduler-model/resources.js';
import { createEtcdStorage, type EtcdStorage } from '../storage/etcd/etcd-storage.js';
import { storeFormat } from '../storage/etcd/log-state.js';
import { storageErrorOf } from '../storage/etcd/storage-error-of.js';
import type { OpenStore, SharedStore } from './driver.js';

/** Location in etcd, and how long a leader may lose contact. */
export interface EtcdPlace {
  readonly connection: EtcdSettings;
  /** The key prefix of the state, such as `/scheduler/global/`. */
  readonly prefix: string;
  /** Time without contact after which a leader is replaced, in seconds. */
  readonly leaseTtl: number;
}

/**
 * Opens the log and the election in etcd.
 *
 * @throws StorageError if etcd cannot be reached, EtcdError `configuration`
 */
export async function openEtcd(
  { connection: settings, prefix, leaseTtl }: EtcdPlace,
  clock: Pick<Clock, 'now'>,
): Promise<OpenStore & { readonly shared: SharedStore }> {
  const connection = connect(settings);
  const stamps = createStampClock(clock);
  const storage = createEtcdStorage({
    ...{ connection, clock: monotonicClock, prefix, shapes: tableShapes, stamps },
  });
  const close = async (): Promise<void> => {
    await storage.close();
    connection.close();
  };
  try {
    // A full etcd is accepted too: reads still work, and a leader is elected once there is space again.
    await readOverview(connection, prefix);
  } catch (error) {
    await close();
    throw storageErrorOf(error);
  }
  return {
    storage: { ...storage, close },
    isOwn: () => true,
    shared: {
      ...{ name: 'etcd', format: storeFormat, log: storage.log, stamps },
      async registered() {
        const { registrations } = await readOverview(connection, prefix);
        return registrations.map(readRegistration).filter((server) => server !== null);
      },
      join: (options) => joinInEtcd({ connection, storage, prefix, leaseTtl, ...options }),
    },
  };
}

export interface EtcdElectionOptions extends ElectionOptions, Pick<EtcdPlace, 'prefix' | 'leaseTtl'> {
  readonly connection: Connection;
  readonly storage: EtcdStorage;
}

/** Takes part in the election under a prefix; the leader compacts etcd. */
export function joinInEtcd(options: EtcdElectionOptions): ElectedLeadership {
  const { connection: transport, displaced, leaseTtl, prefix } = options;
  const clock = monotonicClock;
  const lease = renewLease({ transport, clock, ttl: leaseTtl });
  const election = joinElection({ transport, clock, lease, key: `${prefix}leader` });
  const registry = joinRegistry({
    ...{ transport, clock, lease, prefix: `${prefix}s/` },
    displaced: (by) => displaced(readRegistration(by)),
  });
  const leadership = createElectedLeadership({ ...options, election, registry, monotonic: clock });
  const closing = new AbortController();
  void compactRegularly({
    ...{ transport, clock, signal: closing.signal, onFailure: options.uncompacted },
    isDue: () => termOf(leadership.current()) !== null,
  });
  return {
    ...leadership,
    async close() {
      closing.abort();
      await leadership.close();
      election.close();
      registry.close();
      await lease.close();
    },
  };
}
