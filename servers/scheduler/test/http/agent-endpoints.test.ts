import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { call, createTestAgent, type TestResponse } from '../support/test-agent.js';
import { createFakeMachine } from '../../../scheduler-model/test/support/fake-machine.js';

const both = { ...defaultAgentConfig.client, enabled: true, register: false };

let agent: Agent | null = null;
afterEach(async () => {
  await agent?.close();
  agent = null;
});

async function create(config: Partial<AgentConfig> = {}): Promise<Agent> {
  agent = await createTestAgent({ config: { nodeName: 'srv1', enableDebug: true, client: both, ...config } });
  return agent;
}

function summary({ status, headers, text }: TestResponse): unknown[] {
  return [status, headers['content-type'], text];
}

const plain = 'text/plain; charset=utf-8';

describe('the endpoints of an agent refuse', () => {
  it.each([
    ['GET', '/v1/agent/join', 405, 'Invalid method'],
    ['DELETE', '/v1/agent/force-leave', 405, 'Invalid method'],
    ['POST', '/v1/agent/members', 405, 'Invalid method'],
    ['DELETE', '/v1/agent/servers', 405, 'Invalid method'],
    ['POST', '/v1/agent/self', 405, 'Invalid method'],
    ['OPTIONS', '/v1/agent/health', 405, 'Invalid method'],
    ['PUT', '/v1/agent/host', 405, 'Invalid method'],
    ['POST', '/v1/agent/schedulers', 405, 'Invalid method'],
    ['DELETE', '/v1/agent/schedulers/config', 405, 'Invalid method'],
    ['POST', '/v1/agent/join', 400, 'missing address to join'],
    ['PUT', '/v1/agent/join?address=', 400, 'missing address to join'],
    ['POST', '/v1/agent/force-leave', 400, 'missing node to force leave'],
    ['POST', '/v1/agent/force-leave?prune=maybe', 400, 'missing node to force leave'],
    ['POST', '/v1/agent/force-leave?node=x&prune=maybe', 400, 'invalid prune value'],
    ['POST', '/v1/agent/servers', 400, 'missing server address'],
    ['GET', '/v1/agent/members?index=x', 400, 'Invalid index'],
    ['GET', '/v1/agent/health?wait=10', 400, 'Invalid wait time'],
    ['GET', '/v1/agent/host?server_id=a&node_id=b', 400, 'Can only forward to either client node or server'],
    ['GET', '/v1/agent/host?server_id=a', 400, 'unknown Scheduler server a'],
    ['GET', '/v1/agent/host?node_id=b', 404, 'Unknown node "b"'],
    ['GET', '/v1/agent/host?region=nope', 500, 'No path to region'],
    ['GET', '/v1/agent/monitor?server_id=a', 400, 'unknown Scheduler server a'],
    ['GET', '/v1/agent/monitor?node_id=b', 404, 'Unknown node "b"'],
    ['GET', '/v1/agent/pprof/heap?server_id=a', 400, 'unknown Scheduler server a'],
    ['GET', '/v1/agent/pprof/heap?node_id=b', 404, 'Unknown node "b"'],
  ])('%s %s', async (method, path, status, text) => {
    const response = await call(await create(), path, { method });
    expect(summary(response)).toEqual([status, plain, text]);
  });

  it('without a body: force-leave of an unknown name', async () => {
    for (const query of ['node=nobody', 'node=nobody&prune=1', 'node=srv1.global&prune=true']) {
      const response = await call(await create(), `/v1/agent/force-leave?${query}`, { method: 'PUT' });
      expect(summary(response)).toEqual([200, undefined, '']);
    }
  });
});

describe('a server that is no client', () => {
  it.each([
    ['GET', '/v1/agent/servers', 501],
    ['POST', '/v1/agent/servers?address=127.0.0.1:1', 501],
    ['PUT', '/v1/agent/servers', 501],
    ['DELETE', '/v1/agent/servers', 405],
  ])('knows no servers: %s %s', async (method, path, status) => {
    const one = await create({ client: { ...both, enabled: false } });
    expect(summary(await call(one, path, { method }))).toEqual([status, plain, 'Invalid method']);
  });
});

describe('members', () => {
  it('name the agent and say what it is', async () => {
    const response = await call(await create({ rpcPort: 4647, serfPort: 4648 }), '/v1/agent/members');
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers).not.toHaveProperty('x-scheduler-index');
    const { Members, ...server } = response.json() as { Members: { Tags: object }[] };
    expect(server).toEqual({ ServerName: 'srv1', ServerRegion: 'global', ServerDC: 'dc1' });
    expect(Members).toHaveLength(1);
    expect(Members[0]).toEqual({
      Name: 'srv1.global',
      Addr: '127.0.0.1',
      Port: 4648,
      Status: 'alive',
      ProtocolMin: 1,
      ProtocolMax: 5,
      ProtocolCur: 2,
      DelegateMin: 2,
      DelegateMax: 5,
      DelegateCur: 4,
      Tags: {
        role: 'scheduler',
        region: 'global',
        dc: 'dc1',
        build: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        revision: '',
        vsn: '1',
        raft_vsn: '3',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        rpc_addr: '127.0.0.1',
        port: '4647',
        expect: '1',
        bootstrap: '1',
      },
    });
  });

  it('keep their id, and report the expected number of servers', async () => {
    const one = await create({ bootstrapExpect: 3 });
    const [first, second] = await Promise.all([
      call(one, '/v1/agent/members'),
      call(one, '/v1/agent/members'),
    ]);
    expect(first.text).toBe(second.text);
    expect(first.text).toContain('"expect":"3"');
    expect(first.text).not.toContain('"bootstrap"');
  });

  it('of the roster have the tags that are given, and those of their name', async () => {
    const roster = [
      { name: 'srv2.west', address: '10.0.0.2', status: 'failed', tags: new Map([['dc', 'dc9']]) },
      { name: 'srv3.global', address: '[fe80::1]:7', status: 'alive', tags: new Map() },
    ] as const;
    const response = await call(await create({ membership: { kind: 'local', roster } }), '/v1/agent/members');
    const { Members } = response.json() as { Members: readonly { Name: string }[] };
    expect(Members.filter(({ Name }) => Name !== 'srv1.global')).toMatchObject([
      {
        Name: 'srv2.west',
        Addr: '10.0.0.2',
        Port: 4648,
        Status: 'failed',
        Tags: { region: 'west', dc: 'dc9' },
      },
      {
        Name: 'srv3.global',
        Addr: 'fe80::1',
        Port: 7,
        Status: 'alive',
        Tags: { region: 'global', dc: 'dc1' },
      },
    ]);
  });

  it('on all addresses are found at one that others can reach', async () => {
    const response = await call(await create({ bind: '0.0.0.0' }), '/v1/agent/members');
    expect(response.text).toContain('"Addr":"10.0.0.7"');
    expect(response.text).toContain('"rpc_addr":"10.0.0.7"');
  });
});

describe('self', () => {
  /** Every key that the documentation of the real agent names, and the access control. */
  const configKeys = [
    'ACL',
    'Addresses',
    'AdvertiseAddrs',
    'BindAddr',
    'Client',
    'DataDir',
    'Datacenter',
    'DevMode',
    'DisableAnonymousSignature',
    'DisableUpdateCheck',
    'EnableDebug',
    'EnableSyslog',
    'Files',
    'HTTPAPIResponseHeaders',
    'LeaveOnInt',
    'LeaveOnTerm',
    'LogLevel',
    'NodeName',
    'Ports',
    'Region',
    'Registry',
    'Revision',
    'Secrets',
    'Server',
    'SyslogFacility',
    'TLSConfig',
    'Telemetry',
    'Version',
    'VersionPrerelease',
  ];

  it('returns configuration, member and figures', async () => {
    const one = await create({ rpcPort: 4647, serfPort: 4648, dataDir: null, region: 'west' });
    const response = await call(one, '/v1/agent/self');
    const { config, member, stats, ...rest } = response.json() as Readonly<Record<string, object>>;
    expect(rest).toEqual({});
    expect(Object.keys(config ?? {})).toEqual(expect.arrayContaining(configKeys));
    expect(config).toMatchObject({
      NodeName: 'srv1',
      Region: 'west',
      Datacenter: 'dc1',
      DataDir: '',
      EnableDebug: true,
      LogLevel: 'INFO',
      Ports: { HTTP: 0, RPC: 4647, Serf: 4648 },
      AdvertiseAddrs: { RPC: '127.0.0.1:4647', Serf: '127.0.0.1:4648' },
      Client: { Enabled: true },
      Server: { Enabled: true, BootstrapExpect: 1 },
    });
    expect(member).toMatchObject({ Name: 'srv1.west', Status: 'alive' });
    expect(Object.keys(stats ?? {}).sort()).toEqual(['client', 'raft', 'runtime', 'scheduler', 'serf']);
    const facts = Object.values(stats ?? {}).flatMap((group: object) => Object.values(group));
    expect(facts.filter((fact) => typeof fact !== 'string')).toEqual([]);
    expect(stats).toMatchObject({
      scheduler: { server: 'true', leader: 'true', leader_addr: '127.0.0.1:4647', bootstrap: 'true' },
      raft: { state: 'Leader', applied_index: '1' },
      runtime: { cpu_count: '4', 'kernel.name': 'linux', version: 'v20.19.0' },
      client: { known_servers: '127.0.0.1:4647', num_allocations: '0', last_heartbeat: 'never' },
    });
  });

  it('shows no secret, and no redaction where there is none', async () => {
    const membership = { kind: 'serf', rpcAddress: '127.0.0.1:7373', authKey: 'serf-secret' } as const;
    const printed = (await call(await create({ membership }), '/v1/agent/self')).text;
    expect(printed).toContain('"AuthKey":"<redacted>"');
    expect(printed).not.toContain('serf-secret');
    await agent?.close();
    const none = { ...membership, authKey: null };
    expect((await call(await create({ membership: none }), '/v1/agent/self')).text).not.toContain('redacted');
  });

  it('has no client part on a server that is only that', async () => {
    const response = await call(
      await create({ client: { ...both, enabled: false } }),
      '/v1/agent/self?pretty',
    );
    expect(response.text.endsWith('}\n')).toBe(true);
    expect(Object.keys((response.json() as { stats: object }).stats)).not.toContain('client');
  });
});

describe('health', () => {
  const ok = { ok: true, message: 'ok' };

  it.each([
    ['', { client: ok, server: ok }],
    ['type=client', { client: ok }],
    ['type=server', { server: ok }],
    ['type=server&type=client', { client: ok, server: ok }],
    ['type=bogus', {}],
    ['type=', {}],
  ])('?%s of both parts', async (query, body) => {
    const response = await call(await create(), `/v1/agent/health?${query}`);
    expect([response.status, response.headers['content-type'], response.json()]).toEqual([
      200,
      'application/json',
      body,
    ]);
  });

  it.each([
    ['', 200, '{"server":{"ok":true,"message":"ok"}}'],
    ['type=client', 500, '{"client":{"ok":false,"message":"client not enabled"}}'],
    [
      'type=client&type=server&pretty',
      500,
      '{"client":{"ok":false,"message":"client not enabled"},"server":{"ok":true,"message":"ok"}}',
    ],
  ])('?%s of a server alone', async (query, status, text) => {
    const one = await create({ client: { ...both, enabled: false } });
    const response = await call(one, `/v1/agent/health?${query}`);
    expect([response.status, response.text]).toEqual([status, text]);
    expect(response.headers['content-type']).toBe(status === 200 ? 'application/json' : plain);
  });

  it.each([
    ['', 'No cluster leader'],
    ['stale', 'no leader'],
  ])('?%s without a leader', async (query, message) => {
    const response = await call(await create({ bootstrapExpect: 3 }), `/v1/agent/health?${query}`);
    expect(response.status).toBe(500);
    expect(response.json()).toEqual({ client: ok, server: { ok: false, message } });
  });
});

describe('host', () => {
  it.each(['', '?server_id=srv1.global', '?server_id=srv1', '?server_id=leader', '?server_id=&node_id='])(
    'of the server: %s',
    async (query) => {
      const response = await call(await create(), `/v1/agent/host${query}`);
      expect(response.headers['content-type']).toBe('application/json');
      const { AgentID, HostData } = response.json() as { AgentID: string; HostData: object };
      expect(AgentID).toBe('srv1.global');
      expect(Object.keys(HostData)).toEqual(['OS', 'Network', 'ResolvConf', 'Hosts', 'Environment', 'Disk']);
      expect(HostData).toMatchObject({ Environment: { SCHEDULER_TOKEN: '<redacted>' } });
      expect(response.text).not.toContain('very-secret');
    },
  );

  it('of the client in the same process, by the ID of its node', async () => {
    const one = await create();
    const { stats } = (await call(one, '/v1/agent/self')).json() as {
      stats: { client: { node_id: string } };
    };
    const { node_id: id } = stats.client;
    expect((await call(one, `/v1/agent/host?node_id=${id}`)).json()).toMatchObject({ AgentID: id });
  });

  it.each([
    [null, false, 403],
    [false, false, 403],
    [true, false, 200],
  ])('with debugging %s and access control %s', async (enableDebug, enabled, status) => {
    const response = await call(await create({ enableDebug, acl: { enabled } }), '/v1/agent/host');
    expect(response.status).toBe(status);
  });
});

describe('the workers', () => {
  async function put(one: Agent, body: unknown): Promise<TestResponse> {
    return call(one, '/v1/agent/schedulers/config', { method: 'PUT', body });
  }

  it('are one a processor unless the configuration says otherwise', async () => {
    const response = await call(await create(), '/v1/agent/schedulers/config');
    expect(response.json()).toEqual({
      server_id: 'srv1.global',
      num_schedulers: 4,
      enabled_schedulers: ['service', 'batch', 'system', 'sysbatch', '_core'],
    });
    const list = (await call(agent as Agent, '/v1/agent/schedulers')).json() as { schedulers: object[] };
    expect(list.schedulers).toHaveLength(4);
    expect(Object.keys(list.schedulers[0] ?? {}).sort()).toEqual([
      'enabled_schedulers',
      'id',
      'started',
      'status',
      'workload_status',
    ]);
  });

  it('are replaced when the configuration changes, and only then', async () => {
    const one = await create();
    const workers = async (): Promise<string> => (await call(one, '/v1/agent/schedulers')).text;
    const before = await workers();
    const { text } = await call(one, '/v1/agent/schedulers/config');
    expect((await put(one, text)).text).toBe(text);
    expect(await workers()).toBe(before);
    const changed = { num_schedulers: 1, enabled_schedulers: ['batch', '_core', 'batch'], server_id: 7 };
    expect((await put(one, changed)).json()).toEqual({
      server_id: 'srv1.global',
      num_schedulers: 1,
      enabled_schedulers: ['batch', '_core'],
    });
    const after = JSON.parse(await workers()) as { schedulers: { id: string }[] };
    expect(after.schedulers).toHaveLength(1);
    expect(before).not.toContain(after.schedulers[0]?.id);
  });

  it('may be none', async () => {
    const one = await create();
    expect((await put(one, { num_schedulers: 0, enabled_schedulers: ['_core'] })).status).toBe(200);
    expect((await call(one, '/v1/agent/schedulers')).json()).toEqual({
      server_id: 'srv1.global',
      schedulers: [],
    });
  });

  it.each([
    [{ num_schedulers: -1, enabled_schedulers: ['_core'] }, 'Invalid request'],
    [{ num_schedulers: 5, enabled_schedulers: ['_core'] }, 'Invalid request'],
    ['{"num_schedulers":9223372036854775807,"enabled_schedulers":["_core"]}', 'Invalid request'],
    [{ num_schedulers: 1, enabled_schedulers: ['batch'] }, 'Invalid request'],
    [{ num_schedulers: 1, enabled_schedulers: ['_core', 'other'] }, 'Invalid request'],
    [{ num_schedulers: 1, enabled_schedulers: [] }, 'Invalid request'],
    [{ num_schedulers: 1 }, 'Invalid request'],
    [{ num_schedulers: 1, enabled_schedulers: null }, 'Invalid request'],
    ['', 'Invalid request: Request body is empty'],
    ['x', 'Invalid request: '],
    ['[]', 'Invalid request: '],
    ['null', 'Invalid request: '],
    [{ num_schedulers: '1', enabled_schedulers: ['_core'] }, 'Invalid request: num_schedulers'],
    [{ num_schedulers: 1.5, enabled_schedulers: ['_core'] }, 'Invalid request: num_schedulers'],
    [{ num_schedulers: 1, enabled_schedulers: [1] }, 'Invalid request: enabled_schedulers'],
    ['{"num_schedulers":1e40,"enabled_schedulers":["_core"]}', 'Invalid request: num_schedulers'],
  ])('refuse %j', async (body, text) => {
    const one = await create();
    const before = (await call(one, '/v1/agent/schedulers')).text;
    const response = await put(one, body);
    expect([response.status, response.headers['content-type']]).toEqual([400, plain]);
    if (text === 'Invalid request') expect(response.text).toBe(text);
    else expect(response.text.startsWith(text)).toBe(true);
    expect((await call(one, '/v1/agent/schedulers')).text).toBe(before);
  });

  it('count the processors of the machine', async () => {
    agent = await createTestAgent({ machine: createFakeMachine({ cpuCount: 1 }) });
    expect((await put(agent, { num_schedulers: 2, enabled_schedulers: ['_core'] })).status).toBe(400);
  });
});
