import { writeJson, type QueryParameters } from '@tamis/http';
import { describeClocks } from '@tamis/scheduler-state/cluster/peer-clocks.js';
import type { AgentClient, AgentContext, AgentServer } from '../kernel/agent-context.js';
import { agentRoute } from '../kernel/agent-route.js';
import { jsonResponse, textResponse } from '../kernel/response.js';
import { parseReadQuery, type ReadQuery } from '../kernel/query.js';
import { readParameters } from '../lists/read-route.js';
import { noRight } from '../kernel/rights.js';

interface Health {
  readonly ok: boolean;
  readonly message: string;
}

const healthy: Health = Object.freeze({ ok: true, message: 'ok' });

/** The route for the health of the agent. It requires no right, because service registries request it without a token. */
export const healthRoute = agentRoute({
  path: '/v1/agent/health',
  summary: 'Read the health of the agent',
  right: noRight,
  parameters: [...readParameters, 'type'],
  response: { kind: 'json', schema: 'AgentHealth' },
  parse: ({ parameters }) => parseReadQuery(parameters),
  async run(query, context, call) {
    const health = await healthOf(context, query);
    // A failure has the same body, with content type `text/plain` like all failures.
    if (Object.values(health).some(({ ok }) => !ok)) return textResponse(500, writeJson(health));
    return jsonResponse(call, health);
  },
});

/** Returns the health of the requested parts of the agent. */
export async function healthOf(
  context: Pick<AgentContext, 'client' | 'server'>,
  query: ReadQuery,
): Promise<Readonly<Partial<Record<'client' | 'server', Health>>>> {
  const client = await partHealth(query.parameters, 'client', context.client, clientHealth);
  const server = await partHealth(query.parameters, 'server', context.server, (part) =>
    serverHealth(part, query),
  );
  return { ...(client === null ? {} : { client }), ...(server === null ? {} : { server }) };
}

/** Returns the health of one part. Null if it was not requested, or if it is missing and not required. */
async function partHealth<P>(
  parameters: QueryParameters,
  type: 'client' | 'server',
  part: P | null,
  check: (part: P) => Health | Promise<Health>,
): Promise<Health | null> {
  const requested = parameters.get('type');
  if (requested !== undefined && !requested.includes(type)) return null;
  if (part !== null) return check(part);
  return requested === undefined ? null : { ok: false, message: `${type} not enabled` };
}

function clientHealth({ servers }: AgentClient): Health {
  return servers.addresses().length > 0 ? healthy : { ok: false, message: 'no known servers' };
}

/**
 * Returns the health of the server. Stale reads report what this server knows; other reads report the result of a consistent
 * read.
 */
async function serverHealth(
  { clockStep, leader, peerClocks, store }: AgentServer,
  { stale }: ReadQuery,
): Promise<Health> {
  const problem = await store.problem();
  if (!leader.contact().knownLeader) {
    const message = stale ? 'no leader' : 'No cluster leader';
    // Without writable storage no leader can be elected.
    return {
      ok: false,
      message: problem === null ? message : `${message}; the store cannot be written: ${problem}`,
    };
  }
  if (problem !== null) return { ok: false, message: `the store cannot be written: ${problem}` };
  // A wrong clock affects displayed times and the launch of periodic jobs.
  const clocks = [clockStep(), describeClocks(peerClocks())].filter((text) => text !== '');
  return clocks.length === 0 ? healthy : { ok: true, message: ['ok', ...clocks].join('; ') };
}
