import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createPolicyStore, rightsBy } from '../../src/policies/policy-store.js';
import type { Capability } from '../../src/policies/policy.js';
import { createToken } from '../../src/routes/create-token.js';
import type { Call } from '../../src/api/endpoint-table.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import type { Token } from '../../src/tokens/token-entry.js';
import { openTokenStore } from '../../src/tokens/token-store.js';
import { createFakeClock } from '../support/fake-clock.js';
import { startServer, type TestServer } from '../support/secrets-server.js';

/** Patterns from the most to the least specific one, and the paths that each fits. */
const patterns: readonly (readonly [pattern: string, fits: RegExp])[] = [
  ['kv/dev/prod', /^kv\/dev\/prod$/],
  ['kv/dev/p*', /^kv\/dev\/p/],
  ['kv/dev/+', /^kv\/dev\/[^/]+$/],
  ['kv/dev/*', /^kv\/dev\//],
  ['kv/+/prod', /^kv\/[^/]+\/prod$/],
  ['kv/*', /^kv\//],
  ['*', /^/],
];
const paths = ['kv/dev/prod', 'kv/dev/plan', 'kv/dev/test', 'kv/ops/prod', 'kv/ops/x/y', 'other'];
const capabilities = ['read', 'update', 'sudo', 'deny'] as const;

type Rule = readonly [pattern: number, granted: readonly (typeof capabilities)[number][]];
type Policies = Readonly<Record<string, readonly Rule[]>>;

const textOf = (rules: readonly Rule[]): string =>
  rules
    .map(([at, granted]) => `path "${patterns[at]?.[0]}" { capabilities = ${JSON.stringify(granted)} }`)
    .join('\n');

/** The reference: what a list of policies allows, rule by rule. */
function allows(policies: Policies, names: readonly string[], capability: string, path: string): boolean {
  const rules = names.flatMap((name) => policies[name] ?? []);
  for (const [at, [, fits]] of patterns.entries()) {
    const granted = rules.filter(([pattern]) => pattern === at).flatMap(([, all]) => all);
    if (!fits.test(path) || !rules.some(([pattern]) => pattern === at)) continue;
    return granted.includes(capability as 'read') && !granted.includes('deny');
  }
  return false;
}

const names = ['a', 'b', 'c', 'default'];
const rules = fc.array(
  fc.tuple(fc.nat(patterns.length - 1), fc.uniqueArray(fc.constantFrom(...capabilities), { minLength: 1 })),
  { maxLength: 4 },
);
const somePolicies = fc.record({ a: rules, b: rules, c: rules, default: rules });
const request = fc.record(
  {
    policies: fc.subarray(names),
    no_default_policy: fc.boolean(),
    type: fc.constantFrom('service', 'batch'),
    isOrphan: fc.boolean(),
  },
  { requiredKeys: ['isOrphan'] },
);

interface Made {
  readonly token: Token;
  readonly parent: Made | null;
}

/** The reference: what a token is allowed, it and all that made it, but root. */
const mayDo = (policies: Policies, { token, parent }: Made, capability: string, path: string): boolean =>
  allows(policies, token.entry.policies, capability, path) &&
  (parent === null || mayDo(policies, parent, capability, path));

describe('a child token', () => {
  it('is allowed nothing that its parent is not allowed, whatever policies both have', async () => {
    await fc.assert(
      fc.asyncProperty(
        somePolicies,
        somePolicies,
        fc.record({ policies: fc.subarray(names, { minLength: 1 }), no_default_policy: fc.boolean() }),
        fc.array(request, { minLength: 1, maxLength: 4 }),
        async (first, later, fromRoot, requests) => {
          const storage = createMemoryStorage();
          const tokens = await openTokenStore({
            storage,
            clock: createFakeClock(),
            randomBytes,
            limits: { defaultTtl: 3_600, maxTtl: 3_600 },
            maxTokensOf: () => 0,
            requireSpace: async () => undefined,
            currentTerms: async () => null,
          });
          const policies = createPolicyStore(storage);
          const isAllowed = rightsBy(policies);
          const create = async (caller: Token, body: object, isOrphan: boolean): Promise<Token | null> => {
            const call = { caller, body, request: { path: 'auth/token/create' } } as unknown as Call;
            const result = await createToken({ tokens, policies }, call, isOrphan).catch(() => null);
            if (result?.kind !== 'auth') return null;
            return tokens.check(String(result.auth.client_token), '10.0.0.1');
          };
          const root = await tokens.createRoot(null);
          const top = await create(root, fromRoot, false);
          const made: Made[] = top === null ? [] : [{ token: top, parent: null }];
          for (const { isOrphan, ...body } of requests) {
            const parent = made.at(-1);
            if (parent === undefined) break;
            const token = await create(parent.token, body, isOrphan);
            if (token !== null) made.push({ token, parent });
          }
          for (const current of [first, later]) {
            for (const [name, list] of Object.entries(current)) await policies.write(name, textOf(list));
            for (const each of made) {
              for (const path of paths) {
                for (const capability of capabilities) {
                  if (capability === 'deny') continue;
                  const allowed = await isAllowed(each.token, capability as Capability, path);
                  expect([path, capability, allowed]).toEqual([
                    path,
                    capability,
                    mayDo(current, each, capability, path),
                  ]);
                }
              }
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('auth/token/create', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const create = async (token: string | undefined, body: object): ReturnType<TestServer['call']> =>
    server.call('POST', 'auth/token/create', { ...(token !== undefined && { token }), body });
  const idOf = ({ body }: Awaited<ReturnType<TestServer['call']>>): string => String(body.auth?.client_token);
  const maker = 'path "auth/token/create" { capabilities = ["update"] }';
  const reader = `path "sys/policies/acl/*" { capabilities = ["read"] }
path "auth/token/create" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }`;
  const limiter = 'path "sys/policies/acl/secret" { capabilities = ["deny"] }';

  it('grants no default policy to a child of a token without it', async () => {
    server = await startServer();
    await server.call('PUT', 'sys/policies/acl/maker', { body: { policy: maker } });
    const parent = idOf(await create(undefined, { policies: ['maker'], no_default_policy: true }));
    const child = await create(parent, {});
    expect(child.body.auth?.policies).toEqual(['maker']);
    expect((await server.call('GET', 'auth/token/lookup-self', { token: idOf(child) })).status).toBe(403);
    const other = await create(parent, { policies: ['maker', 'default'] });
    expect([other.status, other.body.errors]).toEqual([
      400,
      ['a token can hand on only policies that it has itself'],
    ]);
    expect((await create(undefined, { policies: ['maker'] })).body.auth?.policies).toEqual([
      'default',
      'maker',
    ]);
  });

  it('keeps a denial of a policy that the child leaves out, and reports it', async () => {
    server = await startServer();
    await server.call('PUT', 'sys/policies/acl/reader', { body: { policy: reader } });
    await server.call('PUT', 'sys/policies/acl/limiter', { body: { policy: limiter } });
    await server.call('PUT', 'sys/policies/acl/secret', { body: { policy: '' } });
    const parent = idOf(await create(undefined, { policies: ['reader', 'limiter'] }));
    const child = idOf(await create(parent, { policies: ['reader'] }));
    const grandchild = idOf(await create(child, {}));
    for (const token of [parent, child, grandchild]) {
      const path = 'sys/policies/acl/secret';
      expect((await server.call('GET', path, { token })).status).toBe(403);
      expect((await server.call('GET', 'sys/policies/acl/reader', { token })).status).toBe(200);
      const pending = await server.call('POST', 'sys/capabilities-self', { token, body: { paths: [path] } });
      expect(pending.body.data).toMatchObject({ capabilities: ['deny'] });
    }
  });
});
