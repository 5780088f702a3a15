import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { anonymousPolicy, type AclPolicy } from '@tamis/scheduler-model/acl-policy.js';
import { isExpired, managementType, type AclToken } from '@tamis/scheduler-model/acl-token.js';
import { RecentMap } from 'tamis/internal';
import { lookupRows, getRow } from 'tamis/table';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { accessOfPolicies, fullAccess, type Access, type PolicyGrants } from './access.js';
import { hashSecret } from '@tamis/scheduler-model/secret.js';

/** Resolves the rights of a token by its secret. */
export type AccessResolver = ReturnType<typeof createAccessResolver>;

export interface AccessResolverDependencies {
  readonly enabled: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Parses the rules of a policy. @throws if they are invalid. */
  readonly readRules: (rules: string) => PolicyGrants;
}

/** Maximum number of cached sets of policies. Many tokens have the same policies. */
const maxCached = 256;

export function createAccessResolver({ enabled, clock, readRules }: AccessResolverDependencies) {
  const retained = new RecentMap<string, Access>({ maxEntries: maxCached });

  /** Returns the token with a secret; null if it is unknown or expired, or if the secret is empty. */
  function findToken(secret: string, snapshot: Snapshot): AclToken | null {
    if (secret === '') return null;
    const [token] = lookupRows(snapshot.tables.acl_tokens.indexes.secret, hashSecret(secret));
    return token === undefined || isExpired(token, clock.now()) ? null : token;
  }

  function accessOfNames(names: readonly string[], { tables }: Snapshot): Access {
    const rows = [...new Set(names)].sort().map((name) => getRow(tables.acl_policies, name));
    // An unknown policy name grants nothing, but the policy may be created later.
    const policies = rows.filter((policy) => policy !== null);
    const key = JSON.stringify(policies.map(({ Name, ModifyIndex }) => [Name, String(ModifyIndex)]));
    const known = retained.get(key);
    if (known !== undefined) return known;
    const access = accessOfPolicies(
      policies.map(readPolicy),
      policies.map(({ Name }) => Name),
      key,
    );
    retained.set(key, access);
    return access;
  }

  function readPolicy({ Rules }: AclPolicy): PolicyGrants {
    return readRules(Rules);
  }

  return {
    /** Whether ACLs are enabled. If false, all requests are allowed and tokens are ignored. */
    enabled,
    findToken,
    /**
     * Returns the rights of a secret in a snapshot; an empty secret has the anonymous policy. Null for an unknown or expired token.
     */
    resolve(secret: string, snapshot: Snapshot): Access | null {
      if (!enabled) return fullAccess;
      if (secret === '') return accessOfNames([anonymousPolicy], snapshot);
      const token = findToken(secret, snapshot);
      if (token === null) return null;
      return token.Type === managementType ? fullAccess : accessOfNames(token.Policies ?? [], snapshot);
    },
  };
}
