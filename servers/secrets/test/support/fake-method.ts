import type { EndpointRow } from '../../src/api/endpoint-table.js';
import type { AuthMethod, MethodEndpoint } from '../../src/auth/method.js';
import { SecretsError } from '../../src/base/errors.js';
import { createJsonCollection } from '../../src/storage/json-collection.js';
import type { Storage } from '../../src/storage/storage.js';
import type { TokenParameters } from '../../src/tokens/token-parameters.js';

export const plainTerms: TokenParameters = {
  policies: [],
  noDefaultPolicy: false,
  type: 'default',
  ttl: 0,
  maxTtl: 0,
  explicitMaxTtl: 0,
  period: 0,
  numUses: 0,
  boundCidrs: [],
};

/** A method whose roles are the parameters of tokens themselves, and that logs everybody in who names one. */
export function createFakeMethod(storage: Storage): AuthMethod {
  const roles = createJsonCollection<TokenParameters>(storage, 'role/');
  const operations: EndpointRow<MethodEndpoint>['operations'] = {
    read: {
      capability: 'read',
      async handle({ name }) {
        const role = await roles.get(name);
        if (role === null) throw new SecretsError('not-found', 'no such role');
        return { kind: 'data', data: { ...role } };
      },
    },
    write: {
      capability: async (name) => ((await roles.get(name)) === null ? 'create' : 'update'),
      async handle({ name, body }) {
        await roles.put(name, { ...plainTerms, ...body });
      },
    },
    delete: {
      capability: 'delete',
      async handle({ name }) {
        await roles.remove(name);
      },
    },
  };
  return {
    rows: [
      {
        path: 'login',
        operations: {
          write: {
            async logIn({ body }) {
              const role = typeof body.role === 'string' ? body.role : '';
              const token = await roles.get(role);
              if (token === null)
                throw new SecretsError('permission-denied', 'permission denied', 'no such role');
              return { identity: { alias: 'someone', role, metadata: { role }, token }, warnings: [] };
            },
          },
        },
      },
      {
        path: 'role/?',
        operations: {
          list: {
            capability: 'list',
            handle: async () => ({ kind: 'keys', keys: await roles.names() }),
          },
        },
      },
      { path: 'role/:name', isName: (text) => /^\w+$/.test(text), operations },
    ],
    renew: (role) => roles.get(role),
    close: async () => undefined,
  };
}
