import type { StorageDriver } from './driver.js';
import { etcdDriver } from './etcd.js';
import { lmdbDriver } from './lmdb.js';
import { memoryDriver } from './memory.js';

/** The drivers that a configuration can select. To add one, add a file in this folder and an entry here. */
export const storageDrivers: readonly StorageDriver[] = [etcdDriver, lmdbDriver, memoryDriver];
