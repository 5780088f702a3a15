import type { StorageDriver } from './storage/drivers/driver.js';
import { etcdDriver } from './storage/drivers/etcd.js';
import { lmdbDriver } from './storage/drivers/lmdb.js';
import { memoryDriver } from './storage/drivers/memory.js';

/** The drivers that a configuration can choose. A new one is a file in `storage/drivers/` and an entry here. */
export const storageDrivers: readonly StorageDriver[] = [etcdDriver, lmdbDriver, memoryDriver];
