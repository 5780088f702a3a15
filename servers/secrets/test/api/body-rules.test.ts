import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { maxBodyLength } from '../../src/api/endpoint-table.js';
import { createCloudMethod } from '../../src/auth/cloud/cloud-method.js';
import { cloudMount } from '../../src/auth/cloud/method-type.js';
import { maxForwardedLength } from '../../src/http/peer-link.js';
import { createPolicyStore } from '../../src/policies/policy-store.js';
import { createBodyRules } from '../../src/server/body-rules.js';
import { apiTables } from '../../src/server/services.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { openTokenStore } from '../../src/tokens/token-store.js';
import { createFakeClock } from '../support/fake-clock.js';
import { idleOperator } from '../support/idle-operator.js';
import { createMemoryLogger, startServer } from '../support/secrets-server.js';

it('body rules say of every route what its endpoint says', async () => {
  const clock = createFakeClock();
  const storage = createMemoryStorage();
  const lease = { defaultTtl: 60, maxTtl: 60 };
  const method = createCloudMethod({
    storage,
    clock,
    fetch: () => Promise.reject(new Error('no request is expected')),
    environment: {},
    logger: createMemoryLogger(),
    random: () => 0,
    uuid: () => 'id',
  });
  const mounts = ['cloud', 'team/cloud'].map((path) => ({ ...cloudMount(undefined, { path }), method }));
  const tables = apiTables({
    mounts,
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
  const ruleOf = createBodyRules(mounts);
  let writes = 0;
  for (const { prefix, rows } of tables) {
    for (const { path, operations } of rows) {
      const { write } = operations;
      if (write === undefined) continue;
      writes += 1;
      const full = prefix + path.replace('/?', '').replace(':name', 'some').replace(':rest', 'some/more');
      const expected = { maxLength: write.maxBodyLength ?? maxBodyLength, isOpen: write.capability === null };
      expect([full, ruleOf(full)]).toEqual([full, expected]);
      // The rest is the head: path, token and parameters.
      expect(expected.maxLength).toBeLessThan(maxForwardedLength - 131_072);
    }
  }
  expect(writes).toBeGreaterThan(20);
  expect(ruleOf('auth/cloud/login').isOpen && ruleOf('auth/team/cloud/login').isOpen).toBe(true);
  expect(ruleOf('no/such/path')).toEqual({ maxLength: maxBodyLength, isOpen: false });
  await method.close();
});

it.each(['sys/init', 'sys/unseal', 'sys/generate-root/attempt', 'sys/generate-root/update'])(
  'body rules know that %s takes 4,096 bytes without a token',
  async (path) => {
    expect(createBodyRules([])(path)).toEqual({ maxLength: 4_096, isOpen: true });
    const server = await startServer();
    const sent = await server.call('PUT', path, { token: null, body: { note: 'x'.repeat(5_000) } });
    expect([sent.status, sent.body.errors]).toEqual([413, ['the body is larger than 4096 bytes']]);
    await server.close();
  },
);
