import { createHmac } from 'node:crypto';
import type { TokenParameters } from '../auth/method.js';
import { isInCidrs } from '../cidr.js';
import type { Clock } from '../clock.js';
import { SecretsError } from '../errors.js';
import { getJson, putJson, removeEntry } from '../storage/json-entry.js';
import type { Change, Storage } from '../storage/storage.js';
import { isBatchToken, openBatchToken, sealBatchToken } from './batch-token.js';
import { grantLease, type LeaseLimits, type LeaseTerms } from './lease.js';
import type { Token, TokenEntry } from './token-entry.js';
import { createLocks } from './token-locks.js';
import { lastSegment, minuteOf, tokenPaths } from './token-paths.js';

/** What a new token is made of. */
export interface NewToken {
  readonly terms: TokenParameters;
  /** As the token will carry them, see `tokenPolicies`. */
  readonly policies: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly displayName: string;
  readonly path: string;
  readonly role: string;
  /** The token that asks for it; null for an orphan. */
  readonly parent: Token | null;
  readonly renewable: boolean;
  /** A secret part chosen by the operator; null to make one. */
  readonly id: string | null;
}

/** A token as it was made or renewed. */
export interface Grant {
  readonly token: Token;
  /** From now on; 0 for a root token. */
  readonly seconds: number;
  readonly warnings: readonly string[];
}

export interface TokenStore {
  create(wanted: NewToken): Promise<Grant>;
  /** A token without an end and with all rights. */
  createRoot(id: string | null): Promise<Token>;
  /**
   * Counts one use of a token and says what it is. One public text for every reason against it.
   *
   * @throws SecretsError `permission-denied`
   */
  use(id: string, peer: string): Promise<Token>;
  /** Without counting a use; null for a token that is not known or has ended. */
  find(id: string): Promise<TokenEntry | null>;
  findByAccessor(accessor: string): Promise<TokenEntry | null>;
  /**
   * @param increment seconds to live that the caller asks for; 0 for the usual.
   * @throws SecretsError `bad-request` for a token that cannot be renewed
   */
  renew(id: string, increment: number): Promise<Grant>;
  /** Ends a token and all that were made with it; nothing happens when it is not known. */
  revoke(id: string): Promise<void>;
  /** False when nobody has this accessor. */
  revokeByAccessor(accessor: string): Promise<boolean>;
  /** Removes what has ended from the storage. A token that has ended is refused with or without it. */
  sweep(): Promise<void>;
}

export interface TokenStoreOptions {
  readonly storage: Storage;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: (length: number) => Buffer;
  readonly limits: LeaseLimits;
  /** The terms that the role behind a token has now, by the path it was made at; null when the role is gone. */
  readonly currentTerms: (path: string, role: string) => Promise<LeaseTerms | null>;
}

/** Random bytes in a token and in an accessor: neither can be guessed. */
const idLength = 32;
const accessorLength = 18;
const keyLength = 32;
const nonceLength = 12;
/** Tokens removed at a time: enough to fill a transaction, not enough to hold up requests. */
const sweepWidth = 64;
/** Minutes looked at one by one; after a longer sleep one look at everything is cheaper. */
const longestGap = 60;

/** Opens the tokens in `storage`; makes its keys when there are none. */
export async function openTokenStore(options: TokenStoreOptions): Promise<TokenStore> {
  const { storage, clock, randomBytes, limits, currentTerms } = options;
  const salt = await keyAt(tokenPaths.salt);
  const batchKey = await keyAt(tokenPaths.batchKey);
  const lock = createLocks();
  let sweptTo: number | null = null;

  async function keyAt(path: string): Promise<Buffer> {
    const known = await storage.get(path);
    if (known !== null) return Buffer.from(known);
    const key = randomBytes(keyLength);
    await storage.write([{ path, value: key }]);
    return key;
  }

  const hashOf = (text: string): string => createHmac('sha256', salt).update(text).digest('hex');
  const hasEnded = ({ expiresAt }: TokenEntry): boolean => expiresAt !== null && expiresAt <= clock.now();

  /** Every entry of a token that there is or was: written together, removed together. */
  function indexes(hash: string, entry: TokenEntry): readonly string[] {
    const { accessor, expiresAt, parent } = entry;
    return [
      tokenPaths.accessor(hashOf(accessor)),
      ...(expiresAt === null ? [] : [tokenPaths.end(expiresAt, hash)]),
      ...(parent === null ? [] : [tokenPaths.child(parent, hash)]),
    ];
  }

  async function store(hash: string, entry: TokenEntry, before: TokenEntry | null): Promise<void> {
    const now = indexes(hash, entry);
    const old = before === null ? [] : indexes(hash, before).filter((path) => !now.includes(path));
    await storage.write([
      putJson(tokenPaths.entry(hash), entry),
      ...now.map((path): Change => putJson(path, hash)),
      ...old.map(removeEntry),
    ]);
  }

  /** A service token that is still good, and so are all that it was made with. */
  async function readLive(hash: string): Promise<TokenEntry | null> {
    const entry = await getJson<TokenEntry>(storage, tokenPaths.entry(hash));
    if (entry === null || hasEnded(entry)) return null;
    return entry.parent === null || (await readLive(entry.parent)) !== null ? entry : null;
  }

  async function find(id: string): Promise<TokenEntry | null> {
    if (!isBatchToken(id)) return readLive(hashOf(id));
    const entry = openBatchToken(id, batchKey);
    if (entry === null || hasEnded(entry)) return null;
    return entry.parent === null || (await readLive(entry.parent)) !== null ? entry : null;
  }

  async function hashByAccessor(accessor: string): Promise<string | null> {
    return accessor === '' ? null : getJson<string>(storage, tokenPaths.accessor(hashOf(accessor)));
  }

  /** One use less, or the end of the token with its last use; null when somebody else was faster. */
  async function countUse(hash: string): Promise<TokenEntry | null> {
    return lock(hash, async () => {
      const entry = await readLive(hash);
      if (entry === null || entry.usesLeft === 0) return entry;
      const used = { ...entry, usesLeft: entry.usesLeft - 1 };
      if (used.usesLeft === 0) await removeOne(hash, entry);
      else await storage.write([putJson(tokenPaths.entry(hash), used)]);
      return used;
    });
  }

  async function removeOne(hash: string, entry: TokenEntry): Promise<void> {
    await storage.write([tokenPaths.entry(hash), ...indexes(hash, entry)].map(removeEntry));
  }

  /** The token first: from then on its children are refused, whatever happens before they are removed. */
  async function removeTree(hash: string): Promise<void> {
    await lock(hash, async () => {
      const entry = await getJson<TokenEntry>(storage, tokenPaths.entry(hash));
      if (entry !== null) await removeOne(hash, entry);
    });
    for (const path of await storage.list(tokenPaths.children(hash))) await removeTree(lastSegment(path));
  }

  async function removeEnded(path: string): Promise<void> {
    const hash = lastSegment(path);
    const entry = await getJson<TokenEntry>(storage, tokenPaths.entry(hash));
    if (entry === null) await storage.write([removeEntry(path)]);
    else if (hasEnded(entry)) await removeTree(hash);
  }

  function newEntry(wanted: NewToken): { entry: TokenEntry; seconds: number; warnings: readonly string[] } {
    const { terms, policies, metadata, displayName, path, role, parent } = wanted;
    const now = clock.now();
    const lease = grantLease(terms, limits, now, now);
    const isBatch = terms.type === 'batch';
    const entry: TokenEntry = {
      type: isBatch ? 'batch' : 'service',
      accessor: isBatch ? '' : randomBytes(accessorLength).toString('base64url'),
      policies,
      metadata,
      displayName,
      path,
      role,
      createdAt: now,
      renewedAt: null,
      expiresAt: lease.expiresAt,
      creationTtl: lease.seconds,
      ttl: terms.ttl,
      maxTtl: terms.maxTtl,
      explicitMaxTtl: terms.explicitMaxTtl,
      period: terms.period,
      numUses: isBatch ? 0 : terms.numUses,
      usesLeft: isBatch ? 0 : terms.numUses,
      renewable: !isBatch && wanted.renewable,
      boundCidrs: terms.boundCidrs,
      parent: parent === null ? null : hashOf(parent.id),
    };
    const warnings = lease.shortened ? [shortenedTo(lease.seconds)] : [];
    return { entry, seconds: lease.seconds, warnings };
  }

  async function storeNew(id: string | null, entry: TokenEntry): Promise<Token> {
    const known = id ?? `s.${randomBytes(idLength).toString('base64url')}`;
    const hash = hashOf(known);
    await lock(hash, async () => {
      if ((await storage.get(tokenPaths.entry(hash))) !== null) {
        throw new SecretsError('bad-request', 'there is a token with this id already');
      }
      await store(hash, entry, null);
    });
    return { id: known, entry };
  }

  async function renewLocked(id: string, hash: string, increment: number): Promise<Grant> {
    const entry = await readLive(hash);
    if (entry === null)
      throw new SecretsError('permission-denied', 'permission denied', 'token is not known');
    if (!entry.renewable) throw new SecretsError('bad-request', 'this token cannot be renewed');
    const terms = entry.role === '' ? entry : await currentTerms(entry.path, entry.role);
    if (terms === null) throw new SecretsError('bad-request', 'the role of this token is gone');
    const now = clock.now();
    // The explicit end was set when the token was made: a role that changes later does not move it.
    const fixed = { ...terms, explicitMaxTtl: entry.explicitMaxTtl };
    const lease = grantLease(fixed, limits, entry.createdAt, now, increment);
    const { ttl, maxTtl, period } = terms;
    const renewed = { ...entry, ttl, maxTtl, period, renewedAt: now, expiresAt: lease.expiresAt };
    await store(hash, renewed, entry);
    const warnings = lease.shortened ? [shortenedTo(lease.seconds)] : [];
    return { token: { id, entry: renewed }, seconds: lease.seconds, warnings };
  }

  return {
    async create(wanted) {
      const { entry, seconds, warnings } = newEntry(wanted);
      if (entry.type === 'service') return { token: await storeNew(wanted.id, entry), seconds, warnings };
      const id = sealBatchToken(entry, batchKey, randomBytes(nonceLength));
      return { token: { id, entry }, seconds, warnings };
    },
    createRoot: (id) =>
      storeNew(id, rootEntry(clock.now(), randomBytes(accessorLength).toString('base64url'))),
    async use(id, peer) {
      const entry = await find(id);
      if (entry === null) throw denied('token is not known or has ended');
      const { boundCidrs } = entry;
      if (boundCidrs.length > 0 && !isInCidrs(boundCidrs, peer))
        throw denied('token is bound to other addresses');
      const used = entry.usesLeft === 0 ? entry : await countUse(hashOf(id));
      if (used === null) throw denied('token has been used up');
      return { id, entry: used };
    },
    find,
    async findByAccessor(accessor) {
      const hash = await hashByAccessor(accessor);
      return hash === null ? null : readLive(hash);
    },
    async renew(id, increment) {
      if (isBatchToken(id)) throw new SecretsError('bad-request', 'batch tokens cannot be renewed');
      const hash = hashOf(id);
      return lock(hash, () => renewLocked(id, hash, increment));
    },
    async revoke(id) {
      if (isBatchToken(id)) throw new SecretsError('bad-request', 'batch tokens cannot be revoked');
      await removeTree(hashOf(id));
    },
    async revokeByAccessor(accessor) {
      const hash = await hashByAccessor(accessor);
      if (hash !== null) await removeTree(hash);
      return hash !== null;
    },
    async sweep() {
      const last = minuteOf(clock.now()) - 1;
      const first = sweptTo === null ? 0 : sweptTo + 1;
      const all = last - first < longestGap ? [] : await storage.list(tokenPaths.ends);
      const paths = all.filter((path) => path < tokenPaths.endsIn(last + 1));
      for (let at = first; last - first < longestGap && at <= last; at += 1) {
        paths.push(...(await storage.list(tokenPaths.endsIn(at))));
      }
      for (let at = 0; at < paths.length; at += sweepWidth) {
        await Promise.all(paths.slice(at, at + sweepWidth).map(removeEnded));
      }
      sweptTo = last;
    },
  };
}

function denied(reason: string): SecretsError {
  return new SecretsError('permission-denied', 'permission denied', reason);
}

function shortenedTo(seconds: number): string {
  return `the token lives ${seconds} seconds, which is less than asked for: a maximum applies`;
}

function rootEntry(now: number, accessor: string): TokenEntry {
  return {
    type: 'service',
    accessor,
    policies: ['root'],
    metadata: {},
    displayName: 'root',
    path: 'auth/token/root',
    role: '',
    createdAt: now,
    renewedAt: null,
    expiresAt: null,
    creationTtl: 0,
    ttl: 0,
    maxTtl: 0,
    explicitMaxTtl: 0,
    period: 0,
    numUses: 0,
    usesLeft: 0,
    renewable: false,
    boundCidrs: [],
    parent: null,
  };
}
