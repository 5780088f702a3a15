import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KnownServers } from '@tamis/scheduler-node/known-servers.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { disconnectSignal } from '../api/kernel/request.js';
import { rpcPaths } from './protocol.js';
import { relayResponse, relayedRequest } from './relay.js';
import { maxForwarded, type RpcClient } from './rpc-client.js';

/** Forwards requests of an agent to servers. */
export type Forward = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Paths whose responses are read as fast as the client reads, and may never end. */
const longPaths = ['/v1/client/fs/', '/v1/agent/monitor'] as const;

/** Creates a function that forwards requests. At most {@link maxForwarded} short requests run at a time. */
export function createForward(client: RpcClient, servers: KnownServers): Forward {
  let underWay = 0;
  return (request, reply) => {
    const isLong = longPaths.some((path) => request.url.startsWith(path));
    if (isLong) return forwardRequest(client, servers, request, reply, isLong);
    if (underWay >= maxForwarded) {
      throw new SchedulerError(
        'too-many-requests',
        'Too many requests wait for servers by way of this agent',
      );
    }
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    return forwardRequest(client, servers, request, reply, isLong);
  };
}

/**
 * Forwards a request to a server and streams back its status, headers and body. The request is aborted when the client
 * disconnects.
 *
 * @throws SchedulerError `unreachable`, `unknown-outcome`
 */
async function forwardRequest(
  client: RpcClient,
  servers: KnownServers,
  request: FastifyRequest,
  reply: FastifyReply,
  isLong: boolean,
): Promise<FastifyReply> {
  const signal = disconnectSignal(reply);
  const relayed = { ...relayedRequest(request, rpcPaths.http), signal, isLong };
  return relayResponse(await client.sendToAny(servers, relayed), reply);
}
