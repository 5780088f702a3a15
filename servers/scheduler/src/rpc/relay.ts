import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defaultRpcPort } from '@tamis/scheduler-node/known-servers.js';
import type { Server } from '@tamis/scheduler-state/cluster/leadership.js';
import { clientDisconnected, SchedulerError, unreachable } from '@tamis/scheduler-model/base/errors.js';
import { parseAddress } from '@tamis/scheduler-model/host/address.js';
import { DialError } from '@tamis/scheduler-model/host/dial.js';
import {
  callerHeaders,
  fromServerHeader,
  pickHeaders,
  type ForwardOnBehalf,
  type ForwardToServer,
  type ForwardedCall,
} from '../api/kernel/requests/forwarded.js';
import { nodeIdHeader, nodeSecretHeader, rpcPaths } from './protocol.js';
import type { RpcClient, RpcRequest } from './rpc-client.js';

/** Request headers that the handling server needs. Headers about the connection and the length are set again. */
const relayedHeaders = [
  ...['accept-encoding', 'user-agent'],
  ...callerHeaders,
  ...[nodeIdHeader, nodeSecretHeader],
] as const;

/** Response headers that are set through the framework, because they affect how this agent processes the response. */
const replyHeaders: ReadonlySet<string> = new Set(['content-encoding', 'content-type']);

/** Response headers that are not forwarded: they belong to one connection, or this agent sets them itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);

/** Returns the request as sent to the RPC port of a server, with a path prefix. */
export function relayedRequest({ body, headers, method, raw }: FastifyRequest, prefix: string): RpcRequest {
  return {
    isForwarded: true,
    method,
    path: `${prefix}${raw.url ?? ''}`,
    headers: pickHeaders(headers, relayedHeaders),
    ...(typeof body === 'string' && body !== '' ? { body } : {}),
  };
}

/** A request being forwarded to another server. */
export interface RelayedCall extends Omit<ForwardedCall, 'reply'> {
  /** Its path prefix on the RPC port. */
  readonly prefix: string;
}

/**
 * Sends a request to another server of the region. Returns the response once it starts; null if nothing was done, because the
 * server is unreachable or not responsible.
 *
 * @throws ConnectionLostError
 */
export async function relayTo(
  client: Pick<RpcClient, 'send'>,
  { address }: Server,
  { request, prefix, signal, isLong = false }: RelayedCall,
): Promise<IncomingMessage | null> {
  return sendMarked(client, address, { ...relayedRequest(request, prefix), signal, isLong });
}

async function sendMarked(
  client: Pick<RpcClient, 'send'>,
  address: string,
  { headers, ...request }: RpcRequest,
): Promise<IncomingMessage | null> {
  const marked = { ...request, headers: { ...headers, [fromServerHeader]: '1' } };
  try {
    const response = await client.send(parseAddress(address, defaultRpcPort), marked);
    if (response.statusCode !== 421) return response;
    response.resume();
    return null;
  } catch (error) {
    if (error instanceof DialError) return null;
    throw error;
  }
}

/** Creates the function that forwards HTTP API requests to other servers. */
export function createForwardToServer(client: Pick<RpcClient, 'send'>): ForwardToServer {
  return async (server, { request, reply, signal, isLong = false }) => {
    try {
      const response = await relayTo(client, server, { request, prefix: rpcPaths.http, signal, isLong });
      if (response === null) return false;
      await relayResponse(response, reply);
      return true;
    } catch (error) {
      throw lost(error, server, signal);
    }
  };
}

/** Creates the function that calls other servers on behalf of a client. */
export function createForwardOnBehalf(client: Pick<RpcClient, 'send'>): ForwardOnBehalf {
  return async (server, { request, target, isLong, signal }) => {
    const headers = pickHeaders(request.headers, callerHeaders);
    const path = `${rpcPaths.http}${target}`;
    try {
      const requested = { isForwarded: true, isLong, method: 'GET', path, headers, signal };
      const response = await sendMarked(client, server.address, requested);
      if (response === null) return null;
      const type = response.headers['content-type'] ?? 'text/plain; charset=utf-8';
      return {
        status: response.statusCode ?? 500,
        headers: new Map([['content-type', type]]),
        body: response,
      };
    } catch (error) {
      throw lost(error, server, signal);
    }
  };
}

function lost(error: unknown, { name }: Server, signal: AbortSignal): SchedulerError {
  if (error instanceof SchedulerError) return error;
  if (signal.aborted) return clientDisconnected();
  return unreachable(`rpc error: ${name} has hung up`);
}

/** Streams back a response with its status, headers and body. */
export function relayResponse(response: IncomingMessage, reply: FastifyReply): FastifyReply {
  reply.code(response.statusCode ?? 500);
  const { rawHeaders } = response;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    // Set on the raw response, because the framework would convert the names to lower case.
    if (replyHeaders.has(name.toLowerCase())) reply.header(name, value);
    else if (!ownHeaders.has(name.toLowerCase())) reply.raw.setHeader(name, value);
  }
  // A stream may send nothing at first, so the headers are sent early to show that it is open.
  response.once('resume', () => setImmediate(() => reply.raw.flushHeaders()));
  return reply.send(response);
}
