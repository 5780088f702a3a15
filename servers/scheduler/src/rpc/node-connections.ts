import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { PassThrough, pipeline, type Duplex } from 'node:stream';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { SchedulerError, unreachable } from '@tamis/scheduler-model/base/errors.js';
import { formatAddress } from '@tamis/scheduler-model/host/address.js';
import {
  queryText,
  type AgentResponse,
  type AgentRequest,
  type AgentService,
} from '@tamis/scheduler-model/host/agent-service.js';
import { detachSocket } from './detached-socket.js';
import { noReplacements, replaceOnce, type Replacements, type NodeIdConflict } from './node-id-conflict.js';

/** The connections that the clients of nodes keep open to this server. */
export type NodeConnections = ReturnType<typeof createNodeConnections>;

export type NodeConnectionLimits = Readonly<Record<keyof typeof defaultNodeConnectionLimits, number>>;

export const defaultNodeConnectionLimits = Object.freeze({
  /** Maximum number of connected nodes. Prevents clients from taking all file descriptors. */
  maxNodes: 10_000,
  /** Timeout for the start of a response, in ms; longer than the longest profile. Prevents waiting forever. */
  responseTimeout: 600_000,
  /** Timeout for a node with an open request to respond to a ping, in ms. Prevents requests from waiting for a stuck node. */
  pingTimeout: 10_000,
  /** Maximum concurrent short requests per node. Prevents one node from filling the memory with responses. */
  maxRequests: 32,
  /** Maximum concurrent long requests per node. Their responses are read as fast as the client reads. */
  maxLongRequests: 64,
});

/** Maximum unread bytes of one response. The default of 64 KiB is too slow for connections with high latency. */
const windowSize = 262_144;

/**
 * Manages reversed connections: the peer connects, and this side sends the requests.
 *
 * @param onConflict called at most once a minute per node ID, if two clients compete for it.
 */
export function createNodeConnections(
  clock: Pick<Clock, 'elapsed' | 'after'>,
  limits: NodeConnectionLimits = defaultNodeConnectionLimits,
  onConflict: (conflict: NodeIdConflict) => void = () => undefined,
) {
  const nodes = new Map<string, NodeConnection>();

  function connectionOf(nodeId: string): NodeConnection {
    const connection = nodes.get(nodeId);
    if (connection === undefined || !connection.isOpen) {
      throw new SchedulerError('unknown-node', `Unknown node ${JSON.stringify(nodeId)}`);
    }
    return connection;
  }

  function replacementsOf(
    node: string,
    replaced: NodeConnection | undefined,
    retained: string,
  ): Replacements {
    if (replaced === undefined) return noReplacements;
    const { replacements, isConflict } = replaceOnce(replaced.replacements, clock.elapsed());
    if (isConflict) onConflict({ node, retained, ended: replaced.peer });
    return replacements;
  }

  return {
    /** Adds a connection opened by the client of a node, replacing an existing one. */
    add(nodeId: string, socket: Socket): void {
      const replaced = nodes.get(nodeId);
      if (replaced === undefined && nodes.size >= limits.maxNodes) {
        socket.destroy();
        return;
      }
      replaced?.destroy();
      const peer = formatAddress({ host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 });
      const connection = new NodeConnection(socket, {
        ...{ clock, limits, peer },
        replacements: replacementsOf(nodeId, replaced, peer),
        closed() {
          if (nodes.get(nodeId) === connection) nodes.delete(nodeId);
        },
      });
      nodes.set(nodeId, connection);
    },
    /**
     * Returns the service that sends requests to a node over its connection. @throws SchedulerError `unknown-node` without a
     * connection: this server never connects to the address of a node.
     */
    service: (nodeId: string): AgentService => {
      connectionOf(nodeId);
      return async (request, signal) => connectionOf(nodeId).send(request, signal);
    },
    get count(): number {
      return nodes.size;
    },
    close(): void {
      for (const connection of nodes.values()) connection.destroy();
      nodes.clear();
    },
  };
}

interface NodeConnectionOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly limits: NodeConnectionLimits;
  /** Remote address of the connection. */
  readonly peer: string;
  /** Number and time of recent replacements of the node's connection. */
  readonly replacements: Replacements;
  readonly closed: () => void;
}

/** The connection of one node. */
class NodeConnection {
  readonly peer: string;
  readonly replacements: Replacements;
  readonly #options: NodeConnectionOptions;
  readonly #session: ClientHttp2Session;
  /**
   * The stream below the session. Destroying it ends both immediately, whereas closing the session would first write pending
   * data.
   */
  readonly #stream: Duplex;
  /** Number of requests without a complete response. */
  readonly #underWay = { short: 0, long: 0 };

  constructor(socket: Socket, options: NodeConnectionOptions) {
    this.peer = options.peer;
    this.replacements = options.replacements;
    this.#options = options;
    this.#stream = detachSocket(socket);
    this.#session = connect('http://node', {
      createConnection: () => this.#stream,
      settings: { enablePush: false, initialWindowSize: windowSize },
    });
    // Each request in progress adds a listener, so the default warning does not apply.
    const { maxLongRequests, maxRequests } = options.limits;
    this.#session.setMaxListeners(maxRequests + maxLongRequests + 8);
    // A broken connection is reported by `close`, and by an error of each request in progress.
    this.#session.on('error', () => undefined);
    this.#session.once('close', options.closed);
  }

  get isOpen(): boolean {
    return !this.#session.destroyed && !this.#session.closed;
  }

  async send(request: AgentRequest, signal: AbortSignal): Promise<AgentResponse> {
    const { clock, limits } = this.#options;
    const kind = request.isLong === true ? 'long' : 'short';
    this.#requireCapacity(kind);
    this.#ping();
    const { body, method = 'GET' } = request;
    const stream = this.#session.request({ ':method': method, ':path': pathOf(request) });
    const stop = (): void => stream.close(constants.NGHTTP2_CANCEL);
    this.#underWay[kind] += 1;
    signal.addEventListener('abort', stop, { once: true });
    const cancel = clock.after(limits.responseTimeout, stop);
    stream.once('close', () => {
      this.#underWay[kind] -= 1;
      signal.removeEventListener('abort', stop);
    });
    if (signal.aborted) stop();
    try {
      return await readResponse(stream, body);
    } finally {
      cancel();
    }
  }

  /** Throws if the node has too many requests in progress. @throws SchedulerError `node-busy` */
  #requireCapacity(kind: 'short' | 'long'): void {
    const { maxLongRequests, maxRequests } = this.#options.limits;
    if (kind === 'short' && this.#underWay.short >= maxRequests) {
      throw new SchedulerError(
        'node-busy',
        `The node is handling ${maxRequests} requests already, try later`,
      );
    }
    if (kind === 'long' && this.#underWay.long >= maxLongRequests) {
      throw new SchedulerError(
        'node-busy',
        `The node is sending ${maxLongRequests} files and logs already, try later`,
      );
    }
  }

  destroy(): void {
    this.#stream.destroy();
  }

  /** Pings the node. If its machine has no network, the connection still appears open but the ping gets no response. */
  #ping(): void {
    const { clock, limits } = this.#options;
    const cancel = clock.after(limits.pingTimeout, () => this.destroy());
    // A connection stays open for months, so a listener left over from each request would fill the memory.
    const end = (): void => {
      cancel();
      this.#session.removeListener('close', end);
    };
    this.#session.once('close', end);
    if (!this.#session.ping(end)) end();
  }
}

function pathOf({ path, parameters }: AgentRequest): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `/${encoded}?${queryText(parameters)}`;
}

function readResponse(stream: ClientHttp2Stream, body: string | undefined): Promise<AgentResponse> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      reject(unreachable('rpc error: the node has hung up'));
    };
    stream.on('error', fail);
    stream.once('close', fail);
    stream.once('response', (headers) => {
      const status = headers[':status'] ?? 500;
      // Node.js 24 discards unread data when a stream ends, but the caller may start reading later.
      const unread = new PassThrough();
      pipeline(stream, unread, () => undefined);
      resolve({ status, headers: visibleHeaders(headers), body: unread });
    });
    stream.end(body);
  });
}

/**
 * Allowed content types of a node's responses. Others are sent as bytes, so that browsers do not show data of a node as a page of
 * this server.
 */
const contentTypes = /^(?:application\/json|text\/plain|application\/octet-stream)(?:; charset=utf-8)?$/;

/** Returns the response headers that are forwarded to the client. A node cannot set any others. */
function visibleHeaders(headers: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const { 'content-type': type, 'content-disposition': disposition } = headers;
  const visible = new Map<string, string>();
  if (typeof type === 'string')
    visible.set('content-type', contentTypes.test(type) ? type : 'application/octet-stream');
  if (typeof disposition === 'string') visible.set('content-disposition', disposition);
  return visible;
}
