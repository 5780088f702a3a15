import { monotonicClock, type Connection } from '@tamis/etcd';
import type { StructType } from 'tamis';
import { methods } from '../../../etcd/src/protocol/methods.js';
import { deleteOperation, putOperation } from '../../../etcd/src/protocol/requests.js';
import { createStampClock } from '@tamis/scheduler-model/base/clock.js';
import { createEtcdStorage, type EtcdStorage } from '@tamis/scheduler-state/storage/etcd/etcd-storage.js';
import { systemClock } from '@tamis/http';

export { startCluster, type Cluster } from '../../../etcd/test/support/etcd-cluster.js';
export { etcdMissing } from '../../../etcd/test/support/etcd-process.js';

/** Opens a log below a prefix again and again, each time as another server would. */
export interface EtcdLogs {
  open(): EtcdStorage;
}

/**
 * Logs below a prefix, where a term is a number from 1 on: a later one than any before is elected when something is
 * appended in it.
 */
export function etcdLogs(
  connection: Connection,
  prefix: string,
  shapes: ReadonlyMap<string, StructType> = new Map(),
): EtcdLogs {
  const terms = new Map<number, number>();
  let latest = 0;

  /** The term of etcd: the revision that created the leader's key. */
  async function elect(term: number): Promise<number> {
    const known = terms.get(term);
    if (known !== undefined || term < latest) return known ?? 0;
    latest = term;
    const key = `${prefix}leader`;
    const unguarded = { compare: [], failure: [] };
    await connection.call(methods.txn, { ...unguarded, success: [deleteOperation({ key })] });
    const put = putOperation(key, Buffer.from('{}'));
    const { header } = await connection.call(methods.txn, { ...unguarded, success: [put] });
    terms.set(term, Number(header?.revision));
    return elect(term);
  }

  return {
    open() {
      const stamps = createStampClock(systemClock);
      const storage = createEtcdStorage({ connection, clock: monotonicClock, prefix, shapes, stamps });
      return {
        ...storage,
        append: async (entry) => storage.append({ ...entry, term: await elect(entry.term) }),
      };
    },
  };
}
