import {
  constants,
  performServerHandshake,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { describeFailure } from '../api/kernel/requests/failure.js';
import type { AgentRequest, AgentService } from '@tamis/scheduler-model/host/agent-service.js';
import { detachSocket } from './detached-socket.js';

/** Maximum concurrent requests, both short and long. Prevents a server from filling the memory of its nodes. */
const maxRequests = 128;
/** Maximum body of a request, in bytes. Prevents a server from filling the memory of its nodes. */
const maxBodyLength = 65_536;

/** Handles the requests that a server sends over a connection opened by this side. The server has authorised its clients. */
export function serveReverseRequests(socket: Socket, service: AgentService): ServerHttp2Session {
  const session = performServerHandshake(detachSocket(socket), {
    settings: { maxConcurrentStreams: maxRequests, enablePush: false },
  });
  // A broken connection is reported by `close`.
  session.on('error', () => undefined);
  session.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    respond(stream, headers, service).catch(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  });
  return session;
}

async function respond(
  stream: ServerHttp2Stream,
  request: IncomingHttpHeaders,
  service: AgentService,
): Promise<void> {
  const gone = new AbortController();
  stream.once('close', () => gone.abort());
  const { status, headers, body } = await callHandler(
    await readRequest(stream, request),
    service,
    gone.signal,
  );
  if (stream.destroyed) {
    if (body instanceof Readable) body.destroy();
    return;
  }
  stream.respond({ ':status': status, ...Object.fromEntries(headers) });
  if (body instanceof Readable) await pipeline(body, stream);
  else stream.end(body);
}

async function readRequest(
  stream: ServerHttp2Stream,
  { ':method': method, ':path': target = '' }: IncomingHttpHeaders,
): Promise<AgentRequest> {
  const { pathname, searchParams } = new URL(target, 'http://node');
  const path = decodeURIComponent(pathname.slice(1));
  const parameters = new Map([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
  const body = await readBody(stream);
  const verb = method === 'PUT' ? 'PUT' : 'GET';
  return { method: verb, path, parameters, ...(body === '' ? {} : { body }) };
}

/** @throws Error for a body that is too long. */
async function readBody(stream: ServerHttp2Stream): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBodyLength) throw new Error(`A body of more than ${maxBodyLength} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function callHandler(
  request: AgentRequest,
  service: AgentService,
  signal: AbortSignal,
): ReturnType<AgentService> {
  try {
    return await service(request, signal);
  } catch (error) {
    const { status, text } = describeFailure(error);
    const headers = new Map([['content-type', 'text/plain; charset=utf-8']]);
    if (error instanceof SchedulerError || status !== 500) return { status, headers, body: text };
    throw error;
  }
}
