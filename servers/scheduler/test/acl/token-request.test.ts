import { describe, expect, it } from 'vitest';
import {
  checkTokenLifetime,
  formatTime,
  readTokenRequest,
  type TokenRequest,
} from '../../src/services/acl/token-request.js';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const client = { Type: 'client', Policies: ['readers'] };

describe('the requirements for a new token', () => {
  it('is checked and completed', () => {
    expect(readTokenRequest({ ...client, Name: 'ci' }, now)).toEqual({
      name: 'ci',
      type: 'client',
      policies: ['readers'],
      global: false,
      expirationTime: null,
      expirationTtl: '',
    });
  });

  it.each<[ttl: unknown, time: string | null, text: string]>([
    ['1h', '2026-01-02T04:04:05Z', '1h0m0s'],
    ['90m', '2026-01-02T04:34:05Z', '1h30m0s'],
    ['90s', '2026-01-02T03:05:35Z', '1m30s'],
    ['2.5s', '2026-01-02T03:04:07.5Z', '2.5s'],
    [60_000_000_000, '2026-01-02T03:05:05Z', '1m0s'],
    ['', null, ''],
    [0, null, ''],
  ])('lives for %s', (ExpirationTTL, expirationTime, expirationTtl) => {
    expect(readTokenRequest({ ...client, ExpirationTTL }, now)).toMatchObject({
      expirationTime,
      expirationTtl,
    });
  });

  it('lives until a time', () => {
    expect(
      readTokenRequest({ ...client, ExpirationTime: '2026-01-02T05:04:05+02:00' }, now - 1),
    ).toMatchObject({
      expirationTime: formatTime(now),
      expirationTtl: '',
    });
  });

  it.each<[what: string, request: TokenRequest, refusal: string]>([
    ['no type', {}, 'token type must be client or management, found ""'],
    ['another type', { Type: 'root' }, 'token type must be client or management, found "root"'],
    ['no policies', { Type: 'client' }, 'client token missing policies'],
    ['policies of management', { ...client, Type: 'management' }, 'management token cannot be associated'],
    ['an odd policy', { ...client, Policies: ['a b'] }, 'invalid policy name "a b"'],
    ['too many policies', { ...client, Policies: Array<string>(65).fill('a') }, 'more than 64 policies'],
    ['roles', { ...client, Roles: [{ Name: 'ops' }] }, 'roles are not supported'],
    ['a long name', { ...client, Name: 'x'.repeat(257) }, 'token name longer than 256'],
    ['the past', { ...client, ExpirationTime: '2020-01-01T00:00:00Z' }, 'must be in the future'],
    ['this moment', { ...client, ExpirationTime: formatTime(now) }, 'must be in the future'],
    ['less than nothing', { ...client, ExpirationTTL: '-1h' }, 'must be in the future'],
    ['no month 13', { ...client, ExpirationTime: '2030-13-01T00:00:00Z' }, 'must be in the future'],
    ['no duration', { ...client, ExpirationTTL: 'soon' }, 'expected a duration'],
    ['a list', { ...client, ExpirationTTL: ['1h'] }, 'expected a duration'],
    ['half a nanosecond', { ...client, ExpirationTTL: 0.5 }, 'expected a duration'],
    [
      'both',
      { ...client, ExpirationTTL: '1h', ExpirationTime: '2030-01-01T00:00:00Z' },
      'cannot both be given',
    ],
  ])('refuses %s', (_what, request, refusal) => {
    expect(() => readTokenRequest(request, now)).toThrow(
      expect.objectContaining({
        code: 'bad-request',
        message: expect.stringContaining(refusal) as string,
      }) as Error,
    );
  });
});

describe('the life of a new token', () => {
  const lifetime = { min: 60_000, max: 86_400_000 };
  const check = (life: number | null): void => {
    const expirationTime = life === null ? null : formatTime(now + life);
    checkTokenLifetime({ expirationTime }, now, lifetime);
  };

  it.each([null, 60_000, 61_000, 86_400_000])('may be %s milliseconds', (life) => {
    expect(() => check(life)).not.toThrow();
  });

  it.each<[life: number, refusal: string]>([
    [2_000, 'expiration time cannot be less than 1m0s in the future (was 2s)'],
    [59_999, 'expiration time cannot be less than 1m0s in the future (was 59.999s)'],
    [86_400_001, 'expiration time cannot be more than 24h0m0s in the future (was 24h0m0.001s)'],
  ])('may not be %i milliseconds', (life, refusal) => {
    expect(() => check(life)).toThrow(
      expect.objectContaining({ code: 'bad-request', message: `token invalid: ${refusal}` }) as Error,
    );
  });
});
