import { createHash } from 'node:crypto';
import type { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import {
  isExpired,
  managementType,
  type AclToken,
  type AclTokenSpec,
} from '@tamis/scheduler-model/acl-token.js';
import { aclBootstrapKey, createFlag } from '@tamis/scheduler-model/cluster-flag.js';
import { hashSecret } from '@tamis/scheduler-model/secret.js';
import { scanRows, fullRange } from 'tamis/table';
import type { Transaction } from './transaction.js';

/** The unique values of a new token. */
export interface TokenIdentity {
  readonly accessorId: string;
  readonly secret: string;
  /** Creation time, RFC 3339. */
  readonly time: string;
}

/** Creates a token and deletes expired ones, so that short-lived tokens do not accumulate. */
export function createAclToken(
  transaction: Transaction,
  spec: AclTokenSpec,
  { accessorId, secret, time }: TokenIdentity,
): AclToken {
  const token: AclToken = {
    AccessorID: accessorId,
    SecretID: secret,
    SecretHash: hashSecret(secret),
    ...contentOf(spec),
    Roles: null,
    Global: spec.global,
    CreateTime: time,
    ExpirationTime: spec.expirationTime,
    ExpirationTTL: spec.expirationTtl,
    CreateIndex: transaction.index,
    ModifyIndex: transaction.index,
  };
  forgetExpired(transaction, Date.parse(time));
  transaction.put('acl_tokens', token);
  return token;
}

function forgetExpired(transaction: Transaction, now: number): void {
  const tokens = scanRows(transaction.tables.acl_tokens.primary, fullRange, false);
  const ended = [...tokens].filter((token) => isExpired(token, now));
  for (const { AccessorID } of ended) transaction.delete('acl_tokens', AccessorID);
}

/**
 * Changes the name, type or policies of a token. Its secret and expiration cannot change.
 *
 * @throws SchedulerError `not-found`, or `bad-request` for a change of other fields.
 */
export function updateAclToken(transaction: Transaction, accessorId: string, spec: AclTokenSpec): AclToken {
  const stored = requireToken(transaction, accessorId);
  if (spec.global !== stored.Global) throw refuseChange('Global');
  const { expirationTime, expirationTtl } = spec;
  if (expirationTime !== null && expirationTime !== stored.ExpirationTime)
    throw refuseChange('ExpirationTime');
  if (expirationTtl !== '' && expirationTtl !== stored.ExpirationTTL) throw refuseChange('ExpirationTTL');
  const token: AclToken = { ...stored, ...contentOf(spec), ModifyIndex: transaction.index };
  transaction.put('acl_tokens', token);
  return token;
}

function refuseChange(field: string): SchedulerError {
  return badRequest(`token invalid: cannot change ${field}: make a new token`);
}

/** Returns the fields that an update replaces, and their hash. */
function contentOf({
  name,
  type,
  policies,
  global,
}: AclTokenSpec): Pick<AclToken, 'Name' | 'Type' | 'Policies' | 'Hash'> {
  const content = JSON.stringify([name, type, policies, global]);
  return {
    Name: name,
    Type: type,
    Policies: type === managementType ? null : policies,
    Hash: createHash('sha256').update(content).digest('base64'),
  };
}

/** Deletes a token. Returns the index of the write. @throws SchedulerError `not-found` */
export function deleteAclToken(transaction: Transaction, accessorId: string): number {
  requireToken(transaction, accessorId);
  transaction.delete('acl_tokens', accessorId);
  return transaction.index;
}

function requireToken(transaction: Transaction, accessorId: string): AclToken {
  const stored = transaction.get('acl_tokens', accessorId);
  if (stored === null) throw notFound('ACL token not found');
  return stored;
}

/**
 * Creates the first management token. To repeat this after all tokens were lost, the index of the last bootstrap is required;
 * each index works once.
 *
 * @throws SchedulerError `bad-request`
 */
export function bootstrapAcl(
  transaction: Transaction,
  identity: TokenIdentity,
  resetIndex: number | null,
): AclToken {
  const flag = transaction.get('marks', aclBootstrapKey);
  if (flag !== null && flag.ModifyIndex !== resetIndex) {
    throw badRequest(`ACL bootstrap already done (reset index: ${flag.ModifyIndex})`);
  }
  transaction.put('marks', createFlag(aclBootstrapKey, transaction.index));
  return createAclToken(transaction, bootstrapSpec, identity);
}

const bootstrapSpec: AclTokenSpec = {
  name: 'Bootstrap Token',
  type: managementType,
  policies: [],
  global: true,
  expirationTime: null,
  expirationTtl: '',
};
