import type { HttpLimits } from '@tamis/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../services/acl/access.js';
import type { KnownServers } from '@tamis/scheduler-node/known-servers.js';
import type { Leadership } from '@tamis/scheduler-state/cluster/leadership.js';
import type { PeerClock } from '@tamis/scheduler-state/cluster/peer-clocks.js';
import type { RegisteredServer } from '@tamis/scheduler-state/cluster/server-list.js';
import type { AgentService } from '@tamis/scheduler-model/host/agent-service.js';
import type { Membership } from '../../services/membership/membership.js';
import type { Metrics } from '../../services/metrics/metrics.js';
import type { ForwardOnBehalf, ForwardToServer } from './requests/forwarded.js';
import type { Site } from './site.js';
import type { StoreHealth } from '@tamis/scheduler-state/storage/watch-storage.js';
import type { WorkerPool } from '@tamis/scheduler-placement/workers/worker-pool.js';

/** Rights required by the endpoints of the agent. */
export type AgentAccess = Pick<Access, 'agent' | 'node'>;

/** Dependencies of the agent's endpoints. An agent is a server, a client, or both. */
export interface AgentContext {
  readonly limits: HttpLimits;
  readonly name: AgentName;
  /** Whether host data is available without ACLs. */
  readonly debug: boolean;
  readonly acl: boolean;
  /** Returns the rights of the sender of a request. @throws SchedulerError `permission-denied`, `unreachable` */
  readonly accessOf: (request: FastifyRequest) => Promise<AgentAccess>;
  /** Returns the configuration as operators see it, without secrets. */
  readonly describeConfig: () => Readonly<Record<string, unknown>>;
  readonly stats: () => Promise<AgentStats>;
  readonly metrics: Metrics;
  /** Calls `action` when the agent starts to stop, so that unbounded responses are ended. */
  readonly onStop: OnStop;
  readonly server: AgentServer | null;
  readonly client: AgentClient | null;
  /** The console served to browsers; null if it was not built. */
  readonly site: Site | null;
  /** Returns the documentation; null if it was not built. */
  readonly docs: () => Promise<Site | null>;
}

/** Registers an action. The returned function removes it. */
export type OnStop = (action: () => void) => () => void;

/** Statistics of an agent, as named groups of names and values. */
export type AgentStats = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The names of an agent. */
export interface AgentName {
  /** Configured name, such as `srv1`. */
  readonly node: string;
  /** Member name, such as `srv1.global`. */
  readonly member: string;
  readonly region: string;
  readonly datacenter: string;
}

/** The server part of an agent. */
export interface AgentServer {
  readonly leader: Leadership;
  readonly store: StoreHealth;
  /** Returns the clocks of the other servers of the region. */
  readonly peerClocks: () => readonly PeerClock[];
  /** Describes a recent step of this server's clock; empty if there was none. */
  readonly clockStep: () => string;
  readonly membership: Membership;
  readonly workers: WorkerPool;
  /** Maximum number of workers that can be requested: one per CPU. */
  readonly maxWorkers: number;
  /** Handles requests about this server. */
  readonly service: AgentService;
  /** Handles requests about a connected node. @throws SchedulerError `unknown-node` */
  readonly nodeService: (nodeId: string) => AgentService;
  /** Returns the other servers of the region. */
  readonly others: () => readonly RegisteredServer[];
  /** Forwards a request to another server. */
  readonly forwardToServer: ForwardToServer;
  /** Sends a request to another server on behalf of a caller. */
  readonly forwardOnBehalf: ForwardOnBehalf;
}

/** The client part of an agent. */
export interface AgentClient {
  readonly nodeId: string;
  readonly servers: KnownServers;
  /** Handles requests about this client. */
  readonly service: AgentService;
  /** Forwards a request to a server. @throws SchedulerError `unreachable` */
  readonly forward: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}
