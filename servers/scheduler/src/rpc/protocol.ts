import { t } from 'tamis';
import { nodeShape } from '@tamis/scheduler-model/node.js';
import { allocationUpdateShape } from '@tamis/scheduler-model/wire/allocation-update.js';

/**
 * Paths of the requests between agents, on the RPC port only. A request carries {@link rpcHeader}, which web pages cannot send
 * without a CORS preflight. Requests of a node carry its ID and its secret in headers, never in a path.
 */
export const rpcPaths = Object.freeze({
  /** GET → {@link Pong}, and {@link timeHeader} */
  ping: '/internal/ping',
  /** POST {@link registerShape} → `HeartbeatResponse` */
  register: '/internal/node/register',
  /** POST, no body → `HeartbeatResponse` */
  heartbeat: '/internal/node/heartbeat',
  /** GET `?history=&index=` → a line of JSON for each `AllocationLine`, blocking; POST {@link updatesShape} → {@link UpdatesResponse} */
  allocations: '/internal/node/allocations',
  /** GET with `Upgrade` → 101, then HTTP/2 in reverse: the server sends requests and the client responds. */
  connection: '/internal/node/connection',
  /** GET with a token → {@link RightsResponse} */
  rights: '/internal/rights',
  /** A request of the HTTP API follows, from an agent that cannot handle it. */
  http: '/internal/http',
});

export const rpcHeader = 'x-scheduler-rpc';
/** Milliseconds since 1970 by the clock of the responding server. */
export const timeHeader = 'x-scheduler-time';
export const nodeIdHeader = 'x-scheduler-node-id';
export const nodeSecretHeader = 'x-scheduler-node-secret';

/** The protocol that a connection is upgraded to. */
export const connectionProtocol = 'scheduler-questions';

export interface Pong {
  /** The member's name. */
  readonly server: string;
  readonly region: string;
}

/** The node with its SecretID: the first one to come under an ID keeps it. */
export const registerShape = t.struct({ Node: nodeShape });

export const updatesShape = t.struct({ Allocations: t.list(allocationUpdateShape) });

export interface UpdatesResponse {
  readonly index: number;
  /** Allocations that are not of this node: the client may forget them. */
  readonly unknownIds: readonly string[];
}

/** The rights of a token on agents and nodes. */
export interface RightsResponse {
  readonly agentRead: boolean;
  readonly agentWrite: boolean;
  readonly nodeRead: boolean;
}
