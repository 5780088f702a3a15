import type { AppendOutcome, Storage } from './storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';

/** Whether a store can be written. */
export interface StoreHealth {
  /** Returns why the store cannot be written now, without file names; null if it can. */
  problem(): Promise<string | null>;
}

/** Lifetime of a cached result, in ms. Prevents health requests from wearing out the disk. */
const freshness = 1_000;

/** Monitors the appends to a store, and probes it if none exist. */
export function watchStorage(
  storage: Storage,
  now: () => number,
): { readonly storage: Storage; readonly health: StoreHealth } {
  let last: string | null = null;
  let lookedAt = -Infinity;
  let look: Promise<void> | null = null;

  async function note<R extends AppendOutcome | void>(action: Promise<R>): Promise<R> {
    try {
      const outcome = await action;
      last = outcome?.kind === 'unknown' ? 'it does not say what it has kept' : null;
      return outcome;
    } catch (error) {
      last = error instanceof StorageError && error.reason !== '' ? error.reason : 'the reason is in the log';
      throw error;
    } finally {
      lookedAt = now();
    }
  }

  return {
    storage: { ...storage, append: (entry) => note(storage.append(entry)) },
    health: {
      async problem() {
        if (now() - lookedAt >= freshness) {
          look ??= note(storage.probe()).finally(() => (look = null));
          await look.catch(() => undefined);
        }
        return last;
      },
    },
  };
}
