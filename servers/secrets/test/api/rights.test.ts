import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../src/api/request.js';
import { createCloudMethod } from '../../src/auth/cloud/cloud-method.js';
import { cloudMount } from '../../src/auth/cloud/method-type.js';
import { capabilities } from '../../src/policies/policy.js';
import { createPolicyStore } from '../../src/policies/policy-store.js';
import { apiTables } from '../../src/server/services.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { Storage } from '../../src/storage/storage.js';
import { openTokenStore } from '../../src/tokens/token-store.js';
import { idleOperator } from '../support/idle-operator.js';
import { createFakeClock } from '../support/fake-clock.js';
import { createMemoryLogger, startServer, type TestServer } from '../support/secrets-server.js';

/** Every endpoint of every table, called with and without its capability. */

const clock = createFakeClock();
const createMethod = (storage: Storage): ReturnType<typeof createCloudMethod> =>
  createCloudMethod({
    storage,
    clock,
    fetch: () => Promise.reject(new Error('nobody is asked')),
    environment: {},
    logger: createMemoryLogger(),
    random: () => 0,
    uuid: () => 'id',
  });

const lease = { defaultTtl: 60, maxTtl: 60 };
const storage = createMemoryStorage();
const tables = apiTables({
  mounts: [{ ...cloudMount(), method: createMethod(storage) }],
  lease,
  policies: createPolicyStore(storage),
  tokens: await openTokenStore({
    storage,
    clock,
    randomBytes,
    limits: lease,
    maxTokensOf: () => 0,
    requireSpace: async () => undefined,
    currentTerms: async () => null,
  }),
  operator: idleOperator,
  now: () => clock.now(),
});

type Operation = ApiRequest['operation'];
const verbs: Readonly<Record<Operation, string>> = {
  read: 'GET',
  list: 'LIST',
  write: 'PUT',
  delete: 'DELETE',
};
const operations = Object.keys(verbs) as Operation[];

const endpoints = tables.flatMap(({ prefix, rows }) =>
  rows.flatMap((row) =>
    operations.flatMap((operation) => {
      const endpoint = row.operations[operation];
      const path = prefix + row.path.replace('/?', '').replace(':name', 'some-name');
      return endpoint === undefined ? [] : [{ verb: verbs[operation], path, endpoint }];
    }),
  ),
);
const guarded = endpoints.filter(({ endpoint }) => endpoint.capability !== null);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ createMethod });
});
afterAll(() => server.close());

/** A token that may do so much, and nothing else, at one path and the lists of it. */
async function tokenWith(granted: readonly string[], path: string): Promise<string> {
  const list = JSON.stringify(granted);
  const policy = `path "${path}" { capabilities = ${list} }  path "${path}/" { capabilities = ${list} }`;
  expect((await server.call('PUT', 'sys/policies/acl/holder', { body: { policy } })).status).toBe(204);
  const body = { policies: ['holder'], no_default_policy: true };
  return String((await server.call('POST', 'auth/token/create', { body })).body.auth?.client_token);
}

const statusOf = async (verb: string, path: string, token: string | null): Promise<number> =>
  (await server.call(verb, path, { token, body: verb === 'PUT' ? {} : undefined })).status;

describe('the tables of endpoints', () => {
  it('leave nothing open but the way in', () => {
    const open = endpoints.filter(({ endpoint }) => endpoint.capability === null);
    expect(open.map(({ verb, path }) => `${verb} ${path}`)).toEqual(['PUT auth/cloud/login']);
    expect(guarded.length).toBeGreaterThan(25);
  });

  it.each(guarded)(
    'require one capability: $verb $path',
    async ({ verb, path, endpoint: { capability } }) => {
      const needed = typeof capability === 'function' ? await capability('some-name') : capability;
      const others = capabilities.filter((each) => each !== needed && each !== 'deny');
      expect(await statusOf(verb, path, null)).toBe(403);
      expect(await statusOf(verb, path, await tokenWith(others, path))).toBe(403);
      const response = await statusOf(verb, path, await tokenWith([String(needed)], path));
      expect([200, 204, 400, 404]).toContain(response);
      if (path !== 'sys/seal') return;
      // No caller has the key of this one: the others need another.
      expect(server.server.isSealed()).toBe(true);
      await server.close();
      server = await startServer({ createMethod });
    },
  );
});
