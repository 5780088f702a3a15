import { createBackoff } from '@tamis/scheduler-model/base/backoff.js';
import type { KnownServers } from '@tamis/scheduler-node/known-servers.js';
import type { NodeIdentity } from '@tamis/scheduler-node/node-identity.js';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { AgentService } from '@tamis/scheduler-model/host/agent-service.js';
import {
  createPersistentConnection,
  type Connection,
} from '@tamis/scheduler-model/host/persistent-connection.js';
import { serveReverseRequests } from './reverse-handler.js';
import type { RpcClient } from './rpc-client.js';
import { nodeAuthHeaders } from './server-link.js';

/** A connection that a client keeps open to a server, so that the server can send requests over it. */
export type ReverseChannel = ReturnType<typeof createReverseChannel>;

export interface ReverseChannelOptions {
  readonly client: RpcClient;
  readonly servers: KnownServers;
  readonly node: NodeIdentity;
  readonly service: AgentService;
  readonly clock: Pick<Clock, 'after'>;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Receives the reason of each failed connection attempt. */
  readonly onFailure: (error: unknown) => void;
}

/** Delays between attempts, in ms. */
const pauses = { min: 500, max: 30_000 } as const;
/** Idle time after which the peer is pinged, in ms. */
const pingIntervalMs = 30_000;

export function createReverseChannel(options: ReverseChannelOptions) {
  const { clock, onFailure, random } = options;
  const connection = createPersistentConnection({
    connect: () => connect(options),
    clock,
    backoff: createBackoff({ ...pauses, random }),
    failed: onFailure,
  });
  return {
    /** Connects, and reconnects whenever the connection is lost. */
    start: (): void => void connection.start(),
    close: (): void => void connection.close(),
  };
}

async function connect({ client, node, servers, service }: ReverseChannelOptions): Promise<Connection> {
  const [address] = servers.inOrder();
  if (address === undefined) throw new Error('no servers');
  const socket = await client.openConnection(address, nodeAuthHeaders(node));
  socket.setKeepAlive(true, pingIntervalMs);
  const session = serveReverseRequests(socket, service);
  return {
    ended: new Promise((resolve) => session.once('close', () => resolve())),
    // Closes the socket, because closing the session would first write pending data.
    close: () => void socket.destroy(),
  };
}
