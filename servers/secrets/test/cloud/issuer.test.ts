import { exportJWK } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { CloudError } from '../../src/cloud/cloud-error.js';
import type { CloudResponse, CloudRequest } from '../../src/cloud/cloud-request.js';
import { createIssuer, type Issuer } from '../../src/cloud/issuer.js';
import { createFakeClock, type FakeClock } from '../support/fake-clock.js';
import { signingKey } from '../support/fake-issuer.js';

const signal = (): AbortSignal => new AbortController().signal;
const keyAddress = 'https://issuer.example/keys';
let clock: FakeClock;
let issuer: Issuer;
/** The body of the key set, if it is not that of `answers`. */
let nested: string | null = null;
let requests: string[];
/** The promise that every response waits for. */
let silence: Promise<void>;
let responses: Map<string, { readonly status: number; readonly body: unknown }>;

beforeEach(async () => {
  clock = createFakeClock();
  requests = [];
  nested = null;
  silence = Promise.resolve();
  const jwk = await exportJWK(signingKey(0).publicKey);
  responses = new Map([
    [
      'the discovery document',
      { status: 200, body: { issuer: 'https://issuer.example/', jwks_uri: keyAddress } },
    ],
    ['the key set', { status: 200, body: { keys: [jwk] } }],
  ]);
  const send = async (request: CloudRequest): Promise<CloudResponse> => {
    requests.push(request.name);
    await silence;
    const { status, body } = responses.get(request.name)!;
    const text = request.name === 'the key set' ? (nested ?? JSON.stringify(body)) : JSON.stringify(body);
    return { status, retryAfter: null, text };
  };
  issuer = createIssuer({ send, clock, authority: 'https://login.example/', tenant: 't', cooldown: 30_000 });
});

const count = (name: string): number => requests.filter((other) => other === name).length;

describe('an issuer', () => {
  it('is queried once for concurrent callers, and again when the cache expires', async () => {
    await Promise.all(Array.from({ length: 20 }, () => issuer.keySet(signal())));
    expect(requests).toEqual(['the discovery document', 'the key set']);
    clock.advance(599_999);
    await issuer.keySet(signal());
    expect(requests).toHaveLength(2);
    clock.advance(1);
    await issuer.keySet(signal());
    expect(requests).toEqual(['the discovery document', 'the key set', 'the key set']);
    clock.advance(3_000_000);
    await issuer.discover(signal());
    expect(count('the discovery document')).toBe(2);
  });

  it('is queried again when the clock was set back', async () => {
    const known = await issuer.keySet(signal());
    clock.advance(-31_536_000_000);
    expect(await issuer.refreshKeySet(known, signal())).not.toBeNull();
    expect(count('the key set')).toBe(2);
    clock.advance(-31_536_000_000);
    await issuer.keySet(signal());
    expect(requests.slice(2)).toEqual([
      'the discovery document',
      'the key set',
      'the discovery document',
      'the key set',
    ]);
  });

  it('gives who holds old keys the newer ones that are there, also when the clock was set back', async () => {
    const old = await issuer.keySet(signal());
    clock.advance(-10_000);
    clock.advance(-600_000);
    const fresh = await issuer.keySet(signal());
    expect(fresh).not.toBe(old);
    expect(await issuer.refreshKeySet(old, signal())).toBe(fresh);
    expect(count('the key set')).toBe(2);
  });

  it('that says nothing at all holds up no login for long while there are keys', async () => {
    const known = await issuer.keySet(signal());
    clock.advance(600_000);
    let response = (): void => undefined;
    silence = new Promise<void>((resolve) => (response = resolve));
    const logins = [issuer.keySet(signal()), issuer.keySet(signal())];
    await clock.awaited(2_000);
    clock.advance(2_000);
    expect(await Promise.all(logins)).toEqual([known, known]);
    // What comes after all is for those who come then.
    response();
    expect(await issuer.keySet(signal())).not.toBe(known);
    expect(count('the key set')).toBe(2);
    expect(clock.pending).toBe(0);
  });

  it('rests no longer than it should when the clock was set back', async () => {
    const good = responses.get('the key set')!;
    responses.set('the key set', { status: 500, body: {} });
    for (let time = 0; time < 10; time += 1) await issuer.keySet(signal()).catch(() => undefined);
    const before = requests.length;
    await expect(issuer.keySet(signal())).rejects.toThrow('not queried for a while');
    expect(requests).toHaveLength(before);
    clock.advance(-31_536_000_000);
    responses.set('the key set', good);
    await expect(issuer.keySet(signal())).resolves.toBeDefined();
  });

  it('is not queried again within the cooldown, and once after it', async () => {
    const known = await issuer.keySet(signal());
    clock.advance(29_999);
    expect(await issuer.refreshKeySet(known, signal())).toBeNull();
    clock.advance(1);
    const fresh = await Promise.all(Array.from({ length: 20 }, () => issuer.refreshKeySet(known, signal())));
    expect(new Set(fresh).size).toBe(1);
    expect(count('the key set')).toBe(2);
    // Who still holds the old set gets the new one without another request.
    expect(await issuer.refreshKeySet(known, signal())).toBe(fresh[0]);
    expect(count('the key set')).toBe(2);
  });

  it('that is down for a while does not end logins, but its keys do not live for ever', async () => {
    const known = await issuer.keySet(signal());
    responses.set('the key set', { status: 500, body: {} });
    clock.advance(3_599_999);
    expect(await issuer.keySet(signal())).toBe(known);
    clock.advance(1);
    await expect(issuer.keySet(signal())).rejects.toThrow(CloudError);
  });

  it('is left alone for longer and longer while it is down', async () => {
    responses.set('the discovery document', { status: 500, body: {} });
    const fail = async (times: number): Promise<number> => {
      const before = requests.length;
      for (let time = 0; time < times; time += 1) await issuer.discover(signal()).catch(() => undefined);
      return requests.length - before;
    };
    expect(await fail(20)).toBe(5);
    for (const rest of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      clock.advance(rest - 1);
      expect(await fail(5)).toBe(0);
      clock.advance(1);
      expect(await fail(5)).toBe(1);
    }
    clock.advance(30_000);
    responses.set('the discovery document', { status: 200, body: { issuer: 'i', jwks_uri: keyAddress } });
    await issuer.discover(signal());
    expect(await fail(1)).toBe(0);
  });

  it.each([
    [{ keys: 'none' }],
    [{}],
    [{ keys: [1] }],
    [{ keys: [{}] }],
    [{ keys: Array.from({ length: 101 }, () => ({ kty: 'RSA' })) }],
    [[]],
  ])('may not have the key set %j', async (body) => {
    responses.set('the key set', { status: 200, body });
    await expect(issuer.keySet(signal())).rejects.toMatchObject({ code: 'malformed' });
  });

  it('reads a key set whose keys have deeply nested members', async () => {
    const { keys } = responses.get('the key set')!.body as { readonly keys: readonly object[] };
    nested = `{"keys":[${JSON.stringify(keys[0])},{"kty":"RSA","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`;
    await expect(issuer.keySet(signal())).resolves.toMatchObject({ fetchedAt: clock.now() });
  });

  it.each([
    [{}],
    [{ issuer: '', jwks_uri: keyAddress }],
    [{ issuer: 'i' }],
    [{ issuer: 'i', jwks_uri: 'keys' }],
    [{ issuer: 'i', jwks_uri: 'http://issuer.example/keys' }],
    [{ issuer: 'i', jwks_uri: 'file:///etc/passwd' }],
  ])('may not have the discovery document %j', async (body) => {
    responses.set('the discovery document', { status: 200, body });
    await expect(issuer.discover(signal())).rejects.toMatchObject({ code: 'malformed' });
  });

  it('continues to serve other callers when one leaves', async () => {
    const caller = new AbortController();
    const left = issuer.discover(caller.signal);
    const stayed = issuer.discover(signal());
    caller.abort();
    await expect(left).rejects.toThrow('given up');
    expect((await stayed).issuer).toBe('https://issuer.example/');
    expect(count('the discovery document')).toBe(1);
  });
});
