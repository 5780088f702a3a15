import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import { firstParameter } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../services/metrics/metrics.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { agentRoute, nothingToParse } from '../kernel/agent-route.js';
import { jsonResponse } from '../kernel/response.js';
import { agentRight } from '../kernel/rights.js';

/** Counts every request completed from now on. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async ({ method, url, route }, reply) => {
    metrics.requestCompleted({
      method,
      route: route?.path ?? '',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      blocking: /[?&]index=0*[1-9]/.test(url),
    });
  });
}

/** The metrics of this agent, as an object or for Prometheus. */
export const metricsRoute = agentRoute({
  path: '/v1/metrics',
  summary: 'Read the figures of the agent',
  right: agentRight('read'),
  parameters: ['format', 'pretty'],
  response: { kind: 'metrics' },
  parse: nothingToParse,
  async run(_input, { metrics }, call) {
    const format = firstParameter(call.parameters, 'format');
    switch (format) {
      case '':
      case 'json':
        return jsonResponse(call, await metrics.summary());
      case 'prometheus':
        return { type: metrics.contentType, body: await metrics.text() };
      default:
        throw badRequest(`Unknown format ${quote(format)}: expected json or prometheus`);
    }
  },
});
