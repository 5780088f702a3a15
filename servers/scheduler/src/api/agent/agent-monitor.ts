import { firstParameter, parseGoBool, type QueryParameters } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import type { AgentHandler } from '@tamis/scheduler-model/host/agent-service.js';
import type { LogHub } from '../../services/logs/log-hub.js';
import { parseStreamLevel } from '../../services/logs/log-level.js';
import { openLogStream, type LogStreamOptions } from '../../services/logs/log-stream.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { agentRoute } from '../kernel/agent-route.js';
import { callTarget } from '../kernel/agent-target.js';
import { endOnAbort } from '../kernel/live-stream.js';
import { agentRight } from '../kernel/rights.js';

/** The log stream. It lasts until the client disconnects. Any method is accepted. */
export const monitorRoute = agentRoute({
  method: 'any',
  path: '/v1/agent/monitor',
  summary: 'Stream the log until the client hangs up',
  right: agentRight('read'),
  parameters: ['region', 'log_level', 'log_json', 'log_include_location', 'plain', 'server_id', 'node_id'],
  failures: [404],
  forward: 'region',
  response: { kind: 'frames' },
  parse: ({ parameters }) => void parseLogOptions(parameters),
  async run(_input, context, call) {
    const response = await callTarget(context, call, 'monitor');
    return response === null ? null : { ...response, isLive: true };
  },
});

/** Handles a request to an agent for its log. */
export function createMonitorHandler(hub: LogHub, clock: Clock): AgentHandler {
  return async (_rest, { parameters }, signal) => {
    const options = parseLogOptions(parameters);
    const type = options.plain ? 'text/plain; charset=utf-8' : 'application/json';
    return {
      status: 200,
      headers: new Map([['content-type', type]]),
      body: endOnAbort(signal, openLogStream(options, { hub, clock })),
    };
  };
}

/** Parses the options of a log stream. @throws SchedulerError `bad-request` for the first invalid one. */
function parseLogOptions(parameters: QueryParameters): LogStreamOptions {
  const value = (name: string): string => firstParameter(parameters, name);
  const levelText = value('log_level');
  const level = levelText === '' ? 'info' : parseStreamLevel(levelText);
  if (level === null) throw badRequest(`Unknown log level: ${levelText}`);
  const json = parseOption(value('log_json'), 'log json');
  const withLocation = parseOption(value('log_include_location'), 'log_include_location');
  const plain = parseOption(value('plain'), 'plain');
  if (value('node_id') !== '' && value('server_id') !== '') {
    throw badRequest('Cannot target node and server simultaneously');
  }
  return { level, json, withLocation, plain };
}

function parseOption(text: string, name: string): boolean {
  const parsed = text === '' ? false : parseGoBool(text);
  if (parsed !== null) return parsed;
  const reason = `strconv.ParseBool: parsing ${quote(text)}: invalid syntax`;
  throw badRequest(`Unknown option for ${name}: ${reason}`);
}
