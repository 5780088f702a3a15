import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { poolIdleMs, readJson, writeJson } from '@tamis/http';
import type { KnownServers } from '@tamis/scheduler-node/known-servers.js';
import { clientDisconnected, SchedulerError, unreachable } from '@tamis/scheduler-model/base/errors.js';
import { formatAddress, type Address } from '@tamis/scheduler-model/host/address.js';
import {
  ConnectionLostError,
  DialError,
  dialTimeout,
  explainDial,
  limitConnecting,
} from '@tamis/scheduler-model/host/dial.js';
import { connectionProtocol, rpcHeader, rpcPaths, timeHeader } from './protocol.js';
import type { RpcTls } from './rpc-server.js';

/** A request to a server's RPC port. */
export interface RpcRequest {
  /**
   * Whether the request is forwarded for a client. If so, it uses separate connections and cannot delay the agent's own requests.
   */
  readonly isForwarded?: boolean;
  /** Whether the response is read as fast as a client reads, and may never end. If so, it does not count as a short request. */
  readonly isLong?: boolean;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Client for the RPC ports of servers. */
export interface RpcClient {
  /** Checks that a server is reachable; resolves with its IP address. @throws DialError, SchedulerError */
  readonly ping: (address: Address) => Promise<string>;
  /** Requests the time of a server, in ms since 1970; null if it does not report it. @throws DialError, SchedulerError */
  readonly timeOf: (address: Address) => Promise<number | null>;
  /** Sends a request. Resolves when the response begins. @throws DialError if nothing was sent, ConnectionLostError */
  send(address: Address, request: RpcRequest): Promise<IncomingMessage>;
  /**
   * Sends a request to the first server that can be reached.
   *
   * @throws SchedulerError `unreachable`; `unknown-outcome` for a client's write that may have been processed
   */
  sendToAny(servers: KnownServers, request: RpcRequest): Promise<IncomingMessage>;
  /** Calls any server and reads its JSON. @throws SchedulerError with the server's message. */
  call(
    servers: KnownServers,
    request: Omit<RpcRequest, 'body'> & { readonly json?: unknown },
  ): Promise<unknown>;
  /** Calls any server and yields the JSON of each response line. @throws SchedulerError with the server's message. */
  streamLines(servers: KnownServers, request: Omit<RpcRequest, 'body'>): AsyncIterable<unknown>;
  /** Opens a connection over which the server sends requests. @throws DialError, SchedulerError */
  openConnection(address: Address, headers: Readonly<Record<string, string>>): Promise<Socket>;
  /** Sets the certificate and the authorities for new connections. */
  readonly renew: (tls: RpcTls) => void;
  readonly close: () => void;
}

/** Maximum size of a response that is read as a whole, in bytes. Prevents a server from filling the memory of its clients. */
const maxResponseLength = 268_435_456;
/** Maximum concurrent forwarded requests. Prevents waiting requests from taking all connections that a server allows. */
export const maxForwarded = 64;
/** Maximum concurrent short requests between servers. Several servers may share an address. */
export const maxRelayed = 32;
/** Maximum number of connections to one server for this agent's own requests. */
const maxOwn = 16;
/** Maximum concurrent long responses from one server. The total of all maximums stays below the limit of the server. */
const maxLong = 16;
/** Maximum idle connections per pool and server. Prevents agents that share an address from using up the server's limit. */
const maxFreeSockets = 4;

/**
 * Creates a client.
 *
 * @param max maximum concurrent forwarded requests per server; others wait.
 */
export function createRpcClient(tls: RpcTls | null, max = maxForwarded): RpcClient {
  const transport = createTransport(tls, max);
  const { send } = transport;
  const client: RpcClient = {
    send,
    ping: async (address) => (await ping(transport, address)).ip,
    timeOf: async (address) => (await ping(transport, address)).time,
    async sendToAny(servers, request) {
      const reasons: string[] = [];
      for (const address of servers.inOrder()) {
        try {
          const response = await send(address, request);
          servers.prefer(address);
          return response;
        } catch (error) {
          if (!(error instanceof DialError || error instanceof ConnectionLostError)) throw error;
          if (request.signal?.aborted === true) throw clientDisconnected();
          if (error instanceof ConnectionLostError && !isRepeatable(request))
            throw unknownOutcome('The server');
          reasons.push(error.message);
        }
      }
      const why = reasons.length === 0 ? 'none is known' : reasons.slice(0, maxReasons).join('; ');
      throw unreachable('no servers', { cause: new Error(why) });
    },
    async call(servers, { json, ...request }) {
      const body = json === undefined ? {} : { body: writeJson(json) };
      return readResponse(await client.sendToAny(servers, { ...request, ...body }));
    },
    async *streamLines(servers, request) {
      const response = await client.sendToAny(servers, request);
      if (response.statusCode === 200) yield* readLines(response);
      else await readResponse(response);
    },
    openConnection: (address, headers) => upgrade(transport, address, headers),
    renew: transport.renew,
    close: transport.close,
  };
  return client;
}

/** Whether a request may reach several servers. An agent's own requests are idempotent. */
function isRepeatable({ isForwarded = false, method }: RpcRequest): boolean {
  return !isForwarded || method === 'GET';
}

/** Returns the error of a write that was sent but not acknowledged. */
export function unknownOutcome(whoWasLost: string): SchedulerError {
  return new SchedulerError(
    'unknown-outcome',
    `${whoWasLost} was lost before it responded: the write may have happened or not, look before it is sent again`,
  );
}

/** Maximum number of servers whose errors one message lists. */
const maxReasons = 5;

/** Sends requests over the connections of an agent to RPC ports. */
interface Transport {
  /** Starts a request; the body is written later. */
  readonly open: (address: Address, request: RpcRequest) => ClientRequest;
  readonly send: RpcClient['send'];
  readonly renew: RpcClient['renew'];
  readonly close: () => void;
}

function createTransport(tls: RpcTls | null, max: number): Transport {
  const own = createPool(tls, maxOwn);
  const forwarded = createPool(tls, max);
  const long = createLongPool(tls);
  const start = tls === null ? httpRequest : httpsRequest;

  function open({ host, port }: Address, request: RpcRequest): ClientRequest {
    const { method, path, headers, body, isForwarded = false, isLong = false, signal } = request;
    const opened = start({
      agent: isLong ? long.agent : isForwarded ? forwarded : own,
      ...{ host, port, method, path },
      headers: {
        ...headers,
        [rpcHeader]: '1',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      ...(signal === undefined ? {} : { signal }),
    });
    return opened;
  }

  return {
    open,
    send: (address, request) =>
      new Promise((resolve, reject) => {
        const leave = request.isLong === true ? long.enter(address) : () => undefined;
        const sent = open(address, request);
        sent.once('close', leave);
        let isConnected = false;
        limitConnecting(sent, () => (isConnected = true));
        sent.once('error', (error) => {
          const why = `${explainDial(error, address)}${hintOf(error, tls !== null, isConnected)}`;
          reject(isConnected ? new ConnectionLostError(why) : new DialError(why));
        });
        sent.once('response', resolve);
        sent.end(request.body);
      }),
    renew(renewed) {
      for (const pool of [own, forwarded, long.agent])
        if (pool instanceof HttpsAgent) Object.assign(pool.options, clientOptions(renewed));
    },
    close() {
      own.destroy();
      forwarded.destroy();
      long.agent.destroy();
    },
  };
}

/** Limits the connections with long responses. None of them can be waited for, because they may never end. */
function createLongPool(tls: RpcTls | null): {
  readonly agent: HttpAgent;
  /** @throws SchedulerError `too-many-requests` */
  readonly enter: (address: Address) => () => void;
} {
  const counts = new Map<string, number>();
  return {
    agent: createPool(tls, maxLong),
    enter(address) {
      const key = formatAddress(address);
      const count = counts.get(key) ?? 0;
      if (count >= maxLong) {
        const text = `${maxLong} files and logs come from ${key} through this agent already; use another one`;
        throw new SchedulerError('too-many-requests', text);
      }
      counts.set(key, count + 1);
      return () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      };
    },
  };
}

/** @throws DialError, SchedulerError `unreachable` */
async function ping(
  { send }: Transport,
  address: Address,
): Promise<{ readonly ip: string; readonly time: number | null }> {
  const signal = AbortSignal.timeout(dialTimeout);
  const response = await send(address, { method: 'GET', path: rpcPaths.ping, signal });
  const ip = response.socket.remoteAddress ?? address.host;
  const time = Number.parseInt(String(response.headers[timeHeader]), 10);
  const pong = await readResponse(response);
  if (typeof pong === 'object' && pong !== null && 'server' in pong) {
    return { ip, time: Number.isFinite(time) ? time : null };
  }
  throw unreachable('there is no server at this address');
}

/** @throws DialError, SchedulerError `unreachable` */
function upgrade(
  { open }: Transport,
  address: Address,
  headers: Readonly<Record<string, string>>,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const sent = open(address, {
      method: 'GET',
      path: rpcPaths.connection,
      headers: { ...headers, connection: 'Upgrade', upgrade: connectionProtocol },
    });
    limitConnecting(sent, () => undefined);
    sent.once('error', (error) => reject(new DialError(explainDial(error, address))));
    sent.once('response', (response) => {
      response.resume();
      reject(unreachable(`the server refuses: ${response.statusCode ?? 0}`));
    });
    sent.once('upgrade', (_response, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    sent.end();
  });
}

function createPool(tls: RpcTls | null, maxSockets: number): HttpAgent {
  const options = { keepAlive: true, maxSockets, maxFreeSockets, timeout: poolIdleMs };
  return tls === null ? new HttpAgent(options) : new HttpsAgent({ ...options, ...clientOptions(tls) });
}

function clientOptions({ ca, cert, key }: RpcTls): SecureContextOptions {
  return { cert, key, ...(ca === null ? {} : { ca }) };
}

/**
 * Returns the likely cause of a TLS error. Neither side reports that only one side uses TLS, or that an authority is untrusted.
 */
function hintOf(error: Error, isSecure: boolean, isConnected: boolean): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED') return ': the server requires a certificate';
  if (code === 'EPROTO') return ' (that port has no tls.rpc)';
  if (code !== 'ECONNRESET') return '';
  if (!isSecure) return ' (if that port has tls.rpc, this agent needs it too, with a certificate of its own)';
  return isConnected ? '' : ' (that port may have no tls.rpc, or not trust the certificate of this agent)';
}

/** Maximum length of a response line, in characters. Prevents a server from filling the memory of its clients. */
const maxLineLength = 67_108_864;

/** Yields the JSON of each line of a response as it arrives, but no faster than the caller reads. */
async function* readLines(response: IncomingMessage): AsyncGenerator<unknown, void, undefined> {
  let rest = '';
  response.setEncoding('utf8');
  for await (const piece of response as AsyncIterable<string>) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) throw unreachable('rpc error: a line of the response is too long');
    for (const line of lines) yield readJson(line);
    // Otherwise all buffered lines would be processed in one turn.
    await nextTurn();
  }
  if (rest !== '') throw unreachable('rpc error: the response is incomplete');
}

/** Returns the JSON of a response. @throws SchedulerError with the message of a refusal. */
async function readResponse(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxResponseLength) throw unreachable('rpc error: the response is too long');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (response.statusCode === 200) return readJson(text);
  if (response.statusCode === 403) throw new SchedulerError('permission-denied', text);
  // Only other ports respond without a message, for example the HTTP port of an agent.
  const message =
    text === '' ? `status ${response.statusCode ?? 0} without a word, is this the RPC port?` : text;
  throw unreachable(`rpc error: ${message}`);
}
