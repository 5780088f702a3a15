import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRouter, endpointOf } from '../../src/api/endpoint-table.js';
import type { ApiRequest } from '../../src/api/request.js';
import { statusRows } from '../../src/routes/status-routes.js';
import { openAuditLog } from '../../src/audit/audit-log.js';
import { openTokenStore } from '../../src/tokens/token-store.js';
import { createMemoryLogger } from '../support/secrets-server.js';
import { deriveNameKeys, forgetNameKeys } from '../../src/seal/hidden-names.js';
import { createSeal } from '../../src/seal/seal.js';
import { createMemoryStorage } from '../../src/storage/memory.js';

const isErased = (bytes: Buffer | undefined): boolean =>
  bytes !== undefined && bytes.length === 32 && bytes.every((byte) => byte === 0);

function write(path: string, body: Readonly<Record<string, unknown>>): ApiRequest {
  return {
    id: 'request',
    operation: 'write',
    path,
    token: null,
    peer: '127.0.0.1',
    query: new Map(),
    signal: new AbortController().signal,
    readBody: () => Promise.resolve(body),
  };
}

describe('keys that are not needed any more', () => {
  it('are erased: the data key once it is wrapped', async () => {
    const made: Buffer[] = [];
    const recorded = (length: number): Buffer => {
      const bytes = randomBytes(length);
      made.push(bytes);
      return bytes;
    };
    const seal = createSeal(createMemoryStorage(), recorded, () => 0);
    const unsealKey = await seal.initialize(async () => undefined);
    const [first, dataKey] = made;
    expect([first === unsealKey, isErased(unsealKey), isErased(dataKey)]).toEqual([true, false, true]);
  });

  it('are erased: the unseal key once it is returned, and once it is used', async () => {
    const reported = randomBytes(32);
    const hex = reported.toString('hex');
    const used: Buffer[] = [];
    const seen: string[] = [];
    const rows = statusRows({
      state: {
        isInitialized: () => Promise.resolve(true),
        isSealed: () => false,
        active: () => null,
        isPerformanceStandby: () => false,
        warnings: () => [],
        clockAhead: () => null,
        initialize: () => Promise.resolve({ unsealKey: reported, rootToken: 'root' }),
        makeRootToken: async () => '',
        async unseal(key) {
          used.push(key);
          seen.push(key.toString('hex'));
        },
      },
      peer: null,
      version: '1.9.0',
      now: () => 0,
      writeHealth: [],
      randomBytes,
      auditSink: null,
      anonymousQuota: {
        take: () => true,
        isSpent: () => false,
        leaveOut: () => undefined,
        giveBack: () => undefined,
      },
      logger: createMemoryLogger(),
      anonymousLogger: createMemoryLogger(),
    });
    const router = createRouter([{ prefix: 'sys/', rows }]);
    const put = async (path: string, body: Readonly<Record<string, unknown>>): Promise<unknown> =>
      endpointOf(router(path)!, 'write').handle({
        request: write(path, body),
        body: {},
        name: '',
        caller: null,
      });
    expect(await put('sys/init', {})).toMatchObject({ body: { keys: [hex] } });
    await put('sys/unseal', { key: hex });
    expect([isErased(reported), seen, isErased(used[0])]).toEqual([true, [hex], true]);
  });

  it('are erased: those of hidden names and of other servers', async () => {
    const nameKey = randomBytes(32);
    const keys = deriveNameKeys(nameKey);
    expect(isErased(nameKey)).toBe(true);
    forgetNameKeys(keys);
    expect(Object.values(keys).map(isErased)).toEqual([true, true, true]);
    const seal = createSeal(createMemoryStorage(), randomBytes, () => 0, true);
    const { peerKey, forget } = await seal.open(await seal.initialize(async () => undefined));
    const key = peerKey ?? undefined;
    expect([key?.length, isErased(key)]).toEqual([32, false]);
    forget();
    expect(isErased(key)).toBe(true);
  });

  it('are erased: those of tokens and of the audit log, also when they come from the store', async () => {
    const stored = createMemoryStorage();
    const given: Buffer[] = [];
    const storage = {
      ...stored,
      async get(path: string) {
        const value = await stored.get(path);
        if (value === null || value.length !== 32) return value;
        const copy = Buffer.from(value);
        given.push(copy);
        return copy;
      },
    };
    const made: Buffer[] = [];
    const recorded = (length: number): Buffer => {
      const bytes = randomBytes(length);
      made.push(bytes);
      return bytes;
    };
    for (const keys of [made, given]) {
      const tokens = await openTokenStore({
        storage,
        clock: { now: () => 0 },
        randomBytes: recorded,
        limits: { defaultTtl: 60, maxTtl: 60 },
        maxTokensOf: () => 0,
        requireSpace: async () => undefined,
        currentTerms: async () => null,
      });
      const audit = await openAuditLog({ storage, sink: null, now: () => 0, randomBytes: recorded });
      expect(keys.map(isErased)).toEqual([false, false, false]);
      tokens.forget();
      audit.forget();
      expect(keys.map(isErased)).toEqual([true, true, true]);
    }
  });
});
