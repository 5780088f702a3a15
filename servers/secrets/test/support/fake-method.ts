import type { AuthMethod, MethodRequest, TokenParameters } from '../../src/auth/method.js';
import { SecretsError } from '../../src/errors.js';
import { getJson, putJson, removeEntry } from '../../src/storage/json-entry.js';
import type { Storage } from '../../src/storage/storage.js';

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
  const prefix = 'auth/fake/role/';
  const roleAt = (name: string): Promise<TokenParameters | null> => getJson(storage, prefix + name);
  return {
    async route({ operation, path }) {
      if (path === 'login') {
        if (operation === 'write') return { capability: null };
        throw new SecretsError('unsupported-operation', 'unsupported operation');
      }
      if (operation === 'list' && path === 'role/') return { capability: 'list' };
      const [, name] = /^role\/(\w+)$/.exec(path) ?? [];
      if (name === undefined) throw new SecretsError('unsupported-path', 'unsupported path');
      if (operation === 'write') {
        return { capability: (await storage.get(prefix + name)) === null ? 'create' : 'update' };
      }
      return { capability: operation === 'delete' ? 'delete' : 'read' };
    },
    async handle({ operation, path, body }: MethodRequest) {
      if (path === 'login') {
        const role = typeof body.role === 'string' ? body.role : '';
        const terms = await roleAt(role);
        if (terms === null) throw new SecretsError('permission-denied', 'permission denied', 'no such role');
        return { kind: 'login', identity: { alias: 'someone', role, metadata: { role }, token: terms } };
      }
      const name = path.slice('role/'.length);
      switch (operation) {
        case 'list': {
          const paths = await storage.list(prefix);
          return { kind: 'data', data: { keys: paths.map((stored) => stored.slice(prefix.length)) } };
        }
        case 'read': {
          const role = await roleAt(name);
          if (role === null) throw new SecretsError('not-found', 'no such role');
          return { kind: 'data', data: { ...role } };
        }
        case 'write':
          await storage.write([putJson(prefix + name, { ...plainTerms, ...body })]);
          return { kind: 'done' };
        case 'delete':
          await storage.write([removeEntry(prefix + name)]);
          return { kind: 'done' };
      }
    },
    renew: roleAt,
    close: async () => undefined,
  };
}
