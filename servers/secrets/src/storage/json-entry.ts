import type { Change, Storage } from './storage.js';

/** Reads an entry that {@link putJson} has written; null if it is missing. The writer guarantees its type. */
export async function getJson<T>(storage: Storage, path: string): Promise<T | null> {
  const bytes = await storage.get(path);
  return bytes === null ? null : (JSON.parse(Buffer.from(bytes).toString('utf8')) as T);
}

/** Returns the change that stores `value` as JSON. */
export function putJson(path: string, value: unknown): Change {
  return { path, value: Buffer.from(JSON.stringify(value)) };
}

/** Returns the change that removes an entry. */
export function removeEntry(path: string): Change {
  return { path, value: null };
}
