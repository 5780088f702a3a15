/** The entry of a token: all that is known of it. Times are milliseconds since 1970, durations whole seconds. */
export interface TokenEntry {
  readonly type: 'service' | 'batch';
  /** A second name, with which a token can be looked up and revoked but not used. Empty for batch tokens. */
  readonly accessor: string;
  /** All of them, `default` among them where it is granted; sorted. */
  readonly policies: readonly string[];
  /** The policies that its parent has and it has not, then those of the parent's parent, where there are any; see `tokenCapabilities`. */
  readonly leftOut?: readonly (readonly string[])[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly displayName: string;
  /** Where the token was made, such as `auth/cloud/login`. */
  readonly path: string;
  /** The role that renewals read again; empty for tokens without a role. */
  readonly role: string;
  /** The identity that the token counts for; empty or missing for tokens created without a login. */
  readonly identity?: string;
  /** For what has no identity, the accessor of the topmost token above it that is no root token; empty or missing for none. */
  readonly family?: string;
  /** Missing for tokens of the first one, see `Generations`. */
  readonly generation?: number;
  readonly createdAt: number;
  readonly renewedAt: number | null;
  /** Null for a root token, which never expires. */
  readonly expiresAt: number | null;
  /** Seconds granted at the first issue. */
  readonly creationTtl: number;
  /** The terms that renewals without a role go by: this and the three below. */
  readonly ttl: number;
  readonly maxTtl: number;
  readonly explicitMaxTtl: number;
  readonly period: number;
  /** Uses granted, 0 for any number. */
  readonly numUses: number;
  /** Uses left; 0 too where any number is granted, and for the last one. */
  readonly usesLeft: number;
  readonly renewable: boolean;
  readonly boundCidrs: readonly string[];
  /** The stored name of the token that this one dies with; null for an orphan. */
  readonly parent: string | null;
  /** The accessor of the parent: another token may have its name later. Missing for orphans and tokens of old versions. */
  readonly parentAccessor?: string;
}

/** A token together with its secret part, as the caller holds it. */
export interface Token {
  readonly id: string;
  readonly entry: TokenEntry;
}

/** Whether `parent`, which is stored under the name of a token's parent, is the token that made it. */
export function isParentOf(parent: TokenEntry, { parentAccessor = parent.accessor }: TokenEntry): boolean {
  return parent.accessor === parentAccessor;
}

export function isRoot(entry: TokenEntry): boolean {
  return entry.policies.includes('root');
}

/** The family that the children of a token without an identity count for. What root makes begins one. */
export function familyOf(entry: TokenEntry): string {
  const { identity = '', family = '', accessor } = entry;
  if (identity !== '' || isRoot(entry)) return '';
  return family === '' ? accessor : family;
}
