import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';
import { formatAddress } from '../host/address.js';
import type { AgentResponse, AgentRequest, AgentService } from '../host/agent-service.js';
import { detachSocket } from './detached-socket.js';
import { noReplacements, replaceOnce, type Replacements, type NodeIdConflict } from './node-id-conflict.js';

/** The nodes whose clients have a connection open to this server. */
export interface NodeConnections {
  /** Takes over a connection that the client of a node has opened. It replaces one that is still there. */
  add(nodeId: string, socket: Socket): void;
  /** Asks a node. @throws SchedulerError `unknown-node` for one without a connection; its address is never dialled. */
  service(nodeId: string): AgentService;
  readonly count: number;
  close(): void;
}

export interface NodeConnectionLimits {
  /** Most nodes that are connected. Stops clients from taking all file descriptors. */
  readonly maxNodes: number;
  /** Milliseconds in which an answer must begin, longer than the longest profile. Stops an answer that never comes. */
  readonly responseTimeout: number;
  /** Milliseconds in which a node that is asked something must show that it is there. Stops one that is stuck. */
  readonly pingTimeout: number;
  /** Most questions that one node is asked at a time. Stops one node from filling the memory with answers. */
  readonly maxRequests: number;
}

export const defaultNodeConnectionLimits: NodeConnectionLimits = Object.freeze({
  maxNodes: 10_000,
  responseTimeout: 600_000,
  pingTimeout: 10_000,
  maxRequests: 32,
});

/**
 * A connection upside down: this side has been called, and asks.
 *
 * @param tellRivals told of two clients that take a node from each other, once a minute.
 */
export function createNodeConnections(
  clock: Pick<Clock, 'now' | 'after'>,
  limits: NodeConnectionLimits = defaultNodeConnectionLimits,
  tellRivals: (rivals: NodeIdConflict) => void = () => undefined,
): NodeConnections {
  const nodes = new Map<string, Connection>();

  function connectionOf(nodeId: string): Connection {
    const connection = nodes.get(nodeId);
    if (connection === undefined || connection.session.destroyed || connection.session.closed) {
      throw new SchedulerError('unknown-node', `Unknown node ${JSON.stringify(nodeId)}`);
    }
    return connection;
  }

  async function ask(nodeId: string, question: AgentRequest, signal: AbortSignal): Promise<AgentResponse> {
    const connection = connectionOf(nodeId);
    if (connection.questions >= limits.maxRequests) {
      throw new SchedulerError('agent-unreachable', 'The node is answering too many questions already');
    }
    checkLife(connection);
    const stream = connection.session.request({ ':method': 'GET', ':path': pathOf(question) });
    const stop = (): void => stream.close(constants.NGHTTP2_CANCEL);
    connection.questions += 1;
    signal.addEventListener('abort', stop, { once: true });
    const cancel = clock.after(limits.responseTimeout, stop);
    stream.once('close', () => {
      connection.questions -= 1;
      signal.removeEventListener('abort', stop);
    });
    try {
      return await readAnswer(stream);
    } finally {
      cancel();
    }
  }

  /** A machine that has lost its network says nothing, and the connection to it looks as it always did. */
  function checkLife({ session, stream }: Connection): void {
    const cancel = clock.after(limits.pingTimeout, () => stream.destroy());
    // Connections live for months: a listener that stayed behind with each question would fill the memory.
    const end = (): void => {
      cancel();
      session.removeListener('close', end);
    };
    session.once('close', end);
    if (!session.ping(end)) end();
  }

  function countReplacement(
    node: string,
    { peer, replacements: before }: Connection,
    kept: string,
  ): Replacements {
    const { replacements, isConflict } = replaceOnce(before, clock.now());
    if (isConflict) tellRivals({ node, kept, ended: peer });
    return replacements;
  }

  return {
    add(nodeId, socket) {
      const replaced = nodes.get(nodeId);
      if (replaced === undefined && nodes.size >= limits.maxNodes) {
        socket.destroy();
        return;
      }
      replaced?.stream.destroy();
      const peer = formatAddress({ host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 });
      const stream = detachSocket(socket);
      const session = connect('http://node', {
        createConnection: () => stream,
        settings: { enablePush: false },
      });
      // Each question that is being asked listens too.
      session.setMaxListeners(limits.maxRequests + 8);
      const connection: Connection = {
        ...{ session, stream, peer, questions: 0 },
        replacements: replaced === undefined ? noReplacements : countReplacement(nodeId, replaced, peer),
      };
      // A connection that breaks is told by `close`, and each of its questions by an error of its own.
      session.on('error', () => undefined);
      session.once('close', () => {
        if (nodes.get(nodeId) === connection) nodes.delete(nodeId);
      });
      nodes.set(nodeId, connection);
    },
    service(nodeId) {
      connectionOf(nodeId);
      return (question, signal) => ask(nodeId, question, signal);
    },
    get count() {
      return nodes.size;
    },
    close() {
      for (const { stream } of nodes.values()) stream.destroy();
      nodes.clear();
    },
  };
}

/** One node, and how many questions it has not answered to the end. */
interface Connection {
  readonly session: ClientHttp2Session;
  /** What the session runs over. To destroy it ends both at once; the session would first write what it still has to say. */
  readonly stream: Duplex;
  /** Where it comes from. */
  readonly peer: string;
  /** Of those before it. */
  readonly replacements: Replacements;
  questions: number;
}

function pathOf({ path, parameters }: AgentRequest): string {
  const query = new URLSearchParams(
    [...parameters].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  );
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `/${encoded}?${query.toString()}`;
}

function readAnswer(stream: ClientHttp2Stream): Promise<AgentResponse> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      reject(new SchedulerError('agent-unreachable', 'rpc error: the node has hung up'));
    };
    stream.on('error', fail);
    stream.once('close', fail);
    stream.once('response', (headers) => {
      const status = headers[':status'] ?? 500;
      resolve({ status, headers: shownHeaders(headers), body: stream });
    });
    stream.end();
  });
}

/** What answers of nodes are. All else is bytes: a browser must not take the word of a node for a page of this server. */
const contentTypes = /^(?:application\/json|text\/plain|application\/octet-stream)(?:; charset=utf-8)?$/;

/** The headers that an answer may bring along: a node decides nothing else of what the client of this server gets. */
function shownHeaders(headers: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const { 'content-type': type, 'content-disposition': disposition } = headers;
  const shown = new Map<string, string>();
  if (typeof type === 'string')
    shown.set('content-type', contentTypes.test(type) ? type : 'application/octet-stream');
  if (typeof disposition === 'string') shown.set('content-disposition', disposition);
  return shown;
}
