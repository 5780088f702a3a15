import {
  block,
  bool,
  checked,
  choice,
  int,
  labelled,
  list,
  map,
  required,
  setting,
  settingsIn,
  someText,
  text,
  type PathsOf,
  type Setting,
} from '@tamis/config';
import { storageDrivers } from '@tamis/scheduler-state/drivers/storage-drivers.js';
import { day, lifetime, limitSettings, time } from './limit-settings.js';
import { bindAddress, endpoint, hostName, name, regions } from './readers.js';
import { headerMap } from './response-headers.js';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const schedulerTypes = ['service', 'batch', 'system', 'sysbatch', '_core'] as const;
const enabledSchedulers = checked(
  list(choice(schedulerTypes)),
  (types) => types.includes('_core'),
  'must contain "_core"',
);

const members = labelled(
  block({
    address: required(endpoint),
    status: choice(['alive', 'leaving', 'left', 'failed']),
    tags: map(text({ scalars: true })),
  }),
);

const portNumber = int({ min: 0, max: 65_535 });
const dynamicPort = int({ min: 1, max: 65_535 });

/**
 * Every setting of the agent, as placed in the configuration. Only this table declares valid values, file path, default, flag and
 * meaning. Variables and help are derived from it.
 */
export const settings = {
  region: setting('region', name, 'global', '--region NAME', 'the region that this agent serves'),
  datacenter: setting('datacenter', name, 'dc1', '--datacenter NAME', 'the datacenter of this agent'),
  /** Name of this agent; its member name is `<name>.<region>`. */
  nodeName: setting(
    'name',
    name,
    'scheduler',
    '--name NAME',
    'the name of this agent; its member is NAME.REGION',
  ),
  bind: setting(
    'bind_addr',
    bindAddress,
    '127.0.0.1',
    '--bind ADDRESS',
    'the address to listen on; other than loopback, every host that reaches it can connect',
  ),
  /** Directory of the persistent state; null keeps it in memory. */
  dataDir: setting('data_dir', someText(), null, '--data-dir DIR', 'the directory of the state', {
    displayDefault: 'in memory',
  }),
  logLevel: setting(
    'log_level',
    choice(logLevels, { ignoreCase: true }),
    'info',
    '--log-level LEVEL',
    `${logLevels.join(', ')}; logs go to standard error`,
    { dev: 'debug' },
  ),
  /** Null if not given. */
  enableDebug: setting(
    'enable_debug',
    bool(),
    null,
    '--enable-debug',
    'profiles and host data without access control',
    { dev: true },
  ),
  unresolved: setting(
    'unresolved',
    choice(['error', 'absent']),
    'error',
    '--unresolved error|absent',
    'if a row lacks a field of the filter: reject the request, or treat the field as absent',
  ),
  hostNames: setting(
    'host_names',
    list(hostName, { single: true }),
    [],
    '--host-name NAME',
    'an additional host name accepted on loopback',
  ),
  responseHeaders: setting(
    'http_api_response_headers',
    headerMap(),
    new Map(),
    "--response-header 'NAME: VALUE'",
    'a header for every response, unless the response sets it itself',
  ),
  fill: {
    sample: setting(
      'sample',
      bool(),
      null,
      '--sample',
      'a sample of 2,000 jobs on 300 nodes; on unless --dev, --config or --data-dir is given',
    ),
    still: setting('still', bool(), false, '--still', 'disables the simulated activity of the sample'),
    importFile: setting(
      'import',
      someText(),
      null,
      '--import FILE',
      'imports the cluster in FILE into an empty state',
    ),
  },
  port: setting(
    'ports.http',
    portNumber,
    4646,
    '--port PORT',
    'the port of the HTTP API; 0 selects a free one. Without a configuration file and a store, the other ports are then free ones too',
  ),
  rpcPort: setting(
    'ports.rpc',
    portNumber,
    4647,
    '--rpc-port PORT',
    'the port for connections between servers and clients',
  ),
  serfPort: setting('ports.serf', portNumber, 4648, '--serf-port PORT', 'the port of the gossip'),
  server: {
    enabled: setting('server.enabled', bool(), true, '--server', 'runs a server'),
    /** Null for one per CPU. */
    numSchedulers: setting(
      'server.num_schedulers',
      int({ min: 0, max: 1_024 }),
      null,
      '--num-schedulers N',
      'workers that process evaluations',
      { displayDefault: 'one a CPU' },
    ),
    enabledSchedulers: setting(
      'server.enabled_schedulers',
      enabledSchedulers,
      schedulerTypes,
      '--enabled-scheduler TYPE',
      'the types of evaluations that they process; _core is required',
    ),
    /** If set, workers exist and report their state but receive no evaluations. */
    pauseEvalBroker: setting(
      'server.pause_eval_broker',
      bool(),
      false,
      '--pause-eval-broker',
      'pauses the processing of evaluations',
    ),
    /** Interval between the heartbeats of a node, in ms; longer if there are many nodes. */
    minHeartbeatTtl: time(
      'server.min_heartbeat_ttl',
      10_000,
      'minimum time between the heartbeats of a node; it increases with the number of nodes',
      // Prevents nodes from sending too many heartbeats.
      { min: 500 },
    ),
    /** Time by which a heartbeat may be late before the node counts as down, in ms. */
    heartbeatGrace: time(
      'server.heartbeat_grace',
      10_000,
      'how late a heartbeat may be before the work of its node is placed elsewhere',
    ),
  },
  /** A single server never has more than itself. */
  bootstrapExpect: setting(
    'server.bootstrap_expect',
    int({ min: 0, max: 1_000 }),
    1,
    '--bootstrap-expect N',
    'number of servers that must have joined before the first leader is elected',
  ),
  client: {
    enabled: setting('client.enabled', bool(), false, '--client', 'runs allocations on this machine', {
      dev: true,
    }),
    register: setting(
      'client.register',
      bool(),
      true,
      '--client-register',
      'the local client is listed as a node',
    ),
    /** `host:port` of their RPC endpoints. */
    servers: setting(
      'client.servers',
      list(endpoint),
      [],
      '--servers HOST:PORT',
      'RPC addresses of servers; not needed if the server is in this process',
    ),
    nodeClass: setting('client.node_class', text(), '', '--node-class CLASS', 'of the local client'),
    nodePool: setting('client.node_pool', name, 'default', '--node-pool POOL', 'of the local client'),
    minDynamicPort: setting(
      'client.min_dynamic_port',
      dynamicPort,
      20_000,
      '--min-dynamic-port PORT',
      'the first port for tasks without a fixed port',
    ),
    maxDynamicPort: setting(
      'client.max_dynamic_port',
      dynamicPort,
      32_000,
      '--max-dynamic-port PORT',
      'the last of these ports',
    ),
    meta: setting(
      'client.meta',
      map(text({ scalars: true })),
      new Map(),
      '--meta KEY=VALUE',
      'metadata of the local client for constraints of jobs',
    ),
    rawExec: setting(
      'plugin.raw_exec.config.enabled',
      bool(),
      false,
      '--raw-exec',
      'jobs may run programs of this machine without isolation; only on loopback or with access control',
    ),
    mockDriver: setting(
      'plugin.mock_driver.config.enabled',
      bool(),
      false,
      '--mock-driver',
      'jobs may use a driver that runs nothing, for tests; on with --dev',
      { dev: true },
    ),
  },
  acl: {
    enabled: setting('acl.enabled', bool(), false, '--acl', 'access control: every request needs a token'),
  },
  /** Bounds of the lifetime of an expiring token, in ms. */
  tokenLifetime: {
    min: time('acl.token_min_expiration_ttl', 60_000, 'minimum lifetime of a token that expires', lifetime),
    max: time('acl.token_max_expiration_ttl', day, 'maximum lifetime of a token that expires', lifetime),
  },
  tls: {
    http: setting('tls.http', bool(), false, '--tls-http', 'HTTPS'),
    rpc: setting('tls.rpc', bool(), false, '--tls-rpc', 'TLS between servers and clients'),
    certFile: setting(
      'tls.cert_file',
      someText(),
      '',
      '--tls-cert-file FILE',
      'certificate and its chain, PEM',
    ),
    keyFile: setting('tls.key_file', someText(), '', '--tls-key-file FILE', 'its key, PEM'),
    caFile: setting(
      'tls.ca_file',
      someText(),
      null,
      '--tls-ca-file FILE',
      'the authorities for certificates of other agents, PEM',
    ),
  },
  /** Base URLs of the servers of other regions, by region name. */
  regions: setting(
    'regions',
    regions,
    new Map(),
    '--region-url REGION=URL',
    'addresses of the servers of another region',
  ),
  membership: {
    members: setting(
      'membership.member',
      members,
      null,
      null,
      'another agent, by its full name such as srv2.global',
    ),
    serf: {
      rpcAddress: setting(
        'membership.serf.rpc_addr',
        endpoint,
        null,
        '--serf-rpc HOST:PORT',
        'the Serf agent to take the members from instead',
      ),
      authKey: setting('membership.serf.rpc_auth', someText(), null, null, 'the key of its RPC interface', {
        isSecret: true,
      }),
    },
  },
  ...limitSettings,
};

/** Paths of the settings above. Settings of storage drivers have paths too, declared by the drivers. */
export type SettingPath = PathsOf<typeof settings>;

/** All settings by path, including those of storage drivers. */
export const settingsByPath: ReadonlyMap<string, Setting<unknown>> = new Map(
  [settings, ...storageDrivers.map((driver) => driver.settings)]
    .flatMap(settingsIn)
    .map((each) => [each.path, each]),
);
