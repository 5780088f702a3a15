import { describe, expect, it } from 'vitest';
import { defaultAgentConfig, type AgentConfig } from '../../src/agent/settings/agent-config.js';
import { buildConfig } from '../../src/agent/settings/build-config.js';
import { readSettings } from '../../src/agent/settings/read-settings.js';
import { etcdPlaceOf } from '@tamis/scheduler-state/drivers/etcd.js';
import { lmdbDriver } from '@tamis/scheduler-state/drivers/lmdb.js';

function configOf(text: string, devMode = false): AgentConfig {
  const { given } = readSettings({ files: [{ name: 'a.hcl', text }], environment: {}, flags: new Map() });
  return buildConfig(given, { devMode, files: ['a.hcl'] });
}

describe('the configuration', () => {
  it('is the default where nothing is said, without the made-up cluster', () => {
    const config = configOf('');
    expect(config).toEqual({ ...defaultAgentConfig, files: ['a.hcl'], fill: { kind: 'nothing' } });
  });

  it('has what a file says', () => {
    const config = configOf(`
      region = "west", datacenter = "dc2", name = "srv1", bind_addr = "127.0.0.2", data_dir = "/d"
      log_level = "warn", enable_debug = true, unresolved = "absent"
      ports { http = 1 rpc = 2 serf = 3 }
      server { bootstrap_expect = 3 num_schedulers = 2 enabled_schedulers = ["_core"] pause_eval_broker = true }
      client { enabled = true register = false servers = ["a:1"] node_class = "c" node_pool = "p"
        min_dynamic_port = 30000
        max_dynamic_port = 30010 meta { k = 1 } }
      plugin "raw_exec" { config { enabled = true } }
      acl { enabled = true }
      tls { http = true cert_file = "c" key_file = "k" ca_file = "ca" }
      limits {
        http_max_conns_per_client = 1 max_waiters = 2 max_queries = 12 max_event_streams = 5 max_file_streams = 11 max_nodes = 4 max_body_size = 3 max_body_values = 33 max_header_size = 4096 max_url_length = 1024
        max_parameters = 6 max_parameter_length = 7 headers_timeout = "8s" request_timeout = "9s" read_timeout = "10s"
      }
      http_api_response_headers { X-A = "b" }
      regions { east = ["https://a:1"] }
      membership { member "srv2.west" { address = "a:1" status = "failed" tags { role = "scheduler" } } }
    `);
    expect(config).toEqual({
      ...defaultAgentConfig,
      region: 'west',
      datacenter: 'dc2',
      nodeName: 'srv1',
      bind: '127.0.0.2',
      dataDir: '/d',
      storage: { driver: lmdbDriver, values: {} },
      logLevel: 'warn',
      enableDebug: true,
      unresolved: 'absent',
      files: ['a.hcl'],
      port: 1,
      rpcPort: 2,
      serfPort: 3,
      bootstrapExpect: 3,
      server: {
        enabled: true,
        numSchedulers: 2,
        enabledSchedulers: ['_core'],
        pauseEvalBroker: true,
        minHeartbeatTtl: 10_000,
        heartbeatGrace: 10_000,
      },
      client: {
        enabled: true,
        register: false,
        servers: ['a:1'],
        nodeClass: 'c',
        nodePool: 'p',
        minDynamicPort: 30_000,
        maxDynamicPort: 30_010,
        meta: new Map([['k', '1']]),
        rawExec: true,
        mockDriver: false,
      },
      acl: { enabled: true },
      tls: { http: true, rpc: false, certFile: 'c', keyFile: 'k', caFile: 'ca' },
      fill: { kind: 'nothing' },
      maxWaiters: 2,
      maxQueries: 12,
      maxEventStreams: 5,
      maxFileStreams: 11,
      maxNodes: 4,
      http: {
        maxConnectionsPerClient: 1,
        maxBodyLength: 3,
        maxBodyValues: 33,
        maxHeaderSize: 4_096,
        maxUrlLength: 1_024,
        maxParameters: 6,
        maxParameterLength: 7,
        headersTimeout: 8_000,
        requestTimeout: 9_000,
        readTimeout: 10_000,
      },
      responseHeaders: new Map([['X-A', 'b']]),
      regions: new Map([['east', ['https://a:1']]]),
      membership: {
        kind: 'local',
        roster: [
          { name: 'srv2.west', address: 'a:1', status: 'failed', tags: new Map([['role', 'scheduler']]) },
        ],
      },
    });
  });

  it('takes the members from a Serf agent', () => {
    const { membership } = configOf('membership { serf { rpc_addr = "a:1" rpc_auth = "k" } }');
    expect(membership).toEqual({ kind: 'serf', rpcAddress: 'a:1', authKey: 'k' });
  });

  it('keeps the state in the etcd that it names', () => {
    const etcd = etcdPlaceOf(
      configOf(`
      region = "west"
      storage "etcd" {
        endpoints = ["https://e1:2379", "https://e2:2379"] lease_ttl = "2500ms"
        tls { ca_file = "ca" cert_file = "c" key_file = "k" } username = "u" password_file = "p"
      }
    `),
    );
    expect(etcd).toEqual({
      connection: {
        endpoints: ['https://e1:2379', 'https://e2:2379'],
        tls: { caFile: 'ca', certificateFile: 'c', keyFile: 'k' },
        user: { name: 'u', passwordFile: 'p' },
      },
      prefix: '/scheduler/west/',
      leaseTtl: 3,
    });
    const other = configOf('storage "etcd" { endpoints = "http://[::1]:1" prefix = "/a/b.c/" }');
    expect(etcdPlaceOf(other)).toEqual({
      connection: { endpoints: ['http://[::1]:1'] },
      prefix: '/a/b.c/',
      leaseTtl: 5,
    });
  });

  it.each<[text: string, message: string]>([
    [
      'storage "etcd" { endpoints = "http://10.0.0.1:2379" }',
      'a.hcl:1:30: storage.etcd.endpoints: "http://10.0.0.1:2379" is not on loopback, so it must be reached by https',
    ],
    ['storage "etcd" { endpoints = [] }', 'storage.etcd.endpoints: at least one URL of a member is needed'],
    ['storage "etcd" { endpoints = ["x"] }', 'storage.etcd.endpoints: "x" is not a URL such as https://'],
    [
      'storage "etcd" { endpoints = ["https://u:secret@e"] }',
      'storage.etcd.endpoints: a URL with a user or a password (host e)',
    ],
    ['storage "etcd" { prefix = "scheduler" }', 'storage.etcd.prefix: expected a path such as'],
    [
      'storage "etcd" { prefix = "/s/" }',
      'a.hcl:1:27: storage.etcd.endpoints: is missing: name the members of etcd',
    ],
    [
      'bind_addr = "10.0.0.1" storage "etcd" { endpoints = "https://e" }',
      'other servers reach this one at 10.0.0.1 with the tokens of users: set tls.rpc and tls.ca_file, or bind_addr',
    ],
    ['storage "etcd" { lease_ttl = "1s" }', 'storage.etcd.lease_ttl: '],
    [
      'storage "etcd" { endpoints = "http://localhost:1" tls { ca_file = "ca" } }',
      'storage.etcd.tls.ca_file: no member is reached by https',
    ],
    [
      'storage "etcd" { endpoints = "https://e" tls { key_file = "k" } }',
      'storage.etcd.tls.key_file: needs storage.etcd.tls.cert_file too',
    ],
    [
      'storage "etcd" { endpoints = "https://e" username = "u" }',
      'storage.etcd.username: needs storage.etcd.password_file too',
    ],
    ['storage "etct" { endpoints = "https://e" }', 'etcd'],
    ['server { enabled = false }', 'a.hcl:1:20: server.enabled: an agent is a server, a client or both'],
    [
      'bind_addr = "0.0.0.0"\nplugin "raw_exec" { config { enabled = true } }',
      'a.hcl:2:40: plugin.raw_exec.config.enabled: whoever reaches 0.0.0.0 could run programs here',
    ],
    [
      'tls { http = true }',
      'settings: tls.cert_file: is missing: TLS needs it\nsettings: tls.key_file: is missing',
    ],
    ['tls { rpc = true cert_file = "c" }', 'settings: tls.key_file: is missing'],
    [
      'client { min_dynamic_port = 40000 }',
      'client.min_dynamic_port: must not be above client.max_dynamic_port',
    ],
    ['regions { global = "https://a" }', 'regions: global is the region of this agent'],
    [
      'regions { east = ["https://a", "http://a:1"] }',
      'regions: "a:1" of region "east" would carry tokens over an open connection: use https',
    ],
    ['ports { http = 5 rpc = 5 }', 'ports.rpc: 5 is the port of HTTP'],
    ['ports { http = 4648 }', 'ports.serf: 4648 is the port of HTTP'],
    ['ports { rpc = 7 serf = 7 }', 'ports.serf: 7 is the port of RPC'],
    [
      'limits { headers_timeout = "2m" }',
      'limits.headers_timeout: must not be longer than limits.request_timeout',
    ],
    [
      'membership { serf { rpc_addr = "a:1" } member "b" { address = "c" } }',
      'membership.member: the members come from the Serf agent',
    ],
  ])('refuses %s', (text, message) => expect(() => configOf(text)).toThrow(message));

  it('lets programs be run on loopback, or with access control', () => {
    const rawExec = 'plugin "raw_exec" { config { enabled = true } }';
    expect(configOf(rawExec).client.rawExec).toBe(true);
    expect(configOf(`${rawExec} bind_addr = "0.0.0.0" acl { enabled = true }`).client.rawExec).toBe(true);
  });

  it('may use any free ports', () => {
    expect(configOf('ports { http = 0 rpc = 0 serf = 0 }')).toMatchObject({
      port: 0,
      rpcPort: 0,
      serfPort: 0,
    });
  });

  it('switches timeouts off together', () => {
    const { http } = configOf('limits { headers_timeout = 0 request_timeout = 0 }');
    expect(http).toMatchObject({ headersTimeout: 0, requestTimeout: 0 });
  });
});
