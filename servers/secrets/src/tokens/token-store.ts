import { isInCidrs } from '../base/cidr.js';
import type { Clock } from '../base/clock.js';
import { badRequest, SecretsError } from '../base/errors.js';
import type { Storage } from '../storage/storage.js';
import { isBatchToken, openBatchToken, sealBatchToken } from './batch-token.js';
import { grantLease, type Lease, type LeaseLimits, type LeaseTerms } from './lease.js';
import type { Token, TokenEntry } from './token-entry.js';
import type { TokenParameters } from './token-parameters.js';
import { tokenPaths } from './token-paths.js';
import { groupsOf, keyOfGroup, type TokenGroup } from './token-groups.js';
import { openTokenRepository, hasEnded } from './token-repository.js';

/** Properties of a new token. */
export interface NewToken {
  readonly terms: TokenParameters;
  /** Normalised policies, see `tokenPolicies`. */
  readonly policies: readonly string[];
  /** Default: none. See `TokenEntry`. */
  readonly leftOut?: readonly (readonly string[])[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly displayName: string;
  readonly path: string;
  readonly role: string;
  /** The identity that the token counts for; empty for none. */
  readonly identity: string;
  /** The family for which it counts if it has no identity, see `familyOf`. Default: none. */
  readonly family?: string;
  /** The token that requests it; null for an orphan. */
  readonly parent: Token | null;
  readonly renewable: boolean;
  /** Secret part chosen by the operator; null to generate one. */
  readonly id: string | null;
  /** Generation in which the creation began. Default: the current one. */
  readonly generation?: number;
}

/** A created or renewed token. */
export interface Grant {
  readonly token: Token;
  /** Lifetime from now on, in seconds; 0 for a root token. */
  readonly seconds: number;
  readonly warnings: readonly string[];
}

export type TokenStore = Awaited<ReturnType<typeof openTokenStore>>;

export interface TokenStoreOptions {
  readonly storage: Storage;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: (length: number) => Buffer;
  readonly limits: LeaseLimits;
  /** Returns the maximum number of stored tokens of an identity, or of a family (null); 0 for no limit. */
  readonly maxTokensOf: (identity: string | null) => number;
  /** Called before a token is stored. @throws SecretsError `no-space` */
  readonly requireSpace: () => Promise<void>;
  /** Returns the current terms of the role of a token, by the path of its creation; null if the role no longer exists. */
  readonly currentTerms: (path: string, role: string) => Promise<LeaseTerms | null>;
}

/** Number of random bytes in a token or accessor. Makes guessing impossible. */
const idLength = 32;
const accessorLength = 18;
const keyLength = 32;
const nonceLength = 12;
/**
 * Maximum number of ancestors of a token. All of them are checked with each use, so this prevents long chains from slowing uses.
 */
const maxDepth = 16;
/** Number of tokens of a group removed at once. Enough to fill a transaction, but too few to delay requests. */
const removalWidth = 64;

/** Opens the tokens in `storage`; creates missing keys. */
export async function openTokenStore(options: TokenStoreOptions) {
  const { storage, clock, randomBytes } = options;
  const salt = await readKey(options, tokenPaths.salt);
  const batchKey = await readKey(options, tokenPaths.batchKey);
  const { maxTokensOf, limits } = options;
  const repository = await openTokenRepository({
    storage,
    clock,
    salt,
    maxTokensOf,
    maxLeaseSeconds: limits.maxTtl,
  });
  const { hashOf, generations } = repository;

  /** Returns a token without counting a use; null if it is unknown or has ended. */
  async function find(id: string): Promise<TokenEntry | null> {
    const batch = isBatchToken(id) ? openBatchToken(id, batchKey) : null;
    // An ID chosen by an operator may look like a batch token.
    if (batch === null) return repository.read(hashOf(id));
    if (hasEnded(batch, clock.now()) || generations.hasEnded(batch)) return null;
    return batch.parent === null || (await repository.parentOf(batch)) !== null ? batch : null;
  }

  /** Checks whether a token may be used from this address, without counting a use. @throws SecretsError `permission-denied` */
  async function check(id: string, peer: string): Promise<Token> {
    const entry = await find(id);
    if (entry === null) throw denied('token is not known or has ended');
    const { boundCidrs } = entry;
    if (boundCidrs.length > 0 && !isInCidrs(boundCidrs, peer)) {
      throw denied('token is bound to other addresses');
    }
    return { id, entry };
  }

  async function add(id: string | null, entry: TokenEntry): Promise<Token> {
    const known = id ?? `s.${randomBytes(idLength).toString('base64url')}`;
    await repository.add(hashOf(known), entry);
    return { id: known, entry };
  }

  async function requireDepthBelow({ entry }: Token): Promise<void> {
    if ((await repository.depth(entry, maxDepth)) <= maxDepth) return;
    throw badRequest(`a token has at most ${maxDepth} ancestors: use one of them`);
  }

  async function renewStored(hash: string, id: string, increment: number): Promise<Grant> {
    let lease: Lease | null = null;
    const entry = await repository.change(hash, async (before) => {
      const renewed = await renewEntry(options, before, increment, endOf(await repository.parentOf(before)));
      lease = renewed.lease;
      return renewed.entry;
    });
    if (entry === null || lease === null) throw denied('token is not known or has ended');
    return grantOf({ id, entry }, lease);
  }

  return {
    /** Returns the generation for tokens whose creation begins now. Ending a group after this call includes them. */
    generation: (): number => generations.current(),
    async create(request: NewToken): Promise<Grant> {
      if (request.parent !== null) await requireDepthBelow(request.parent);
      const parent = request.parent === null ? null : hashOf(request.parent.id);
      const { entry, lease } = newEntry(
        options,
        request,
        parent,
        request.generation ?? generations.current(),
      );
      if (entry.type === 'service') await options.requireSpace();
      const token =
        entry.type === 'service'
          ? await add(request.id, entry)
          : { id: sealBatchToken(entry, batchKey, randomBytes(nonceLength)), entry };
      return grantOf(token, lease);
    },
    /** Creates a token with all rights that never expires. */
    createRoot: (id: string | null): Promise<Token> => add(id, rootEntry(options)),
    check,
    /**
     * Counts one use of a token and returns it. All refusals have the same message.
     *
     * @throws SecretsError `permission-denied`
     */
    async use(id: string, peer: string): Promise<Token> {
      const known = await check(id, peer);
      if (known.entry.numUses === 0) return known;
      // Checked again under the lock, because two requests must not share the last use.
      const used = await repository.change(hashOf(id), countUse);
      if (used === null) throw denied('token has been used up');
      return { id, entry: used };
    },
    find,
    async findByAccessor(accessor: string): Promise<TokenEntry | null> {
      const hash = await repository.findByAccessor(accessor);
      return hash === null ? null : repository.read(hash);
    },
    /**
     * @param increment requested lifetime, in seconds; 0 for the default.
     * @throws SecretsError `bad-request` for a token that cannot be renewed
     */
    async renew(id: string, increment: number): Promise<Grant> {
      if (isBatchToken(id)) throw badRequest('batch tokens cannot be renewed');
      return renewStored(hashOf(id), id, increment);
    },
    /** Like `renew`, for the token with this accessor. The ID in the result is empty. Null if there is no such token. */
    async renewByAccessor(accessor: string, increment: number): Promise<Grant | null> {
      const hash = await repository.findByAccessor(accessor);
      return hash === null ? null : renewStored(hash, '', increment);
    },
    /** Revokes a token and all its descendants; does nothing if it is unknown. */
    async revoke(id: string): Promise<void> {
      if (isBatchToken(id)) throw badRequest('batch tokens cannot be revoked');
      await repository.remove(hashOf(id));
    },
    /** Revokes a new token that was not delivered. A batch token is only in the unsent response, so nothing needs to be done. */
    takeBack: async ({ id, entry }: Token): Promise<void> => {
      if (entry.type === 'service') await repository.remove(hashOf(id));
    },
    /** Whether a string is a valid token or accessor. */
    isSecret: async (text: string): Promise<boolean> =>
      (await find(text)) !== null || (await repository.findByAccessor(text)) !== null,
    /** Revokes the token with this accessor. False if none exists. */
    async revokeByAccessor(accessor: string): Promise<boolean> {
      const hash = await repository.findByAccessor(accessor);
      if (hash !== null) await repository.remove(hash);
      return hash !== null;
    },
    /** Returns the sorted accessors of the tokens of a group, or of all tokens (null). Batch tokens have no accessors. */
    async accessors(group: TokenGroup | null): Promise<readonly string[]> {
      const key = group === null ? null : keyOfGroup(group);
      const found: string[] = [];
      for await (const { entry } of repository.all()) {
        if (generations.hasEnded(entry)) continue;
        if (key === null || groupsOf(entry).includes(key)) found.push(entry.accessor);
      }
      return found.sort();
    },
    /** Ends all tokens of a group at once, and then removes the stored ones. Returns the number removed. */
    async endGroup(group: TokenGroup): Promise<number> {
      await generations.end(group);
      const key = keyOfGroup(group);
      let ended = 0;
      let found: string[] = [];
      for await (const { hash, entry } of repository.all()) {
        if (!groupsOf(entry).includes(key) || !generations.hasEnded(entry)) continue;
        ended += 1;
        if (found.push(hash) < removalWidth) continue;
        await Promise.all(found.map((each) => repository.remove(each)));
        found = [];
      }
      await Promise.all(found.map((each) => repository.remove(each)));
      return ended;
    },
    /** Ends the batch tokens of a removed role; other tokens fail at their next renewal. */
    endRole: (mount: string, role: string): Promise<void> => generations.end({ mount, role, type: 'batch' }),
    /** Removes ended tokens from the storage. They were refused before already. */
    sweep: (): Promise<void> => repository.sweep(),
    /** Erases the keys from memory. Nothing works afterwards. */
    forget(): void {
      salt.fill(0);
      batchKey.fill(0);
    },
  };
}

async function readKey({ storage, randomBytes }: TokenStoreOptions, path: string): Promise<Buffer> {
  const known = await storage.get(path);
  // Not copied, so that no copy remains when the key is erased at the end.
  if (known !== null) return Buffer.from(known.buffer, known.byteOffset, known.byteLength);
  const key = randomBytes(keyLength);
  await storage.write([{ path, value: key }]);
  return key;
}

function countUse(entry: TokenEntry): TokenEntry {
  return { ...entry, usesLeft: entry.usesLeft - 1 };
}

function grantOf(token: Token, { seconds, shortened }: Lease): Grant {
  const warning = `the token lives ${seconds} seconds, less than requested: a maximum applies`;
  return { token, seconds, warnings: shortened ? [warning] : [] };
}

interface Leased {
  readonly entry: TokenEntry;
  readonly lease: Lease;
}

function newEntry(
  options: TokenStoreOptions,
  request: NewToken,
  parent: string | null,
  generation: number,
): Leased {
  const { terms } = request;
  const now = options.clock.now();
  const lease = grantLease(terms, options.limits, now, now, { end: endOf(request.parent?.entry ?? null) });
  const isBatch = terms.type === 'batch';
  const entry: TokenEntry = {
    type: isBatch ? 'batch' : 'service',
    accessor: isBatch ? '' : newAccessor(options),
    policies: request.policies,
    ...(request.leftOut !== undefined && request.leftOut.length > 0 && { leftOut: request.leftOut }),
    metadata: request.metadata,
    displayName: request.displayName,
    path: request.path,
    role: request.role,
    ...(request.identity !== '' && { identity: request.identity }),
    ...(request.family !== undefined && request.family !== '' && { family: request.family }),
    ...(generation > 0 && { generation }),
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
    renewable: !isBatch && request.renewable,
    boundCidrs: terms.boundCidrs,
    parent,
    ...(request.parent !== null && { parentAccessor: request.parent.entry.accessor }),
  };
  return { entry, lease };
}

/** @throws SecretsError `bad-request` */
async function renewEntry(
  options: TokenStoreOptions,
  entry: TokenEntry,
  increment: number,
  end: number,
): Promise<Leased> {
  if (!entry.renewable) throw badRequest('this token cannot be renewed');
  const terms = entry.role === '' ? entry : await options.currentTerms(entry.path, entry.role);
  if (terms === null) throw badRequest('the role of this token is gone');
  const now = options.clock.now();
  const { ttl, maxTtl, period } = terms;
  // The explicit maximum was fixed when the token was created; later changes of the role do not affect it.
  const { explicitMaxTtl } = entry;
  const lease = grantLease({ ttl, maxTtl, period, explicitMaxTtl }, options.limits, entry.createdAt, now, {
    increment,
    end,
  });
  return { entry: { ...entry, ttl, maxTtl, period, renewedAt: now, expiresAt: lease.expiresAt }, lease };
}

/** Returns when the parent ends. A token ends with its parent, so it must not report a longer lifetime. */
function endOf(parent: TokenEntry | null): number {
  return parent?.expiresAt ?? Infinity;
}

function newAccessor({ randomBytes }: TokenStoreOptions): string {
  return randomBytes(accessorLength).toString('base64url');
}

function denied(reason: string): SecretsError {
  return new SecretsError('permission-denied', 'permission denied', reason);
}

function rootEntry(options: TokenStoreOptions): TokenEntry {
  return {
    type: 'service',
    accessor: newAccessor(options),
    policies: ['root'],
    metadata: {},
    displayName: 'root',
    path: 'auth/token/root',
    role: '',
    createdAt: options.clock.now(),
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
