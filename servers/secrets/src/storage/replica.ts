import { EtcdError, type FollowEvent, type Log } from '@tamis/etcd';
import { createListeners } from '@tamis/http';
import { SecretsError } from '../base/errors.js';
import { compareBytes } from './memory.js';
import type { StoredEntry } from './storage.js';

/** Format version of the rows and the head. Servers of older versions refuse newer formats. */
const format = 1;

/** The application state in the head of a log. */
export const storeState = JSON.stringify({ store: 'tamis-secrets', format });

/** Checks the application state of a log. @throws SecretsError `conflict` for an unsupported format */
export function checkState(state: string): void {
  if (state === storeState) return;
  throw new SecretsError(
    'conflict',
    'what etcd holds below the prefix is not a store of this version of this server: name another prefix',
  );
}

/** The entries of a log in etcd, as far as this process has read it. All entries are in memory, encrypted. */
export type Replica = ReturnType<typeof followReplica>;

/** Follows a log until the signal aborts. */
export function followReplica(log: Pick<Log, 'follow'>, signal: AbortSignal) {
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

  /** Loads all entries. If the contents are no longer available, another reset follows. */
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
    get: (path: string): Uint8Array | undefined => rows.get(path),
    list: (prefix: string): readonly string[] =>
      [...rows.keys()].filter((path) => path.startsWith(prefix)).sort(compareBytes),
    entries: (): readonly StoredEntry[] => [...rows].sort(([a], [b]) => compareBytes(a, b)),
    /** Returns how often all entries were replaced. Each time, earlier reads become invalid. */
    resets: (): number => resets,
    /** Returns the error that has stopped following; null while it works. */
    failure: (): Error | null => failure,
    /** Calls `listener` when the entry at this path, or all entries, have changed. */
    watch(path: string, listener: () => void): () => void {
      const watcher = { path, listener };
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    subscribe,
  };
}
