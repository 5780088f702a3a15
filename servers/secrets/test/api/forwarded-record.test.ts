import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../src/api/endpoint-result.js';
import { createForwardedRecord, type RecordForwarded } from '../../src/api/forwarded-record.js';
import { createLogQuota } from '../../src/api/log-quota.js';
import type { ApiRequest } from '../../src/api/request.js';
import { openAuditLog } from '../../src/audit/audit-log.js';
import { SecretsError } from '../../src/base/errors.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { createFakeClock } from '../support/fake-clock.js';

const request: ApiRequest = {
  id: 'the-id',
  operation: 'read',
  path: 'auth/token/lookup/s.abcdefghijklmnopqrst',
  token: 's.the-token',
  peer: '10.1.2.3',
  query: new Map(),
  signal: new AbortController().signal,
  readBody: () => Promise.reject(new Error('nobody reads it here')),
};
const ok: ApiResponse = { status: 200, body: { data: { secret: 'yes' } } };
const denied: ApiResponse = { status: 403, body: { errors: ['permission denied'] } };

describe('the record of what a server passes on', () => {
  let lines: string[];
  let fails: (count: number) => boolean;

  function start(isSpent = false): RecordForwarded {
    lines = [];
    fails = () => false;
    const anonymousQuota = createLogQuota({ clock: createFakeClock(), report: () => undefined });
    while (isSpent && anonymousQuota.take(50_000));
    const sink = {
      async write(text: string): Promise<void> {
        if (fails(lines.length)) throw new SecretsError('audit-failed', 'no');
        lines.push(...text.trimEnd().split('\n'));
      },
      reopen: async () => undefined,
      space: async () => null,
      close: async () => undefined,
    };
    const log = openAuditLog({ storage: createMemoryStorage(), sink, now: () => 0, randomBytes });
    return createForwardedRecord({ audit: () => log, anonymousQuota });
  }

  const parsed = (): readonly { type: string; request: object; response?: object; error?: string }[] =>
    lines.map((line) => JSON.parse(line) as { type: string; request: object });

  it('has a line before and one after, under the id of the request, without what is secret', async () => {
    const record = start();
    let before = 0;
    const response = await record(request, async () => {
      before = lines.length;
      return ok;
    });
    expect([response, before]).toEqual([ok, 1]);
    const reported = { id: 'the-id', operation: 'read', remote_address: '10.1.2.3' };
    expect(parsed()).toMatchObject([
      { type: 'request', request: reported },
      { type: 'response', request: reported, response: { status: 200 } },
    ]);
    expect(lines.join('')).not.toMatch(/the-token|abcdefghij|"yes"/);
  });

  it('has the failure of who was lost, which goes on', async () => {
    const lost = new SecretsError('standby', 'lost on the way');
    await expect(start()(request, () => Promise.reject(lost))).rejects.toBe(lost);
    expect(parsed()[1]).toMatchObject({ response: { status: 503 }, error: 'lost on the way' });
  });

  it('passes nothing on that it cannot record', async () => {
    const record = start();
    fails = () => true;
    let requests = 0;
    const pass = async (): Promise<ApiResponse> => {
      requests += 1;
      return ok;
    };
    await expect(record(request, pass)).rejects.toMatchObject({ code: 'audit-failed' });
    expect(requests).toBe(0);
  });

  it('returns no response that it cannot record, and reports that there was one', async () => {
    const record = start();
    fails = (count) => count === 1;
    await expect(record(request, async () => ok)).rejects.toThrow('but this server could not record it');
  });

  it('omits only refusals when unauthenticated clients have used up the quota', async () => {
    const record = start(true);
    expect(await record(request, async () => denied)).toEqual(denied);
    expect(lines).toEqual([]);
    await record(request, async () => ok);
    expect(parsed().map(({ type }) => type)).toEqual(['request', 'response']);
  });

  it('ends without a response if this server has become the active one meanwhile', async () => {
    expect(await start()(request, async () => null)).toBeNull();
    expect(lines).toHaveLength(1);
  });
});
