import { defineStorageDriver } from './driver.js';

/** The data directory of the agent, which one process has at a time. */
export const lmdbDriver = defineStorageDriver({
  name: 'lmdb',
  isPersistent: true,
  settings: {},
  isMeant: ({ dataDir }) => dataDir !== null,
  async open(_values, { dataDir }) {
    // Its library is native, and most commands do not need it.
    const { openDataDirectory } = await import('./data-directory.js');
    return openDataDirectory(dataDir ?? '');
  },
});
