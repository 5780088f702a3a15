import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCloudMethod } from '../../src/auth/cloud/cloud-method.js';
import { cloudMount } from '../../src/auth/cloud/method-type.js';
import { createPolicyStore } from '../../src/policies/policy-store.js';
import { statusWrites } from '../../src/routes/status-routes.js';
import { apiTables } from '../../src/server/services.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { openTokenStore } from '../../src/tokens/token-store.js';
import { createFakeClock } from '../support/fake-clock.js';
import { idleOperator } from '../support/idle-operator.js';
import { createMemoryLogger, rootToken, startServer } from '../support/secrets-server.js';

/** Every endpoint gets secrets as names, as values and as parameters; no line of a log may hold one of them. */
it('no endpoint writes a value or an unknown name of a request into the audit log or the log', async () => {
  const clock = createFakeClock();
  const storage = createMemoryStorage();
  const lease = { defaultTtl: 60, maxTtl: 60 };
  const createMethod = (own: typeof storage): ReturnType<typeof createCloudMethod> =>
    createCloudMethod({
      storage: own,
      clock,
      fetch: () => Promise.reject(new Error('no request is expected')),
      environment: {},
      logger: createMemoryLogger(),
      random: () => 0,
      uuid: () => 'id',
    });
  const method = createMethod(storage);
  const tables = apiTables({
    mounts: [{ ...cloudMount(), method }],
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
  await method.close();
  let audited = '';
  const server = await startServer({
    mount: { createMethod: (context) => createCloudMethod(context) },
    auditSink: {
      write: async (lines) => void (audited += lines),
      reopen: async () => undefined,
      space: async () => null,
      close: async () => undefined,
    },
  });
  const rows = tables.flatMap(({ prefix, rows: own }) => own.map(({ path }) => prefix + path));
  const paths = [...rows, ...statusWrites, 'sys/health', 'sys/leader', 'sys/seal-status', 'unknown'];
  const secret = 's.Zq4vT9xR2mK7pL5w';
  const rule = `path "${secret}" { capabilities = ["${secret}"] }`;
  const bodies: unknown[] = [
    { [secret]: 1 },
    { [secret]: { [secret]: secret } },
    { policy: rule },
    { policy: `${secret} "a" {}` },
    { policy: `path "${secret}/*/a" { capabilities = ["read"] }` },
    { policy: `path "{{${secret}}}" { capabilities = ["read"] }` },
    { policy: `path "v1/${secret}" { capabilities = ["read"] }` },
    secret,
    `${secret}=1`,
    ...[
      ...[
        'token',
        'accessor',
        'increment',
        'ttl',
        'num_uses',
        'type',
        'id',
        'role',
        'mount',
        'identity',
        'key',
      ],
      ...[
        'nonce',
        'path',
        'paths',
        'policies',
        'meta',
        'display_name',
        'secret_shares',
        'pgp_keys',
        'tenant_id',
      ],
      ...['environment', 'max_retries', 'retry_delay', 'token_type', 'token_bound_cidrs', 'bound_group_ids'],
      ...[
        'jwt',
        'resource_id',
        'subscription_id',
        'policy',
        'sync',
        'explicit_max_ttl',
        'period',
        'renewable',
      ],
    ].flatMap((name) => [{ [name]: secret }, { [name]: { [secret]: secret } }, { [name]: [secret] }]),
  ];
  const headerNames = ['x-vault-namespace', 'x-vault-wrap-ttl', 'x-vault-token', 'content-type', 'origin'];
  let requests = 0;
  for (const row of paths) {
    // These end what the test works with.
    if (/^sys\/(?:seal|step-down)$|revoke-self$/.test(row)) continue;
    const path = row.replace('/?', '').replace(':name', 'some-name').replace(':rest', 'auth/cloud');
    for (const verb of ['GET', 'LIST', 'DELETE']) {
      await server.call(verb, `${path}?${secret}=${secret}`, { token: rootToken });
    }
    const named = row.replace('/?', '').replace(/:(?:name|rest)/, secret);
    for (const verb of ['GET', 'LIST', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
      for (const each of [named, `${path}/${secret}`, `${path}/${secret}/a`, `${secret}/${path}`]) {
        await server.call(verb, each, { token: rootToken, ...(verb === 'PUT' && { body: {} }) });
        await server.call(verb, each, { token: secret, ...(verb === 'PUT' && { body: {} }) });
      }
    }
    for (const name of headerNames) {
      await server.call('PUT', path, { token: rootToken, body: {}, headers: { [name]: secret } });
    }
    const token = path.endsWith('/login') ? null : rootToken;
    requests += bodies.length;
    await Promise.all(bodies.map((body) => server.call('PUT', path, { token, body })));
  }
  expect(requests).toBeGreaterThan(1_000);
  const logged = server.logger.lines.map((line) => JSON.stringify(line));
  await server.close();
  const leaking = [...audited.split('\n'), ...logged].filter((line) => line.includes(secret.slice(2)));
  expect(leaking.slice(0, 5)).toEqual([]);
}, 60_000);
