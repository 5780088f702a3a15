import { t } from 'tamis';
import { readFirstJson, RequestError } from '@tamis/http';
import { badRequest, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { readShape, ShapeError } from '@tamis/scheduler-model/read-shape.js';
import type { WorkerConfig, WorkerPool } from '@tamis/scheduler-placement/workers/worker-pool.js';
import type { AgentContext, AgentServer } from '../kernel/agent-context.js';
import { agentRoute, nothingToParse, type AgentRoute } from '../kernel/agent-route.js';
import { jsonResponse } from '../kernel/response.js';
import { agentRight } from '../kernel/rights.js';

const configPath = '/v1/agent/schedulers/config';

/** The routes of this server's workers and their configuration. */
export const workerRoutes: readonly AgentRoute[] = [
  agentRoute({
    path: '/v1/agent/schedulers',
    summary: 'List the workers of the server',
    requires: requireWorkers,
    right: agentRight('read'),
    response: { kind: 'json', schema: 'Workers' },
    parse: nothingToParse,
    run(_input, context, call) {
      const { workers } = requireWorkers(context);
      return jsonResponse(call, { server_id: workers.serverId, schedulers: listWorkers(workers) });
    },
  }),
  agentRoute({
    path: configPath,
    summary: 'Read the configuration of the workers',
    requires: requireWorkers,
    right: agentRight('read'),
    response: { kind: 'json', schema: 'WorkerConfig' },
    parse: nothingToParse,
    run: (_input, context, call) => jsonResponse(call, describe(requireWorkers(context).workers)),
  }),
  agentRoute({
    method: 'put',
    path: configPath,
    summary: 'Change the configuration of the workers',
    requires: requireWorkers,
    right: agentRight('write'),
    body: { schema: 'WorkerConfigRequest', required: true },
    response: { kind: 'json', schema: 'WorkerConfig' },
    parse: nothingToParse,
    // Clients expect rights to be checked before the body.
    run(_input, context, call) {
      const server = requireWorkers(context);
      server.workers.configure(readConfig(call.request.body, server));
      return jsonResponse(call, describe(server.workers));
    },
  }),
];

/** The same routes on an agent without server mode, which checks its mode before the method. */
export const refusedWorkerRoutes = workerRoutes.map((route) => ({ ...route, method: 'any' as const }));

/** @throws SchedulerError `bad-request` */
function requireWorkers({ server }: AgentContext): AgentServer {
  if (server === null) throw new SchedulerError('bad-request', 'Server only endpoint');
  return server;
}

function listWorkers(workers: WorkerPool): unknown {
  return workers.workers().map(({ id, enabledSchedulers, started, status, workloadStatus }) => ({
    id,
    enabled_schedulers: enabledSchedulers,
    started,
    status,
    workload_status: workloadStatus,
  }));
}

function describe(workers: WorkerPool): unknown {
  const { numSchedulers, enabledSchedulers } = workers.config();
  return {
    server_id: workers.serverId,
    num_schedulers: numSchedulers,
    enabled_schedulers: enabledSchedulers,
  };
}

/** The body of a configuration. `server_id` is ignored, so that clients can send a response back as a request. */
const configShape = t.struct({ num_schedulers: t.int, enabled_schedulers: t.list(t.string) });

const knownSchedulers: ReadonlySet<string> = new Set(['service', 'batch', 'system', 'sysbatch', '_core']);

/** Reads and validates a configuration. @throws SchedulerError `bad-request` */
function readConfig(body: unknown, { maxWorkers }: AgentServer): WorkerConfig {
  const given = decode(body);
  const numSchedulers = given.num_schedulers ?? 0;
  const enabledSchedulers = [...new Set(given.enabled_schedulers ?? [])];
  const isInRange = numSchedulers >= 0 && numSchedulers <= maxWorkers;
  const isComplete = enabledSchedulers.includes('_core');
  // Existing clients expect this text, without a reason.
  if (!isInRange || !isComplete || !enabledSchedulers.every((type) => knownSchedulers.has(type)))
    throw badRequest('Invalid request');
  return { numSchedulers: Number(numSchedulers), enabledSchedulers };
}

function decode(body: unknown): {
  readonly num_schedulers?: number | bigint | null;
  readonly enabled_schedulers?: readonly string[] | null;
} {
  if (typeof body !== 'string' || body.trim() === '') {
    throw badRequest('Invalid request: Request body is empty');
  }
  try {
    return readShape(configShape, readFirstJson(body), '');
  } catch (error) {
    if (!(error instanceof ShapeError || error instanceof RequestError)) throw error;
    throw badRequest(`Invalid request: ${error.message}`);
  }
}
