import type { Storage } from './storage.js';

/**
 * Returns the part of a store below a prefix, with paths relative to it. It gives no access to other entries, and cannot close
 * the store.
 */
export function prefixedStorage(storage: Storage, prefix: string): Storage {
  return {
    get: (path) => storage.get(prefix + path),
    list: async (start) => (await storage.list(prefix + start)).map((path) => path.slice(prefix.length)),
    write: (changes) => storage.write(changes.map(({ path, value }) => ({ path: prefix + path, value }))),
    space: () => storage.space(),
    close: async () => undefined,
  };
}
