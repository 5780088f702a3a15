import type { KnownServers } from '../client/known-servers.js';
import type { NodeIdentity } from '../client/node-identity.js';
import type { Clock } from '../clock.js';
import type { AgentService } from '../host/agent-service.js';
import { serveReverseRequests } from './reverse-handler.js';
import type { RpcClient } from './rpc-client.js';
import { nodeAuthHeaders } from './server-link.js';

/** A connection that a client keeps open, so that a server can ask it something. */
export interface ReverseChannel {
  /** Begins to connect, and connects again whenever the connection is lost. */
  start(): void;
  readonly connected: boolean;
  close(): void;
}

export interface ReverseChannelOptions {
  readonly client: RpcClient;
  readonly servers: KnownServers;
  readonly node: NodeIdentity;
  readonly service: AgentService;
  readonly clock: Pick<Clock, 'after'>;
  /** A number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Told why there is no connection, each time that one does not come about. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds before another attempt: twice as long after each that failed, up to the most. */
const leastPause = 500;
const mostPause = 30_000;

export function createReverseChannel(options: ReverseChannelOptions): ReverseChannel {
  const { client, clock, node, onFailure, random, servers, service } = options;
  let closed = false;
  let end: (() => void) | null = null;
  let cancelPause = (): void => undefined;
  let failures = 0;

  async function connect(): Promise<void> {
    const [address] = servers.inOrder();
    if (address === undefined) throw new Error('no servers');
    const socket = await client.openConnection(address, nodeAuthHeaders(node));
    if (closed) {
      socket.destroy();
      return;
    }
    // Tells when the machine at the other end is gone without a word.
    socket.setKeepAlive(true, 30_000);
    const session = serveReverseRequests(socket, service);
    failures = 0;
    // Not the session, which would first write what it still has to say.
    end = () => socket.destroy();
    session.once('close', () => {
      end = null;
      tryLater();
    });
  }

  function tryNow(): void {
    connect().catch((error: unknown) => {
      failures += 1;
      if (!closed) onFailure(error);
      tryLater();
    });
  }

  function tryLater(): void {
    if (closed) return;
    const pause = Math.min(mostPause, leastPause * 2 ** Math.min(failures, 10));
    // Clients that lost the same server do not come back together.
    cancelPause = clock.after(pause * (0.5 + random() / 2), tryNow);
  }

  return {
    start: tryNow,
    get connected() {
      return end !== null;
    },
    close() {
      closed = true;
      cancelPause();
      end?.();
    },
  };
}
