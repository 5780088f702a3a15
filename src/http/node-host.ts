import { describe } from '../language/diagnostics/options.js';
import { onAbort } from '../runtime/on-abort.js';
import type { ListResponse, RequestHead } from './response.js';

/** The used part of a request of node:http. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The used part of a response of node:http. */
export interface NodeResponse {
  readonly destroyed?: boolean | undefined;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(chunk: Uint8Array): boolean;
  end(body?: string): unknown;
  destroy(error?: Error): unknown;
  on(event: 'drain', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** The used part of a Fastify request. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
}

/** The used part of a Fastify reply. */
export interface FastifyReply {
  readonly raw: NodeResponse;
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body?: unknown): unknown;
}

type Respond = (head: RequestHead, signal: AbortSignal) => Promise<ListResponse>;

/** Returns the handler for node:http, Express and Connect. */
export function respondNode(handle: Respond): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    checkHost('endpoint.node', request, response);
    void respond(handle, request, response);
  };
}

/** Returns the handler for Fastify. Hooks and plugins, such as compression, see the body: a long one is a stream. */
export function respondFastify(
  handle: Respond,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const { raw } = Object(request) as FastifyRequest;
    checkHost('endpoint.fastify', raw, (Object(reply) as FastifyReply).raw);
    const { signal, ended } = leavingOf(reply.raw);
    try {
      const { status, headers, body } = await handle(headOf(raw), signal);
      reply.code(status);
      for (const [name, value] of Object.entries(headers)) reply.header(name, value);
      // Bytes: Fastify adds a charset to the type of strings.
      if (typeof body === 'string') reply.send('Content-Type' in headers ? Buffer.from(body) : undefined);
      else {
        reply.send(streamOf(body()));
      }
    } catch (error) {
      // A client that has left gets no response.
      reply.raw.destroy(error instanceof Error ? error : undefined);
    } finally {
      ended();
    }
    return reply;
  };
}

/** @throws TypeError if the host passed something else than a request and a response of node:http. */
function checkHost(caller: string, request: unknown, response: unknown): void {
  const { headers } = Object(request) as Partial<NodeRequest>;
  const { once, destroy } = Object(response) as Partial<NodeResponse>;
  const isRequest = typeof headers === 'object';
  if (isRequest && typeof once === 'function' && typeof destroy === 'function') return;
  const [name, got] = isRequest ? ['response', response] : ['request', request];
  throw new TypeError(`${caller}: ${name} must be a ${name} of node:http, got ${describe(got)}`);
}

/** A stream of Node, which reads ahead no further than its buffer. Not imported: browsers have no such module. */
function streamOf(pieces: AsyncIterable<Uint8Array>): unknown {
  const { process } = globalThis as object as { process: BuiltinModules };
  return process.getBuiltinModule('node:stream').Readable.from(pieces, { objectMode: false });
}

interface BuiltinModules {
  getBuiltinModule(name: 'node:stream'): {
    Readable: { from(pieces: AsyncIterable<Uint8Array>, options: { objectMode: boolean }): unknown };
  };
}

/** A signal that is aborted when the client has left; `ended` stops watching for that. */
function leavingOf(response: NodeResponse): { readonly signal: AbortSignal; readonly ended: () => void } {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new Error('The client disconnected'));
  response.once('close', leave);
  // A client that left before the handler ran emits no `close` any more.
  if (response.destroyed === true) leave();
  return { signal: leaving.signal, ended: () => void response.off('close', leave) };
}

function headOf({ method = 'GET', url = '/', headers }: NodeRequest): RequestHead {
  return {
    method,
    url,
    header(name) {
      const value = headers[name.toLowerCase()];
      return typeof value === 'string' ? value : (value?.join(', ') ?? null);
    },
  };
}

async function respond(handle: Respond, request: NodeRequest, response: NodeResponse): Promise<void> {
  const { signal, ended } = leavingOf(response);
  try {
    const { status, headers, body } = await handle(headOf(request), signal);
    response.writeHead(status, { ...headers });
    if (typeof body === 'string') {
      response.end(body);
      return;
    }
    const drained = drainOf(response, signal);
    for await (const piece of body()) {
      if (signal.aborted) return;
      if (!response.write(piece)) await drained();
    }
    response.end();
  } catch (error) {
    // A client that has left gets no response. A list that breaks off must not look complete.
    response.destroy(error instanceof Error ? error : undefined);
  } finally {
    ended();
  }
}

/**
 * Returns a function that waits until the client has read what was sent, or has disconnected. It adds one listener: `compression`
 * adds those of `drain` to its own stream, from which `off` removes none.
 */
function drainOf(response: NodeResponse, signal: AbortSignal): () => Promise<void> {
  let wake: (() => void) | null = null;
  let isHeard = false;
  return () => {
    if (!isHeard) {
      response.on('drain', () => wake?.());
      onAbort(signal, () => wake?.());
    }
    isHeard = true;
    return new Promise((resolve) => {
      wake = resolve;
      if (signal.aborted) resolve();
    });
  };
}
