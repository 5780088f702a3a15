import { firstParameter } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import { SchedulerError } from '../errors.js';
import type { Metrics } from '../metrics/metrics.js';
import { quote } from '../model/quote.js';
import { requireAgent } from './access.js';
import type { AgentContext } from './agent-context.js';
import { sendJson } from '../requests/answer.js';
import { parsePretty } from '../requests/query.js';
import { queryOf } from '../requests/request.js';

/** Counts every request that is answered from now on. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async ({ method, url, routeOptions }, reply) => {
    metrics.answered({
      method,
      route: routeOptions.url ?? '',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      blocking: /[?&]index=0*[1-9]/.test(url),
    });
  });
}

/** Adds the figures of this agent, as an object or for Prometheus. */
export function addMetricsRoute(app: FastifyInstance, { metrics, limits, accessOf }: AgentContext): void {
  app.get('/v1/metrics', async (request, reply) => {
    const parameters = queryOf(request, limits);
    requireAgent(await accessOf(request), 'read');
    const format = firstParameter(parameters, 'format');
    switch (format) {
      case '':
      case 'json':
        return sendJson(reply, await metrics.summary(), parsePretty(parameters));
      case 'prometheus':
        return reply.type(metrics.contentType).send(await metrics.text());
      default:
        throw new SchedulerError(
          'bad-agent-request',
          `Unknown format ${quote(format)}: expected json or prometheus`,
        );
    }
  });
}
