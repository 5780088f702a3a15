import type { HttpLimits, SharedLists, OriginPolicy, TimeSlicer } from '@tamis/http';
import type { Access } from '../../services/acl/access.js';
import type { AccessResolver } from '../../services/acl/access-resolver.js';
import type { TokenLifetime } from '../../services/acl/token-request.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Leadership } from '@tamis/scheduler-state/cluster/leadership.js';
import type { EventHub } from '../../services/events/event-hub.js';
import type { LogHub } from '../../services/logs/log-hub.js';
import type { Metrics } from '../../services/metrics/metrics.js';
import type { BlockingQueries } from '@tamis/scheduler-state/state/blocking-query.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import type { AgentContext } from './agent-context.js';
import type { ResponseCacheLimits } from 'tamis/http';
import type { Certificate } from './certificate.js';
import type { FilterCacheLimits, RowBudget } from 'tamis/query';
import type { QueryGate } from './query-gate.js';
import type { StreamLimit } from './stream-limit.js';
import type { Forwarder } from './forwarder.js';
import type { InFlight } from './in-flight.js';
import type { LeaderRouting, Route } from './route.js';

/** A route about the cluster. */
export type ClusterRoute = Route<HttpContext, Access>;

/** The dependencies of the routes. */
export interface HttpContext {
  readonly state: State;
  readonly blocking: BlockingQueries;
  readonly events: EventHub;
  readonly leader: Leadership;
  /** Routes requests to the leader of the region. */
  readonly leaderRouting: LeaderRouting;
  /** Schedules long work in slices. */
  readonly slices: TimeSlicer;
  /** Cached long lists, shared by their readers. */
  readonly lists: SharedLists;
  /** Limits the rows that lists hold in memory. */
  readonly rowBudget: RowBudget;
  readonly queries: QueryGate;
  readonly clock: Clock;
  readonly logs: LogHub;
  readonly inFlight: InFlight;
  readonly metrics: Metrics;
  /** The dependencies of the endpoints about this agent. */
  readonly agent: AgentContext;
  readonly access: AccessResolver;
  readonly tokenLifetime: TokenLifetime;
  /** Returns the index at which an operator allows another ACL bootstrap; null for none. */
  readonly aclReset: () => Promise<number | null>;
  readonly guard: OriginPolicy;
  readonly limits: HttpLimits;
  /** Certificate and key for HTTPS, PEM; null for HTTP. */
  readonly tls: Certificate | null;
  /** Default headers of every response. */
  readonly responseHeaders: ReadonlyMap<string, string>;
  readonly filters: FilterCacheLimits;
  readonly responseCache: ResponseCacheLimits;
  /** Handling of a row that lacks a field of the filter: fail the request, or skip the row. */
  readonly unresolved: 'error' | 'absent';
  /** Limits for streams of files and logs. */
  readonly fileStreams: StreamLimit;
  /** Returns the RPC addresses of all servers of the region, host and port. This server is included once it listens. */
  readonly serverAddresses: () => readonly string[];
  /** Sends requests to other regions. */
  readonly forwarder: Forwarder;
  /** Name of this agent's region. */
  readonly region: string;
  /** Returns a strictly increasing timestamp in ns. */
  readonly stamp: () => bigint;
  readonly uuid: () => string;
}
