import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint, EndpointRow, Mount } from '../../src/api/endpoint-table.js';
import { createPathAliases } from '../../src/api/path-aliases.js';
import { capabilitiesOn } from '../../src/policies/access.js';
import { createPolicyStore } from '../../src/policies/policy-store.js';
import { apiTables } from '../../src/server/services.js';
import { createMemoryStorage } from '../../src/storage/memory.js';
import { openTokenStore } from '../../src/tokens/token-store.js';
import { idleOperator } from '../support/idle-operator.js';
import { createFakeClock } from '../support/fake-clock.js';
import { startServer, type TestServer } from '../support/secrets-server.js';
import { scaled } from '../../../../test/support/property-runs.js';

const storage = createMemoryStorage();
const lease = { defaultTtl: 60, maxTtl: 60 };
const tables = apiTables({
  mounts: [],
  lease,
  policies: createPolicyStore(storage),
  tokens: await openTokenStore({
    storage,
    clock: createFakeClock(),
    randomBytes: (length) => Buffer.alloc(length, 1),
    limits: lease,
    maxTokensOf: () => 0,
    requireSpace: async () => undefined,
    currentTerms: async () => null,
  }),
  operator: idleOperator,
  now: () => 0,
});
const aliases = createPathAliases(tables);

/** Each name in spellings that are one to policies. */
const variants: Readonly<Record<string, readonly string[]>> = {
  sys: ['sys', 'SYS', '\u017fys'],
  policy: ['policy', 'Policy', 'pol\u0131cy'.replace('\u0131', 'I')],
  policies: ['policies', 'POLICIES', 'policie\u017f'],
  acl: ['acl', 'ACL', 'ａcl'],
  backup: ['backup', 'bac\u212aup', 'BACKUP'],
  'caf\u00e9': ['caf\u00e9', 'cafe\u0301', 'CAFE\u0301'],
  auth: ['auth', 'AUTH'],
};
const spelt = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...text.split('/').map((name) => {
        const star = name.endsWith('*') ? '*' : '';
        const plain = star === '' ? name : name.slice(0, -1);
        return fc.constantFrom(...(variants[plain] ?? [plain]).map((one) => one + star));
      }),
    )
    .map((parts) => parts.join('/'));

const names = ['backup', 'caf\u00e9', 'admin'];
const paths = [
  ...names.flatMap((name) => [`sys/policy/${name}`, `sys/policies/acl/${name}`]),
  'sys/policy',
  'sys/policies/acl',
  'sys/auth',
  'sys/policy/a/b',
  'auth/backup',
];
const patterns = [
  ...paths,
  ...paths.map((path) => `${path}/`),
  '*',
  'sys/*',
  'sys/po*',
  'sys/polic*',
  'sys/policy*',
  'sys/policy/*',
  'sys/policy/ba*',
  'sys/policies*',
  'sys/policies/*',
  'sys/policies/+',
  'sys/policies/acl*',
  'sys/policies/acl/*',
  'sys/policies/acl/ba*',
  'sys/policies/+/backup',
  'sys/policies/+/*',
  'sys/+',
  'sys/+/*',
  'sys/+/backup',
  'sys/+/+',
  'sys/+/acl/+',
  'sys/+/acl/admin',
  '+/policy/admin',
  '+/policies/acl/admin',
  '+/+/+/+',
  '+/*',
];

interface Rule {
  readonly pattern: string;
  readonly capabilities: readonly ('read' | 'update' | 'deny')[];
}

/** The reference evaluator of the documented rules, without optimizations, on names with one spelling. */
function judge(path: string, rules: readonly Rule[]): readonly string[] {
  const slash = path.endsWith('/') ? '/' : '';
  const plain = path.slice(0, path.length - slash.length);
  const [, name] = /^sys\/(?:policy|policies\/acl)((?:\/[^/]+)?)$/.exec(plain) ?? [];
  const all = name === undefined ? [path] : [`sys/policy${name}${slash}`, `sys/policies/acl${name}${slash}`];
  const fits = ({ pattern, capabilities }: Rule, one: string): boolean => {
    const source = pattern
      .replace(/[.]/g, '\\.')
      .replace(/(^|(?<=\/))\+(?=\/|$)/g, '[^/]+')
      .replace(/\*$/, '.*');
    const bare = capabilities.includes('deny') ? source.replace(/\/$/, '') : source;
    const without = one.replace(/\/$/, '');
    return [
      [source, one],
      [source, without],
      [bare, without],
    ].some(([form, text]) => new RegExp(`^${form}$`, 'u').test(text!));
  };
  const known = (pattern: string): string =>
    pattern.replace(/\/$/, '').replace(/^sys\/policy(?=\/|$)/, 'sys/policies/acl');
  const rank = (pattern: string): readonly number[] => {
    const plus = pattern.search(/(?:^|(?<=\/))\+(?=\/|$)/);
    const star = pattern.indexOf('*');
    const first = [plus, star].filter((at) => at >= 0);
    return [
      first.length === 0 ? 1_000 : Math.min(...first),
      star === -1 ? 1 : 0,
      -pattern.split('/').filter((part) => part === '+').length,
      pattern.length,
    ];
  };
  const decide = (fitting: readonly Rule[]): readonly string[] => {
    const sorted = [...new Set(fitting.map(({ pattern }) => known(pattern)))].sort((a, b) => {
      const [one, other] = [rank(a), rank(b)];
      const at = one.findIndex((value, place) => value !== other[place]);
      return at === -1 ? (a > b ? -1 : 1) : other[at]! - one[at]!;
    });
    return fitting
      .filter(({ pattern }) => known(pattern) === sorted[0])
      .flatMap(({ capabilities }) => capabilities);
  };
  const verdicts = all.map((one) => decide(rules.filter((rule) => fits(rule, one))));
  const granted = decide(rules.filter((rule) => all.some((one) => fits(rule, one))));
  const isDenied = granted.length === 0 || [...verdicts, granted].some((each) => each.includes('deny'));
  return isDenied ? ['deny'] : [...new Set(granted)].sort();
}

const rule = fc.record({
  pattern: fc.constantFrom(...patterns),
  capabilities: fc.uniqueArray(fc.constantFrom('read', 'update', 'deny'), { minLength: 1, maxLength: 2 }),
}) as fc.Arbitrary<Rule>;

describe('a path with several names', () => {
  it('is judged on each of them, in all their spellings, as a plain judge does', () => {
    const some = fc
      .tuple(fc.array(rule, { maxLength: 6 }), fc.constantFrom(...paths), fc.constantFrom('', '/'))
      .chain(([rules, path, end]) =>
        fc.tuple(
          fc.constant(rules),
          fc.constant(path + end),
          spelt(path).map((text) => text + end),
          fc.tuple(...rules.map(({ pattern }) => spelt(pattern))),
        ),
      );
    let denials = 0;
    let grants = 0;
    fc.assert(
      fc.property(some, ([rules, path, variant, written]) => {
        const given = rules.map((each, at) => ({ ...each, pattern: String(written[at]) }));
        const expected = judge(path, rules);
        if (expected.includes('deny')) denials += 1;
        else grants += 1;
        expect(capabilitiesOn(variant, given, aliases)).toEqual(expected);
      }),
      { numRuns: 4_000 },
    );
    // Both kinds of results really occurred.
    expect(Math.min(denials, grants)).toBeGreaterThan(scaled(300));
  });

  it('has the same rights under each', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), fc.constantFrom(...names), (rules, name) => {
        expect(capabilitiesOn(`sys/policy/${name}`, rules, aliases)).toEqual(
          capabilitiesOn(`sys/policies/acl/${name}`, rules, aliases),
        );
      }),
      { numRuns: 1_500 },
    );
  });

  it('declares them: no two rows of the tables share an endpoint otherwise', () => {
    const endpoints = new Map<Endpoint, string>();
    const rowsOf = ({ rows }: Mount): readonly EndpointRow[] => rows;
    let shared = 0;
    for (const table of tables) {
      for (const { path, aliasOf, operations } of rowsOf(table)) {
        for (const endpoint of Object.values(operations)) {
          const first = endpoints.get(endpoint) ?? path;
          endpoints.set(endpoint, first);
          if (first === path) continue;
          shared += 1;
          expect([path, aliasOf]).toEqual([path, first]);
        }
      }
    }
    expect(shared).toBeGreaterThan(3);
  });

  it('is refused where it names a row that is not there', () => {
    const rows: readonly EndpointRow[] = [{ path: 'old', aliasOf: 'new', operations: {} }];
    expect(() => createPathAliases([{ prefix: 'x/', rows }])).toThrow('x/new is no path');
  });
});

describe('a policy that denies one name of a path', () => {
  let server: TestServer;
  afterEach(() => server.close());

  it.each([
    ['sys/policy*', 'sys/*'],
    ['sys/policy*', 'sys/policies/acl/*'],
    ['SYS/POLICY*', 'sys/policies/acl/evil'],
    ['sys/+/evil', 'sys/*'],
    ['sys/+/evil', 'sys/policies/acl/*'],
    ['sys/policy/ev*', 'sys/policies/acl/*'],
    ['sys/policies/*', 'sys/*'],
    ['sys/policies/+/evil', 'sys/policy*'],
  ])('denies the others: %s next to %s', async (pattern, granted) => {
    server = await startServer();
    const all = '["create", "read", "update", "delete", "list", "sudo"]';
    await server.call('PUT', 'sys/policies/acl/worker', {
      body: {
        policy: `path "sys/*" { capabilities = ${all} }
                   path "${granted}" { capabilities = ${all} }
                   path "${pattern}" { capabilities = ["deny"] }`,
      },
    });
    const made = await server.call('POST', 'auth/token/create', { body: { policies: ['worker'] } });
    const token = String(made.body.auth?.client_token);
    const body = { policy: 'path "*" { policy = "sudo" }' };
    for (const path of ['sys/policy/evil', 'sys/policies/acl/evil', 'sys/policy/EVIL']) {
      for (const method of ['PUT', 'GET', 'DELETE']) {
        expect([method, path, (await server.call(method, path, { token, body })).status]).toEqual([
          method,
          path,
          403,
        ]);
      }
      const requests = await server.call('POST', 'sys/capabilities-self', { token, body: { paths: [path] } });
      expect(requests.body.data?.capabilities).toEqual(['deny']);
    }
    expect((await server.call('GET', 'sys/policies/acl/evil')).status).toBe(404);
  });
});
