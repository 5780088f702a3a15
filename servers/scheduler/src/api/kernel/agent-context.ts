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

/** The rights that the endpoints of the agent ask for. */
export type AgentAccess = Pick<Access, 'agent' | 'node'>;

/** What the endpoints of the agent work with. An agent is a server, a client, or both. */
export interface AgentContext {
  readonly limits: HttpLimits;
  readonly name: AgentName;
  /** Host data without access control. */
  readonly debug: boolean;
  readonly acl: boolean;
  /** What the sender of a request may do. @throws SchedulerError `permission-denied`, `no-servers` */
  readonly accessOf: (request: FastifyRequest) => Promise<AgentAccess>;
  /** The configuration as operators see it, without secrets. */
  readonly describeConfig: () => Readonly<Record<string, unknown>>;
  readonly stats: () => Promise<AgentStats>;
  readonly metrics: Metrics;
  /** Calls `action` when the agent begins to stop, to end answers that have no end of their own. */
  readonly onStop: OnStop;
  readonly server: AgentServer | null;
  readonly client: AgentClient | null;
  /** The console, which browsers are given; null where it was not built. */
  readonly site: Site | null;
}

/** Registers an action; the function returned takes it back. */
export type OnStop = (action: () => void) => () => void;

/** Named groups of facts. */
export type AgentStats = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What an agent is called. */
export interface AgentName {
  /** As configured, such as `srv1`. */
  readonly node: string;
  /** The name of its member, such as `srv1.global`. */
  readonly member: string;
  readonly region: string;
  readonly datacenter: string;
}

/** What an agent has that is a server. */
export interface AgentServer {
  readonly leader: Leadership;
  readonly store: StoreHealth;
  /** The clocks of the other servers of the region. */
  readonly peerClocks: () => readonly PeerClock[];
  readonly membership: Membership;
  readonly workers: WorkerPool;
  /** Most workers that may be asked for: one a CPU. */
  readonly maxWorkers: number;
  /** Answers questions about this server. */
  readonly service: AgentService;
  /** Answers questions about a node that is connected. @throws SchedulerError `unknown-node` */
  readonly nodeService: (nodeId: string) => AgentService;
  /** The other servers of the region. */
  readonly others: () => readonly RegisteredServer[];
  /** Lets one of them answer. */
  readonly forwardToServer: ForwardToServer;
  /** Asks one of them in the name of a caller. */
  readonly forwardOnBehalf: ForwardOnBehalf;
}

/** What an agent has that is a client. */
export interface AgentClient {
  readonly nodeId: string;
  readonly servers: KnownServers;
  /** Answers questions about this client. */
  readonly service: AgentService;
  /** Lets a server answer a request in place of this agent. @throws SchedulerError `no-servers` */
  readonly forward: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}
