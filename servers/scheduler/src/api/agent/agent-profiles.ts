import { firstParameter } from '@tamis/http';
import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import type { AgentHandler } from '@tamis/scheduler-model/host/agent-service.js';
import type { Profiles } from '../../services/profiles/profiles.js';
import { refuse, requireAgent } from '../kernel/access.js';
import { agentRoute } from '../kernel/agent-route.js';
import { callTarget } from '../kernel/agent-target.js';

const defaultSeconds = 3;
/**
 * Maximum length of a profile name. Longer than every profile; prevents names that are too long for a request to another agent.
 */
const maxNameLength = 256;

/**
 * The profiles of an agent. Available if debugging is on, or with ACLs to callers with write access to the agent: profiles are
 * costly and reveal much. Any method is accepted.
 */
export const profileRoute = agentRoute<string>({
  method: 'any',
  path: '/v1/agent/pprof/{profile}',
  summary: 'Take a profile',
  right: {
    name: 'agent:write',
    async grant(getAccess, _input, { acl, debug }) {
      requireAgent(await getAccess(), 'write');
      if (!acl && !debug) refuse();
    },
  },
  parameters: ['region', 'seconds', 'debug', 'gc', 'server_id', 'node_id'],
  failures: [404, 429],
  forward: 'region',
  response: { kind: 'bytes' },
  parse({ id, parameters }) {
    if (id === '') throw notFound('Invalid method');
    if (firstParameter(parameters, 'node_id') !== '' && firstParameter(parameters, 'server_id') !== '') {
      throw badRequest('Cannot target node and server simultaneously');
    }
    const seconds = firstParameter(parameters, 'seconds');
    if ((id === 'profile' || id === 'trace') && !/^\d*$/.test(seconds))
      throw badRequest(`seconds must be a whole number, got ${quote(seconds)}`);
    return id;
  },
  run(name, context, call) {
    if (name.length > maxNameLength) throw notFound(`Pprof profile not found profile: ${name}`);
    return callTarget(context, call, `pprof/${name}`);
  },
});

/** Handles a profile request; null if the agent has no profiler. */
export function createProfileHandler(profiles: Profiles | null): AgentHandler {
  return async (name, { parameters }, signal) => {
    if (profiles === null) return refuse();
    const value = (parameter: string): string => firstParameter(parameters, parameter);
    const profile = await profiles.take(
      {
        name,
        seconds: countOr(value('seconds'), defaultSeconds) || defaultSeconds,
        debug: countOr(value('debug'), 0),
        collect: countOr(value('gc'), 0) === 1,
      },
      signal,
    );
    const { body, file } = profile;
    const headers: readonly (readonly [string, string])[] =
      file === null
        ? [['content-type', 'text/plain; charset=utf-8']]
        : [
            ['content-type', 'application/octet-stream'],
            ['content-disposition', `attachment; filename="${file}"`],
          ];
    return { status: 200, headers: new Map(headers), body };
  };
}

/** Parses a number like Go's profiles do: the default replaces an invalid number. */
function countOr(text: string, fallback: number): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : fallback;
}
