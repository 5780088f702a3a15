import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretsError } from '../../../src/base/errors.js';
import { createCloudFixture, type CloudFixture } from '../../support/cloud-fixture.js';
import { clientSecret, privilegedCalls, subscription } from '../../support/fake-cloud.js';
import { signByHand, signingKey } from '../../support/fake-issuer.js';
import { machines, principal, resourceId, scaleSets } from '../../support/fake-resources.js';

/** The two ways to be turned away that are the caller's own doing. */
const refused: ReadonlySet<unknown> = new Set(['bad-request', 'permission-denied']);
const marker = 'do-not-log-me';

let fixture: CloudFixture;

beforeAll(async () => {
  fixture = await createCloudFixture();
  await fixture.configure();
  await fixture.role({
    bound_service_principal_ids: [principal],
    bound_locations: ['eastus'],
    bound_subscription_ids: [subscription],
  });
  await fixture.logIn({ subscription_id: subscription, resource_group_name: 'rg1', vm_name: 'vm1' });
});
afterAll(() => fixture.close());

/** Logs in, and expects a refusal that blames the caller and repeats nothing. */
async function expectRefusal(body: Readonly<Record<string, unknown>>): Promise<void> {
  fixture.cloud.forgetCalls();
  const outcome: unknown = await fixture.call('write', 'login', body).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(SecretsError);
  const error = outcome as SecretsError;
  expect(refused).toContain(error.code);
  const reported = `${error.message} ${String(error.reason)} ${fixture.log.join('\n')}`;
  expect(reported).not.toContain(marker);
  expect(reported).not.toContain(clientSecret);
  if (typeof body.jwt === 'string' && body.jwt.length > 20) expect(reported).not.toContain(body.jwt);
}

const anything = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary' }).map((text) => marker + text) },
  fc.jsonValue(),
  fc.constantFrom(
    '',
    '..',
    '.',
    '*',
    '/',
    `\u0000`,
    'a/../b',
    'vm1',
    'rg1',
    subscription,
    '__proto__',
    marker,
  ),
  fc.array(fc.string()),
);
const names = [
  'role',
  'jwt',
  'subscription_id',
  'resource_group_name',
  'vm_name',
  'vmss_name',
  'resource_id',
];

describe('whatever is sent to login', () => {
  it('is refused as the mistake of its sender, and no body of any shape causes a call', async () => {
    const body = fc.dictionary(
      fc.oneof(fc.constantFrom(...names), fc.string(), fc.constant('__proto__')),
      anything,
    );
    await fc.assert(
      fc.asyncProperty(body, async (fields) => {
        await expectRefusal(fields);
        expect(fixture.cloud.calls).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('causes no privileged call while the place is wrong, however the fields look', async () => {
    const jwt = await fixture.cloud.token();
    const place = fc.record(
      {
        subscription_id: fc.constantFrom(subscription, subscription.replaceAll('2', '3')),
        resource_group_name: fc.constantFrom('rg1', 'rg', 'rg1-eu', 'RG2', 'r'),
        vm_name: fc.constantFrom('vm', 'vm10', 'vm1-2', 'm1', 'x'),
        vmss_name: fc.constantFrom('vm1', 'vm', 'vmss1'),
        resource_id: fc.constantFrom(
          resourceId(machines, 'vm2'),
          resourceId(scaleSets, 'vmss1'),
          resourceId(machines, 'vm1', 'rg2'),
        ),
      },
      { requiredKeys: ['subscription_id', 'resource_group_name'] },
    );
    await fc.assert(
      fc.asyncProperty(place, async (fields) => {
        await expectRefusal({ role: 'dev', jwt, ...fields });
        expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

type Claims = Readonly<Record<string, unknown>>;
const place = { subscription_id: subscription, resource_group_name: 'rg1', vm_name: 'vm1' };

describe('whatever a token says', () => {
  /** One change that alone must invalidate a token, before any keys are fetched. */
  const early = fc.oneof(
    fc.constantFrom<Claims>(
      { aud: undefined },
      { exp: undefined },
      { aud: [] },
      { exp: '9999999999' },
      { exp: null },
    ),
    fc.oneof(fc.string(), fc.integer(), fc.constant(null)).map((aud): Claims => ({ aud })),
    fc.integer({ min: -(2 ** 40), max: 1_699_999_999 }).map((exp): Claims => ({ exp })),
    fc.integer({ min: 1_700_000_001, max: 2 ** 40 }).map((nbf): Claims => ({ nbf })),
    fc.oneof(fc.string(), fc.constant(null), fc.boolean()).map((nbf): Claims => ({ nbf })),
    fc.uuid().map((tid): Claims => ({ tid })),
    fc.oneof(fc.string(), fc.integer(), fc.constant(null)).map((iss): Claims => ({ iss })),
  );

  it('fetches no key while alg, iss, aud or exp are wrong, signed or not', async () => {
    const impatient = await fixture.restart();
    fixture = impatient;
    await fc.assert(
      fc.asyncProperty(early, async (changes) => {
        await expectRefusal({ role: 'dev', jwt: await fixture.cloud.token(changes), ...place });
        expect(fixture.cloud.count('keys', ...privilegedCalls)).toBe(0);
      }),
      { numRuns: 60 },
    );
    const algorithms = [
      'none',
      'HS256',
      'HS512',
      'RS384',
      'RS512',
      'PS256',
      'ES256',
      'EdDSA',
      'rs256',
      '',
      5,
      null,
    ];
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = fixture.cloud.claims();
    for (const alg of algorithms) {
      const jwt = `${encode({ alg, kid: signingKey(0).kid })}.${encode(claims)}.${encode('signature')}`;
      await expectRefusal({ role: 'dev', jwt, ...place });
      expect(fixture.cloud.calls).toEqual([]);
    }
  });

  it('counts for nothing when any byte of it was changed', async () => {
    const jwt = await fixture.cloud.token();
    await fixture.logIn({ jwt, ...place });
    const change = fc.tuple(fc.nat(jwt.length - 1), fc.constantFrom(...'AQgw_-.9'));
    await fc.assert(
      fc.asyncProperty(change, async ([at, character]) => {
        const changed = jwt.slice(0, at) + character + jwt.slice(at + 1);
        // The last character of a signature has unused bits.
        fc.pre(changed !== jwt && at !== jwt.length - 1);
        await expectRefusal({ role: 'dev', jwt: changed, ...place });
        expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('admits no login by claims of other types', async () => {
    const claim = fc.constantFrom('oid', 'groups', 'xms_mirid', 'tid', 'aud', 'exp', 'iss');
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>([principal], { oid: principal }, '*'),
    );
    await fc.assert(
      fc.asyncProperty(claim, value, async (name, odd) => {
        fc.pre(!(name === 'exp' && typeof odd === 'number'));
        fc.pre(!(name === 'groups' && Array.isArray(odd) && odd.every((group) => typeof group === 'string')));
        await expectRefusal({ role: 'dev', jwt: await fixture.cloud.token({ [name]: odd }), ...place });
        expect(fixture.cloud.count(...privilegedCalls)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('is rejected if another key has signed it', async () => {
    const unknownPeer = signingKey(1);
    const claims = fixture.cloud.claims();
    const header = fc.record(
      {
        kid: fc.constantFrom(signingKey(0).kid, 'made-up', undefined),
        jku: fc.constant('https://elsewhere.example/keys'),
        jwk: fc.constant(unknownPeer.publicKey.export({ format: 'jwk' })),
        x5u: fc.constant('https://elsewhere.example/cert'),
        typ: fc.constantFrom('JWT', 'at+jwt'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(header, async (fields) => {
        await expectRefusal({ role: 'dev', jwt: await signByHand(claims, unknownPeer, fields), ...place });
        expect(fixture.cloud.count(...privilegedCalls, 'unknown')).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
