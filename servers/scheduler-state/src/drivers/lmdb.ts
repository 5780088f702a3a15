import { defineStorageDriver } from './driver.js';

/** Stores the state in the data directory of the agent, used by one process at a time. */
export const lmdbDriver = defineStorageDriver({
  name: 'lmdb',
  isPersistent: true,
  settings: {},
  isMeant: ({ dataDir }) => dataDir !== null,
  async open(_values, { dataDir }) {
    // Loaded on demand, because its library is native and most commands do not need it.
    const { openDataDirectory } = await import('./data-directory.js');
    return openDataDirectory(dataDir ?? '');
  },
});
