import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildUrl, get, withBearer } from '../../src/cloud/cloud-request.js';
import { createEndpoints, EndpointError, environmentNames } from '../../src/cloud/endpoints.js';
import type { EnvironmentEndpoints } from '../../src/cloud/endpoints.js';
import { loopbackFetch } from '../support/loopback-fetch.js';

const whole = {
  authority: 'https://a.example',
  resourceManager: 'https://b.example/x',
  graph: 'https://c.example',
};

describe('endpoints', () => {
  it('are known for every environment but the one that was closed', () => {
    const endpoints = createEndpoints();
    for (const name of environmentNames) {
      const found = endpoints.find(name.toUpperCase());
      expect(found === 'no-endpoints').toBe(name === 'CloudGermanCloud');
      expect(found).not.toBeNull();
    }
    expect(endpoints.find('CloudMoonCloud')).toBeNull();
    expect(endpoints.find('constructor')).toBeNull();
    expect(endpoints.metadata).toBe('http://169.254.169.254');
  });

  it('can be changed one by one, and given whole', () => {
    const graph = 'http://127.0.0.1:9';
    const environments = new Map<string, Partial<EnvironmentEndpoints>>([
      ['cloudpubliccloud', { graph }],
      ['CloudGermanCloud', whole],
    ]);
    const endpoints = createEndpoints({ environments, metadata: 'http://[::1]:9' });
    expect(endpoints.find('CloudPublicCloud')).toMatchObject({
      graph,
      authority: 'https://login.microsoftonline.com',
    });
    expect(endpoints.find('CloudGermanCloud')).toEqual({
      ...whole,
      resourceManagerAudience: whole.resourceManager,
    });
  });

  it.each([
    ['CloudMoonCloud', whole],
    ['CloudGermanCloud', { graph: 'https://c.example' }],
    ['CloudPublicCloud', { graph: 'nonsense' }],
    ['CloudPublicCloud', { graph: 'http://c.example' }],
    ['CloudPublicCloud', { authority: 'http://127.0.0.1.example' }],
    ['CloudPublicCloud', { resourceManager: 'ftp://127.0.0.1' }],
    ['CloudPublicCloud', { graph: 'https://user:word@c.example' }],
    ['CloudPublicCloud', { graph: 'https://c.example?x=1' }],
  ])('of %s cannot be %j', (name, changed) => {
    expect(() => createEndpoints({ environments: new Map([[name, changed]]) })).toThrow(EndpointError);
  });

  it('of the metadata service cannot be on another host in plain text', () => {
    expect(() => createEndpoints({ metadata: 'http://10.0.0.1' })).toThrow(EndpointError);
  });
});

describe('an address', () => {
  it('is made of whole segments below its base', () => {
    expect(buildUrl('https://a.example/base/', ['x', 'y z'], { 'api-version': '1&2' }).href).toBe(
      'https://a.example/base/x/y%20z?api-version=1%262',
    );
  });

  it('stays below its base whatever the segments hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (segments) => {
        fc.pre(segments.every((segment) => segment !== '.' && segment !== '..'));
        const url = buildUrl('https://a.example/base', segments);
        expect(url.origin).toBe('https://a.example');
        expect(url.search + url.hash).toBe('');
        expect(url.pathname.split('/').slice(2).map(decodeURIComponent)).toEqual(segments);
      }),
    );
  });

  it.each([[['..']], [['.', 'x']], [['x', '']]])('is not made of %j', (segments) => {
    expect(() => buildUrl('https://a.example', segments)).toThrow('is empty or invalid');
  });

  it('gets the access token only at its own origin', () => {
    const request = get('the thing', new URL('https://a.example/x'));
    expect(withBearer(request, 't', 'https://a.example/base').headers).toMatchObject({
      authorization: 'Bearer t',
    });
    for (const origin of ['https://b.example', 'http://a.example', 'https://a.example:444']) {
      expect(() => withBearer(request, 't', origin)).toThrow('another host');
    }
  });
});

describe('the tests themselves', () => {
  it.each([
    'https://login.microsoftonline.com/',
    'http://10.0.0.1/',
    'http://127.0.0.1.example/',
    'http://[::2]/',
  ])('cannot reach %s', (address) => {
    expect(() => loopbackFetch(address)).toThrow('is not on this machine');
  });
});
