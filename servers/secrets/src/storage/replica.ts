import { EtcdError, type FollowEvent, type Log } from '@tamis/etcd';
import { createListeners } from '@tamis/http';
import { SecretsError } from '../base/errors.js';
import type { StoredEntry } from './storage.js';

/** The form of the rows and of the head. A later form gets a later number, so that older servers refuse it. */
const format = 1;

/** The server's part of a head. */
export const storeState = JSON.stringify({ store: 'tamis-secrets', format });

/** @throws SecretsError `conflict` for a log that this version cannot follow */
export function checkState(state: string): void {
  if (state === storeState) return;
  throw new SecretsError(
    'conflict',
    'what etcd holds below the prefix is not a store of this version of this server: name another prefix',
  );
}

/** The entries of a log in etcd, as far as this process has followed it. All of them are kept in memory, sealed. */
export interface Replica {
  get(path: string): Uint8Array | undefined;
  list(prefix: string): readonly string[];
  entries(): readonly StoredEntry[];
  /** How often everything was replaced: each time what was read before may mean nothing any more. */
  resets(): number;
  /** Why nothing is followed any more; null while all is well. */
  failure(): Error | null;
  /** Calls `listener` when an entry with that path has changed, or all have. */
  watch(path: string, listener: () => void): () => void;
  subscribe(listener: () => void): () => void;
}

/** Follows a log until the signal. */
export function followReplica(log: Pick<Log, 'follow'>, signal: AbortSignal): Replica {
  let rows = new Map<string, Buffer>();
  let resets = 0;
  let failure: Error | null = null;
  const watchers = new Set<{ readonly path: string; readonly listener: () => void }>();
  const { subscribe, notify } = createListeners();
  void follow();

  async function follow(): Promise<void> {
    try {
      for await (const event of log.follow(null, signal)) {
        if (event.head !== undefined) checkState(event.head.state);
        if (event.kind === 'reset') await load(event);
        else if (event.kind === 'commit') apply(event);
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    notify();
  }

  /** Contents that can no longer be had come again. */
  async function load(event: Extract<FollowEvent, { kind: 'reset' }>): Promise<void> {
    const loaded = new Map<string, Buffer>();
    try {
      for await (const page of event.rows) for (const { key, value } of page) loaded.set(key, value);
    } catch (error) {
      if (error instanceof EtcdError && error.code !== 'damaged') return;
      throw error;
    }
    rows = loaded;
    resets += 1;
    for (const { listener } of [...watchers]) listener();
    notify();
  }

  function apply({ changes }: Extract<FollowEvent, { kind: 'commit' }>): void {
    for (const { key, value } of changes) {
      if (value === undefined) rows.delete(key);
      else rows.set(key, value);
    }
    for (const { path, listener } of [...watchers]) {
      if (changes.some(({ key }) => key === path)) listener();
    }
  }

  return {
    get: (path) => rows.get(path),
    list: (prefix) => [...rows.keys()].filter((path) => path.startsWith(prefix)).sort(compareBytes),
    entries: () => [...rows].sort(([a], [b]) => compareBytes(a, b)),
    resets: () => resets,
    failure: () => failure,
    watch(path, listener) {
      const watcher = { path, listener };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    subscribe,
  };
}

/** Text is compared by UTF-16 units, which order characters beyond U+FFFF otherwise than their bytes. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
