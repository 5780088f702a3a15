import type { EndpointResult } from '../api/endpoint-result.js';
import { requires, type Call, type Endpoint, type EndpointRow } from '../api/endpoint-table.js';
import { badRequest, SecretsError } from '../base/errors.js';
import { duration, readFields, readOnlyFields, text, type Schema } from '../fields/fields.js';
import type { PolicyStore } from '../policies/policy-store.js';
import type { Token } from '../tokens/token-entry.js';
import type { TokenStore } from '../tokens/token-store.js';
import { authBlock, tokenData } from '../tokens/token-view.js';
import { createToken } from './create-token.js';

/** Returns the endpoints of tokens below `auth/token/`. */
export function tokenRows(
  tokens: TokenStore,
  policies: Pick<PolicyStore, 'read'>,
  now: () => number,
): readonly EndpointRow[] {
  const making = { tokens, policies };
  const renew = async (id: string, { body }: Call): Promise<EndpointResult> => {
    const { increment = 0 } = readFields({ increment: duration }, body).values;
    const grant = await tokens.renew(id, increment);
    return { kind: 'auth', auth: authBlock(grant.token, grant.seconds), warnings: grant.warnings };
  };
  return [
    lookupSelfRow(now),
    update('renew-self', async (call) => renew(self(call).id, call)),
    update('revoke-self', (call) => tokens.revoke(self(call).id)),
    update('create', (call) => createToken(making, call)),
    {
      path: 'create-orphan',
      operations: { write: requires('sudo', (call) => createToken(making, call, true)) },
    },
    update('lookup', async ({ body }) => {
      const id = named(body, 'token');
      const entry = await tokens.find(id);
      if (entry === null) throw badToken();
      return { kind: 'data', data: tokenData(entry, id, now()) };
    }),
    update('renew', async (call) => renew(named(call.body, 'token', { increment: duration }), call)),
    update('renew-accessor', async ({ body }) => {
      const accessor = named(body, 'accessor', { increment: duration });
      const { increment = 0 } = readFields({ increment: duration }, body).values;
      const grant = await tokens.renewByAccessor(accessor, increment);
      if (grant === null) throw badToken();
      return { kind: 'auth', auth: authBlock(grant.token, grant.seconds), warnings: grant.warnings };
    }),
    update('revoke', ({ body }) => tokens.revoke(named(body, 'token'))),
    update('lookup-accessor', async ({ body }) => {
      const entry = await tokens.findByAccessor(named(body, 'accessor'));
      if (entry === null) throw badToken();
      return { kind: 'data', data: tokenData(entry, '', now()) };
    }),
    update('revoke-accessor', async ({ body }) => {
      if (!(await tokens.revokeByAccessor(named(body, 'accessor')))) throw badToken();
    }),
  ];
}

/** Returns the endpoint for the self-lookup of a token. */
export function lookupSelfRow(now: () => number): EndpointRow {
  const handle = async (call: Call): Promise<EndpointResult> => {
    const { id, entry } = self(call);
    return { kind: 'data', data: tokenData(entry, id, now()) };
  };
  return {
    path: 'lookup-self',
    operations: { read: requires('read', handle), write: requires('update', handle) },
  };
}

function update(path: string, handle: Endpoint['handle']): EndpointRow {
  return { path, operations: { write: requires('update', handle) } };
}

function self({ caller }: Call): Token {
  if (caller === null) throw badToken();
  return caller;
}

function named(body: Call['body'], field: 'token' | 'accessor', others: Schema = {}): string {
  const value = readOnlyFields({ ...others, [field]: text }, body)[field];
  if (typeof value !== 'string' || value === '') throw badRequest(`field "${field}" is missing`);
  return value;
}

function badToken(): SecretsError {
  return new SecretsError('permission-denied', 'bad token');
}
