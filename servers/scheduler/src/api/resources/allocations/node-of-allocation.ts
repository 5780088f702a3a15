import { badRequest, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import {
  queryText,
  type AgentRequest,
  type AgentResponse,
} from '@tamis/scheduler-model/host/agent-service.js';
import { groupOf, type Allocation } from '@tamis/scheduler-model/allocation.js';
import { findNode, requireFirst, type AgentTarget } from '../../kernel/agent-target.js';
import { requireServer } from '../../kernel/agent-route.js';
import type { HttpContext } from '../../kernel/context.js';
import type { Call } from '../../kernel/route.js';

/** The node of an allocation, here or connected to another server. @throws SchedulerError `unknown-node` */
export type NodeTarget = Exclude<AgentTarget, { kind: 'server' }>;

/** Sends a request to a node, directly or through another server. @throws SchedulerError */
export type CallNode = (request: AgentRequest, signal: AbortSignal) => Promise<AgentResponse>;

export function findNodeOf({ agent }: Pick<HttpContext, 'agent'>, { NodeID }: Allocation): NodeTarget {
  const target = findNode(agent, NodeID);
  if (target.kind === 'here') return target;
  const text = `Unknown node ${JSON.stringify(NodeID)}: the node of this allocation is not connected to any server`;
  return { ...target, missing: new SchedulerError('unknown-node', text) };
}

/** Rejects a task that the allocation's group does not have. @throws SchedulerError */
export function requireTask(allocation: Allocation, task: string): void {
  const group = groupOf(allocation);
  if (group === null || group.Tasks?.some(({ Name }) => Name === task) === true) return;
  const names = (group.Tasks ?? []).map(({ Name }) => JSON.stringify(Name)).join(', ');
  throw badRequest(`unknown task name ${JSON.stringify(task)}, there is ${names}`);
}

/** Returns a function that sends requests of one caller to a node, through the server it is connected to. */
export function callNodeOf(
  { agent }: Pick<HttpContext, 'agent'>,
  { request }: Pick<Call, 'request'>,
  target: NodeTarget,
): CallNode {
  if (target.kind === 'here') return target.service;
  requireFirst({ request });
  const { forwardOnBehalf } = requireServer(agent);
  return async ({ isLong = false, parameters, path }, signal) => {
    for (const server of target.servers) {
      const requested = { request, target: `/v1/client/${path}?${queryText(parameters)}`, isLong, signal };
      const response = await forwardOnBehalf(server, requested);
      if (response !== null) return response;
    }
    throw target.missing;
  };
}
