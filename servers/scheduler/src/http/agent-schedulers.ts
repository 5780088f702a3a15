import { readFirstJson, RequestError } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { readShape, ShapeError } from '../model/read-shape.js';
import { s } from '../model/shape.js';
import type { WorkerConfig, WorkerPool } from '../workers/worker-pool.js';
import { requireAgent } from './access.js';
import type { AgentContext, AgentServer } from './agent-context.js';
import { badRequest } from './agent-members.js';
import { sendJson } from '../requests/answer.js';
import { parsePretty } from '../requests/query.js';
import { queryOf } from '../requests/request.js';

const listPath = '/v1/agent/schedulers';
const configPath = `${listPath}/config`;

/** Adds the workers of this server and their configuration. */
export function addSchedulerRoutes(app: FastifyInstance, context: AgentContext): void {
  const { server } = context;
  if (server === null) {
    refuseOnClients(app);
    return;
  }
  const { workers } = server;

  app.get(listPath, async (request, reply) => {
    requireAgent(await context.accessOf(request), 'read');
    return send(request, reply, { server_id: workers.serverId, schedulers: listWorkers(workers) });
  });
  app.get(configPath, async (request, reply) => {
    requireAgent(await context.accessOf(request), 'read');
    return send(request, reply, describe(workers));
  });
  for (const method of ['PUT', 'POST'] as const) {
    app.route({
      method,
      url: configPath,
      async handler(request, reply) {
        requireAgent(await context.accessOf(request), 'write');
        workers.configure(readConfig(request.body, server));
        return send(request, reply, describe(workers));
      },
    });
  }

  function send(request: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
    return sendJson(reply, value, parsePretty(queryOf(request, context.limits)));
  }
}

/** The mode is looked at before the method. */
function refuseOnClients(app: FastifyInstance): void {
  for (const path of [listPath, configPath]) {
    app.all(path, async () => {
      throw new SchedulerError('server-only', 'Server only endpoint');
    });
  }
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

/** `server_id` is not looked at, so that what was read can be sent back. */
const configShape = s.struct({ num_schedulers: s.int, enabled_schedulers: s.list(s.string) });

const knownSchedulers: ReadonlySet<string> = new Set(['service', 'batch', 'system', 'sysbatch', '_core']);

/** Reads and checks a configuration. @throws SchedulerError `bad-agent-request` */
function readConfig(body: unknown, { maxWorkers }: AgentServer): WorkerConfig {
  const given = decode(body);
  const numSchedulers = given.num_schedulers ?? 0;
  const enabledSchedulers = [...new Set(given.enabled_schedulers ?? [])];
  const isValid =
    numSchedulers >= 0 &&
    numSchedulers <= maxWorkers &&
    enabledSchedulers.includes('_core') &&
    enabledSchedulers.every((type) => knownSchedulers.has(type));
  if (!isValid) throw badRequest('Invalid request');
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
