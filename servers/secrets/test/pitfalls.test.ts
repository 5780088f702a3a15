import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { testsOf } from './support/tests-of.js';

/** One of the tests that fail when what keeps an attack out is taken away: its file below `test/`, and its name. */
type Guard = readonly [file: string, name: string];

const attacks = 'auth/cloud/pitfalls.test.ts';
const fuzz = 'auth/cloud/fuzz.test.ts';
const login = 'auth/cloud/login.test.ts';
const instanceCheck = 'auth/cloud/instance-check.test.ts';
const role = 'auth/cloud/role.test.ts';
const rotate = 'auth/cloud/rotate.test.ts';
const responses = 'main-responses.test.ts';
const anonymous = 'audit/anonymous.test.ts';

/** The known ways in which servers of this kind have been broken, and the guard against each. */
const pitfalls: readonly (readonly [pitfall: string, ...guards: readonly Guard[]])[] = [
  [
    'a token of one machine that passes the location of another (CVE-2025-3879)',
    [attacks, 'a token of one machine does not pass the location of another'],
    [instanceCheck, 'M02 is not another machine of the same principal'],
    [instanceCheck, 'M03 is named in whole, and so is its group'],
  ],
  [
    'subscription, group or resource that differ between request, token and cloud',
    [attacks, 'a bound subscription cannot be named while another one is queried'],
    [instanceCheck, 'lies in the subscription of the token'],
    [instanceCheck, 'lies where the request says'],
    [instanceCheck, 'is the one that the token names, if it names any'],
  ],
  [
    'fields that become paths or hosts of requests to the cloud',
    [attacks, 'no field becomes a path, a query or a host'],
    [attacks, 'the access token goes to no other host, for any response'],
    ['cloud/addresses.test.ts', 'stays below its base whatever the segments hold'],
    ['cloud/transport.test.ts', 'follows no redirect'],
  ],
  [
    'roles that let everybody in',
    [role, 'L14 lets no role in that lets everybody in: %j'],
    [attacks, 'a stored role without restrictions admits no login'],
  ],
  [
    'another algorithm, or a key that the token brings',
    [login, 'L03 fails with alg none, and with the public key used as a shared secret'],
    [fuzz, 'fetches no key while alg, iss, aud or exp are wrong, signed or not'],
    [attacks, 'keys that the token brings or points to are not used'],
    ['auth/cloud/verify.test.ts', 'is refused when it is signed with %s after all'],
  ],
  [
    'tokens without an end',
    [attacks, 'a token that never ends is not accepted'],
    [login, 'L06 fails after exp, at exp, and without one'],
  ],
  [
    'made-up keys that become requests',
    [attacks, 'made-up keys do not become requests, not even with many callers at once'],
    [attacks, 'tokens that cannot pass cause no request at all'],
    ['cloud/issuer.test.ts', 'is queried once for concurrent callers, and again when the cache expires'],
  ],
  [
    'an audience that is nearly right (CVE-2024-5798)',
    [login, 'has an audience that is compared as it is written'],
  ],
  [
    'tokens of another tenant',
    [attacks, 'the issuer of another tenant of the same cloud is not accepted'],
    [attacks, 'the tenant is not %s, which is everybody'],
    [login, 'has the issuer that the discovery document names, and its tenant'],
  ],
  [
    'answers and claims that the caller has shaped (CVE-2020-16250, CVE-2020-16251)',
    [attacks, 'a claim that is given twice is not accepted, however it is spelled'],
    [instanceCheck, 'rejects responses that are too long, malformed or redirected'],
  ],
  [
    'refusals that tell what exists',
    [attacks, 'every refusal reads the same, and the reason is for the log alone'],
    ['http/requests.test.ts', 'says nothing of itself to those without a token'],
  ],
  [
    'logins of strangers that load the cloud',
    [attacks, 'a login proves itself before the credentials of the server are used'],
    [attacks, 'an issuer that is down is not queried by every login'],
    [login, 'ends at its deadline however slow the cloud is'],
    [
      'auth/login-limits.test.ts',
      'has so many places for one address, and so many in all, and gives them back',
    ],
    ['server.test.ts', 'logins of one client wait for their rate'],
  ],
  [
    'secrets in logs and errors (CVE-2024-8365, CVE-2025-4166)',
    [attacks, 'no secret is in an error, a reason or the log'],
    ['audit/audit-log.test.ts', 'has two lines for each request, refused ones too, and no secret'],
    ['stress/stress.test.ts', 'is refused as the mistake of its sender, and no secret is written anywhere'],
  ],
  [
    'bodies that are too large or too deep (CVE-2025-6203)',
    [responses, 'H14 come at once to a login that is too large or too deep, and the server lives on'],
    ['http/requests.test.ts', 'is limited by what its route needs, and by the listener'],
  ],
  [
    'a denial that another name of the same path goes around',
    [
      'policies/spellings.test.ts',
      'is judged on each of them, in all their spellings, as a plain judge does',
    ],
    ['policies/spellings.test.ts', 'declares them: no two rows of the tables share an endpoint otherwise'],
    ['policies/folding.test.ts', 'is reached by none of its spellings, for any request'],
  ],
  [
    'holders of tokens who fill the audit log',
    ['audit/bounds.test.ts', 'without any right leaves nothing of a body, whatever is in it'],
    ['audit/bounds.test.ts', 'whatever is recorded, two lines are at most 4 kB'],
  ],
  [
    'a forged address behind so many headers that the one of the proxy is lost',
    [
      'http/headers.test.ts',
      'is that of the line that the proxy has added, whatever the caller sends before it',
    ],
    ['http/headers.test.ts', 'beyond the limit are refused, not left out'],
  ],
  [
    'tokens that nobody can end',
    ['tokens/groups.test.ts', 'finds the tokens of an identity that is locked out, and ends them'],
    ['tokens/groups.test.ts', 'who removes a role ends its batch tokens, also when it is made again'],
  ],
  [
    'tokens that can be read in the store, or told by the time a look-up takes',
    ['tokens/token-store.test.ts', 'a token is stored under a name that only the key of the store leads to'],
    ['server.test.ts', 'begins with init and unseal, and survives the process'],
  ],
  [
    'names of roles that are paths or properties of objects',
    [role, 'R07 folds the case of names'],
    [role, 'treat %s as any other name of a role'],
    ['auth/cloud/server.test.ts', 'responds to %s %s with %i'],
  ],
  [
    'headers of the configuration that end and begin another',
    [responses, '%s %s'],
    ['http/response-headers.test.ts', '%j: %j is a mistake'],
  ],
  ['metadata that nobody has confirmed', [attacks, 'unconfirmed values are not in the metadata']],
  [
    'addresses that are written in another way, or by the caller',
    ['cidr.test.ts', 'unwraps mapped addresses alone'],
    ['http/requests.test.ts', 'is never what an untrusted client claims'],
  ],
  ['blocks of addresses that nobody is in', [role, 'R19 rejects the block %s, which no address could match']],
  [
    'the last use of a token, used twice',
    [
      'tokens/token-store.test.ts',
      'uses of a token are counted one by one, however many come at the very same moment',
    ],
    ['auth/cloud/server.test.ts', 'T11 lets the last use be used once, however many try'],
  ],
  [
    'rotations that lose a secret, or remove that of somebody else',
    [rotate, 'removes the new secret again when it cannot be stored'],
    [rotate, 'waits until the new secret works before it gives up the old one'],
    [rotate, 'removes its own key alone: the secrets of others stay'],
    [rotate, 'removes nothing if it cannot identify its own key, and reports it'],
  ],
  [
    'keys that stay in memory',
    ['seal/forgotten-keys.test.ts', 'are erased: the data key once it is wrapped'],
    ['seal/forgotten-keys.test.ts', 'are erased: the unseal key once it is returned, and once it is used'],
  ],
  [
    'refusals that clients try again and again',
    ['auth/cloud/server.test.ts', 'L02 L08 refuses alike whatever the reason is, which only the log knows'],
  ],
  [
    'a client id that ends the filter of a request',
    [rotate, 'sends a filter that a client id cannot escape'],
  ],
  [
    'secrets in the environment',
    ['main-environment.test.ts', 'secrets of the environment are in no report of the process'],
  ],
  [
    'names in another spelling that a policy does not deny',
    ['policies/folding.test.ts', 'makes no difference to what policies say'],
    ['policies/folding.test.ts', 'is reached by none of its spellings, for any request'],
    ['fold.test.ts', 'every letter folds to the same text as its other cases and forms'],
  ],
  [
    'disks that are full',
    ['full-disk.test.ts', 'a log that cannot be written ends nothing'],
    ['tokens/bounds.test.ts', 'reports each failed write, and works again after the first success'],
    ['audit/audit-log.test.ts', 'stops what it cannot record'],
    ['tokens/bounds.test.ts', 'takes no new tokens, but everything that frees some, and says so'],
  ],
  [
    'strangers who fill the logs, and tokens in paths',
    [anonymous, 'writes at most a megabyte a minute to each log, and the rest is counted in one line'],
    [anonymous, 'writes nothing with a path that is too long'],
    [anonymous, 'does not fill a line with one body'],
    [anonymous, 'and everybody else leaves no token in a path'],
  ],
  [
    'pages whose name leads to this machine',
    ['http/host-guard.test.ts', 'is not initialized by a page whose name leads to this machine'],
  ],
  [
    'a debugger for everybody on the machine',
    ['main-signals.test.ts', 'reopens the audit log, and opens no debugger'],
  ],
  [
    'two processes on one store',
    ['main-signals.test.ts', 'is not opened by a second process, and a kill leaves nothing in the way'],
    ['storage/owner.test.ts', 'a store belongs to one process, and a second one gets an error'],
  ],
  ['files of secrets that are open to others', ['main-signals.test.ts', 'are refused %s']],
  [
    'bytes of a body that become a request',
    ['http/list-verb.test.ts', 'never is a word in a body, a header, a chunk or a trailer'],
    ['http/ambiguous-framing.test.ts', 'is left alone after %s'],
    ['http/list-verb.test.ts', 'has its verbs rewritten and nothing else'],
    [
      'http/list-requests.test.ts',
      'survives pipelines cut at random points, among other verbs and bodies that hold the word',
    ],
  ],
];

it.each(pitfalls.map(([pitfall, ...guards]) => ({ pitfall, guards })))(
  'there are tests that keep out $pitfall',
  async ({ guards }) => {
    for (const [file, name] of guards) {
      const text = await readFile(new URL(file, import.meta.url), 'utf8');
      expect(testsOf(text), file).toContain(name);
    }
    expect(guards.length).toBeGreaterThan(0);
  },
);

it.each([
  ['one that is switched off', "it.skip('name', () => { expect(1).toBe(1); });"],
  ['one that is still to be written', "it.todo('name');"],
  ['one in a group that is switched off', "describe.skip('group', () => { it('name', () => { run(); }); });"],
  ['one that does nothing', "it('name', () => { /* later */ });"],
  ['one that returns nothing', "it('name', async () => undefined);"],
  ['one with no cases', "it.each([])('name', () => { expect(1).toBe(1); });"],
  ['one without a body', "it('name');"],
  ['words in a comment', "// it('name', () => { expect(1).toBe(1); });"],
  ['words in a text', "const old = `it('name', () => { expect(1).toBe(1); });`;"],
])('is no guard: %s', (_, text) => {
  expect(testsOf(text)).toEqual([]);
});

it.each([
  "it('name', () => { expect(1).toBe(1); });",
  "it('name', async () => isDenied({}));",
  "describe('group', () => { it.each([1, 2])('name', (n) => { expect(n).toBe(1); }); });",
])('is a guard: %s', (text) => {
  expect(testsOf(text)).toEqual(['name']);
});
