import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownServers } from '../client/known-servers.js';
import { SchedulerError } from '../errors.js';
import { disconnectSignal } from '../requests/request.js';
import { rpcPaths } from './protocol.js';
import { maxForwarded, type RpcClient } from './rpc-client.js';

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
  const { body, headers, method } = request;
  const answer = await client.sendToAny(servers, {
    isForwarded: true,
    method,
    path: `${rpcPaths.http}${request.raw.url ?? ''}`,
    headers: Object.fromEntries(
      forwardedHeaders.flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as const] : [];
      }),
    ),
    ...(typeof body === 'string' && body !== '' ? { body } : {}),
    signal: disconnectSignal(reply),
  });
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
