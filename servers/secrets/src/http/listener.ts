import {
  createServer as createHttpServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { acceptQueue, lingeringClose, allowAllHeaders, limitConnections } from '@tamis/http';
import type { Clock } from '../base/clock.js';
import { SecretsError, type SecretsErrorCode } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { breakBody } from './body.js';
import { finalResponse } from './final-response.js';
import type { ListenerLimits } from './limits.js';
import { type ResponseHeaders, headersFor } from './response-headers.js';
import { createServerPort } from './server-port.js';
import { VerbSocket } from './verb-socket.js';

/** A certificate with its key, as the contents of their files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface ListenerOptions {
  readonly host: string;
  /** Port; 0 for any free port. */
  readonly port: number;
  /** Null for plain HTTP. */
  readonly tls: { readonly certificate: Certificate; readonly minVersion: 'TLSv1.2' | 'TLSv1.3' } | null;
  readonly headers: ResponseHeaders;
  readonly limits: ListenerLimits;
  readonly handler: RequestListener;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One address that the server listens on. */
export type Listener = ReturnType<typeof createListener>;

/** Interval between checks for timeouts, in ms. */
const timeoutCheck = 1_000;

export function createListener(options: ListenerOptions) {
  const { host, port, tls, limits } = options;
  const handler = limitPipelining(options.handler);
  let { headers } = options;
  const current = (): ResponseHeaders => headers;
  const settings = {
    maxHeaderSize: limits.maxHeaderSize,
    headersTimeout: limits.readHeaderTimeout,
    requestTimeout: limits.readTimeout,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: timeoutCheck,
    // Prevents sockets from reading ahead.
    highWaterMark: 0,
    ServerResponse: finalResponse(current, () => serverPort.isClosing()),
  };
  const secure =
    tls === null
      ? null
      : createHttpsServer(
          {
            ...settings,
            ...tls.certificate,
            minVersion: tls.minVersion,
            handshakeTimeout: limits.readHeaderTimeout,
          },
          handler,
        );
  const server: Server = secure ?? createHttpServer(settings, handler);
  allowAllHeaders(server);
  const serverPort = createServerPort(server, 'listener', options.logger);
  acceptListVerb(server, secure === null ? 'connection' : 'secureConnection', (socket) =>
    options.clock.after(limits.readHeaderTimeout, () => {
      const late = Object.assign(new Error('a verb is not whole'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, socket);
    }),
  );
  limitConnections(server, limits.maxConnectionsPerClient, (socket) => {
    // Before the TLS handshake no response can be written.
    if (secure === null) socket.write(rawResponse(429, 'too many connections from this address', current()));
    socket.destroySoon();
  });
  refuseBadHttp(server, current, options.clock);
  return {
    /** Starts to listen. Resolves with the URL, such as `http://127.0.0.1:8200`. */
    async listen(): Promise<string> {
      await serverPort.listen({ host, port, backlog: acceptQueue });
      return addressOf(server, tls === null ? 'http' : 'https');
    },
    /** Replaces the configured headers, from the next response on, also for open connections. */
    replaceHeaders(fresh: ResponseHeaders): void {
      headers = fresh;
    },
    /** Replaces the certificate for new connections. @throws Error if it cannot be used; the old one then stays in use */
    replaceCertificate(certificate: Certificate): void {
      secure?.setSecureContext({ ...certificate, ...(tls !== null && { minVersion: tls.minVersion }) });
    },
    close: serverPort.close,
  };
}

/** Maximum requests of one connection that may wait for their responses. Prevents pipelined requests from filling the memory. */
const maxPipelined = 32;

/** Closes connections that pipeline too many requests. */
function limitPipelining(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // The parser still emits the other requests of the same chunk.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > maxPipelined) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    handler(request, response);
  };
}

/** Inserts a rewriter of `LIST` requests between each connection and the parser, which does not know this verb. */
function acceptListVerb(
  server: Server,
  event: 'connection' | 'secureConnection',
  awaitVerb: (socket: VerbSocket) => () => void,
): void {
  const listeners = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) => {
    const rewritten = new VerbSocket(socket, awaitVerb);
    for (const listener of listeners) Reflect.apply(listener, server, [rewritten]);
  });
}

const badHttp: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'request line and headers are too large']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'chunk extensions are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'the request took too long to arrive']],
]);
const errorCodes: ReadonlyMap<number, SecretsErrorCode> = new Map([
  [408, 'too-slow'],
  [413, 'body-too-large'],
]);
/** A valid request line with an unknown verb. */
const otherVerb = /^[A-Z]+ \/\S* HTTP\/1\.[01]\r\n/;

/** Responds to invalid requests, with the configured headers, and closes the connection. */
function refuseBadHttp(server: Server, current: () => ResponseHeaders, clock: Clock): void {
  const refused = new WeakSet<Duplex>();
  const last = lastResponses(server);
  const refuse = (socket: Duplex, status: number, message: string): void => {
    refused.add(socket);
    const hangUpNow = (): void => {
      if (socket.writable) lingeringClose(socket, rawResponse(status, message, current()), clock);
    };
    // A valid request before the invalid input gets its response first, because it may have changed something.
    const before = last.get(socket);
    if (before === undefined || before.writableFinished || before.destroyed) hangUpNow();
    else if (!before.req.complete) {
      // The invalid input belongs to the body. Its reader is notified and sends the response.
      before.once('close', () => lingeringClose(socket, '', clock));
      breakBody(before.req, new SecretsError(errorCodes.get(status) ?? 'bad-request', message));
    } else before.once('close', hangUpNow);
  };
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex) => {
    // The parser also reports an error for each further piece of input.
    if (refused.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(socket, ...explain(error.code ?? '', error.rawPacket));
  });
  server.on('connect', (_request, socket: Duplex) => refuse(socket, 405, 'unsupported method'));
}

/** Tracks the last response of each connection. Responses are sent in the order of the requests. */
function lastResponses(server: Server): WeakMap<Duplex, ServerResponse> {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => void responses.set(request.socket, response));
  return responses;
}

function explain(code: string, packet: Buffer | undefined): readonly [status: number, message: string] {
  if (code === 'HPE_INVALID_METHOD' && otherVerb.test(packet?.toString('latin1') ?? '')) {
    return [405, 'unsupported method'];
  }
  return badHttp.get(code) ?? [400, 'this is not an HTTP request'];
}

function addressOf(server: Server, scheme: string): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Returns a response to invalid input as a string to be written before closing the connection. */
function rawResponse(status: number, message: string, headers: ResponseHeaders): string {
  const body = JSON.stringify({ errors: [message] });
  const lines = new Map([
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'application/json'],
    ...headersFor(headers, status),
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ]);
  const head = [...lines].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${head}\r\n${body}`;
}
