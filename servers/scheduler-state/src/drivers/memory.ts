import { createMemoryStorage } from '../storage/memory.js';
import { defineStorageDriver } from './driver.js';

/** Stores the state in memory only, until the process ends. */
export const memoryDriver = defineStorageDriver({
  name: 'memory',
  isPersistent: false,
  settings: {},
  isMeant: ({ dataDir }) => dataDir === null,
  open: async () => ({ storage: createMemoryStorage(), shared: null, isOwn: () => true }),
});
