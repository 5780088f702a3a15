import { createHmac } from 'node:crypto';
import { eventLoop, yieldToEventLoop } from '@tamis/http';
import type { Clock } from '../base/clock.js';
import { badRequest, SecretsError } from '../base/errors.js';
import { createLocks } from '../base/locks.js';
import { getJson, putJson, removeEntry } from '../storage/json-entry.js';
import type { Change, Storage } from '../storage/storage.js';
import { isParentOf, type TokenEntry } from './token-entry.js';
import { createDeadTokenRemoval } from './dead-tokens.js';
import { openGenerations } from './token-groups.js';
import { lastSegment, minuteOf, tokenPaths } from './token-paths.js';

/** Number of tokens read before other work gets a turn; takes a fraction of a millisecond. */
const readWidth = 32;
/** Prefixes of the hexadecimal names. Listing them separately keeps each list short. */
const parts = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'));

/** Number of tokens removed at once. Enough to fill a transaction, but too few to delay requests. */
const sweepWidth = 64;
/**
 * Maximum time since the last sweep for which minutes are listed one by one, in seconds. Beyond it, listing everything is
 * cheaper.
 */
const maxGapSeconds = 60;

/** Maximum number of identities with token counts in memory. Prevents a large fleet from filling it. */
const maxCounted = 10_000;

export interface TokenRepositoryOptions {
  readonly storage: Storage;
  readonly clock: Pick<Clock, 'now'>;
  /** Key of the hashes. Prevents a stolen store from revealing whether it contains a guessed token. */
  readonly salt: Uint8Array;
  /** Returns the maximum number of stored tokens of an identity, or of a family (null); 0 for no limit. */
  readonly maxTokensOf: (identity: string | null) => number;
  /** Maximum lifetime of a token, in seconds. */
  readonly maxLeaseSeconds: number;
}

/** Stores tokens: entries by the hash of their ID, and indexes. */
export async function openTokenRepository(options: TokenRepositoryOptions) {
  const { storage, clock, salt, maxTokensOf } = options;
  const lock = createLocks();
  /** Number of tokens by the hash of their identity or family. Missing numbers are counted in the store. */
  const counts = new Map<string, number>();
  let sweptTo: number | null = null;
  const hashOf = (text: string): string => nameOfToken(salt, text);
  const stored = (hash: string): Promise<TokenEntry | null> => getJson(storage, tokenPaths.entry(hash));
  const generations = await openGenerations(storage, clock, hashOf, options.maxLeaseSeconds);
  const shouldYield = (entry: TokenEntry): boolean =>
    hasEnded(entry, clock.now()) || generations.hasEnded(entry);

  /** Returns the paths of the index entries of a token, which are written and removed together with it. */
  function indexes(hash: string, entry: TokenEntry): readonly string[] {
    const { accessor, expiresAt, parent } = entry;
    const owner = ownerOf(entry);
    return [
      ...(owner === '' ? [] : [tokenPaths.ofIdentity(hashOf(owner), hash)]),
      tokenPaths.accessor(hashOf(accessor)),
      ...(expiresAt === null ? [] : [tokenPaths.end(expiresAt, hash)]),
      ...(parent === null ? [] : [tokenPaths.child(parent, hash)]),
    ];
  }

  async function store(hash: string, entry: TokenEntry, before: TokenEntry | null): Promise<void> {
    const after = indexes(hash, entry);
    const old = before === null ? [] : indexes(hash, before);
    await storage.write([
      putJson(tokenPaths.entry(hash), entry),
      ...after.filter((path) => !old.includes(path)).map((path): Change => putJson(path, hash)),
      ...old.filter((path) => !after.includes(path)).map(removeEntry),
    ]);
  }

  async function removeOne(hash: string, entry: TokenEntry): Promise<void> {
    await storage.write([tokenPaths.entry(hash), ...indexes(hash, entry)].map(removeEntry));
    count(entry, -1);
  }

  function count(entry: TokenEntry, change: number): void {
    const owner = hashOf(ownerOf(entry));
    const known = counts.get(owner);
    if (known !== undefined) counts.set(owner, known + change);
  }

  /**
   * Counts a token towards the maximum of its owner before it is stored, so that concurrent requests cannot exceed the maximum.
   */
  async function takePlace(entry: TokenEntry): Promise<void> {
    const { identity = '' } = entry;
    const name = ownerOf(entry);
    const max = name === '' ? 0 : maxTokensOf(identity === '' ? null : identity);
    if (max === 0) return;
    const owner = hashOf(name);
    if (!counts.has(owner)) {
      const stored = (await storage.list(tokenPaths.identity(owner))).length;
      if (counts.size >= maxCounted) counts.clear();
      if (!counts.has(owner)) counts.set(owner, stored);
    }
    if ((counts.get(owner) ?? 0) >= max) await removeDead(owner);
    if ((counts.get(owner) ?? 0) >= max) {
      throw new SecretsError(
        'too-many-requests',
        `${identity === '' ? 'this family of tokens' : 'this identity'} has ${max} tokens already: use one of them, revoke some, or let them end sooner`,
      );
    }
    count(entry, 1);
  }

  const removeDead = createDeadTokenRemoval({
    pathsOf: (owner) => storage.list(tokenPaths.identity(owner)),
    read,
    remove,
    now: () => clock.now(),
    generation: () => generations.current(),
  });

  /** Reads a token; null if it or one of its ancestors has ended. */
  async function read(hash: string): Promise<TokenEntry | null> {
    const entry = await stored(hash);
    if (entry === null || shouldYield(entry)) return null;
    return entry.parent === null || (await parentOf(entry)) !== null ? entry : null;
  }

  /** Returns the token that created `entry`; null for an orphan, or if that token has ended. */
  async function parentOf(entry: TokenEntry): Promise<TokenEntry | null> {
    const parent = entry.parent === null ? null : await read(entry.parent);
    return parent !== null && isParentOf(parent, entry) ? parent : null;
  }

  /** Removes a token, then its children. From then on the children are refused, even if their removal fails. */
  async function remove(hash: string): Promise<void> {
    try {
      await lock(hash, async () => {
        const entry = await stored(hash);
        if (entry !== null) await removeOne(hash, entry);
      });
      for (const path of await storage.list(tokenPaths.children(hash))) await remove(lastSegment(path));
    } catch (error) {
      removeDead.expectMore();
      throw error;
    }
  }

  async function removeEnded(path: string): Promise<void> {
    const hash = lastSegment(path);
    const entry = await stored(hash);
    if (entry === null) await storage.write([removeEntry(path)]);
    else if (hasEnded(entry, clock.now())) await remove(hash);
  }

  /** Returns the paths of expiry entries after the last sweep, up to the minute `last`. */
  async function ended(last: number): Promise<readonly string[]> {
    if (sweptTo === null || last - sweptTo > maxGapSeconds) {
      const all = await storage.list(tokenPaths.ends);
      return all.filter((path) => path < tokenPaths.endsIn(last + 1));
    }
    const minutes = Array.from({ length: last - sweptTo }, (_, at) => last - at);
    const paths = await Promise.all(minutes.map((minute) => storage.list(tokenPaths.endsIn(minute))));
    return paths.flat();
  }

  /** Iterates over all stored tokens, yielding to other tasks. */
  async function* everyStored(): AsyncGenerator<{ readonly hash: string; readonly entry: TokenEntry }> {
    for (const part of parts) {
      await yieldToEventLoop(eventLoop);
      for (const [at, path] of (await storage.list(tokenPaths.entry(part))).entries()) {
        if (at % readWidth === readWidth - 1) await yieldToEventLoop(eventLoop);
        const hash = lastSegment(path);
        const entry = await stored(hash);
        if (entry !== null) yield { hash, entry };
      }
    }
  }

  /**
   * Iterates over all stored tokens that have not ended, and regularly lets other work run. May include tokens whose parent has
   * ended.
   */
  async function* all(): AsyncGenerator<{ readonly hash: string; readonly entry: TokenEntry }> {
    for await (const each of everyStored()) if (!hasEnded(each.entry, clock.now())) yield each;
  }

  async function removeRevoked(): Promise<void> {
    for await (const { hash, entry } of everyStored()) if (generations.hasEnded(entry)) await remove(hash);
  }

  return {
    generations,
    /** Returns the stored name of a token or accessor. */
    hashOf,
    all,
    read,
    parentOf,
    /** Removes a token and all its descendants. */
    remove,
    /** Returns the number of tokens in the chain from a token to its topmost ancestor, but at most `max` + 1. */
    async depth(entry: TokenEntry, max: number): Promise<number> {
      let depth = 1;
      for (let above = entry.parent; above !== null && depth <= max; depth += 1) {
        above = (await stored(above))?.parent ?? null;
      }
      return depth;
    },
    async findByAccessor(accessor: string): Promise<string | null> {
      return accessor === '' ? null : getJson<string>(storage, tokenPaths.accessor(hashOf(accessor)));
    },
    /**
     * Stores a token.
     *
     * @throws SecretsError `bad-request` if the name exists, `too-many-requests` if the identity has too many tokens,
     * `permission-denied` if its parent or a group of the token has ended since its creation began
     */
    add: (hash: string, entry: TokenEntry): Promise<void> =>
      lock(hash, async () => {
        if ((await stored(hash)) !== null) throw badRequest('there is a token with this id already');
        await takePlace(entry);
        try {
          await store(hash, entry, null);
        } catch (error) {
          count(entry, -1);
          throw error;
        }
        if ((await read(hash)) !== null) return;
        await removeOne(hash, entry);
        throw new SecretsError(
          'permission-denied',
          'permission denied',
          'its parent or its group was ended meanwhile',
        );
      }),
    /**
     * Replaces an entry by the result of `change`, without concurrent changes. Removes the token if it has no uses left. Null if
     * the token does not exist.
     */
    change: (
      hash: string,
      change: (entry: TokenEntry) => TokenEntry | Promise<TokenEntry>,
    ): Promise<TokenEntry | null> =>
      lock(hash, async () => {
        const entry = await read(hash);
        if (entry === null) return null;
        const changed = await change(entry);
        if (changed.numUses > 0 && changed.usesLeft === 0) await removeOne(hash, entry);
        else await store(hash, changed, entry);
        return changed;
      }),
    /** Removes the tokens that expired in a past minute. */
    async sweep(): Promise<void> {
      const last = minuteOf(clock.now()) - 1;
      const paths = await ended(last);
      for (let at = 0; at < paths.length; at += sweepWidth) {
        await Promise.all(paths.slice(at, at + sweepWidth).map(removeEnded));
      }
      sweptTo = last;
      await generations.sweep(removeRevoked);
    },
  };
}

/** Returns the stored name of a token or accessor. */
export function nameOfToken(salt: Uint8Array, text: string): string {
  return createHmac('sha256', salt).update(text).digest('hex');
}

/**
 * Returns the owner for which a token counts: its identity, or else its family, whose name differs from all identities. Empty if
 * it has neither.
 */
function ownerOf({ identity = '', family = '' }: TokenEntry): string {
  if (identity !== '') return identity;
  return family === '' ? '' : `family ${family}`;
}

export function hasEnded({ expiresAt }: TokenEntry, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
