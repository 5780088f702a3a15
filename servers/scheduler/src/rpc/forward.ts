import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defaultRpcPort, type KnownServers } from '../client/known-servers.js';
import type { Server } from '../cluster/leadership.js';
import { SchedulerError } from '../errors.js';
import { parseAddress } from '../host/address.js';
import { DialError } from '../host/dial.js';
import { forwardedHeader, type ForwardedCall } from '../requests/forwarded.js';
import { disconnectSignal } from '../http/request.js';
import { rpcPaths } from './protocol.js';
import { maxForwarded, type RpcClient, type RpcRequest } from './rpc-client.js';

/** Headers of a request that mean something to the API. Connection and length are made anew. */
const forwardedHeaders = ['accept-encoding', 'authorization', 'x-scheduler-token', 'user-agent'] as const;

/** Headers of an answer that decide what this agent does with it, and so are set where it looks. */
const replyHeaders: ReadonlySet<string> = new Set(['content-encoding', 'content-type']);

/** Headers of an answer that belong to one connection, or that this agent sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);

/** Lets servers answer requests in place of an agent. */
export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes it; no more than {@link maxForwarded} requests are under way at a time. */
export function createForward(client: RpcClient, servers: KnownServers): Forward {
  let underWay = 0;
  return (request, reply) => {
    if (underWay >= maxForwarded) {
      throw new SchedulerError('too-many-waiters', 'Too many requests wait for servers by way of this agent');
    }
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    return forwardRequest(client, servers, request, reply);
  };
}

/**
 * Lets a server answer a request: what it answers is passed back as it comes, in status, headers and body. The
 * request ends with the connection of whoever sent it.
 *
 * @throws SchedulerError `no-servers`
 */
async function forwardRequest(
  client: RpcClient,
  servers: KnownServers,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const signal = disconnectSignal(reply);
  return passBack(await client.sendToAny(servers, { ...requestTo(request), signal }), reply);
}

/** Lets the leader of the region answer a request that came to another server. */
export type LeaderForward = (leader: Server, call: ForwardedCall) => Promise<FastifyReply>;

/** Makes it. @throws SchedulerError `no-leader` where there is no answer, `client-gone` */
export function createLeaderForward(client: Pick<RpcClient, 'send'>): LeaderForward {
  return async ({ address }, { request, reply, signal }) => {
    const { headers, ...asked } = requestTo(request);
    const marked = { ...asked, headers: { ...headers, [forwardedHeader]: 'leader' }, signal };
    try {
      return passBack(await client.send(parseAddress(address, defaultRpcPort), marked), reply);
    } catch (error) {
      if (signal.aborted) throw new SchedulerError('client-gone', 'The client is gone');
      if (!(error instanceof DialError)) throw error;
      const outcome = request.method === 'GET' ? '' : ': the write may have happened or not';
      throw new SchedulerError('no-leader', `The leader was lost before it answered${outcome}`);
    }
  };
}

/** The same request, as it goes to the RPC port of a server. */
function requestTo({ body, headers, method, raw }: FastifyRequest): RpcRequest {
  return {
    isForwarded: true,
    method,
    path: `${rpcPaths.http}${raw.url ?? ''}`,
    headers: Object.fromEntries(
      forwardedHeaders.flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as const] : [];
      }),
    ),
    ...(typeof body === 'string' && body !== '' ? { body } : {}),
  };
}

function passBack(answer: IncomingMessage, reply: FastifyReply): FastifyReply {
  reply.code(answer.statusCode ?? 500);
  const { rawHeaders } = answer;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    // On the raw response, because the framework would write the names in lower case.
    if (replyHeaders.has(name.toLowerCase())) reply.header(name, value);
    else if (!ownHeaders.has(name.toLowerCase())) reply.raw.setHeader(name, value);
  }
  // A stream may have nothing to say for a while, and whoever asked for it wants to know that it is there.
  answer.once('resume', () => setImmediate(() => reply.raw.flushHeaders()));
  return reply.send(answer);
}
