import { defineStorageDriver } from './driver.js';
import type { Change, RootStorage } from './storage.js';

/** The driver `memory`: nothing is stored on disk. */
export const memoryDriver = defineStorageDriver({
  name: 'memory',
  aliases: ['inmem'],
  fields: {},
  place: () => null,
  open: async () => ({ storage: createMemoryStorage(), election: null }),
});

/** A store that ends with the process, for development and tests. */
export function createMemoryStorage(): RootStorage {
  const entries = new Map<string, Uint8Array>();
  return {
    isOwn: () => true,
    entries: () => [...entries].sort(([a], [b]) => compareBytes(a, b)),
    async get(path) {
      const value = entries.get(path);
      return value === undefined ? null : Uint8Array.from(value);
    },
    async list(prefix) {
      return [...entries.keys()].filter((path) => path.startsWith(prefix)).sort(compareBytes);
    },
    async write(changes: readonly Change[]) {
      for (const { path, value } of changes) {
        if (value === null) entries.delete(path);
        else entries.set(path, Uint8Array.from(value));
      }
    },
    space: async () => null,
    async close() {
      entries.clear();
    },
  };
}

/** Compares the UTF-8 bytes of two strings. JavaScript compares UTF-16 units, which sort characters beyond U+FFFF differently. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
