import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nodeIdHeader, nodeSecretHeader } from './protocol.js';
import type { RpcRequest } from './rpc-client.js';

/** Headers of a request that mean something where it is answered. Connection and length are made anew. */
const relayedHeaders = [
  ...['accept-encoding', 'authorization', 'x-scheduler-token', 'user-agent'],
  ...[nodeIdHeader, nodeSecretHeader],
] as const;

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

/** The same request, as it goes to the RPC port of a server, where its path stands behind a prefix. */
export function relayedRequest({ body, headers, method, raw }: FastifyRequest, prefix: string): RpcRequest {
  return {
    isForwarded: true,
    method,
    path: `${prefix}${raw.url ?? ''}`,
    headers: Object.fromEntries(
      relayedHeaders.flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value] as const] : [];
      }),
    ),
    ...(typeof body === 'string' && body !== '' ? { body } : {}),
  };
}

/** Passes an answer back as it comes, in status, headers and body. */
export function relayAnswer(answer: IncomingMessage, reply: FastifyReply): FastifyReply {
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
