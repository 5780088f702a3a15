import { firstParameter, type QueryParameters } from '@tamis/http';
import type { FastifyReply } from 'fastify';
import type { Server } from '@tamis/scheduler-state/cluster/leadership.js';
import { badRequest, SchedulerError, unreachable } from '@tamis/scheduler-model/base/errors.js';
import type { AgentRequest, AgentService } from '@tamis/scheduler-model/host/agent-service.js';
import type { AgentContext, AgentServer } from './agent-context.js';
import { requireClient, requireServer } from './agent-route.js';
import { fromServerHeader } from './requests/forwarded.js';
import { type RouteResponse } from './response.js';
import type { Call } from './route.js';

/** The target of a request about an agent. */
export type AgentTarget =
  | { readonly kind: 'here'; readonly service: AgentService }
  /** The target is one of these servers, or a node connected to one. The first server that accepts the request handles it. */
  | { readonly kind: 'other'; readonly servers: readonly Server[]; readonly missing: SchedulerError }
  /** This agent cannot reach the target, but a server may. */
  | { readonly kind: 'server' };

/**
 * Finds the agent named by `node_id` or `server_id`: a server, the leader, this client, or a node connected to a server. Other
 * servers are queried for that connection when needed, because a list could be outdated. Without both parameters it is this
 * agent, preferably its server.
 *
 * @throws SchedulerError `unknown-node`, `bad-request`, `no-leader`
 */
export function findTarget(context: AgentContext, parameters: QueryParameters): AgentTarget {
  const { client, server } = context;
  const nodeId = firstParameter(parameters, 'node_id');
  const serverId = firstParameter(parameters, 'server_id');
  const own = server ?? client;
  if (own === null) throw new SchedulerError('wrong-mode', 'Invalid method');
  if (nodeId !== '') {
    return server === null && client?.nodeId !== nodeId
      ? viaServer(context, 'No local Node')
      : findNode(context, nodeId);
  }
  if (serverId === '') return { kind: 'here', service: own.service };
  if (server === null) return viaServer(context, 'no servers');
  return findServer(context, server, serverId);
}

function viaServer({ client }: AgentContext, otherwise: string): AgentTarget {
  if (client === null || client.servers.addresses().length === 0) throw unreachable(otherwise);
  return { kind: 'server' };
}

/** Finds the node: this client, or a node connected to this or another server. @throws SchedulerError */
export function findNode(context: AgentContext, nodeId: string): Exclude<AgentTarget, { kind: 'server' }> {
  const { client } = context;
  if (client?.nodeId === nodeId) return { kind: 'here', service: client.service };
  const server = requireServer(context);
  try {
    return { kind: 'here', service: server.nodeService(nodeId) };
  } catch (error) {
    const isElsewhere = error instanceof SchedulerError && error.code === 'unknown-node';
    if (isElsewhere) return { kind: 'other', servers: server.others(), missing: error };
    throw error;
  }
}

function findServer({ name }: AgentContext, server: AgentServer, serverId: string): AgentTarget {
  const here = { kind: 'here', service: server.service } as const;
  if (serverId === 'leader') {
    const leader = server.leader.current();
    const missing = new SchedulerError('no-leader', 'No cluster leader');
    if (leader.location === 'nobody') throw missing;
    return leader.location === 'here' ? here : { kind: 'other', servers: [leader.server], missing };
  }
  if ([name.member, name.node, server.membership.self().Tags['id']].includes(serverId)) return here;
  const missing = badRequest(`unknown Scheduler server ${serverId}`);
  const servers = server
    .others()
    .filter(({ name: member, tags }) => [member, nodeNameOf(member), tags['id']].includes(serverId));
  return { kind: 'other', servers, missing };
}

/** Returns the name of a member without its region. */
function nodeNameOf(member: string): string {
  return member.slice(0, Math.max(0, member.lastIndexOf('.')));
}

/** Parameters that agents understand. Others are not forwarded, because they could exceed the length limit of the other agent. */
const understood = new Set([
  'pretty',
  ...['log_level', 'log_json', 'log_include_location', 'plain'],
  ...['seconds', 'debug', 'gc'],
]);

function understoodOf(parameters: QueryParameters): QueryParameters {
  return new Map([...parameters].filter(([name]) => understood.has(name)));
}

/**
 * Calls the agent that the request names, or forwards the request to a server that can. The caller's rights were checked before.
 *
 * @param path requested path, such as `host`.
 */
export async function callTarget(
  context: AgentContext,
  call: Call,
  path: string,
): Promise<RouteResponse | null> {
  const target = findTarget(context, call.parameters);
  if (target.kind === 'server') return forwardToServer(context, call);
  const isLong = path === 'monitor';
  return passOn(context, call, target, { path, parameters: understoodOf(call.parameters), isLong });
}

/** Calls the target; null if another server has responded. @throws SchedulerError */
export async function passOn(
  context: AgentContext,
  call: Call,
  target: Exclude<AgentTarget, { kind: 'server' }>,
  params: AgentRequest,
): Promise<RouteResponse | null> {
  if (target.kind === 'other') return callOthers(requireServer(context), call, target, params);
  const { status, headers, body } = await target.service(params, endSignal(call.reply, context));
  return { status, headers: Object.fromEntries(headers), body };
}

/** Tries other servers until one handles the request. @throws SchedulerError `not-here` */
async function callOthers(
  server: AgentServer,
  call: Call,
  { servers, missing }: Extract<AgentTarget, { kind: 'other' }>,
  { isLong = false }: Pick<AgentRequest, 'isLong'>,
): Promise<null> {
  requireFirst(call);
  for (const other of servers) if (await server.forwardToServer(other, { ...call, isLong })) return null;
  throw missing;
}

/**
 * Rejects a request that another server sent, because that server tries the remaining ones itself. @throws SchedulerError
 * `not-here`
 */
export function requireFirst({ request }: Pick<Call, 'request'>): void {
  if (request.headers[fromServerHeader] === undefined) return;
  throw new SchedulerError('not-here', 'This server knows nothing of it');
}

/** Forwards the request of a client agent to a server. @throws SchedulerError `unreachable` */
export async function forwardToServer(context: AgentContext, { request, reply }: Call): Promise<null> {
  await requireClient(context).forward(request, reply);
  return null;
}

/** Returns a signal that is aborted when the client disconnects before the response, or when this agent stops. */
function endSignal({ raw }: FastifyReply, { onStop }: AgentContext): AbortSignal {
  const controller = new AbortController();
  const cancel = onStop(() => controller.abort());
  if (raw.destroyed) controller.abort();
  raw.once('close', () => {
    cancel();
    if (!raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
