import fc from 'fast-check';
import { subscription, type FakeCloud } from '../test/support/fake-cloud.js';
import { signByHand, signingKey } from '../test/support/fake-issuer.js';
import { machines, principal, resourceId } from '../test/support/fake-resources.js';

/** A marker in the input, so that it can be searched for wherever it must not appear. */
export const marker = 'do-not-write-me-down';

type Fields = Readonly<Record<string, unknown>>;

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => marker + text),
  fc.constantFrom(
    '',
    '..',
    '*',
    '/',
    '\u0000',
    'a/../b',
    'vm1',
    'rg1',
    subscription,
    '1h',
    '-5',
    '10.0.0.0/8',
    marker,
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.array(fc.string({ maxLength: 20 }), { maxLength: 4 }),
);

function fieldsOf(names: readonly string[]): fc.Arbitrary<Fields> {
  const name = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...names) },
    fc.string(),
    fc.constantFrom('__proto__', marker, `${marker}=`),
  );
  return fc.dictionary(name, odd, { maxKeys: 8 });
}

const loginFields = fieldsOf([
  'role',
  'jwt',
  'subscription_id',
  'resource_group_name',
  'vm_name',
  'vmss_name',
  'resource_id',
]);

/** Login bodies: fields of every type, JSON of every type, forms, and invalid input. */
export function anyBody(count: number, seed: number): readonly unknown[] {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }).map((some) => `{${marker}${some}`),
    fc.json().map((some) => some.slice(0, -1)),
    fc.constantFrom('', '[]', 'null', '"', `${marker}=${marker}`, `role=dev&jwt=${marker}`, '[['.repeat(500)),
  );
  return fc.sample(fc.oneof({ weight: 3, arbitrary: loginFields }, text), { numRuns: count, seed });
}

/** Bodies of writes of the configuration or of a role. */
export function anyFields(path: string, count: number, seed: number): readonly Fields[] {
  const names = path.endsWith('config')
    ? [
        'tenant_id',
        'resource',
        'environment',
        'client_id',
        'client_secret',
        'identity_token_audience',
        'identity_token_ttl',
        'max_retries',
        'retry_delay',
        'max_retry_delay',
      ]
    : [
        'bound_service_principal_ids',
        'bound_group_ids',
        'bound_locations',
        'token_ttl',
        'token_max_ttl',
        'token_period',
        'token_policies',
        'token_bound_cidrs',
        'token_num_uses',
        'token_type',
        'max_jwt_exp',
      ];
  return fc.sample(fieldsOf(names), { numRuns: count, seed });
}

const now = (): number => Math.floor(Date.now() / 1_000);

/** Tokens, well signed or not, of which a look at algorithm, issuer, audience or times alone must be enough. */
export async function earlyRefusals(
  cloud: FakeCloud,
  count: number,
  seed: number,
): Promise<readonly string[]> {
  const wrongClaims: fc.Arbitrary<Fields> = fc.oneof(
    fc.oneof(fc.string(), fc.integer(), fc.constantFrom(null, undefined, [])).map((aud) => ({ aud })),
    fc.oneof(fc.webUrl(), fc.integer(), fc.constantFrom(null, undefined, '')).map((iss) => ({ iss })),
    fc.integer({ min: 0, max: 10 ** 9 }).map((ago) => ({ exp: now() - ago })),
    fc.constantFrom(null, undefined, '9999999999', [], true).map((exp) => ({ exp })),
  );
  const algorithm = fc.constantFrom<unknown>(
    'none',
    'HS256',
    'RS384',
    'RS512',
    'PS256',
    'ES256',
    'EdDSA',
    'rs256',
    '',
    5,
    null,
  );
  const wrong = fc.oneof(
    wrongClaims.map((claims) => ({ claims })),
    algorithm.map((alg) => ({ alg })),
  );
  return Promise.all(
    fc.sample(wrong, { numRuns: count, seed }).map((change) => {
      if ('claims' in change) return cloud.token(change.claims);
      const parts = [{ alg: change.alg, kid: signingKey(0).kid }, cloud.claims()].map((part) => encode(part));
      return Promise.resolve(`${parts.join('.')}.${encode(`${marker} signature`)}`);
    }),
  );
}

/** Tokens that are only invalid by their signature, or by their machine and principal. */
export async function lateRefusals(
  cloud: FakeCloud,
  count: number,
  seed: number,
): Promise<readonly string[]> {
  const good = await cloud.token();
  const bytes = fc
    .tuple(fc.nat(good.length - 2), fc.constantFrom(...'AQgw_-.9'))
    .filter(([at, character]) => good[at] !== character)
    .map(([at, character]) => Promise.resolve(good.slice(0, at) + character + good.slice(at + 1)));
  const unknownPeer = fc
    .constantFrom<Fields>({}, { kid: 'unknown' }, { kid: undefined }, { jku: 'https://elsewhere.example/' })
    .map((header) => signByHand(cloud.claims(), signingKey(1), header));
  const place = fc
    .constantFrom<Fields>(
      { oid: 'somebody else' },
      { oid: undefined },
      { oid: [principal] },
      { groups: 'one' },
      { xms_mirid: undefined },
      { xms_mirid: resourceId(machines, 'vm10') },
      { xms_mirid: resourceId(machines, 'vm1', 'rg1-eu') },
      { xms_mirid: [resourceId(machines, 'vm1')] },
      { tid: subscription },
    )
    .map((claims) => cloud.token(claims));
  return Promise.all(fc.sample(fc.oneof(bytes, unknownPeer, place), { numRuns: count, seed }));
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const goodFile = `ui = true
storage "memory" {}
auth "cloud" { path = "cloud" jwks_cooldown = "30s" }
listener "tcp" {
  address = "127.0.0.1:8200"
  tls_disable = "true"
  custom_response_headers {
    "default" = { "X-A" = ["a"], "X-B" = ["b"] },
    "3xx" = { "X-A" = ["c"] }
  }
}
`;

/** Files that are nearly right: pieces of a good one are cut out, repeated, or replaced by others. */
export function anyFile(count: number, seed: number): readonly string[] {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '=',
    ',',
    '\n',
    '\\',
    '<<E\n',
    '${',
    '#',
    '/*',
    '99',
    '-1',
    '"600"',
    'null',
    '\u0000',
    '\u20ac',
    'é',
  );
  const edit = fc.record({
    at: fc.nat(goodFile.length),
    cut: fc.nat(12),
    put: fc.oneof(piece, fc.string({ maxLength: 6 })),
  });
  return fc.sample(
    fc
      .array(edit, { minLength: 1, maxLength: 4 })
      .map((edits) =>
        edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), goodFile),
      ),
    { numRuns: count, seed },
  );
}
