import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import {
  compressReply,
  createTurnLimiter,
  disconnectSlowClients,
  eventLoop,
  lingeringClose,
  checkHeaders,
  checkOrigin,
  allowAllHeaders,
  limitConnections,
  listenerIdleMs,
  retryAfter,
  timeoutCheck,
} from '@tamis/http';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { accessOf } from './kernel/access.js';
import { sendText } from './kernel/requests/response-body.js';
import { secureOptions } from './kernel/certificate.js';
import type { HttpContext } from './kernel/context.js';
import { acceptAnyBody } from './kernel/requests/body.js';
import { describeFailure, logFailure } from './kernel/requests/failure.js';
import { docsRoutes } from './pages/docs/docs-routes.js';
import { frontPageRoutes } from './pages/front-page/front-page-routes.js';
import type { Count } from './pages/front-page/page.js';
import { prepareClose } from './kernel/requests/graceful-close.js';
import { countRequests } from './agent/metrics-routes.js';
import { agentRoutes, clusterRoutes } from './routes.js';
import { handleRoutes, openRoutes, type OpenRoute, type Otherwise } from './kernel/routing.js';

/** The dependencies of every HTTP listener of an agent. */
export type AppContext = Pick<
  HttpContext,
  'limits' | 'logs' | 'clock' | 'inFlight' | 'metrics' | 'tls' | 'guard' | 'responseHeaders'
>;

/** The routes of an HTTP listener and how they are handled. */
export interface AppParts {
  readonly routes: readonly OpenRoute[];
  /** Handles a path without a route; default: a 404. */
  readonly otherwise?: Otherwise;
  /** Called before the listener closes, so that waiting requests respond. */
  readonly release: () => void;
}

/** Builds the HTTP server, not yet listening. When it closes, waiting requests respond first. */
export function buildServer(context: HttpContext): FastifyInstance {
  const { agent, leaderRouting, blocking, events, forwarder, leader, region } = context;
  const gate = {
    ...{ leaderRouting, forwarder, region },
    accessOf: (request: FastifyRequest) => accessOf(request, context),
  };
  return openApp(context, {
    routes: [
      ...openRoutes(clusterRoutes, context, gate),
      ...openRoutes([...agentRoutes, ...frontPageRoutes(() => countRows(context)), ...docsRoutes], agent, {
        ...gate,
        accessOf: agent.accessOf,
      }),
    ],
    release() {
      blocking.stop();
      events.stop();
      leader.stop();
      forwarder.stop();
    },
  });
}

function countRows({ state }: HttpContext): readonly Count[] {
  const { tables } = state.snapshot();
  return countedLists.map(([list, query]) => ({
    list,
    count: tables[list].primary.size,
    path: `/v1/${list}?${query}per_page=20&pretty`,
  }));
}

const everywhere = 'namespace=*&';
const countedLists = [
  ['jobs', everywhere],
  ['nodes', ''],
  ['deployments', everywhere],
  ['evaluations', everywhere],
  ['allocations', everywhere],
  ['namespaces', ''],
] as const;

/** Builds a listener with common hooks and limits, not yet listening. */
export function openApp(context: AppContext, { routes, otherwise, release }: AppParts): FastifyInstance {
  const { limits, logs } = context;
  const logger: FastifyBaseLogger = logs.part('http');
  const app = createApp(context, logger);
  limitConnections(app.server, limits.maxConnectionsPerClient);
  allowAllHeaders(app.server);
  const endWatch = watchReaders(app, context);
  acceptAnyBody(app, limits);
  countRequests(app, context.metrics);
  addHooks(app, context);
  const beginClose = prepareClose(app.server);
  app.addHook('preClose', async () => {
    release();
    beginClose();
    endWatch();
  });
  app.setErrorHandler(sendFailure);
  handleRoutes(app, routes, context, otherwise);
  return app;
}

/** Disconnects clients that do not read their responses, and logs it. */
function watchReaders({ server }: FastifyInstance, { clock, limits, logs }: AppContext): () => void {
  if (limits.readTimeout === 0) return () => undefined;
  const log = logs.part('http');
  return disconnectSlowClients(server, limits.readTimeout, clock, ({ method, url = '', socket }) => {
    const [path] = url.split('?', 1);
    log.warn({ method, path, peer: socket.remoteAddress }, 'a response is not read, closing the connection');
  });
}

function createApp({ limits, tls, clock }: AppContext, logger: FastifyBaseLogger): FastifyInstance {
  const { maxHeaderSize, headersTimeout, requestTimeout } = limits;
  const options = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.maxBodyLength,
    requestTimeout,
    keepAliveTimeout: listenerIdleMs,
    // IDs are part of the path and have no separate length limit.
    routerOptions: { maxParamLength: limits.maxUrlLength, querystringParser: () => ({}) },
    rewriteUrl: pathOfTarget,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      sendFailure(error, request, reply);
    },
    clientErrorHandler: (error: { readonly code?: string }, socket: Socket) =>
      refuseBadHttp(error, socket, clock),
  };
  const http = {
    ...{ maxHeaderSize, headersTimeout, requestTimeout },
    connectionsCheckingInterval: timeoutCheck,
  };
  if (tls === null) return fastify({ ...options, http });
  // A client that does not finish the TLS handshake sends no headers either.
  const https = { ...http, ...secureOptions(tls), handshakeTimeout: headersTimeout };
  // A secure server has a different framework type, but the same routes.
  return fastify({ ...options, https }) as unknown as FastifyInstance;
}

function addHooks(app: FastifyInstance, context: AppContext): void {
  const { clock, guard, inFlight, limits, responseHeaders } = context;
  const admit = createTurnLimiter(eventLoop);
  app.addHook('onRequest', async (request, reply) => {
    inFlight.add(request, reply, clock.now());
    // The requests of thousands of connections may arrive in one turn.
    await new Promise<void>(admit);
    for (const [name, value] of responseHeaders) reply.raw.setHeader(name, value);
    if ((request.raw.url ?? '').length > limits.maxUrlLength) {
      throw new SchedulerError('url-too-long', `URL is longer than ${limits.maxUrlLength} bytes`);
    }
    checkHeaders(request.raw.rawHeaders);
    checkOrigin(guard, request.method, request.headers);
    // The content type of a body is ignored, so a malformed one must not be rejected.
    delete request.raw.headers['content-type'];
  });
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-content-type-options', 'nosniff');
    // The framework adds a charset, which this media type does not have (RFC 8259, 11).
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') reply.type('application/json');
    return compressReply(request, reply, payload);
  });
  app.addHook('onResponse', async (request, reply) => {
    const [path] = request.url.split('?', 1);
    const { method } = request;
    request.log.debug(
      { method, path, status: reply.statusCode, duration: `${reply.elapsedTime.toFixed(3)}ms` },
      'request complete',
    );
  });
}

/** Matches an absolute request target, as sent to a proxy. */
const absoluteForm = /^https?:\/\/([^/?#]*)([^#]*)/i;

/** Routes only match paths; the host of an absolute target takes precedence (RFC 9112, 3.2.2). */
function pathOfTarget({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): string {
  const parts = absoluteForm.exec(url);
  if (parts === null) return url;
  const [, host = '', path = ''] = parts;
  headers.host = host;
  return path.startsWith('/') ? path : `/${path}`;
}

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, text } = describeFailure(error);
  const { method } = request;
  const [path] = request.url.split('?', 1);
  logFailure(request.log, error, { method, path });
  if (status === 429) reply.header(retryAfter.name, retryAfter.value);
  return sendText(reply, status, text);
}

const badHttp: ReadonlyMap<string, readonly [status: string, text: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'Request line and headers are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive']],
]);

/** Responds to invalid HTTP and closes the connection. */
function refuseBadHttp(error: { readonly code?: string }, socket: Socket, clock: Clock): void {
  // The parser keeps reporting errors about further input.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] = badHttp.get(error.code ?? '') ?? ['400 Bad Request', 'This is not an HTTP request'];
  const response =
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\n` +
    `Connection: close\r\n\r\n${text}`;
  lingeringClose(socket, response, clock);
}
