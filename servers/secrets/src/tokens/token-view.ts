import type { Token, TokenEntry } from './token-entry.js';

/** The `auth` member of a response when a token is created or renewed. */
export type AuthBlock = Readonly<Record<string, unknown>>;

/** @param seconds lifetime of the token from now on. */
export function authBlock({ id, entry }: Token, seconds: number): AuthBlock {
  return {
    client_token: id,
    accessor: entry.accessor,
    policies: entry.policies,
    token_policies: entry.policies,
    metadata: entry.metadata,
    lease_duration: seconds,
    renewable: entry.renewable,
    entity_id: '',
    token_type: entry.type,
    orphan: entry.parent === null,
    mfa_requirement: null,
    num_uses: entry.usesLeft,
  };
}

/** Returns the `data` of a look-up. The ID is empty if the token was looked up by its accessor. */
export function tokenData(entry: TokenEntry, id: string, now: number): Readonly<Record<string, unknown>> {
  const { expiresAt, renewedAt, period, boundCidrs, role, identity = '' } = entry;
  return {
    accessor: entry.accessor,
    creation_time: seconds(entry.createdAt),
    creation_ttl: entry.creationTtl,
    display_name: entry.displayName,
    entity_id: '',
    expire_time: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    explicit_max_ttl: entry.explicitMaxTtl,
    id,
    issue_time: new Date(entry.createdAt).toISOString(),
    meta: entry.metadata,
    num_uses: entry.usesLeft,
    orphan: entry.parent === null,
    path: entry.path,
    policies: entry.policies,
    renewable: entry.renewable,
    ttl: expiresAt === null ? 0 : Math.max(0, Math.floor((expiresAt - now) / 1000)),
    type: entry.type,
    ...(period > 0 && { period }),
    ...(role !== '' && { role }),
    ...(identity !== '' && { identity }),
    ...(boundCidrs.length > 0 && { bound_cidrs: boundCidrs }),
    ...(renewedAt !== null && {
      last_renewal: new Date(renewedAt).toISOString(),
      last_renewal_time: seconds(renewedAt),
    }),
  };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
