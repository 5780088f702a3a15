import type { KnownServers } from '@tamis/scheduler-node/known-servers.js';
import type { NodeIdentity } from '@tamis/scheduler-node/node-identity.js';
import type { AllocationLine, HeartbeatResponse, ServerLink } from '@tamis/scheduler-node/server-link.js';
import type { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { unreachable } from '@tamis/scheduler-model/base/errors.js';
import { nodeIdHeader, nodeSecretHeader, rpcPaths } from './protocol.js';
import type { RpcClient, RpcRequest } from './rpc-client.js';

/** Returns the headers that authenticate a node. */
export function nodeAuthHeaders({ id, secret }: NodeIdentity): Readonly<Record<string, string>> {
  return { [nodeIdHeader]: id, [nodeSecretHeader]: secret };
}

/** Creates the connection of a client to the servers that it knows, over their RPC ports. */
export function createServerLink(client: RpcClient, servers: KnownServers, node: NodeIdentity): ServerLink {
  const headers = nodeAuthHeaders(node);

  async function call(
    request: Pick<RpcRequest, 'method' | 'path' | 'signal'> & { readonly json?: unknown },
  ): Promise<Fields> {
    const response = await client.call(servers, { ...request, headers });
    if (typeof response === 'object' && response !== null) return response as Fields;
    throw invalidResponse();
  }

  function received(fields: Fields): HeartbeatResponse {
    const response = readHeartbeat(fields);
    servers.learn(response.servers);
    return response;
  }

  return {
    turnAway: () => servers.turnAway(),
    async register(given) {
      const Node = { ...given, ID: node.id, SecretID: node.secret };
      return received(await call({ method: 'POST', path: rpcPaths.register, json: { Node } }));
    },
    async heartbeat() {
      return received(await call({ method: 'POST', path: rpcPaths.heartbeat }));
    },
    async *allocations(since, signal) {
      const query =
        since === null ? '' : `?history=${encodeURIComponent(since.history)}&index=${since.index}`;
      const path = `${rpcPaths.allocations}${query}`;
      for await (const line of client.streamLines(servers, { method: 'GET', path, signal, headers })) {
        yield readAllocationLine(line);
      }
    },
    async update(Allocations) {
      const { unknownIds } = await call({
        method: 'POST',
        path: rpcPaths.allocations,
        json: { Allocations },
      });
      if (!Array.isArray(unknownIds)) throw invalidResponse();
      return unknownIds.filter((id) => typeof id === 'string');
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function readHeartbeat({ heartbeatTtl, index, servers: given }: Fields): HeartbeatResponse {
  if (typeof heartbeatTtl !== 'number' || typeof index !== 'number') throw invalidResponse();
  // A server of an earlier version does not list the other servers.
  const servers = Array.isArray(given) ? given.filter((address) => typeof address === 'string') : [];
  return { heartbeatTtl, index, servers };
}

function readAllocationLine(line: unknown): AllocationLine {
  if (typeof line !== 'object' || line === null) throw invalidResponse();
  const { kind, history, incarnation = 0, index, isWhole, job, row, id, count } = line as Fields;
  switch (kind) {
    case 'begin':
      if (typeof history !== 'string' || typeof index !== 'number' || typeof incarnation !== 'number') break;
      return { kind, history, incarnation, index, isWhole: isWhole === true };
    case 'job':
    case 'group':
      if (typeof job !== 'number') break;
      return { kind, job, row };
    case 'allocation':
      if (typeof job !== 'number' && job !== null) break;
      return { kind, job, row };
    case 'kept':
      if (typeof id !== 'string' || typeof index !== 'number') break;
      return { kind, id, index };
    case 'end':
      if (typeof count !== 'number') break;
      return { kind, count };
  }
  throw invalidResponse();
}

function invalidResponse(): SchedulerError {
  return unreachable('rpc error: the server returned an unexpected response');
}
