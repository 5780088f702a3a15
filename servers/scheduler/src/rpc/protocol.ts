import { t } from 'tamis';
import { nodeShape } from '@tamis/scheduler-model/node.js';
import { allocationUpdateShape } from '@tamis/scheduler-model/wire/allocation-update.js';

/**
 * Paths of requests between agents, which exist only on the RPC port. A request has the header {@link rpcHeader}, which web pages
 * cannot send without a CORS preflight. A node sends its ID and secret in headers, never in a path.
 */
export const rpcPaths = Object.freeze({
  /** GET → {@link Pong}, and {@link timeHeader} */
  ping: '/internal/ping',
  /** POST {@link registerShape} → `HeartbeatResponse` */
  register: '/internal/node/register',
  /** POST, no body → `HeartbeatResponse` */
  heartbeat: '/internal/node/heartbeat',
  /**
   * GET `?history=&index=` → a line of JSON per `AllocationLine`, blocking; POST {@link updatesShape} → {@link UpdatesResponse}
   */
  allocations: '/internal/node/allocations',
  /** GET with `Upgrade` → 101, then HTTP/2 in reverse: the server sends requests and the client responds. */
  connection: '/internal/node/connection',
  /** GET with a token → {@link RightsResponse} */
  rights: '/internal/rights',
  /** Prefix of an HTTP API request from an agent that cannot handle it. */
  http: '/internal/http',
});

export const rpcHeader = 'x-scheduler-rpc';
/** Clock of the responding server, in ms since 1970. */
export const timeHeader = 'x-scheduler-time';
export const nodeIdHeader = 'x-scheduler-node-id';
export const nodeSecretHeader = 'x-scheduler-node-secret';

/** Protocol to which a connection is upgraded. */
export const connectionProtocol = 'scheduler-questions';

export interface Pong {
  /** The member's name. */
  readonly server: string;
  readonly region: string;
}

/** The node with its SecretID. The ID belongs to the first client that registers it. */
export const registerShape = t.struct({ Node: nodeShape });

export const updatesShape = t.struct({ Allocations: t.list(allocationUpdateShape) });

export interface UpdatesResponse {
  readonly index: number;
  /** Allocations that do not belong to this node; the client may delete them. */
  readonly unknownIds: readonly string[];
}

/** The rights of a token on agents and nodes. */
export interface RightsResponse {
  readonly agentRead: boolean;
  readonly agentWrite: boolean;
  readonly nodeRead: boolean;
}
