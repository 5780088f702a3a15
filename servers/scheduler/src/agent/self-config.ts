import type { AgentConfig, MembershipConfig } from './settings/agent-config.js';
import { redacted } from '@tamis/scheduler-model/host/environment.js';
import { version } from './version.js';

/** Addresses that others use, known once the agent listens. */
export interface Advertised {
  readonly http: string;
  readonly rpc: string;
  readonly serf: string;
}

/**
 * Returns the configuration as operators see it, with the names that clients of the original scheduler know. Missing features are
 * absent or off; secrets are shown as `<redacted>`.
 */
export function describeConfig(
  config: AgentConfig,
  advertised: Advertised,
): Readonly<Record<string, unknown>> {
  const { bind } = config;
  return {
    ACL: { Enabled: config.acl.enabled, ReplicationToken: '' },
    Addresses: { HTTP: bind, RPC: bind, Serf: bind },
    AdvertiseAddrs: { HTTP: advertised.http, RPC: advertised.rpc, Serf: advertised.serf },
    BindAddr: bind,
    Client: describeClient(config),
    DataDir: config.dataDir ?? '',
    Datacenter: config.datacenter,
    DevMode: config.devMode,
    DisableAnonymousSignature: true,
    DisableUpdateCheck: true,
    EnableDebug: config.enableDebug ?? false,
    EnableSyslog: false,
    Files: config.files,
    HTTPAPIResponseHeaders: Object.fromEntries(config.responseHeaders),
    LeaveOnInt: false,
    LeaveOnTerm: false,
    Limits: {
      HTTPMaxConnsPerClient: config.http.maxConnectionsPerClient,
      HTTPMaxBodyLength: config.http.maxBodyLength,
      HTTPMaxBodyValues: config.http.maxBodyValues,
      MaxEventStreams: config.maxEventStreams,
      MaxFileStreams: config.maxFileStreams,
      MaxNodes: config.maxNodes,
      MaxQueries: config.maxQueries,
      MaxWaiters: config.maxWaiters,
    },
    LogLevel: config.logLevel.toUpperCase(),
    Membership: describeMembership(config.membership),
    NodeName: config.nodeName,
    Ports: { HTTP: config.port, RPC: config.rpcPort, Serf: config.serfPort },
    Region: config.region,
    Registry: { Enabled: false, Addr: '', Token: '' },
    Revision: version.revision,
    Secrets: { Enabled: false, Addr: '', Token: '' },
    Server: describeServer(config),
    SyslogFacility: 'LOCAL0',
    TLSConfig: describeTls(config),
    Telemetry: {},
    Version: version.number,
    VersionPrerelease: version.prerelease,
  };
}

function describeClient({ client }: AgentConfig): unknown {
  return {
    Enabled: client.enabled,
    Meta: Object.fromEntries(client.meta),
    NodeClass: client.nodeClass,
    NodePool: client.nodePool,
    MinDynamicPort: client.minDynamicPort,
    MaxDynamicPort: client.maxDynamicPort,
    RawExec: client.rawExec,
    MockDriver: client.mockDriver,
    Register: client.register,
    Servers: client.servers,
  };
}

function describeServer({ bootstrapExpect, server }: AgentConfig): unknown {
  return {
    BootstrapExpect: bootstrapExpect,
    Enabled: server.enabled,
    EnabledSchedulers: server.enabledSchedulers,
    NumSchedulers: server.numSchedulers,
    PauseEvalBroker: server.pauseEvalBroker,
    MinHeartbeatTTL: server.minHeartbeatTtl * 1_000_000,
    HeartbeatGrace: server.heartbeatGrace * 1_000_000,
  };
}

function describeMembership(membership: MembershipConfig): unknown {
  if (membership.kind === 'serf') {
    const AuthKey = membership.authKey === null || membership.authKey === '' ? '' : redacted;
    return { Kind: 'serf', RPCAddr: membership.rpcAddress, AuthKey };
  }
  return { Kind: 'local', Roster: membership.roster.map(({ name }) => name) };
}

/** Returns the paths of files, not their contents. */
function describeTls({ tls }: AgentConfig): unknown {
  return {
    CAFile: tls?.caFile ?? '',
    CertFile: tls?.certFile ?? '',
    EnableHTTP: tls?.http ?? false,
    EnableRPC: tls?.rpc ?? false,
    KeyFile: tls?.keyFile ?? '',
  };
}
