import type { Storage } from './storage.js';

/**
 * The part of a store below a prefix, with paths relative to it. Its holder reaches nothing else, and cannot close what belongs
 * to others.
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
