/** The entry of a token. Times are in ms since 1970, durations in whole seconds. */
export interface TokenEntry {
  readonly type: 'service' | 'batch';
  /** A second name, with which a token can be looked up and revoked but not used. Empty for batch tokens. */
  readonly accessor: string;
  /** All policies, sorted; includes `default` if granted. */
  readonly policies: readonly string[];
  /**
   * Policies of the parent that the token lacks, then those of the parent's parent that the parent lacks, and so on; see
   * `tokenCapabilities`.
   */
  readonly leftOut?: readonly (readonly string[])[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly displayName: string;
  /** Path where the token was created, such as `auth/cloud/login`. */
  readonly path: string;
  /** The role from which renewals read the terms again; empty for tokens without a role. */
  readonly role: string;
  /** The identity for which the token counts; empty or missing for tokens created without a login. */
  readonly identity?: string;
  /**
   * For tokens without an identity: accessor of the topmost ancestor that is not a root token. Empty or missing if none exists.
   */
  readonly family?: string;
  /** Missing for tokens of the first generation, see `Generations`. */
  readonly generation?: number;
  readonly createdAt: number;
  readonly renewedAt: number | null;
  /** Null for a root token, which never expires. */
  readonly expiresAt: number | null;
  /** Lifetime granted at creation, in seconds. */
  readonly creationTtl: number;
  /** Terms for renewals of a token without a role: this and the next three properties. */
  readonly ttl: number;
  readonly maxTtl: number;
  readonly explicitMaxTtl: number;
  readonly period: number;
  /** Number of uses granted; 0 for no limit. */
  readonly numUses: number;
  /** Remaining uses. Also 0 for a token with unlimited uses, and during the last use. */
  readonly usesLeft: number;
  readonly renewable: boolean;
  readonly boundCidrs: readonly string[];
  /** Stored name of the parent, with which this token ends; null for an orphan. */
  readonly parent: string | null;
  /** Accessor of the parent, because a later token may have the same name. Missing for orphans and for tokens of old versions. */
  readonly parentAccessor?: string;
}

/** A token together with its secret part, as the caller holds it. */
export interface Token {
  readonly id: string;
  readonly entry: TokenEntry;
}

/** Whether `parent`, found under the name of a token's parent, really created the token. */
export function isParentOf(parent: TokenEntry, { parentAccessor = parent.accessor }: TokenEntry): boolean {
  return parent.accessor === parentAccessor;
}

export function isRoot(entry: TokenEntry): boolean {
  return entry.policies.includes('root');
}

/** Returns the family for the children of a token without an identity. Each token created by a root token begins a new family. */
export function familyOf(entry: TokenEntry): string {
  const { identity = '', family = '', accessor } = entry;
  if (identity !== '' || isRoot(entry)) return '';
  return family === '' ? accessor : family;
}
