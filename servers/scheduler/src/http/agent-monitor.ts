import { createGzip, constants } from 'node:zlib';
import type { Readable } from 'node:stream';
import { firstParameter, parseGoBool, wantsGzip, type QueryParameters } from '@tamis/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';
import { parseStreamLevel } from '../logs/log-level.js';
import { openLogStream, type LogStreamOptions } from '../logs/log-stream.js';
import { accessOf, requireAgent } from './access.js';
import type { HttpContext } from './context.js';
import { queryOf } from './request.js';

/** Adds the stream of the log. It lasts until the client hangs up, so nothing here has a method of its own. */
export function addMonitorRoute(app: FastifyInstance, context: HttpContext): void {
  const { logs, clock } = context;
  app.all('/v1/agent/monitor', async (request, reply) => {
    const parameters = queryOf(request, context.limits);
    const options = parseLogOptions(parameters);
    requireAgent(accessOf(request, context), 'read');
    const stream = openLogStream(options, { hub: logs, clock });
    return sendLogStream(request, reply, stream, options.plain);
  });
}

/** Reads what to stream. @throws SchedulerError `bad-log-option`, in the order in which they are looked at. */
export function parseLogOptions(parameters: QueryParameters): LogStreamOptions {
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
  const reason = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw new SchedulerError('bad-log-option', `Unknown option for ${name}: ${reason}`);
}

/** Sends a stream as it comes: headers at once, and each frame flushed through the compression. */
export function sendLogStream(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: Readable,
  plain: boolean,
): FastifyReply {
  reply.type(plain ? 'text/plain; charset=utf-8' : 'application/json');
  const body = wantsGzip(request) ? compress(reply, stream) : stream;
  body.once('resume', () => setImmediate(() => reply.raw.flushHeaders()));
  reply.raw.once('close', () => stream.destroy());
  return reply.send(body);
}

function compress(reply: FastifyReply, stream: Readable): Readable {
  reply.header('content-encoding', 'gzip');
  const compressor = createGzip({ flush: constants.Z_SYNC_FLUSH });
  stream.once('error', (error) => compressor.destroy(error));
  stream.once('close', () => compressor.end());
  return stream.pipe(compressor);
}
