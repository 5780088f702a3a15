import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createCloudMethod } from '../../src/auth/cloud/cloud-method.js';
import { foldName } from '../../src/base/fold.js';
import { capabilitiesOn } from '../../src/policies/access.js';
import type { PolicyRule } from '../../src/policies/policy.js';
import { createFakeClock } from '../support/fake-clock.js';
import { createMemoryLogger, startServer, type TestServer } from '../support/secrets-server.js';

/** Segments in spellings that some reader takes for one: case, the Kelvin sign, the long s, composed and not. */
const aliases: readonly (readonly string[])[] = [
  ['prod', 'PROD', 'Prod', 'pRoD', 'ｐrod'],
  ['backup', 'BACKUP', 'bac\u212aup', 'bacKup'],
  ['staging', 'STAGING', '\u017ftaging'],
  ['strasse', 'STRASSE', 'straße', 'straẞe'],
  ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9', 'CAFE\u0301'],
  ['\u0130stanbul', 'I\u0307stanbul', 'i\u0307stanbul'],
  ['οδος', 'ΟΔΟΣ', 'οδοσ'],
  ['role', 'Role', 'ROLE'],
  ['sys', 'SYS'],
];
const names = aliases.map(([name = '']) => name);
const variantOf = (name: string): readonly string[] => aliases.find(([first]) => first === name) ?? [name];

const pathOf = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
const pattern = fc
  .tuple(
    fc.array(fc.constantFrom(...names, '+'), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '*', '/*'),
  )
  .map(([segments, end]) => `${segments.join('/')}${end}`.replace('+*', '+/*'));
const spelt = (path: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(...path.map((name) => fc.constantFrom(...variantOf(name)))).map((parts) => parts.join('/'));
const capability = fc.constantFrom('read', 'update', 'deny' as const);
const rules = fc.array(
  fc.record({ pattern, capabilities: fc.array(capability, { minLength: 1, maxLength: 2 }) }),
  {
    maxLength: 6,
  },
);

describe('the spelling of a path', () => {
  it('makes no difference to what policies say', () => {
    const cases = pathOf.chain((path) => fc.tuple(fc.constant(path.join('/')), spelt(path), rules));
    fc.assert(
      fc.property(cases, ([plain, variant, some]) => {
        expect(capabilitiesOn(variant, some)).toEqual(capabilitiesOn(plain, some));
        expect(capabilitiesOn(variant.split('/').map(foldName).join('/'), some)).toEqual(
          capabilitiesOn(variant, some),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('makes no difference in the patterns either', () => {
    const cases = pathOf.chain((path) =>
      fc.tuple(fc.constant(path.join('/')), spelt(path), fc.constantFrom('', '*', '/*')),
    );
    fc.assert(
      fc.property(cases, ([path, variant, end]) => {
        const allow: PolicyRule = { pattern: '*', capabilities: ['read'] };
        const denyAs = (text: string): readonly string[] =>
          capabilitiesOn(end === '/*' ? `${path}/x` : path, [
            allow,
            { pattern: text + end, capabilities: ['deny'] },
          ]);
        expect(denyAs(variant)).toEqual(denyAs(path));
        expect(denyAs(variant)).toEqual(['deny']);
      }),
      { numRuns: 1_000 },
    );
  });

  it('counts where a path holds a token or an accessor', () => {
    const deny: readonly PolicyRule[] = [
      { pattern: '*', capabilities: ['read'] },
      { pattern: 'auth/token/lookup/s.AbC', capabilities: ['deny'] },
    ];
    expect(capabilitiesOn('auth/token/lookup/s.AbC', deny)).toEqual(['deny']);
    expect(capabilitiesOn('AUTH/Token/lookup/s.AbC', deny)).toEqual(['deny']);
    expect(capabilitiesOn('auth/token/lookup/s.abc', deny)).toEqual(['read']);
  });
});

describe('a name that is denied', () => {
  let server: TestServer;
  afterEach(() => server.close());

  /** Sends a path as it is written: a client would tidy it up. */
  function raw(
    method: string,
    path: string,
    token: string,
    body?: string,
  ): Promise<{ status: number; text: string }> {
    const { hostname, port } = new URL(server.addresses[0]!);
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        { hostname, port, path: `/v1/${path}`, method, headers: { 'X-Secrets-Token': token } },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  it('is reached by none of its spellings, for any request', async () => {
    server = await startServer({
      createMethod: (storage) =>
        createCloudMethod({
          storage,
          clock: createFakeClock(),
          fetch: () => Promise.reject(new Error('nobody is asked')),
          environment: {},
          logger: createMemoryLogger(),
          random: Math.random,
          uuid: () => 'id',
        }),
    });
    const policy = (text: string, name: string): Promise<unknown> =>
      server.call('PUT', `sys/policies/acl/${name}`, { body: { policy: text } });
    const all = '["create", "read", "update", "delete", "list"]';
    await policy(
      `path "auth/cloud/role/*" { capabilities = ${all} }
       path "auth/cloud/role/BacKup" { capabilities = ["deny"] }
       path "sys/*" { capabilities = ${all} }
       path "sys/policies/acl/MASK" { capabilities = ["deny"] }
       path "sys/policies/acl/worker" { capabilities = ["deny"] }`,
      'worker',
    );
    await policy('path "secret-of-mask" { capabilities = ["read"] }', 'mask');
    await server.call('PUT', 'auth/cloud/role/backup', { body: { bound_locations: ['denied-place'] } });
    const made = await server.call('POST', 'auth/token/create', { body: { policies: ['worker'] } });
    const token = String(made.body.auth?.client_token);
    const variants = (prefix: string, name: string): readonly string[] =>
      [
        name,
        name.toUpperCase(),
        name.replace('k', 'K'),
        name.replace('k', '%4B'),
        name.replace('k', '%E2%84%AA'),
        name.replace('s', '%C5%BF'),
        `${name}/`,
        `/${name}`,
        `./${name}`,
        `x/../${name}`,
        `%2e%2e/role/${name}`,
        `${name}%00`,
        `${name}%2F`,
        `%2F${name}`,
        `${name}%20`,
        `${name}.`,
      ].flatMap((text) => [
        prefix + text,
        (prefix + text).toUpperCase(),
        prefix.replaceAll('/', '%2F') + text,
      ]);
    const paths = [
      ...variants('auth/cloud/role/', 'backup'),
      ...['mask', 'worker'].flatMap((name) => [
        ...variants('sys/policies/acl/', name),
        ...variants('sys/policy/', name),
      ]),
    ];
    for (const path of paths) {
      for (const method of ['GET', 'LIST', 'PUT', 'DELETE']) {
        const body =
          method === 'PUT'
            ? '{"policy":"path \\"*\\" { policy = \\"sudo\\" }","bound_locations":["changed"]}'
            : undefined;
        const { status, text } = await raw(method, path, token, body);
        expect([method, path, status >= 400]).toEqual([method, path, true]);
        expect(text).not.toMatch(/denied-place|secret-of-mask/);
      }
    }
    expect((await server.call('GET', 'auth/cloud/role/backup')).body.data).toMatchObject({
      bound_locations: ['denied-place'],
    });
    expect((await server.call('GET', 'sys/policies/acl/mask')).text).toContain('secret-of-mask');
    expect((await raw('GET', 'auth/cloud/role/other', token)).status).toBe(404);
    expect((await raw('PUT', 'sys/policy/Other', token, '{"rules":""}')).status).toBe(204);
    expect((await raw('GET', 'sys/policy/other', token)).text).toContain('"rules":""');
  });
});
