import { firstParameter } from '@tamis/http';
import type { FastifyInstance } from 'fastify';
import { SchedulerError } from '../errors.js';
import { accessOf, refuse, requireAgent } from './access.js';
import { sendText } from './answer.js';
import type { HttpContext } from './context.js';
import { hangUpSignal, pathAfter, queryOf } from './request.js';

const prefix = '/v1/agent/pprof/';
const defaultSeconds = 3;

/**
 * Adds the profiles of this process. They are there when debugging is on, or when access control is on for those who
 * may write to the agent: profiles are costly and tell much.
 */
export function addProfileRoutes(app: FastifyInstance, context: HttpContext): void {
  app.all(`${prefix}*`, async (request, reply) => {
    const name = pathAfter(request, prefix);
    if (name === '') return sendText(reply, 404, 'Invalid method');
    const parameters = queryOf(request, context.limits);
    const value = (parameter: string): string => firstParameter(parameters, parameter);
    if (value('node_id') !== '' && value('server_id') !== '') {
      throw new SchedulerError('bad-log-option', 'Cannot target node and server simultaneously');
    }
    requireAgent(accessOf(request, context), 'write');
    const { profiles } = context;
    if (profiles === null) return refuse();
    const profile = await profiles.take(
      {
        name,
        seconds: countOr(value('seconds'), defaultSeconds) || defaultSeconds,
        debug: countOr(value('debug'), 0),
        collect: countOr(value('gc'), 0) === 1,
      },
      hangUpSignal(reply),
    );
    if (profile.file === null) return reply.type('text/plain; charset=utf-8').send(profile.body);
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${profile.file}"`)
      .send(profile.body);
  });
}

/** A number as the profiles of the runtime read it: what is none is the default. */
function countOr(text: string, fallback: number): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : fallback;
}
