import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ApiResponse } from '../api/endpoint-result.js';
import { toFailure } from '../api/failure.js';
import type { ApiRequest } from '../api/request.js';
import type { ClockResponse, ClockReport } from '../base/clocks.js';
import { SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { readBodyBytes } from './body.js';
import type { BodyBudget } from './body-budget.js';
import type { ListenerLimits } from './limits.js';
import {
  bodyHashHeader,
  clockPath,
  hashOfBody,
  isProven,
  maxForwardedLength,
  peerPath,
  unpackForwarded,
  untouchedHeader,
} from './peer-link.js';
import { createServerPort } from './server-port.js';

/** PEM strings of a certificate, its key, and the CA that signs the certificates of other servers. */
export interface PeerTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface PeerServerOptions {
  readonly host: string;
  readonly port: number;
  /** Null on loopback: plain HTTP. */
  readonly tls: PeerTls | null;
  /** Returns the key for checking the proofs of other servers; null while this server is sealed. */
  readonly peerKey: () => Buffer | null;
  /** Whether this server is the active one. */
  readonly isActive: () => boolean;
  readonly api: (request: ApiRequest) => Promise<ApiResponse>;
  /** Records the clock report of a standby, and returns the time of this server. */
  readonly reportTime: (report: ClockReport) => ClockResponse;
  readonly limits: Pick<ListenerLimits, 'maxJsonDepth' | 'maxJsonEntries'>;
  readonly bodyBudget: BodyBudget;
  readonly logger: Logger;
}

/** The port at which the active server receives requests forwarded by other servers of the store. */
export type PeerServer = ReturnType<typeof createPeerServer>;

export function createPeerServer(options: PeerServerOptions) {
  const { host, port, tls, logger } = options;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const isEnding = serverPort.isClosing();
    respond({ ...options, isActive: () => !isEnding && options.isActive() }, request, response).catch(
      (error: unknown) => {
        logger.warn({ err: error }, 'a response to another server could not be sent');
        response.destroy();
      },
    );
  };
  // Idle connections are never closed (0 means no timeout). If a connection is lost, the outcome of its request is unknown.
  const settings = { keepAliveTimeout: 0 };
  const server: Server =
    tls === null
      ? createHttpServer(settings, handle)
      : createHttpsServer(
          { ...settings, ...tls, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' },
          handle,
        );
  const serverPort = createServerPort(server, 'the port for other servers', logger);
  return { listen: () => serverPort.listen({ host, port }), close: serverPort.close };
}

async function respond(
  options: PeerServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort();
  });
  const key = options.peerKey();
  const { url = '', headers } = request;
  const isKnown = request.method === 'POST' && (url === peerPath || url === clockPath);
  if (!isKnown) response.shouldKeepAlive = false;
  if (!isKnown || key === null) return send(response, unreachable(), true);
  // The body is not read before the proof is checked.
  if (!isProven(key, url, headers)) return refuse(response);
  if (!options.isActive()) return send(response, unreachable(), true);
  const charge = options.bodyBudget.charge();
  try {
    const bytes = await readBodyBytes(request, maxForwardedLength, leaving.signal, charge);
    if (hashOfBody(bytes) !== headers[bodyHashHeader]) return await refuse(response);
    if (!options.isActive()) return await send(response, unreachable(), true);
    if (url === clockPath) {
      const report = options.reportTime(JSON.parse(bytes.toString()) as ClockReport);
      return await send(response, { status: 200, body: { ...report } }, false);
    }
    const apiResponse = await options.api(unpackForwarded(bytes, options.limits, leaving.signal));
    return await send(response, apiResponse, false);
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    return await send(response, toFailure(error), false);
  } finally {
    charge.release();
  }
}

/** Refuses a client without a proof, which is no server of this store. Its remaining input is not read. */
async function refuse(response: ServerResponse): Promise<void> {
  response.shouldKeepAlive = false;
  const refused = new SecretsError('permission-denied', 'this port is for servers that share the store');
  await send(response, toFailure(refused), false);
}

function unreachable(): ApiResponse {
  return toFailure(new SecretsError('standby', 'this server is not the active one'));
}

async function send(response: ServerResponse, apiResponse: ApiResponse, isUntouched: boolean): Promise<void> {
  const { status, body, content } = apiResponse;
  if (isUntouched) response.setHeader(untouchedHeader, '1');
  response.setHeader('content-type', content?.type ?? 'application/json');
  response.writeHead(status);
  if (content !== undefined) await pipeline(Readable.from(content.pieces), response);
  else response.end(body === null ? '' : JSON.stringify(body));
}
