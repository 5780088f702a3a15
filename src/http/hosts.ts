import { describe } from '../language/diagnostics/options.js';
import { onAbort } from '../runtime/on-abort.js';
import type { ListResponse, RequestHead } from './response.js';

/** The part of a request of node:http that is used. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The part of a response of node:http that is used. */
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

/** The part of a Fastify request that is used. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
}

/** The part of a Fastify reply that is used. */
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

/** Returns the handler for Fastify. The body passes through hooks and plugins such as compression; a long one is a stream. */
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
      // Sent as bytes, because Fastify adds a charset to the content type of strings.
      if (typeof body === 'string') reply.send('Content-Type' in headers ? Buffer.from(body) : undefined);
      else {
        reply.send(streamOf(body()));
      }
    } catch (error) {
      // The client has disconnected, or the body failed.
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

/**
 * Returns a stream of Node.js that reads ahead no further than its buffer. The module is not imported, because browsers do not
 * have it.
 */
function streamOf(pieces: AsyncIterable<Uint8Array>): unknown {
  const { process } = globalThis as object as { process: BuiltinModules };
  return process.getBuiltinModule('node:stream').Readable.from(pieces, { objectMode: false });
}

interface BuiltinModules {
  getBuiltinModule(name: 'node:stream'): {
    Readable: { from(pieces: AsyncIterable<Uint8Array>, options: { objectMode: boolean }): unknown };
  };
}

/** Returns a signal that is aborted when the client disconnects. `ended` stops watching the connection. */
function leavingOf(response: NodeResponse): { readonly signal: AbortSignal; readonly ended: () => void } {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new Error('The client disconnected'));
  response.once('close', leave);
  // If the client disconnected before the handler ran, `close` is not emitted any more.
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
    // The connection is closed, because an interrupted list must not look complete.
    response.destroy(error instanceof Error ? error : undefined);
  } finally {
    ended();
  }
}

/**
 * Returns a function that waits until the client has read what was sent, or has disconnected. It adds only one listener: the
 * package `compression` adds listeners of `drain` to its own stream, and `off` does not remove them.
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

/** Handles a request of the Fetch API. Rejects with the reason of the request's signal. */
export function respondFetch(respond: Respond): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url, headers, signal } = Object(request) as Request;
    if (typeof url !== 'string' || typeof (headers as unknown as Headers | undefined)?.get !== 'function')
      throw new TypeError(`endpoint.fetch: request must be a Request, got ${describe(request)}`);
    const head: RequestHead = { method, url, header: (name) => headers.get(name) };
    const { status, headers: responseHeaders, body } = await respond(head, signal);
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    const init = { status, headers: responseHeaders };
    if (!hasBody) return new Response(null, init);
    return new Response(typeof body === 'string' ? body : webStreamOf(body()), init);
  };
}

function webStreamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.next();
      if (done === true) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await reader.return?.();
    },
  });
}
