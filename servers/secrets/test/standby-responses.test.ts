import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiRequest, Fields } from '../src/api/request.js';
import { createLogQuota, createRefusalQuota } from '../src/api/log-quota.js';
import { openAuditLog } from '../src/audit/audit-log.js';
import { createPolicyStore, type PolicyStore } from '../src/policies/policy-store.js';
import { TamperedEntryError } from '../src/seal/encrypted-storage.js';
import type { OpenSeal } from '../src/seal/seal.js';
import { createStandbyHandler, type StandbyHandler } from '../src/server/standby-responses.js';
import { createMemoryStorage } from '../src/storage/memory.js';
import type { Storage } from '../src/storage/storage.js';
import { openTokenStore } from '../src/tokens/token-store.js';
import { createFakeClock } from './support/fake-clock.js';
import { createMemoryLogger } from './support/secrets-server.js';

const self = 'auth/token/lookup-self';
const noBody = async (): Promise<Fields> => ({});

describe('the responses of a standby to a batch token', () => {
  let storage: Storage;
  let policies: PolicyStore;
  let token: string;
  let response: StandbyHandler;
  let unreadable: string;
  let time: number | null;

  beforeEach(async () => {
    const clock = createFakeClock();
    storage = createMemoryStorage();
    policies = createPolicyStore(storage);
    unreadable = '';
    time = clock.now();
    const tokens = await openTokenStore({
      ...{ storage, clock, randomBytes, maxTokensOf: () => 0 },
      limits: { defaultTtl: 3_600, maxTtl: 3_600 },
      requireSpace: async () => undefined,
      currentTerms: async () => null,
    });
    const none = { ttl: 0, maxTtl: 0, explicitMaxTtl: 0, period: 0, numUses: 0, boundCidrs: [] };
    const { token: made } = await tokens.create({
      terms: { ...none, policies: ['own'], noDefaultPolicy: true, type: 'batch' },
      ...{ policies: ['own'], metadata: {}, displayName: 'token', path: 'auth/token/create', role: '' },
      ...{ identity: '', parent: null, renewable: false, id: null },
    });
    token = made.id;
    await allow('"read", "update"');
    const sealed: Storage = {
      ...storage,
      async get(path) {
        if (path === unreadable) throw new TamperedEntryError(`Entry ${path} names a key that is not there`);
        return storage.get(path);
      },
    };
    const audit = await openAuditLog({ storage, sink: null, now: () => 0, randomBytes });
    response = createStandbyHandler({
      opened: () => ({ storage: sealed }) as unknown as OpenSeal,
      ...{ refresh: async () => undefined, audit: async () => audit, now: () => time },
      anonymousQuota: createLogQuota({ clock, report: () => undefined }),
      refusalQuota: createRefusalQuota({ clock: createFakeClock(), report: () => undefined }),
      ...{ logger: createMemoryLogger(), anonymousLogger: createMemoryLogger() },
    });
  });

  const allow = (capabilities: string): Promise<unknown> =>
    policies.write('own', `path "${self}" { capabilities = [${capabilities}] }`);

  async function send(operation: ApiRequest['operation'], readBody = noBody): Promise<number | null> {
    const { signal } = new AbortController();
    const request = { id: 'an-id', path: self, token, peer: '127.0.0.1', query: new Map(), signal };
    return (await response({ ...request, operation, readBody }))?.status ?? null;
  }

  it('is what the active server would, for reads and writes', async () => {
    expect([await send('read'), await send('write')]).toEqual([200, 200]);
    await allow('"deny"');
    expect([await send('read'), await send('write')]).toEqual([403, 403]);
  });

  it.each(['sys/policy/own', 'sys/token/salt', 'sys/token/batch-key'])(
    'is nothing while %s is written with a key that it does not have yet',
    async (path) => {
      unreadable = path;
      expect([await send('read'), await send('write')]).toEqual([null, null]);
    },
  );

  it('is nothing while the time of the active server is not known', async () => {
    time = null;
    expect(await send('read')).toBe(null);
  });

  it('goes by the policies of when the body is whole', async () => {
    const withdrawn = async (): Promise<Fields> => {
      await allow('"deny"');
      return {};
    };
    expect(await send('write', withdrawn)).toBe(403);
  });
});
