import { createGzip, constants } from 'node:zlib';
import { PassThrough, Readable } from 'node:stream';
import { firstParameter, parseGoBool, wantsGzip, type QueryParameters } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';
import type { AgentResponse, AgentHandler } from '../host/agent-service.js';
import type { LogHub } from '../logs/log-hub.js';
import { parseStreamLevel } from '../logs/log-level.js';
import { openLogStream, type LogStreamOptions } from '../logs/log-stream.js';
import { quote } from '../model/quote.js';
import { requireAgent } from './access.js';
import type { AgentContext } from './agent-context.js';
import { askTarget, sendAgentAnswer } from './agent-target.js';
import { queryOf } from '../requests/request.js';

/** Adds the stream of the log. It lasts until the client hangs up, so nothing here has a method of its own. */
export function addMonitorRoute(app: FastifyInstance, context: AgentContext): void {
  app.all('/v1/agent/monitor', async (request, reply) => {
    parseLogOptions(queryOf(request, context.limits));
    requireAgent(await context.accessOf(request), 'read');
    return askTarget(context, request, reply, 'monitor', sendLogStream);
  });
}

/** Answers an agent that is asked for its log. */
export function createMonitorHandler(hub: LogHub, clock: Clock): AgentHandler {
  return async (_rest, { parameters }, signal) => {
    const options = parseLogOptions(parameters);
    const type = options.plain ? 'text/plain; charset=utf-8' : 'application/json';
    return {
      status: 200,
      headers: new Map([['content-type', type]]),
      body: endWith(signal, openLogStream(options, { hub, clock })),
    };
  };
}

/** The same stream, which ends in order when the signal is aborted. */
function endWith(signal: AbortSignal, source: Readable): Readable {
  const body = new PassThrough();
  const end = (): void => {
    source.destroy();
    body.end();
  };
  signal.addEventListener('abort', end, { once: true });
  source.once('error', (error) => body.destroy(error));
  body.once('close', () => {
    signal.removeEventListener('abort', end);
    source.destroy();
  });
  return source.pipe(body);
}

/** Reads what to stream. @throws SchedulerError `bad-log-option`, in the order in which they are looked at. */
function parseLogOptions(parameters: QueryParameters): LogStreamOptions {
  const value = (name: string): string => firstParameter(parameters, name);
  const levelText = value('log_level');
  const level = levelText === '' ? 'info' : parseStreamLevel(levelText);
  if (level === null) throw new SchedulerError('bad-log-option', `Unknown log level: ${levelText}`);
  const json = parseOption(value('log_json'), 'log json');
  const withLocation = parseOption(value('log_include_location'), 'log_include_location');
  const plain = parseOption(value('plain'), 'plain');
  if (value('node_id') !== '' && value('server_id') !== '') {
    throw new SchedulerError('bad-log-option', 'Cannot target node and server simultaneously');
  }
  return { level, json, withLocation, plain };
}

function parseOption(text: string, name: string): boolean {
  const parsed = text === '' ? false : parseGoBool(text);
  if (parsed !== null) return parsed;
  const reason = `strconv.ParseBool: parsing ${quote(text)}: invalid syntax`;
  throw new SchedulerError('bad-log-option', `Unknown option for ${name}: ${reason}`);
}

/** Sends a stream as it comes: headers at once, and each frame flushed through the compression. */
function sendLogStream(reply: FastifyReply, answer: AgentResponse, request: FastifyRequest): FastifyReply {
  const { body: stream } = answer;
  if (!(stream instanceof Readable)) return sendAgentAnswer(reply, answer);
  const body = wantsGzip(request) ? compress(reply, stream) : stream;
  body.once('resume', () => setImmediate(() => reply.raw.flushHeaders()));
  reply.raw.once('close', () => stream.destroy());
  return sendAgentAnswer(reply, { ...answer, body });
}

function compress(reply: FastifyReply, stream: Readable): Readable {
  reply.header('content-encoding', 'gzip');
  const compressor = createGzip({ flush: constants.Z_SYNC_FLUSH });
  stream.once('error', (error) => compressor.destroy(error));
  stream.once('close', () => compressor.end());
  return stream.pipe(compressor);
}
