import type { StorageDriver } from '../storage/driver.js';
import { etcdDriver } from '../storage/etcd.js';
import { lmdbDriver } from '../storage/lmdb.js';
import { memoryDriver } from '../storage/memory.js';

/** The drivers that a configuration can choose. A new one is a file in `storage/` and an entry here. */
export const storageDrivers: readonly StorageDriver[] = [lmdbDriver, etcdDriver, memoryDriver];
