import { beforeEach, describe, expect, it } from 'vitest';
import { createAccessTokens, type AccessTokens } from '../../src/cloud/access-token.js';
import type { CloudResponse } from '../../src/cloud/cloud-request.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';

const { signal } = new AbortController();
let clock: FakeClock;
let tokens: AccessTokens;
let requests: number;
let status: number;

beforeEach(() => {
  clock = createFakeClock();
  requests = 0;
  status = 200;
  tokens = createAccessTokens({
    clock,
    authority: 'https://login.example/',
    tenant: 't',
    metadata: 'http://169.254.169.254',
    credentials: { kind: 'client-secret', clientId: 'id', clientSecret: 'secret' },
    async send(): Promise<CloudResponse> {
      requests += 1;
      return {
        status,
        retryAfter: null,
        text: JSON.stringify({ access_token: `token-${requests}`, expires_in: 3_600 }),
      };
    },
  });
});

/** One after another: concurrent requests would share a response whether it is cached or not. */
describe('an access token', () => {
  it('is cached until five minutes before it ends', async () => {
    for (const wait of [0, 1_000, 3_298_000]) {
      clock.advance(wait);
      expect(await tokens.token('a', signal)).toBe('token-1');
    }
    expect(requests).toBe(1);
    clock.advance(1_000);
    expect(await tokens.token('a', signal)).toBe('token-2');
    expect(await tokens.token('a', signal)).toBe('token-2');
    expect(requests).toBe(2);
  });

  it('is requested again when the clock was set back', async () => {
    expect(await tokens.token('a', signal)).toBe('token-1');
    clock.advance(-31_536_000_000);
    expect(await tokens.token('a', signal)).toBe('token-2');
    expect(await tokens.token('a', signal)).toBe('token-2');
  });

  it('is kept for its audience alone', async () => {
    expect(await tokens.token('a', signal)).toBe('token-1');
    expect(await tokens.token('b', signal)).toBe('token-2');
    expect(await tokens.token('a', signal)).toBe('token-1');
    expect(requests).toBe(2);
  });

  it('that its service has refused is forgotten, but not the one that came after it', async () => {
    expect(await tokens.token('a', signal)).toBe('token-1');
    tokens.drop('a', 'token-1');
    expect(await tokens.token('a', signal)).toBe('token-2');
    tokens.drop('a', 'token-1');
    expect(await tokens.token('a', signal)).toBe('token-2');
  });

  it('is requested again after a failure', async () => {
    status = 500;
    await expect(tokens.token('a', signal)).rejects.toThrow();
    status = 200;
    expect(await tokens.token('a', signal)).toBe('token-2');
  });
});
