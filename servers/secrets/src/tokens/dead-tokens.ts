import { eventLoop, yieldToEventLoop } from '@tamis/http';
import { createLocks } from '../base/locks.js';
import type { TokenEntry } from './token-entry.js';
import { lastSegment } from './token-paths.js';

export interface DeadTokenRemovalOptions {
  /** Returns paths that end with the stored names of an owner's tokens. */
  readonly pathsOf: (owner: string) => Promise<readonly string[]>;
  /** Reads a token; null if it has ended. */
  readonly read: (hash: string) => Promise<TokenEntry | null>;
  readonly remove: (hash: string) => Promise<void>;
  readonly now: () => number;
  /** Returns the current generation, which changes when a group of tokens is ended. */
  readonly generation: () => number;
}

/** Removes the dead tokens of an owner. Does nothing if none can have died since the last call. */
export interface DeadTokenRemoval {
  (owner: string): Promise<void>;
  /** Called when ended tokens may be left in the store. The next call for each owner then reads all its tokens again. */
  expectMore(): void;
}

/** The result of one check. It is valid until one of these values changes. */
interface Look {
  /** When the first living token expires, in milliseconds since 1970. */
  readonly until: number;
  readonly generation: number;
}

/** Maximum number of owners with cached results. Prevents a large fleet from filling the memory. */
const maxLooks = 10_000;
/** Number of tokens read before other work gets a turn; takes a fraction of a millisecond. */
const readWidth = 32;

/**
 * Tokens that have expired, were revoked as a group or have lost their parent stay in the store until a sweep. They must
 * not count against the maximum of their owner.
 */
export function createDeadTokenRemoval(options: DeadTokenRemovalOptions): DeadTokenRemoval {
  const { pathsOf, read, remove, now, generation } = options;
  const lock = createLocks();
  const looks = new Map<string, Look>();

  async function look(owner: string): Promise<void> {
    const known = looks.get(owner);
    if (known !== undefined && known.generation === generation() && now() < known.until) return;
    looks.delete(owner);
    const before = generation();
    let until = Infinity;
    for (const [at, path] of (await pathsOf(owner)).entries()) {
      if (at % readWidth === readWidth - 1) await yieldToEventLoop(eventLoop);
      const hash = lastSegment(path);
      const entry = await read(hash);
      if (entry === null) await remove(hash);
      else until = Math.min(until, entry.expiresAt ?? Infinity);
    }
    if (looks.size >= maxLooks) looks.clear();
    looks.set(owner, { until, generation: before });
  }

  const removeDead = (owner: string): Promise<void> => lock(owner, () => look(owner));
  return Object.assign(removeDead, { expectMore: () => looks.clear() });
}
