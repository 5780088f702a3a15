import type { EtcdSettings } from '@tamis/etcd/settings';
import { defaultHttpLimits, type HttpLimits } from '@tamis/http';
import type { TokenLifetime } from './acl/token-request.js';
import { defaultResponseCacheLimits, type ResponseCacheLimits } from './http/response-cache.js';
import { defaultFilterCacheLimits, type FilterCacheLimits } from 'tamis/query';

/** The configuration of an agent. */
export interface AgentConfig {
  /** The address to listen on. */
  readonly bind: string;
  /** The port to listen on, 0 for any free one. */
  readonly port: number;
  /** The port by which servers and clients know each other. */
  readonly rpcPort: number;
  /** The port of the gossip between agents. */
  readonly serfPort: number;
  readonly region: string;
  readonly datacenter: string;
  /** The name of this agent; its member is `<name>.<region>`. */
  readonly nodeName: string;
  /** The directory in which the state survives; null keeps it in memory. */
  readonly dataDir: string | null;
  /** Started as `agent --dev`: both modes, in memory, with profiles and debug logs. */
  readonly devMode: boolean;
  /** Profiles and host data without access control; null when nobody has said. */
  readonly enableDebug: boolean | null;
  /** The configuration files that were read. */
  readonly files: readonly string[];
  /** Servers that must be there before a leader is elected. A server alone never has more than itself. */
  readonly bootstrapExpect: number;
  /** The etcd in which several servers keep the state; null where this one keeps it alone. */
  readonly etcd: EtcdConfig | null;
  readonly server: ServerConfig;
  readonly client: ClientConfig;
  readonly acl: AclConfig;
  /** Bounds of the lifetime of a token that ends. */
  readonly tokenLifetime: TokenLifetime;
  readonly membership: MembershipConfig;
  /** Base URLs of the servers of other regions, by the region's name. */
  readonly regions: ReadonlyMap<string, readonly string[]>;
  readonly tls: TlsConfig | null;
  /** The contents of a state that is new. */
  readonly fill: Fill;
  readonly logLevel: LogLevel;
  /** More host names that the agent answers to while it listens on loopback. */
  readonly hostNames: readonly string[];
  /** Headers that every answer carries, unless the answer sets them itself. */
  readonly responseHeaders: ReadonlyMap<string, string>;
  /** The answer of a filter to a row that lacks what it asks about: fail the request, or pass over the row. */
  readonly unresolved: 'error' | 'absent';
  /** Most reads that block at a time. Stops clients from filling the memory with waiting requests. */
  readonly maxWaiters: number;
  /** Most event streams at a time. Stops clients from filling the memory with streams. */
  readonly maxEventStreams: number;
  /** Most files and logs that are sent at a time. Stops clients from filling the memory with streams. */
  readonly maxFileStreams: number;
  /** Most nodes that may have registered. Stops whoever reaches the port for agents from filling the state. */
  readonly maxNodes: number;
  readonly http: HttpLimits;
  readonly filters: FilterCacheLimits;
  readonly answers: ResponseCacheLimits;
}

/** The etcd that holds the state, and how this server is known there. */
export interface EtcdConfig {
  readonly connection: EtcdSettings;
  /** What the keys of the state begin with, such as `/scheduler/global/`. */
  readonly prefix: string;
  /** Seconds after which a leader that is not heard of is replaced. */
  readonly leaseTtl: number;
}

export interface ServerConfig {
  readonly enabled: boolean;
  /** Workers that process evaluations; null for one a CPU. */
  readonly numSchedulers: number | null;
  readonly enabledSchedulers: readonly string[];
  /** Workers exist and report their state, and nothing is given to them. */
  readonly pauseEvalBroker: boolean;
  /** Milliseconds between the heartbeats of a node; more where there are many nodes. */
  readonly minHeartbeatTtl: number;
  /** Milliseconds that a heartbeat may be late before the node counts as down. */
  readonly heartbeatGrace: number;
}

export interface ClientConfig {
  readonly enabled: boolean;
  /** Whether the local client is listed as a node. */
  readonly register: boolean;
  /** Addresses of servers, `host:port` of their RPC. Empty where the server is in the same process. */
  readonly servers: readonly string[];
  readonly nodeClass: string;
  readonly nodePool: string;
  /** Ports that are given to tasks that do not care which. */
  readonly minDynamicPort: number;
  readonly maxDynamicPort: number;
  readonly meta: ReadonlyMap<string, string>;
  /** Whether jobs may run programs of this machine as they are, without isolation. */
  readonly rawExec: boolean;
  /** Whether there is a driver that runs nothing and does as it is told. */
  readonly mockDriver: boolean;
}

export interface AclConfig {
  readonly enabled: boolean;
}

/** The source of the other agents: a roster that is written down, or the members of a Serf agent. */
export type MembershipConfig =
  | { readonly kind: 'local'; readonly roster: readonly RosterEntry[] }
  | { readonly kind: 'serf'; readonly rpcAddress: string; readonly authKey: string | null };

/** A member that the configuration names, beside this agent. */
export interface RosterEntry {
  /** The full name, such as `srv2.global`. */
  readonly name: string;
  /** `host:port` of its gossip. */
  readonly address: string;
  readonly status: 'alive' | 'leaving' | 'left' | 'failed';
  readonly tags: ReadonlyMap<string, string>;
}

/** Certificates of the listeners, PEM files. */
export interface TlsConfig {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string | null;
  readonly http: boolean;
  readonly rpc: boolean;
}

/** Contents of the files of the certificates, PEM. */
export interface TlsMaterial {
  /** The certificate and its chain. */
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The authorities that sign the certificates of others; null for those that the runtime trusts. */
  readonly ca: Buffer | null;
}

export type Fill =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'sample' }
  | { readonly kind: 'import'; readonly file: string };

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const defaultAgentConfig: AgentConfig = Object.freeze({
  bind: '127.0.0.1',
  port: 4646,
  rpcPort: 4647,
  serfPort: 4648,
  region: 'global',
  datacenter: 'dc1',
  nodeName: 'scheduler',
  dataDir: null,
  devMode: false,
  enableDebug: null,
  files: Object.freeze([]),
  bootstrapExpect: 1,
  etcd: null,
  server: Object.freeze({
    enabled: true,
    numSchedulers: null,
    enabledSchedulers: Object.freeze(['service', 'batch', 'system', 'sysbatch', '_core']),
    pauseEvalBroker: false,
    minHeartbeatTtl: 10_000,
    heartbeatGrace: 10_000,
  }),
  client: Object.freeze({
    enabled: false,
    register: true,
    servers: Object.freeze([]),
    nodeClass: '',
    nodePool: 'default',
    minDynamicPort: 20_000,
    maxDynamicPort: 32_000,
    meta: new Map(),
    rawExec: false,
    mockDriver: false,
  }),
  acl: Object.freeze({ enabled: false }),
  tokenLifetime: Object.freeze({ least: 60_000, most: 86_400_000 }),
  membership: Object.freeze({ kind: 'local', roster: Object.freeze([]) }),
  regions: new Map(),
  tls: null,
  fill: Object.freeze({ kind: 'sample' }),
  logLevel: 'info',
  hostNames: Object.freeze([]),
  responseHeaders: new Map(),
  unresolved: 'error',
  maxWaiters: 20_000,
  maxEventStreams: 2_000,
  maxFileStreams: 2_000,
  maxNodes: 10_000,
  http: defaultHttpLimits,
  filters: defaultFilterCacheLimits,
  answers: defaultResponseCacheLimits,
});
