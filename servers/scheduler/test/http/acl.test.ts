import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import type { AclPolicy } from '@tamis/scheduler-model/acl-policy.js';
import type { AclToken } from '@tamis/scheduler-model/acl-token.js';
import { createAclCluster, secretOf } from '../support/acl-cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { createFakeMachine } from '../../../scheduler-model/test/support/fake-machine.js';
import { createLastingStorage } from '../../../scheduler-state/test/support/storage-log.js';
import { call, createTestAgent, type TestResponse } from '../support/test-agent.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const enabled = { config: { acl: { enabled: true } } };
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const textPlain = 'text/plain; charset=utf-8';

type Body = Readonly<Record<string, unknown>>;

describe('bootstrap', () => {
  const bootstrap = (agent: Agent, body?: unknown, method = 'PUT'): Promise<TestResponse> =>
    call(agent, '/v1/acl/bootstrap', { method, ...(body === undefined ? {} : { body }) });

  it('makes the first token, once', async () => {
    const agent = await createTestAgent(enabled);
    const response = await bootstrap(agent);
    expect(response.status).toBe(200);
    const token = response.json() as Record<string, unknown>;
    expect(token).toEqual({
      AccessorID: expect.stringMatching(uuid) as string,
      SecretID: expect.stringMatching(uuid) as string,
      Name: 'Bootstrap Token',
      Type: 'management',
      Policies: null,
      Roles: null,
      Global: true,
      Hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) as string,
      CreateTime: '2023-11-14T22:13:20Z',
      ExpirationTime: null,
      ExpirationTTL: '',
      CreateIndex: token['CreateIndex'],
      ModifyIndex: token['CreateIndex'],
    });
    expect(token['AccessorID']).not.toBe(token['SecretID']);
    expect(response.headers['x-scheduler-index']).toBe(String(token['CreateIndex']));

    for (const method of ['PUT', 'POST']) {
      const again = await bootstrap(agent, undefined, method);
      expect(again.status).toBe(400);
      expect(again.text).toBe(`ACL bootstrap already done (reset index: ${String(token['CreateIndex'])})`);
      expect(again.headers['content-type']).toBe(textPlain);
    }
  });

  it('stays done when its token is deleted', async () => {
    const { agent, sendAs } = await createAclCluster({});
    const [first] = (await sendAs('mgmt', '/v1/acl/tokens')).json() as { AccessorID: string }[];
    const gone = await sendAs('mgmt', `/v1/acl/token/${first?.AccessorID}`, { method: 'DELETE' });
    expect(gone.status).toBe(200);
    expect((await sendAs('mgmt', '/v1/jobs')).status).toBe(403);
    expect((await bootstrap(agent)).status).toBe(400);
  });

  it('is done once more for an operator who has the data directory', async () => {
    let file: string | null = null;
    const machine = createFakeMachine({
      async readText(path) {
        if (path !== '/data/acl-bootstrap-reset' || file === null) throw new Error('ENOENT');
        return file;
      },
    });
    const agent = await createTestAgent({ machine, config: { acl: { enabled: true }, dataDir: '/data' } });
    const first = await bootstrap(agent);
    const index = String(first.headers['x-scheduler-index']);
    for (const wrong of [null, '', 'x', '999', `${index}0`, '-1', `${index}.0`]) {
      file = wrong;
      expect((await bootstrap(agent)).text).toBe(`ACL bootstrap already done (reset index: ${index})`);
    }
    file = `${index}\n`;
    const second = await bootstrap(agent);
    expect(second.status).toBe(200);
    expect(secretOf(second)).not.toBe(secretOf(first));
    // The first token is still one, and the index has been used.
    for (const token of [first, second]) {
      const headers = { 'x-scheduler-token': secretOf(token) };
      expect((await call(agent, '/v1/acl/tokens', { headers })).status).toBe(200);
    }
    expect((await bootstrap(agent)).status).toBe(400);
  });

  it('takes a secret that was chosen before', async () => {
    const agent = await createTestAgent(enabled);
    const BootstrapSecret = '2b778dd9-f5f1-6f29-b4b4-9a5fa948757a';
    for (const bad of ['secret', `${BootstrapSecret}0`]) {
      const response = await bootstrap(agent, { BootstrapSecret: bad });
      expect([response.status, response.text]).toEqual([400, 'invalid acl token']);
    }
    expect(secretOf(await bootstrap(agent, { BootstrapSecret }))).toBe(BootstrapSecret);
    const headers = { authorization: `Bearer ${BootstrapSecret}` };
    expect((await call(agent, '/v1/acl/tokens', { headers })).status).toBe(200);
    // The effect is reported for any secret.
    expect((await bootstrap(agent, { BootstrapSecret: 'x' })).text).toMatch(/^ACL bootstrap already done/);
  });

  it('rejects an invalid body', async () => {
    const agent = await createTestAgent(enabled);
    expect((await bootstrap(agent, '{')).status).toBe(400);
    expect((await bootstrap(agent, { BootstrapSecret: 1 })).text).toContain('BootstrapSecret');
    expect((await bootstrap(agent, '  ')).status).toBe(200);
  });
});

describe('without access control', () => {
  it.each<[method: string, path: string]>([
    ['PUT', '/v1/acl/bootstrap'],
    ['GET', '/v1/acl/tokens'],
    ['GET', '/v1/acl/policies'],
    ['GET', '/v1/acl/token/self'],
    ['GET', '/v1/acl/token/x'],
    ['PUT', '/v1/acl/token'],
    ['DELETE', '/v1/acl/token/x'],
    ['GET', '/v1/acl/policy/x'],
    ['POST', '/v1/acl/policy/x'],
  ])('%s %s says so', async (method, path) => {
    const response = await call(await createTestAgent(), path, { method });
    expect([response.status, response.text]).toEqual([400, 'ACL support disabled']);
  });

  it('tokens are not looked at', async () => {
    const agent = await createTestAgent();
    const headers = { 'x-scheduler-token': 'whatever' };
    expect((await call(agent, '/v1/jobs', { headers })).status).toBe(200);
  });
});

describe('a token', () => {
  it.each<[what: string, headers: (secret: string) => Record<string, string>, status: number]>([
    ['in its header', (secret) => ({ 'x-scheduler-token': secret }), 200],
    ['in the header of existing clients', (secret) => ({ 'x-nomad-token': secret }), 200],
    [
      'in our header, which precedes that of existing clients',
      (secret) => ({ 'x-nomad-token': 'x', 'x-scheduler-token': secret }),
      200,
    ],
    ['with blanks around it', (secret) => ({ 'x-scheduler-token': ` ${secret} ` }), 200],
    ['as bearer', (secret) => ({ authorization: `Bearer ${secret}` }), 200],
    ['as bearer in any case', (secret) => ({ authorization: `bEaReR   ${secret} trailing` }), 200],
    ['without a scheme', (secret) => ({ authorization: secret }), 403],
    ['of another scheme', (secret) => ({ authorization: `Basic ${secret}` }), 403],
    [
      'behind an empty header',
      (secret) => ({ 'x-scheduler-token': ' ', authorization: `Bearer ${secret}` }),
      200,
    ],
    [
      'behind another one',
      (secret) => ({ 'x-scheduler-token': 'x', authorization: `Bearer ${secret}` }),
      403,
    ],
    ['in part', (secret) => ({ 'x-scheduler-token': secret.slice(0, -1) }), 403],
    ['in capitals', (secret) => ({ 'x-scheduler-token': secret.toUpperCase().replace('0', 'O') }), 403],
    ['twice', (secret) => ({ 'x-scheduler-token': `${secret}, ${secret}` }), 403],
  ])('%s', async (_what, headers, status) => {
    const { agent, tokens } = await createAclCluster({});
    const response = await call(agent, '/v1/jobs', { headers: headers(tokens.get('mgmt') ?? '') });
    expect(response.status).toBe(status);
    if (status === 403)
      expect([response.text, response.headers['content-type']]).toEqual(['Permission denied', textPlain]);
  });

  it('is created, read, listed, changed and deleted', async () => {
    const { sendAs } = await createAclCluster({ reader: 'namespace "default" { policy = "read" }' });
    const body = { Name: 'ci', Type: 'client', Policies: ['reader'] };
    const made = await sendAs('mgmt', '/v1/acl/token', { method: 'POST', body });
    const token = made.json() as { AccessorID: string; SecretID: string };
    expect(token).toMatchObject({ ...body, Global: false, Roles: null, ExpirationTTL: '' });
    expect((await sendAs(token.SecretID, '/v1/jobs')).status).toBe(200);

    const path = `/v1/acl/token/${token.AccessorID}`;
    expect((await sendAs('mgmt', path)).json()).toEqual(token);
    const listed = (await sendAs('mgmt', `/v1/acl/tokens?prefix=${token.AccessorID}`)).json();
    const { SecretID: secret, ...rest } = made.json() as Record<string, unknown>;
    delete rest['ExpirationTTL'];
    expect(listed).toEqual([rest]);

    const changed = { AccessorID: token.AccessorID, Name: 'cd', Type: 'client', Policies: ['nothing'] };
    const response = await sendAs('mgmt', path, { method: 'PUT', body: changed });
    expect(response.json()).toMatchObject({ ...changed, SecretID: secret });
    expect((await sendAs(token.SecretID, '/v1/jobs')).status).toBe(403);
    expect(
      (await sendAs('mgmt', path, { method: 'PUT', body: { ...changed, Global: true } })).text,
    ).toContain('cannot change Global');
    expect((await sendAs('mgmt', path, { method: 'PUT', body: { ...changed, AccessorID: 'x' } })).text).toBe(
      'ACL token accessor does not match request path',
    );

    const gone = await sendAs('mgmt', path, { method: 'DELETE' });
    expect([gone.status, gone.text]).toEqual([200, '']);
    expect(Number(gone.headers['x-scheduler-index'])).toBeGreaterThan(1);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const missing = await sendAs('mgmt', path, { method, ...(method === 'PUT' ? { body: changed } : {}) });
      expect([missing.status, missing.text]).toEqual([404, 'ACL token not found']);
    }
    expect((await sendAs(token.SecretID, '/v1/acl/token/self')).status).toBe(403);
  });

  it.each([{ ExpirationTTL: '90m' }, { ExpirationTTL: 7_200_000_000_000 }, { at: 5_400_000 }])(
    'that ends is written back as it was read: %j',
    async ({ at, ...end }) => {
      const { sendAs } = await createAclCluster({});
      const self = (await sendAs('mgmt', '/v1/acl/token/self')).json() as Body;
      const now = Date.parse(String(self['CreateTime']));
      const time = at === undefined ? {} : { ExpirationTime: new Date(now + at).toISOString() };
      const body = { Name: 'a', Type: 'management', ...end, ...time };
      const made = (await sendAs('mgmt', '/v1/acl/token', { method: 'PUT', body })).json() as Body;
      const path = `/v1/acl/token/${String(made['AccessorID'])}`;
      if (at === undefined) {
        const life = Date.parse(String(made['ExpirationTime'])) - Date.parse(String(made['CreateTime']));
        expect(life).toBe(made['ExpirationTTL'] === '1h30m0s' ? 5_400_000 : 7_200_000);
      }
      const again = await sendAs('mgmt', path, { method: 'PUT', body: { ...made, Name: 'b' } });
      expect([again.status, again.json()]).toMatchObject([
        200,
        { Name: 'b', ExpirationTime: made['ExpirationTime'], ExpirationTTL: made['ExpirationTTL'] },
      ]);
      for (const [field, value] of [
        ['ExpirationTime', '2030-01-01T00:00:00Z'],
        ['ExpirationTTL', '3h'],
      ] as const) {
        const other = await sendAs('mgmt', path, { method: 'PUT', body: { ...made, [field]: value } });
        expect([other.status, other.text]).toEqual([
          400,
          `token invalid: cannot change ${field}: make a new token`,
        ]);
      }
    },
  );

  it('shows the policies that it has', async () => {
    const rules = 'namespace "default" { policy = "read" }';
    const { sendAs } = await createAclCluster({ one: rules, two: rules });
    const own = (await sendAs('one', '/v1/acl/policy/self')).json() as Body[];
    expect(own.map(({ Name }) => Name)).toEqual(['one']);
    expect((await sendAs('mgmt', '/v1/acl/policy/self')).json()).toEqual([]);
  });

  it('cannot be given a secret or an accessor', async () => {
    const { sendAs } = await createAclCluster({});
    const body = { Type: 'management', SecretID: '11111111-2222-3333-4444-555555555555' };
    const made = await sendAs('mgmt', '/v1/acl/token', { method: 'PUT', body });
    expect(secretOf(made)).not.toBe(body.SecretID);
    const named = await sendAs('mgmt', '/v1/acl/token', {
      method: 'PUT',
      body: { ...body, AccessorID: 'mine' },
    });
    expect([named.status, named.text]).toMatchObject([
      400,
      expect.stringContaining('leave it out') as string,
    ]);
  });

  it('is shown to its holder, and to no client without it', async () => {
    const { sendAs, tokens } = await createAclCluster({ reader: 'node { policy = "read" }' });
    const own = await sendAs('reader', '/v1/acl/token/self');
    expect(own.headers['cache-control']).toBe('no-store');
    expect(own.json()).toMatchObject({
      Name: 'reader',
      SecretID: tokens.get('reader'),
      Policies: ['reader'],
    });
    expect(own.headers['x-scheduler-index']).toMatch(/^[1-9]\d*$/);
    for (const caller of ['', '11111111-2222-3333-4444-555555555555']) {
      const refused = await sendAs(caller, '/v1/acl/token/self');
      expect([refused.status, refused.text]).toEqual([403, 'Permission denied']);
    }
  });

  it('ends', async () => {
    const clock = createFakeClock();
    const { sendAs } = await createAclCluster({}, { clock });
    const body = { Type: 'management', ExpirationTTL: '90s' };
    const made = await sendAs('mgmt', '/v1/acl/token', { method: 'PUT', body });
    expect(made.json()).toMatchObject({ ExpirationTime: '2023-11-14T22:14:50Z', ExpirationTTL: '1m30s' });
    const secret = secretOf(made);
    clock.advance(89_999);
    expect((await sendAs(secret, '/v1/nodes')).status).toBe(200);
    clock.advance(1);
    for (const path of ['/v1/nodes', '/v1/acl/token/self', '/v1/namespaces']) {
      const response = await sendAs(secret, path);
      expect([response.status, response.text]).toEqual([403, 'Permission denied']);
    }
  });

  it('that would end too soon, or too late, is not made, and what is made may be changed until its end', async () => {
    const clock = createFakeClock();
    const { agent, sendAs } = await createAclCluster({}, { clock });
    const put = (path: string, more: object): Promise<TestResponse> =>
      sendAs('mgmt', path, { method: 'PUT', body: { Type: 'management', ...more } });
    const before = agent.state.snapshot();
    for (const more of [
      { ExpirationTTL: '2s' },
      { ExpirationTime: '2023-11-14T22:13:25Z' },
      { ExpirationTTL: '25h' },
    ]) {
      const response = await put('/v1/acl/token', more);
      expect(response.status).toBe(400);
      expect(response.text).toMatch(
        /^token invalid: expiration time cannot be (?:less than 1m0s|more than 24h0m0s)/,
      );
    }
    expect(agent.state.snapshot()).toBe(before);
    const made = (await put('/v1/acl/token', { ExpirationTTL: '60s' })).json() as AclToken;
    clock.advance(59_000);
    const { AccessorID, ExpirationTime } = made;
    const changed = await put(`/v1/acl/token/${AccessorID}`, { AccessorID, ExpirationTime, Name: 'late' });
    expect([changed.status, changed.json()]).toMatchObject([200, { Name: 'late' }]);
  });

  it('may live for exactly as long as the bounds say, however long the request takes', async () => {
    const clock = createFakeClock();
    const ticking = { ...clock, now: () => (clock.advance(1), clock.now()) };
    const { sendAs } = await createAclCluster({}, { clock: ticking });
    for (const ExpirationTTL of ['1m', '24h']) {
      const made = await sendAs('mgmt', '/v1/acl/token', {
        method: 'PUT',
        body: { Type: 'management', ExpirationTTL },
      });
      expect(made.status, made.text).toBe(200);
    }
  });

  it('that has ended is forgotten when the next one is made', async () => {
    const clock = createFakeClock();
    const { agent, sendAs } = await createAclCluster({}, { clock });
    const make = (ExpirationTTL: string): Promise<TestResponse> =>
      sendAs('mgmt', '/v1/acl/token', { method: 'PUT', body: { Type: 'management', ExpirationTTL } });
    await make('1m');
    await make('3m');
    clock.advance(120_000);
    const count = (): number => agent.state.snapshot().tables.acl_tokens.primary.size;
    expect(count()).toBe(3);
    await make('');
    expect(count()).toBe(3);
  });

  it('is refused with what is wrong with it', async () => {
    const { agent, sendAs } = await createAclCluster({});
    const before = agent.state.snapshot();
    for (const [body, text] of [
      ['', 'Request body is empty'],
      ['{"Type":1}', 'Type: expected a string'],
      [{ Type: 'root' }, 'token invalid: token type must be client or management'],
      [{ Type: 'client' }, 'token invalid: client token missing policies'],
    ] as const) {
      const response = await sendAs('mgmt', '/v1/acl/token', { method: 'PUT', body });
      expect(response.status).toBe(400);
      expect(response.text).toContain(text);
    }
    expect(agent.state.snapshot()).toBe(before);
  });
});

describe('a policy', () => {
  const Rules = 'node { policy = "read" }';

  it('is written, read, listed and deleted', async () => {
    const { sendAs } = await createAclCluster({});
    const path = '/v1/acl/policy/nodes';
    const put = await sendAs('mgmt', path, {
      method: 'PUT',
      body: { Name: 'nodes', Description: 'see nodes', Rules },
    });
    expect([put.status, put.text]).toEqual([200, '']);
    const index = Number(put.headers['x-scheduler-index']);
    const policy = (await sendAs('mgmt', path)).json();
    expect(policy).toEqual({
      Name: 'nodes',
      Description: 'see nodes',
      Rules,
      Hash: expect.any(String) as string,
      CreateIndex: index,
      ModifyIndex: index,
    });
    expect((await sendAs('mgmt', '/v1/acl/policies')).json()).toEqual([
      {
        Name: 'nodes',
        Description: 'see nodes',
        Hash: expect.any(String) as string,
        CreateIndex: index,
        ModifyIndex: index,
      },
    ]);
    expect((await sendAs('mgmt', '/v1/acl/policies?filter=Name+==+other')).json()).toEqual([]);
    expect((await sendAs('mgmt', path, { method: 'DELETE' })).status).toBe(200);
    for (const method of ['GET', 'DELETE']) {
      const missing = await sendAs('mgmt', path, { method });
      expect([missing.status, missing.text]).toEqual([404, 'ACL policy not found']);
    }
  });

  it.each<[what: string, path: string, body: object, text: string]>([
    ['another name', 'a', { Name: 'b', Rules }, 'ACL policy name does not match request path'],
    ['an odd name', 'a%20b', { Rules }, 'invalid name "a b"'],
    ['no name', '', { Rules }, 'invalid name ""'],
    ['no rules', 'a', {}, 'Rules: expected at least one of namespace, node, agent, operator, node_pool'],
    ['odd rules', 'a', { Rules: 'node {\n  policy = "all"\n}' }, 'Rules:2:12: node.policy: expected one of'],
    [
      'an unknown kind',
      'a',
      { Rules: 'secrets { policy = "read" }' },
      'Rules:1:1: secrets: there is no such setting',
    ],
    ['a long description', 'a', { Rules, Description: 'x'.repeat(257) }, 'description longer than 256'],
  ])('with %s is refused', async (_what, name, body, text) => {
    const { agent, sendAs } = await createAclCluster({});
    const before = agent.state.snapshot();
    const response = await sendAs('mgmt', `/v1/acl/policy/${name}`, { method: 'PUT', body });
    expect(response.status).toBe(400);
    expect(response.text).toContain(text);
    expect(agent.state.snapshot()).toBe(before);
  });

  it('is shown to those whose token has it, and to no others', async () => {
    const { sendAs } = await createAclCluster({ some: Rules, other: 'agent { policy = "read" }' });
    const names = async (token: string): Promise<unknown> => {
      const response = await sendAs(token, '/v1/acl/policies');
      return response.status === 200
        ? (response.json() as AclPolicy[]).map(({ Name }) => Name)
        : response.text;
    };
    expect(await names('some')).toEqual(['some']);
    expect(await names('other')).toEqual(['other']);
    expect(await names('mgmt')).toEqual(['other', 'some']);
    expect(await names('')).toBe('Permission denied');
    expect((await sendAs('some', '/v1/acl/policy/some')).json()).toMatchObject({ Name: 'some', Rules });
    // What is not theirs looks the same whether it is there or not.
    for (const path of ['/v1/acl/policy/other', '/v1/acl/policy/none', '/v1/acl/policy/']) {
      const response = await sendAs('some', path);
      expect([response.status, response.text]).toEqual([403, 'Permission denied']);
    }
    await sendAs('mgmt', '/v1/acl/policy/anonymous', { method: 'PUT', body: { Rules } });
    expect(await names('')).toEqual(['anonymous']);
    expect((await sendAs('', '/v1/acl/policy/anonymous')).status).toBe(200);
  });

  it('may name features that this server lacks: they are kept, without effect, and logged', async () => {
    const lines: string[] = [];
    const logs = createLogHub({ level: 'warn', write: (line) => void lines.push(line) });
    const { sendAs } = await createAclCluster({}, { logs });
    const rules = `${Rules}\nnode_pool "*" { policy = "write" }\nhost_volume "db" { policy = "read" }\nquota { policy = "read" }`;
    const path = '/v1/acl/policy/wide';
    expect((await sendAs('mgmt', path, { method: 'PUT', body: { Rules: rules } })).status).toBe(200);
    expect((await sendAs('mgmt', path)).json()).toMatchObject({ Rules: rules });
    expect(lines.at(-1)).toContain('parts of a policy have no effect here');
    expect(lines.at(-1)).toContain('"idle":["node_pool","host_volume","quota"]');
  });

  it('changes what its tokens may do at once', async () => {
    const { sendAs } = await createAclCluster({ some: 'node { policy = "read" }' });
    const change = (rules: string): Promise<TestResponse> =>
      sendAs('mgmt', '/v1/acl/policy/some', { method: 'PUT', body: { Rules: rules } });
    expect((await sendAs('some', '/v1/nodes')).status).toBe(200);
    await change('agent { policy = "read" }');
    expect((await sendAs('some', '/v1/nodes')).status).toBe(403);
    await change(Rules);
    expect((await sendAs('some', '/v1/nodes')).status).toBe(200);
    await sendAs('mgmt', '/v1/acl/policy/some', { method: 'DELETE' });
    expect((await sendAs('some', '/v1/nodes')).status).toBe(403);
  });

  it('called anonymous is for those without a token', async () => {
    const { sendAs } = await createAclCluster({ anonymous: 'namespace "default" { policy = "read" }' });
    expect((await sendAs('', '/v1/jobs')).status).toBe(200);
    expect((await sendAs('', '/v1/nodes')).status).toBe(403);
    expect((await sendAs('11111111-2222-3333-4444-555555555555', '/v1/jobs')).status).toBe(403);
  });
});

describe('reads that block', () => {
  it('on tokens wait for the next one', async () => {
    const clock = createFakeClock();
    const { agent, sendAs } = await createAclCluster({}, { clock });
    const index = String((await sendAs('mgmt', '/v1/acl/tokens')).headers['x-scheduler-index']);
    const later = sendAs('mgmt', `/v1/acl/tokens?index=${index}`);
    await until(() => agent.blocking.waiting === 1);
    await sendAs('mgmt', '/v1/acl/token', { method: 'PUT', body: { Type: 'management' } });
    clock.runSoon();
    expect((await later).json()).toHaveLength(2);
  });

  it('use the rights at the time of their response', async () => {
    const clock = createFakeClock();
    const { agent, sendAs } = await createAclCluster(
      { some: 'namespace "*" { policy = "read" }' },
      { clock },
    );
    const index = String((await sendAs('some', '/v1/jobs?namespace=*')).headers['x-scheduler-index']);
    const list = sendAs('some', `/v1/jobs?namespace=*&index=${index}`);
    const read = sendAs('some', `/v1/job/new?index=${index}`);
    await until(() => agent.blocking.waiting === 2);
    await sendAs('mgmt', '/v1/acl/policy/some', { method: 'DELETE' });
    const Job = { ID: 'new', TaskGroups: [{ Name: 'g', Tasks: [{ Name: 't', Driver: 'exec' }] }] };
    await sendAs('mgmt', '/v1/jobs', { method: 'PUT', body: { Job } });
    clock.runSoon();
    for (const response of await Promise.all([list, read])) {
      expect([response.status, response.text]).toEqual([403, 'Permission denied']);
    }
  });
});

describe('tokens and policies', () => {
  it('survive a restart', async () => {
    const storage = createLastingStorage();
    const before = await createAclCluster({ nodes: 'node { policy = "read" }' }, { storage });
    await before.agent.close();
    const agent = await createTestAgent({ ...enabled, storage });
    const sendWith = (name: string, path: string): Promise<TestResponse> =>
      call(agent, path, { headers: { 'x-scheduler-token': before.tokens.get(name) ?? '' } });
    expect((await sendWith('nodes', '/v1/nodes')).status).toBe(200);
    expect((await sendWith('nodes', '/v1/jobs')).status).toBe(403);
    expect((await sendWith('mgmt', '/v1/acl/tokens')).json()).toHaveLength(2);
    expect((await call(agent, '/v1/acl/bootstrap', { method: 'PUT' })).text).toMatch(/already done/);
  });

  it('leave no secret in the log', async () => {
    const lines: string[] = [];
    const logs = createLogHub({ level: 'trace', write: (line) => void lines.push(String(line)) });
    const { sendAs, tokens } = await createAclCluster({ nodes: 'node { policy = "read" }' }, { logs });
    await sendAs('nodes', '/v1/jobs');
    await sendAs('nodes', '/v1/nodes?filter=bad');
    await sendAs('nodes', '/v1/acl/token/self');
    const log = lines.join('');
    expect(log).toContain('/v1/acl/token/self');
    expect(log).toContain('a first management token was made');
    for (const secret of ['mgmt', 'nodes']) expect(log).not.toContain(tokens.get(secret));
  });
});
