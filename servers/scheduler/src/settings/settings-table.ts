import { isIP } from 'node:net';
import { EtcdError, readEndpoints } from '@tamis/etcd/settings';
import {
  block,
  bool,
  checked,
  choice,
  converted,
  duration,
  int,
  labelled,
  list,
  map,
  required,
  text,
  type IntOptions,
  type Reader,
} from '@tamis/config';
import { defaultAgentConfig, logLevels } from '../agent-config.js';
import { readPeer, RegionError } from '../cluster/regions.js';
import { headerMap } from './response-headers.js';
import type { Setting } from './setting.js';

const defaults = defaultAgentConfig;
const { http, server } = defaults;

/** Names stand in addresses and headers, and `*` means all of them elsewhere. */
const name = checked(
  text(),
  (value) => /^[^\s*\p{Cc}]{1,128}$/u.test(value),
  'expected 1 to 128 characters without blanks and *',
);
const someText = checked(text(), (value) => value !== '', 'must not be empty');
const bindAddress = checked(
  text(),
  (value) => isIP(value) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value),
  'expected an address or a host name without a port, such as "127.0.0.1"',
);
const hostName = checked(
  text(),
  (value) => /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/.test(value),
  'expected a host name without a port, such as "scheduler.test"',
);
const endpoint = checked(
  text(),
  (value) => /^(\[[0-9A-Fa-f:.]+\]|[^\s:/]+)(:\d{1,5})?$/.test(value),
  'expected a host and perhaps a port, such as "10.0.0.1:4647"',
);
const port = int({ min: 0, max: 65_535 });

const schedulerTypes = ['service', 'batch', 'system', 'sysbatch', '_core'] as const;
const enabledSchedulers = checked(
  list(choice(schedulerTypes)),
  (types) => types.includes('_core'),
  'must contain "_core"',
);

const statuses = ['alive', 'leaving', 'left', 'failed'] as const;
const members = labelled(
  block({ address: required(endpoint), status: choice(statuses), tags: map(text({ scalars: true })) }),
);

/** A day: who waits longer for a request has switched the limit off. */
const longestTimeout = 86_400_000_000_000n;

/** Milliseconds; 0 switches a limit off. */
function timeout(min = 0n): Reader<number> {
  return converted(duration({ seconds: true, min, max: longestTimeout }), (nanoseconds) =>
    Number(nanoseconds / 1_000_000n),
  );
}

/** A hundred years, which dates can still be written after. */
const longestLifetime = 3_153_600_000_000_000_000n;

/** Milliseconds. */
function lifetime(): Reader<number> {
  return converted(duration({ seconds: true, min: 0n, max: longestLifetime }), (nanoseconds) =>
    Number(nanoseconds / 1_000_000n),
  );
}

/** URLs of members of etcd: no byte goes to another machine without TLS. */
const etcdEndpoints = converted(list(text(), { single: true }), (endpoints, refuse) => {
  try {
    readEndpoints({ endpoints });
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error;
    refuse(error.message.replace(/^etcd endpoints: /, ''));
  }
  return endpoints;
});

/** Etcd keys are paths by custom; what is not below one of its own could be somebody else's. */
const etcdPrefix = checked(
  text(),
  (value) => /^\/(?:[A-Za-z0-9._-]+\/)+$/.test(value),
  'expected a path such as "/scheduler/global/": letters, digits and ._- between slashes',
);

/** A day: a server that is gone would not be replaced for longer. */
const longestLease = 86_400;

/** Servers of other regions, none of which requests must not be sent to. */
const regions = converted(map(list(text(), { single: true })), (servers, refuse) => {
  for (const [region, addresses] of servers) {
    for (const address of addresses) {
      try {
        readPeer(region, address);
      } catch (error) {
        if (!(error instanceof RegionError)) throw error;
        refuse(error.message.replace(/^regions: /, ''));
      }
    }
  }
  return servers;
});

function setting<T>(
  reader: Reader<T>,
  flag: string | null,
  argument: string,
  about: string,
  fallback: unknown = '',
): Setting<T> {
  return { reader, form: reader.form ?? null, flag, argument, about, fallback: String(fallback) };
}

function limit(flag: string, about: string, fallback: number, { min = 1, max = 2 ** 30 }: IntOptions = {}) {
  return setting(int({ min, max }), flag, 'N', about, fallback);
}

/**
 * Every setting by its path in a file: `ports.http` is `http` in the block `ports`. A label is a part of the path. The
 * variables of the environment, the flags and the help follow from this table.
 */
export const settings = {
  region: setting(name, 'region', 'NAME', 'the region that this agent serves', defaults.region),
  datacenter: setting(name, 'datacenter', 'NAME', 'where it stands', defaults.datacenter),
  name: setting(name, 'name', 'NAME', 'what it is called; its member is NAME.REGION', defaults.nodeName),
  bind_addr: setting(
    bindAddress,
    'bind',
    'ADDRESS',
    'where it listens; anything but loopback is open to whoever can reach it',
    defaults.bind,
  ),
  data_dir: setting(someText, 'data-dir', 'DIR', 'where the state survives', 'in memory'),
  log_level: setting(
    choice(logLevels, { ignoreCase: true }),
    'log-level',
    'LEVEL',
    `${logLevels.join(', ')}; logs go to standard error`,
    defaults.logLevel,
  ),
  enable_debug: setting(bool(), 'enable-debug', '', 'profiles and host data without access control'),
  unresolved: setting(
    choice(['error', 'absent']),
    'unresolved',
    'error|absent',
    'a filter meets a row that lacks the field: refuse the request, or pass over the row',
    defaults.unresolved,
  ),
  host_names: setting(
    list(hostName, { single: true }),
    'host-name',
    'NAME',
    'one more name to answer to on loopback',
  ),
  http_api_response_headers: setting(
    headerMap(),
    'response-header',
    "'NAME: VALUE'",
    'a header for every answer, unless the answer sets it itself',
  ),
  sample: setting(
    bool(),
    'sample',
    '',
    '5,000 jobs, 400 nodes and 800 deployments, the same every time; on unless --dev, --config or --data-dir is given',
  ),
  import: setting(someText, 'import', 'FILE', 'the cluster in FILE, if there is none yet'),
  'ports.http': setting(port, 'port', 'PORT', 'of the HTTP API; 0 takes any free one', defaults.port),
  'ports.rpc': setting(port, 'rpc-port', 'PORT', 'between servers and clients', defaults.rpcPort),
  'ports.serf': setting(port, 'serf-port', 'PORT', 'of the gossip', defaults.serfPort),
  'storage.etcd.endpoints': setting(
    etcdEndpoints,
    'etcd-endpoint',
    'URL',
    'a member of the etcd in which several servers keep the state; https unless it is on loopback',
  ),
  'storage.etcd.prefix': setting(
    etcdPrefix,
    'etcd-prefix',
    'PATH',
    'what the keys of the state begin with',
    '/scheduler/REGION/',
  ),
  'storage.etcd.lease_ttl': setting(
    converted(
      duration({ seconds: true, min: 2_000_000_000n, max: BigInt(longestLease) * 1_000_000_000n }),
      (time) => Math.ceil(Number(time) / 1e9),
    ),
    'etcd-lease-ttl',
    'TIME',
    'after which a leader that is not heard of is replaced; whole seconds',
    '5s',
  ),
  'storage.etcd.tls.ca_file': setting(
    someText,
    'etcd-ca-file',
    'FILE',
    'who signs the certificates of etcd, PEM',
  ),
  'storage.etcd.tls.cert_file': setting(someText, 'etcd-cert-file', 'FILE', 'certificate for etcd, PEM'),
  'storage.etcd.tls.key_file': setting(someText, 'etcd-key-file', 'FILE', 'its key, PEM'),
  'storage.etcd.username': setting(someText, 'etcd-username', 'NAME', 'user of etcd'),
  'storage.etcd.password_file': setting(
    someText,
    'etcd-password-file',
    'FILE',
    'holds the password of that user',
  ),
  'server.enabled': setting(bool(), 'server', '', 'keeps the cluster', 'on'),
  'server.bootstrap_expect': setting(
    int({ min: 0, max: 1_000 }),
    'bootstrap-expect',
    'N',
    'servers that must be there before the first leader is elected: one that is alone waits forever for more',
    defaults.bootstrapExpect,
  ),
  'server.num_schedulers': setting(
    int({ min: 0, max: 1_024 }),
    'num-schedulers',
    'N',
    'workers that process evaluations',
    'one a CPU',
  ),
  'server.enabled_schedulers': setting(
    enabledSchedulers,
    'enabled-scheduler',
    'TYPE',
    'what they process; _core has to be there',
    server.enabledSchedulers.join(', '),
  ),
  'server.pause_eval_broker': setting(
    bool(),
    'pause-eval-broker',
    '',
    'workers exist and are given nothing',
    'off',
  ),
  'server.min_heartbeat_ttl': setting(
    // Stops nodes from doing nothing but beat.
    timeout(500_000_000n),
    'min-heartbeat-ttl',
    'TIME',
    'between the heartbeats of a node; more with many nodes',
    '10s',
  ),
  'server.heartbeat_grace': setting(
    timeout(),
    'heartbeat-grace',
    'TIME',
    'what a heartbeat may be late before the work of its node is placed elsewhere',
    '10s',
  ),
  'client.enabled': setting(bool(), 'client', '', 'runs what is placed on this machine', 'off'),
  'client.register': setting(bool(), 'client-register', '', 'the local client is listed as a node', 'on'),
  'client.servers': setting(
    list(endpoint),
    'servers',
    'HOST:PORT',
    'RPC addresses of servers; none where the server is in this process',
  ),
  'client.node_class': setting(text(), 'node-class', 'CLASS', 'of the local client'),
  'client.node_pool': setting(name, 'node-pool', 'POOL', 'of the local client', 'default'),
  'client.min_dynamic_port': setting(
    int({ min: 1, max: 65_535 }),
    'min-dynamic-port',
    'PORT',
    'the first port for tasks that do not care which',
    String(defaults.client.minDynamicPort),
  ),
  'client.max_dynamic_port': setting(
    int({ min: 1, max: 65_535 }),
    'max-dynamic-port',
    'PORT',
    'the last one of these',
    String(defaults.client.maxDynamicPort),
  ),
  'client.meta': setting(
    map(text({ scalars: true })),
    'meta',
    'KEY=VALUE',
    'what jobs can ask of the local client',
  ),
  'plugin.raw_exec.config.enabled': setting(
    bool(),
    'raw-exec',
    '',
    'jobs may run programs of this machine as they are; on loopback, or with access control',
    'off',
  ),
  'plugin.mock_driver.config.enabled': setting(
    bool(),
    'mock-driver',
    '',
    'jobs may use a driver that runs nothing, for trying things out; on with --dev',
    'off',
  ),
  'acl.enabled': setting(bool(), 'acl', '', 'access control: every request needs a token', 'off'),
  'acl.token_min_expiration_ttl': setting(
    lifetime(),
    null,
    '',
    'the shortest life of a token that ends',
    '1m',
  ),
  'acl.token_max_expiration_ttl': setting(
    lifetime(),
    null,
    '',
    'the longest life of a token that ends',
    '24h',
  ),
  'tls.http': setting(bool(), 'tls-http', '', 'HTTPS', 'off'),
  'tls.rpc': setting(bool(), 'tls-rpc', '', 'TLS between servers and clients', 'off'),
  'tls.cert_file': setting(someText, 'tls-cert-file', 'FILE', 'certificate and its chain, PEM'),
  'tls.key_file': setting(someText, 'tls-key-file', 'FILE', 'its key, PEM'),
  'tls.ca_file': setting(someText, 'tls-ca-file', 'FILE', 'who signs the certificates of others, PEM'),
  regions: setting(regions, 'region-url', 'REGION=URL', 'where the servers of another region answer'),
  'membership.member': setting(members, null, '', 'another agent, by its full name such as srv2.global'),
  'membership.serf.rpc_addr': setting(
    endpoint,
    'serf-rpc',
    'HOST:PORT',
    'take the members from this Serf agent instead',
  ),
  'membership.serf.rpc_auth': setting(someText, null, '', 'the key of its RPC'),
  'limits.http_max_conns_per_client': limit(
    'max-connections-per-client',
    'from one address; 0 for any number',
    http.maxConnectionsPerClient,
    { min: 0, max: 1_000_000 },
  ),
  'limits.max_waiters': limit('max-waiters', 'blocking queries that wait', defaults.maxWaiters, {
    min: 0,
    max: 1_000_000,
  }),
  'limits.max_event_streams': limit('max-event-streams', 'event streams', defaults.maxEventStreams, {
    min: 0,
    max: 1_000_000,
  }),
  'limits.max_file_streams': limit(
    'max-file-streams',
    'files and logs of tasks that are sent at a time',
    defaults.maxFileStreams,
    { min: 0, max: 1_000_000 },
  ),
  'limits.max_nodes': limit('max-nodes', 'nodes beyond which no new one may register', defaults.maxNodes, {
    min: 0,
    max: 1_000_000,
  }),
  'limits.max_body_size': limit('max-body-size', 'bytes of a body', http.maxBodyLength),
  'limits.max_body_values': limit(
    'max-body-values',
    'values in a body, counting every entry of lists and maps',
    http.maxBodyValues,
  ),
  'limits.max_header_size': limit('max-header-size', 'bytes of line and headers', http.maxHeaderSize, {
    min: 1_024,
    max: 16_777_216,
  }),
  'limits.max_url_length': limit('max-url-length', 'bytes of a URL', http.maxUrlLength, { min: 256 }),
  'limits.max_parameters': limit('max-parameters', 'query parameters', http.maxParameters),
  'limits.max_parameter_length': limit(
    'max-parameter-length',
    'characters of one of them',
    http.maxParameterLength,
  ),
  'limits.headers_timeout': setting(timeout(), 'headers-timeout', 'TIME', 'to send headers', '20s'),
  'limits.read_timeout': setting(
    timeout(),
    'read-timeout',
    'TIME',
    'in which some of an answer must be read; 0 for any time',
    '30s',
  ),
  'limits.request_timeout': setting(timeout(), 'request-timeout', 'TIME', 'to send a whole request', '1m'),
} satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingPath = keyof typeof settings;

export const settingPaths = Object.keys(settings) as readonly SettingPath[];

/** The type of the value of each setting. */
export type SettingValues = {
  readonly [P in SettingPath]: (typeof settings)[P] extends Setting<infer T> ? T : never;
};
