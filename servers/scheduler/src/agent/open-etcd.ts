import { connect, monotonicClock, readOverview } from '@tamis/etcd';
import type { EtcdConfig } from '../agent-config.js';
import { createStampClock, type Clock } from '../clock.js';
import { createElectedLeadership } from '../cluster/elected-leadership.js';
import { readRegistration } from '../cluster/server-list.js';
import { tableShapes } from '../model/resources.js';
import { createEtcdStorage } from '../storage/etcd/etcd-storage.js';
import { storageErrorOf } from '../storage/etcd/storage-error-of.js';
import type { AgentDependencies } from './agent-dependencies.js';

/**
 * Opens the log in etcd, and the election beside it.
 *
 * @throws StorageError when etcd cannot be reached, EtcdError `configuration`
 */
export async function openEtcd(
  { connection: settings, prefix, leaseTtl }: EtcdConfig,
  clock: Pick<Clock, 'now'>,
): Promise<Required<Pick<AgentDependencies, 'storage' | 'etcd'>>> {
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
    // One that has no space left is joined too: reads go on, and who leads is elected when there is space.
    await readOverview(connection, prefix);
  } catch (error) {
    await close();
    throw storageErrorOf(error);
  }
  const place = { connection, storage, prefix, leaseTtl, monotonic: monotonicClock };
  return {
    storage: { ...storage, close },
    etcd: {
      ...{ log: storage.log, stamps },
      async registered() {
        const { registrations } = await readOverview(connection, prefix);
        return registrations.map(readRegistration).filter((server) => server !== null);
      },
      join: (options) => createElectedLeadership({ ...place, ...options }),
    },
  };
}
