import { getJson, putJson, removeEntry } from './json-entry.js';
import type { Storage } from './storage.js';

/** A collection of JSON values below one prefix of the storage. Names are case sensitive. */
export interface JsonCollection<Value> {
  /** Null if there is no such object. */
  get(name: string): Promise<Value | null>;
  put(name: string, value: Value): Promise<void>;
  /** Does nothing if there is no such object. */
  remove(name: string): Promise<void>;
  /** In bytewise order. */
  names(): Promise<readonly string[]>;
}

export function createJsonCollection<Value>(storage: Storage, prefix: string): JsonCollection<Value> {
  return {
    get: (name) => getJson<Value>(storage, prefix + name),
    put: (name, value) => storage.write([putJson(prefix + name, value)]),
    remove: (name) => storage.write([removeEntry(prefix + name)]),
    names: async () => (await storage.list(prefix)).map((path) => path.slice(prefix.length)),
  };
}
