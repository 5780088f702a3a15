import { firstParameter, printPieces, textStream } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { isSameSecret } from '@tamis/scheduler-model/secret.js';
import type { HeartbeatResponse } from '@tamis/scheduler-node/server-link.js';
import type { ServerList } from '@tamis/scheduler-state/cluster/server-list.js';
import { badRequest, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { sendJson } from '../api/kernel/requests/response-body.js';
import { readBody } from '../api/kernel/requests/body.js';
import type { HttpContext } from '../api/kernel/context.js';
import { parseReadQuery } from '../api/kernel/query.js';
import { disconnectSignal, queryOf } from '../api/kernel/request.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape, type Node } from '@tamis/scheduler-model/node.js';
import { heartbeatChanges } from '@tamis/scheduler-state/state/node-rows.js';
import { recordHeartbeat, registerNode } from '@tamis/scheduler-state/state/node-status.js';
import { type AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';
import { updateAllocations } from '@tamis/scheduler-state/state/update-allocations.js';
import { allocationLines, awaitAllocationChanges } from './allocation-changes.js';
import type { Heartbeats } from './heartbeats.js';
import type { NodeConnections } from './node-connections.js';
import { authenticateNode } from './node-auth.js';
import { registerShape, rpcPaths, updatesShape, type UpdatesResponse } from './protocol.js';

/** Dependencies of the routes for nodes. */
export interface NodeRpcContext extends Pick<
  HttpContext,
  'leaderRouting' | 'blocking' | 'limits' | 'slices' | 'state' | 'uuid'
> {
  readonly heartbeats: Heartbeats;
  readonly nodes: NodeConnections;
  /** The registered servers of the region. */
  readonly servers: ServerList;
  /** Maximum number of registered nodes. */
  readonly maxNodes: number;
}

/** Maximum bytes of a node's registration. Prevents a few nodes from filling the state. */
const maxNodeLength = 262_144;

/** Maximum allocations of a report per write. A node may report thousands, and other writes must run in between. */
const updatesAtOnce = 256;

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Adds the routes for the clients of nodes. All except the registration require authentication. */
export function addNodeRpcRoutes(app: FastifyInstance, context: NodeRpcContext): void {
  const { leaderRouting, limits, state } = context;
  const bodyLimit = Math.min(limits.maxBodyLength, maxNodeLength);
  // Each process has its own history, because changes before its start are unknown.
  const history = context.uuid();
  const nodeOf = ({ headers }: FastifyRequest): string => authenticateNode(headers, state.snapshot()).ID;

  /** Handles a request on the leader, which knows the node and its heartbeat deadline. */
  function byLeader(handle: (request: FastifyRequest) => Promise<object>): RouteHandlerMethod {
    return async (request, reply) => {
      const call = { request, reply, signal: disconnectSignal(reply) };
      const response = await leaderRouting.callLeader(call, () => handle(request));
      return response === null ? reply : sendJson(reply, response, false);
    };
  }

  app.post(
    rpcPaths.register,
    { bodyLimit },
    byLeader(async ({ body }) => register(context, readNode(body))),
  );
  app.post(
    rpcPaths.heartbeat,
    byLeader(async (request) => takeHeartbeat(context, nodeOf(request))),
  );
  app.get(rpcPaths.allocations, async (request, reply) => {
    // A client that has seen a newer state would stop the allocations that are missing in an older one.
    await leaderRouting.catchUp(disconnectSignal(reply));
    return sendAllocations(context, history, nodeOf(request), request, reply);
  });
  app.post(
    rpcPaths.allocations,
    byLeader(async (request) => {
      const nodeId = nodeOf(request);
      const { Allocations } = readBody(updatesShape, request.body);
      return takeUpdates(context, nodeId, Allocations ?? []);
    }),
  );
}

/** @throws SchedulerError `permission-denied`, `too-many-requests` */
async function register(context: NodeRpcContext, node: Node): Promise<HeartbeatResponse> {
  const { maxNodes, state } = context;
  const { Index: index } = await state.write((transaction) => {
    const stored = transaction.get('nodes', node.ID);
    // An imported node has no secret, so the first client that registers is accepted, as for an unknown node.
    if (stored !== null && stored.SecretID !== '' && !isSameSecret(stored.SecretID, node.SecretID)) {
      throw new SchedulerError('permission-denied', 'node secret ID does not match');
    }
    if (stored === null && transaction.tables.nodes.primary.size >= maxNodes) {
      throw new SchedulerError(
        'too-many-requests',
        `There are nodes enough: limits.max_nodes is ${maxNodes}. Purge those that are gone, or raise it`,
      );
    }
    return registerNode(transaction, node);
  });
  return { heartbeatTtl: context.heartbeats.beat(node.ID), index, servers: addressesOf(context) };
}

async function takeHeartbeat(context: NodeRpcContext, nodeId: string): Promise<HeartbeatResponse> {
  const { heartbeats, state } = context;
  // Almost every heartbeat changes nothing and needs no write.
  if (heartbeatChanges(state.snapshot().tables, nodeId)) {
    await state.write((transaction) => recordHeartbeat(transaction, nodeId));
  }
  return {
    heartbeatTtl: heartbeats.beat(nodeId),
    index: state.snapshot().index,
    servers: addressesOf(context),
  };
}

function addressesOf({ servers }: NodeRpcContext): readonly string[] {
  return servers.all().map(({ address }) => address);
}

async function sendAllocations(
  { blocking, limits, slices, state }: NodeRpcContext,
  history: string,
  nodeId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const parameters = queryOf(request, limits);
  const { index, wait } = parseReadQuery(parameters);
  const received = { history: firstParameter(parameters, 'history'), index };
  const signal = disconnectSignal(reply);
  const changes = await awaitAllocationChanges({ state, blocking, history }, nodeId, received, {
    wait,
    signal,
  });
  const stream = textStream(printPieces(allocationLines(changes)), slices);
  return reply.type('application/x-ndjson').send(stream);
}

async function takeUpdates(
  context: NodeRpcContext,
  nodeId: string,
  updates: readonly AllocationUpdate[],
): Promise<UpdatesResponse> {
  const { state } = context;
  const unknownIds: string[] = [];
  for (let at = 0; at < updates.length; at += updatesAtOnce) {
    // Writing part of a report is harmless, because a client repeats unacknowledged reports.
    const written = await state.write((transaction) =>
      updateAllocations(transaction, nodeId, updates.slice(at, at + updatesAtOnce)),
    );
    unknownIds.push(...written.unknownIds);
  }
  return { index: state.snapshot().index, unknownIds };
}

/** Parses the node of a registration. @throws SchedulerError `bad-request` */
function readNode(body: unknown): Node {
  const node = completeShape(nodeShape, readBody(registerShape, body).Node ?? {});
  for (const name of ['ID', 'SecretID'] as const) {
    if (!uuidForm.test(node[name])) throw badRequest(`Node.${name} is not a UUID`);
  }
  if (node.Name === '') throw badRequest('Node.Name is missing');
  if (node.Datacenter === '') throw badRequest('Node.Datacenter is missing');
  return node;
}
