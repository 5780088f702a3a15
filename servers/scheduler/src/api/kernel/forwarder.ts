import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Regions } from '@tamis/scheduler-state/cluster/regions.js';
import type { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { clientDisconnected, unreachable } from '@tamis/scheduler-model/base/errors.js';
import { callerHeaders, forwardedHeader, pickHeaders, type ForwardedCall } from './requests/forwarded.js';
import { poolIdleMs } from '@tamis/http';
import { limitConnecting } from '@tamis/scheduler-model/host/dial.js';

/** Forwards requests to servers of other regions. */
export type Forwarder = ReturnType<typeof createForwarder>;

export interface ForwarderDependencies {
  readonly regions: Regions;
  /** The authorities that sign the servers' certificates, PEM; null for those that Node.js trusts. */
  readonly ca: Buffer | null;
  readonly logger: FastifyBaseLogger;
}

/**
 * Request headers that the API uses. All others are dropped. For example, the headers of a browser name the origin of its page,
 * which only the agent that it connects to can check.
 */
const passedHeaders = [
  'accept',
  'accept-encoding',
  'content-type',
  'last-event-id',
  'user-agent',
  ...callerHeaders,
] as const;

/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const hopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The reason why a request got no response, and whether the server may have received it. */
interface ForwardFailure {
  readonly error: Error;
  readonly mayHaveArrived: boolean;
}

export function createForwarder({ regions, logger, ...trusted }: ForwarderDependencies) {
  let { ca } = trusted;
  const plain = new HttpAgent({ keepAlive: true, timeout: poolIdleMs });
  const secure = new HttpsAgent({ keepAlive: true, timeout: poolIdleMs });
  /** The server of each region that responded last. It is tried first. */
  const preferred = new Map<string, URL>();
  const stopping = new AbortController();

  function open(peer: URL, request: FastifyRequest, signal: AbortSignal, fresh: boolean): ClientRequest {
    const isSecure = peer.protocol === 'https:';
    const agent = isSecure ? secure : plain;
    const body = bodyOf(request);
    return (isSecure ? httpsRequest : httpRequest)(peer, {
      agent: fresh ? false : agent,
      method: request.method,
      path: request.raw.url ?? '/',
      headers: {
        ...pickHeaders(request.headers, passedHeaders),
        [forwardedHeader]: '1',
        ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      signal,
      ...(ca === null ? {} : { ca }),
    });
  }

  function call(
    peer: URL,
    request: FastifyRequest,
    signal: AbortSignal,
    // A write gets a new connection. On a reused one it would be unknown whether the write has arrived.
    fresh = request.method !== 'GET',
  ): Promise<IncomingMessage | ForwardFailure> {
    return new Promise((resolve) => {
      const sent = open(peer, request, signal, fresh);
      let isConnected = false;
      limitConnecting(sent, () => (isConnected = true));
      sent.once('error', (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection just when it is reused.
        const wasIdle = sent.reusedSocket && error.code === 'ECONNRESET';
        if (wasIdle && !signal.aborted) resolve(call(peer, request, signal, true));
        else resolve({ error, mayHaveArrived: isConnected });
      });
      sent.once('response', resolve);
      sent.end(bodyOf(request));
    });
  }

  async function callAny(
    region: string,
    request: FastifyRequest,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const first = preferred.get(region);
    const peers = regions.peersOf(region) ?? unknownRegion();
    for (const peer of first === undefined ? peers : [first, ...peers.filter((one) => one !== first)]) {
      const response = await call(peer, request, signal);
      if (!('error' in response)) {
        preferred.set(region, peer);
        return response;
      }
      if (signal.aborted) break;
      const { error, mayHaveArrived } = response;
      logger.warn({ region, peer: peer.host, err: error }, 'no response from a server of another region');
      if (mayHaveArrived && request.method !== 'GET') throw unknownOutcome(region);
    }
    if (stopping.signal.aborted) throw unreachable('This agent is stopping');
    if (signal.aborted) throw clientDisconnected();
    throw unreachable(`No server of region ${JSON.stringify(region)} can be reached`);
  }

  return {
    regions,
    /**
     * Forwards a request to a server of another region and returns status, headers and body as it sent them.
     *
     * @throws SchedulerError `unreachable` if it is unknown or does not respond, `client-gone`
     */
    async forward(region: string, { request, reply, signal: disconnected }: ForwardedCall): Promise<void> {
      const signal = AbortSignal.any([disconnected, stopping.signal]);
      const response = await callAny(region, request, signal);
      // From here on the response of the other server is sent as it is, without headers and compression of this server.
      reply.hijack();
      passBack(response, reply.raw);
    },
    /** Uses a new certificate authority for future requests; connections made under the old one are not reused. */
    renew: (renewed: ForwarderDependencies['ca']): void => void (ca = renewed),
    /** Aborts requests in progress, which may block for minutes. */
    stop(): void {
      stopping.abort();
      plain.destroy();
      secure.destroy();
    },
  };
}

function unknownRegion(): never {
  throw unreachable('No path to region');
}

function unknownOutcome(region: string): SchedulerError {
  return unreachable(
    `The server of region ${JSON.stringify(region)} was lost before it responded: the write may have happened or not`,
  );
}

/** Returns the body of a request. It has been read before, because the body of a job names its region. */
function bodyOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : '';
}

function passBack(result: IncomingMessage, response: ServerResponse): void {
  const { rawHeaders, headers } = result;
  const ofConnection = new Set(
    (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const known = name.toLowerCase();
    if (!hopHeaders.has(known) && !ofConnection.has(known)) response.appendHeader(name, value);
  }
  response.writeHead(result.statusCode ?? 502, result.statusMessage);
  // The first bytes of a stream such as a log may take long, but the client waits for the headers.
  response.flushHeaders();
  // A premature end on either side ends the other, so that the client sees an incomplete response.
  pipeline(result, response, () => undefined);
}
