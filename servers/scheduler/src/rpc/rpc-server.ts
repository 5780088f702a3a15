import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import {
  checkHeaders,
  checkOrigin,
  allowAllHeaders,
  limitConnections,
  listenerIdleMs,
  timeoutCheck,
} from '@tamis/http';
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { notFound, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { describeFailure, logFailure } from '../api/kernel/requests/failure.js';
import { prepareClose } from '../api/kernel/requests/graceful-close.js';
import { acceptAnyBody } from '../api/kernel/requests/body.js';
import type { HttpContext } from '../api/kernel/context.js';
import { addNodeRpcRoutes, type NodeRpcContext } from './node-routes.js';
import { authenticateNode } from './node-auth.js';
import {
  connectionProtocol,
  rpcHeader,
  rpcPaths,
  timeHeader,
  type Pong,
  type RightsResponse,
} from './protocol.js';

/** Certificate, key and authorities, as PEM. */
export interface RpcTls {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** The authorities of client certificates; null if clients need no certificate. */
  readonly ca: string | Buffer | null;
}

export interface RpcServerContext extends NodeRpcContext, Pick<HttpContext, 'guard'> {
  readonly pong: Pong;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
  readonly tls: RpcTls | null;
  /** The HTTP API for requests forwarded by agents. */
  readonly api: Pick<FastifyInstance, 'routing'>;
  /** Returns the rights of the token in the headers. @throws SchedulerError `permission-denied` */
  readonly rights: (headers: IncomingMessage['headers']) => Promise<RightsResponse>;
}

/** Builds the listener for other agents, which does not listen yet. Its routes do not exist on the HTTP port. */
export function buildRpcServer(context: RpcServerContext): FastifyInstance {
  const { limits, logger } = context;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.maxBodyLength,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    serverFactory: (handler) => createListener(context, handler),
  });
  acceptAnyBody(app, limits);
  app.addHook('onRequest', async (request) => requireAgentRequest(context, request.raw));
  app.setErrorHandler((error, request, reply) => {
    const { status, text } = describeFailure(error);
    logFailure(request.log, error, {});
    return reply.code(status).type('text/plain; charset=utf-8').send(text);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
  app.get(rpcPaths.ping, async (_request, reply) => {
    reply.header(timeHeader, String(context.now()));
    return context.pong;
  });
  app.get(rpcPaths.rights, async (request) => context.rights(request.headers));
  addNodeRpcRoutes(app, context);
  const beginClose = prepareClose(app.server);
  app.addHook('preClose', async () => beginClose());
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void acceptUpgrade(context, request, socket, head);
  });
  return app;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function createListener(context: RpcServerContext, handler: Handler): Server {
  const { limits, tls } = context;
  const options = {
    maxHeaderSize: limits.maxHeaderSize,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    connectionsCheckingInterval: timeoutCheck,
    keepAliveTimeout: listenerIdleMs,
  };
  const listener: Handler = (request, response) => {
    if (request.url?.startsWith(`${rpcPaths.http}/`) === true) forward(context, request, response);
    else handler(request, response);
  };
  const server =
    tls === null
      ? createHttpServer(options, listener)
      : createHttpsServer({ ...options, ...tlsOptions(tls), minVersion: 'TLSv1.2' }, listener);
  limitConnections(server, limits.maxConnectionsPerClient);
  allowAllHeaders(server);
  logRefusals(server, context);
  return server;
}

/** Logs failed connections with their reasons, because the client only sees that the connection has ended. */
function logRefusals(server: Server, { logger, now }: RpcServerContext): void {
  const logged = new Map<string, number>();
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const [peer = '', code = ''] = [socket.remoteAddress, error.code];
    const reason = refusals.get(code);
    // Connections that end without an error are not logged. The same error of a peer is logged only once per interval.
    if (reason === undefined || now() - (logged.get(peer + code) ?? -Infinity) < refusalPause) return;
    if (logged.size >= maxRefusers) logged.clear();
    logged.set(peer + code, now());
    logger.warn({ peer, reason }, 'an agent cannot connect');
  });
}

/** Interval for logging the same error of a peer again, in ms. */
const refusalPause = 600_000;
/** Maximum number of remembered peers. Prevents many addresses from filling the memory. */
const maxRefusers = 1_000;

const refusals: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_HTTP_REQUEST', 'it speaks no TLS: tls.rpc is not set there'],
  ['ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE', 'it shows no certificate'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'it does not trust the certificate of this server'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is of none of the authorities in tls.ca_file'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is of none of the authorities in tls.ca_file'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is of none of the authorities in tls.ca_file'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
]);

/** Uses a new certificate for new connections, and requires client certificates of the new authorities. */
export function renewRpcServer({ server }: Pick<FastifyInstance, 'server'>, { cert, key, ca }: RpcTls): void {
  if (!(server instanceof TlsServer)) return;
  server.setSecureContext({ cert, key, ...(ca === null ? {} : { ca }), minVersion: 'TLSv1.2' });
}

/** Returns the TLS options. If authorities are configured, clients must present a certificate signed by one of them. */
function tlsOptions({ cert, key, ca }: RpcTls): Readonly<Record<string, unknown>> {
  return ca === null ? { cert, key } : { cert, key, ca, requestCert: true, rejectUnauthorized: true };
}

/** Rejects requests that a browser could have sent. @throws RequestError, SchedulerError */
function requireAgentRequest({ guard }: RpcServerContext, { headers, rawHeaders }: IncomingMessage): void {
  checkHeaders(rawHeaders);
  // Checked like a write, so that requests from pages of other sites are rejected.
  checkOrigin(guard, 'POST', headers);
  if (headers[rpcHeader] === undefined) {
    throw new SchedulerError('permission-denied', 'This port is for other agents: use the HTTP port');
  }
}

/** Passes a request with its token to the HTTP API. */
function forward(context: RpcServerContext, request: IncomingMessage, response: ServerResponse): void {
  try {
    requireAgentRequest(context, request);
  } catch (error) {
    const { status, text } = describeFailure(error);
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
    return;
  }
  request.url = (request.url ?? '').slice(rpcPaths.http.length);
  context.api.routing(request, response);
}

/** Accepts a connection of a node after authenticating it. */
async function acceptUpgrade(
  context: RpcServerContext,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const gone = new AbortController();
  socket.on('error', () => socket.destroy());
  socket.once('close', () => gone.abort());
  try {
    requireAgentRequest(context, request);
    if (request.url !== rpcPaths.connection || request.headers.upgrade !== connectionProtocol) {
      throw notFound('');
    }
    // The node may have registered at another server a moment ago.
    await context.leaderRouting.catchUp(gone.signal);
    const node = authenticateNode(request.headers, context.state.snapshot());
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${connectionProtocol}\r\n\r\n`,
    );
    if (head.length > 0) socket.unshift(head);
    socket.setTimeout(0);
    // Detects that the peer's machine has disappeared without closing the connection.
    socket.setKeepAlive(true, 30_000);
    context.nodes.add(node.ID, socket);
  } catch (error) {
    const { status } = describeFailure(error);
    socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  }
}
