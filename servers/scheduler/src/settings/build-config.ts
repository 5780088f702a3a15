import { ConfigError, type ConfigMistake, type Labelled, type Position } from '@tamis/config';
import { isLoopbackAddress } from '@tamis/http';
import {
  defaultAgentConfig,
  type AgentConfig,
  type ClientConfig,
  type EtcdConfig,
  type Fill,
  type MembershipConfig,
  type RosterEntry,
  type ServerConfig,
  type TlsConfig,
} from '../agent-config.js';
import type { GivenSettings } from './read-settings.js';
import { settingPaths, type SettingPath, type SettingValues } from './settings-table.js';

/** The circumstances of a start, beside the settings. */
export interface StartedAs {
  /** Both modes in memory, with profiles and debug logs; settings that are given count more. */
  readonly devMode: boolean;
  /** The names of the configuration files. */
  readonly files: readonly string[];
  /** Defaults where nobody says anything else; left out for the usual defaults. */
  readonly defaults?: AgentConfig;
}

/** Puts the configuration together. @throws ConfigError with the settings that do not go together. */
export function buildConfig(given: GivenSettings, started: StartedAs): AgentConfig {
  const config = assemble(given, started);
  const mistakes = contradictions(config, given, started);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

type Values = <P extends SettingPath>(path: P) => SettingValues[P] | undefined;

function assemble(given: GivenSettings, started: StartedAs): AgentConfig {
  const { devMode, files, defaults = defaultAgentConfig } = started;
  const value: Values = (path) => given[path]?.value;
  return {
    ...defaults,
    bind: value('bind_addr') ?? defaults.bind,
    port: value('ports.http') ?? defaults.port,
    rpcPort: value('ports.rpc') ?? defaults.rpcPort,
    serfPort: value('ports.serf') ?? defaults.serfPort,
    region: value('region') ?? defaults.region,
    datacenter: value('datacenter') ?? defaults.datacenter,
    nodeName: value('name') ?? defaults.nodeName,
    dataDir: value('data_dir') ?? defaults.dataDir,
    devMode,
    enableDebug: value('enable_debug') ?? (devMode ? true : defaults.enableDebug),
    files,
    bootstrapExpect: value('server.bootstrap_expect') ?? defaults.bootstrapExpect,
    etcd: etcdOf(value, defaults),
    server: serverOf(value, defaults),
    client: clientOf(value, devMode, defaults),
    acl: { enabled: value('acl.enabled') ?? defaults.acl.enabled },
    tokenLifetime: {
      least: value('acl.token_min_expiration_ttl') ?? defaults.tokenLifetime.least,
      most: value('acl.token_max_expiration_ttl') ?? defaults.tokenLifetime.most,
    },
    membership: membershipOf(value, defaults),
    regions: value('regions') ?? defaults.regions,
    tls: tlsOf(value, defaults),
    fill: fillOf(value, devMode || files.length > 0),
    logLevel: value('log_level') ?? (devMode ? 'debug' : defaults.logLevel),
    hostNames: value('host_names') ?? defaults.hostNames,
    responseHeaders: value('http_api_response_headers') ?? defaults.responseHeaders,
    unresolved: value('unresolved') ?? defaults.unresolved,
    maxWaiters: value('limits.max_waiters') ?? defaults.maxWaiters,
    maxEventStreams: value('limits.max_event_streams') ?? defaults.maxEventStreams,
    maxFileStreams: value('limits.max_file_streams') ?? defaults.maxFileStreams,
    maxNodes: value('limits.max_nodes') ?? defaults.maxNodes,
    http: limitsOf(value, defaults),
  };
}

/** Seconds. */
const defaultLeaseTtl = 5;

function etcdOf(value: Values, { etcd, region }: AgentConfig): EtcdConfig | null {
  const endpoints = value('storage.etcd.endpoints');
  if (endpoints === undefined) return etcd;
  const tls = definedOnly({
    caFile: value('storage.etcd.tls.ca_file'),
    certificateFile: value('storage.etcd.tls.cert_file'),
    keyFile: value('storage.etcd.tls.key_file'),
  });
  const name = value('storage.etcd.username');
  const passwordFile = value('storage.etcd.password_file');
  return {
    connection: {
      endpoints,
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
      ...(name === undefined || passwordFile === undefined ? {} : { user: { name, passwordFile } }),
    },
    prefix: value('storage.etcd.prefix') ?? `/scheduler/${value('region') ?? region}/`,
    leaseTtl: value('storage.etcd.lease_ttl') ?? defaultLeaseTtl,
  };
}

function definedOnly<K extends string>(
  fields: Readonly<Record<K, string | undefined>>,
): Partial<Record<K, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as Partial<
    Record<K, string>
  >;
}

function serverOf(value: Values, { server }: AgentConfig): ServerConfig {
  return {
    enabled: value('server.enabled') ?? server.enabled,
    numSchedulers: value('server.num_schedulers') ?? server.numSchedulers,
    enabledSchedulers: value('server.enabled_schedulers') ?? server.enabledSchedulers,
    pauseEvalBroker: value('server.pause_eval_broker') ?? server.pauseEvalBroker,
    minHeartbeatTtl: value('server.min_heartbeat_ttl') ?? server.minHeartbeatTtl,
    heartbeatGrace: value('server.heartbeat_grace') ?? server.heartbeatGrace,
  };
}

function clientOf(value: Values, devMode: boolean, { client }: AgentConfig): ClientConfig {
  return {
    enabled: value('client.enabled') ?? (devMode ? true : client.enabled),
    register: value('client.register') ?? client.register,
    servers: value('client.servers') ?? client.servers,
    nodeClass: value('client.node_class') ?? client.nodeClass,
    nodePool: value('client.node_pool') ?? client.nodePool,
    minDynamicPort: value('client.min_dynamic_port') ?? client.minDynamicPort,
    maxDynamicPort: value('client.max_dynamic_port') ?? client.maxDynamicPort,
    meta: value('client.meta') ?? client.meta,
    rawExec: value('plugin.raw_exec.config.enabled') ?? client.rawExec,
    mockDriver: value('plugin.mock_driver.config.enabled') ?? (devMode ? true : client.mockDriver),
  };
}

function membershipOf(value: Values, { membership }: AgentConfig): MembershipConfig {
  const rpcAddress = value('membership.serf.rpc_addr');
  if (rpcAddress !== undefined) {
    return { kind: 'serf', rpcAddress, authKey: value('membership.serf.rpc_auth') ?? null };
  }
  const members = value('membership.member');
  return members === undefined ? membership : { kind: 'local', roster: members.map(rosterEntry) };
}

type Member = SettingValues['membership.member'] extends readonly Labelled<infer M>[] ? M : never;

function rosterEntry({ label, value }: Labelled<Member>): RosterEntry {
  const { address, status = 'alive', tags = new Map<string, string>() } = value;
  return { name: label, address, status, tags };
}

function tlsOf(value: Values, { tls }: AgentConfig): TlsConfig | null {
  const http = value('tls.http') ?? tls?.http ?? false;
  const rpc = value('tls.rpc') ?? tls?.rpc ?? false;
  if (!http && !rpc) return null;
  return {
    http,
    rpc,
    certFile: value('tls.cert_file') ?? tls?.certFile ?? '',
    keyFile: value('tls.key_file') ?? tls?.keyFile ?? '',
    caFile: value('tls.ca_file') ?? tls?.caFile ?? null,
  };
}

/** A made-up cluster is for whoever just looks: it must not get into a store, or into an agent somebody has set up. */
function fillOf(value: Values, setUp: boolean): Fill {
  const file = value('import');
  if (file !== undefined) return { kind: 'import', file };
  const isStored = value('data_dir') !== undefined || value('storage.etcd.endpoints') !== undefined;
  const sample = value('sample') ?? !(setUp || isStored);
  return { kind: sample ? 'sample' : 'nothing' };
}

function limitsOf(value: Values, { http }: AgentConfig): AgentConfig['http'] {
  return {
    maxConnectionsPerClient: value('limits.http_max_conns_per_client') ?? http.maxConnectionsPerClient,
    maxBodyLength: value('limits.max_body_size') ?? http.maxBodyLength,
    maxBodyValues: value('limits.max_body_values') ?? http.maxBodyValues,
    maxHeaderSize: value('limits.max_header_size') ?? http.maxHeaderSize,
    maxUrlLength: value('limits.max_url_length') ?? http.maxUrlLength,
    maxParameters: value('limits.max_parameters') ?? http.maxParameters,
    maxParameterLength: value('limits.max_parameter_length') ?? http.maxParameterLength,
    headersTimeout: value('limits.headers_timeout') ?? http.headersTimeout,
    requestTimeout: value('limits.request_timeout') ?? http.requestTimeout,
    readTimeout: value('limits.read_timeout') ?? http.readTimeout,
  };
}

/** Mistakes in settings that are right by themselves and wrong together. */
function contradictions(
  config: AgentConfig,
  given: GivenSettings,
  { devMode }: StartedAs,
): readonly ConfigMistake[] {
  const mistakes: ConfigMistake[] = [];
  const refuse = (path: SettingPath, problem: string): void => {
    mistakes.push({ at: given[path]?.at ?? unsaid, path, problem });
  };
  const { server, client, tls, bind, acl, http, tokenLifetime } = config;
  if (!server.enabled && !client.enabled) {
    refuse('server.enabled', 'an agent is a server, a client or both: set client.enabled too');
  }
  if (client.rawExec && !acl.enabled && !isLoopbackAddress(bind)) {
    refuse(
      'plugin.raw_exec.config.enabled',
      `whoever reaches ${bind} could run programs here: set acl.enabled, or bind_addr to 127.0.0.1`,
    );
  }
  if (tokenLifetime.least > tokenLifetime.most) {
    refuse('acl.token_min_expiration_ttl', 'must not be longer than acl.token_max_expiration_ttl');
  }
  if (config.client.minDynamicPort > config.client.maxDynamicPort)
    refuse('client.min_dynamic_port', 'must not be above client.max_dynamic_port');
  if (devMode && config.dataDir !== null) refuse('data_dir', '--dev keeps nothing: leave one of them out');
  if (tls !== null && tls.certFile === '') refuse('tls.cert_file', 'is missing: TLS needs it');
  if (tls !== null && tls.keyFile === '') refuse('tls.key_file', 'is missing: TLS needs it');
  if (given['membership.serf.rpc_addr'] !== undefined && given['membership.member'] !== undefined) {
    refuse('membership.member', 'the members come from the Serf agent: leave one of them out');
  }
  mistakes.push(...etcdMistakes(config, given));
  if (http.requestTimeout > 0 && http.headersTimeout > http.requestTimeout) {
    refuse('limits.headers_timeout', 'must not be longer than limits.request_timeout');
  }
  if (config.regions.has(config.region)) refuse('regions', `${config.region} is the region of this agent`);
  refuseSharedPorts(config, refuse);
  return mistakes;
}

/** Mistakes in the settings of etcd that are right by themselves. */
function etcdMistakes(
  { bind, etcd, devMode, tls: own }: AgentConfig,
  given: GivenSettings,
): readonly ConfigMistake[] {
  const paths = settingPaths.filter((path) => path.startsWith('storage.etcd.') && given[path] !== undefined);
  const [first] = paths;
  if (first === undefined) return [];
  const has = (path: SettingPath): boolean => given[path] !== undefined;
  const mistake = (path: SettingPath, problem: string): ConfigMistake => ({
    at: given[path]?.at ?? given[first]?.at ?? unsaid,
    path,
    problem,
  });
  if (etcd === null) return [mistake('storage.etcd.endpoints', 'is missing: name the members of etcd')];
  const isSecure = etcd.connection.endpoints.some((url) => url.startsWith('https:'));
  const tls = paths.find((path) => path.startsWith('storage.etcd.tls.'));
  const isReachedSafely = isLoopbackAddress(bind) || (own?.rpc === true && own.caFile !== null);
  return [
    ...(isReachedSafely
      ? []
      : [
          mistake(
            'storage.etcd.endpoints',
            `other servers reach this one at ${bind} with the tokens of users: set tls.rpc and tls.ca_file, or bind_addr to 127.0.0.1`,
          ),
        ]),
    ...(devMode ? [mistake('storage.etcd.endpoints', '--dev keeps nothing: leave one of them out')] : []),
    ...(tls !== undefined && !isSecure
      ? [mistake(tls, 'no member is reached by https: it would not be used')]
      : []),
    ...pairs.flatMap(([one, other]) => {
      if (has(one) === has(other)) return [];
      const [there, missing] = has(one) ? [one, other] : [other, one];
      return [mistake(there, `needs ${missing} too`)];
    }),
  ];
}

/** Settings of which one means nothing without the other. */
const pairs: readonly (readonly [SettingPath, SettingPath])[] = [
  ['storage.etcd.tls.cert_file', 'storage.etcd.tls.key_file'],
  ['storage.etcd.username', 'storage.etcd.password_file'],
];

function refuseSharedPorts(
  { port, rpcPort, serfPort }: AgentConfig,
  refuse: (path: SettingPath, problem: string) => void,
): void {
  if (rpcPort !== 0 && rpcPort === port) refuse('ports.rpc', `${rpcPort} is the port of HTTP`);
  if (serfPort !== 0 && (serfPort === port || serfPort === rpcPort)) {
    refuse('ports.serf', `${serfPort} is the port of ${serfPort === port ? 'HTTP' : 'RPC'}`);
  }
}

/** The place of what nobody has said. */
const unsaid: Position = { source: 'settings', line: 0, column: 0 };
