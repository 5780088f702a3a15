import { createMemoryStorage } from '../storage/memory.js';
import { defineStorageDriver } from './driver.js';

/** Nothing outlives the process. */
export const memoryDriver = defineStorageDriver({
  name: 'memory',
  isPersistent: false,
  settings: {},
  isMeant: ({ dataDir }) => dataDir === null,
  open: async () => ({ storage: createMemoryStorage(), shared: null, isOwn: () => true }),
});
