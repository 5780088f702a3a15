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
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** The used part of a Fastify request. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
}

/** The used part of a Fastify reply. */
export interface FastifyReply {
  readonly raw: NodeResponse;
  hijack(): unknown;
  getHeaders(): Record<string, unknown>;
}

type Respond = (head: RequestHead, signal: AbortSignal) => Promise<ListResponse>;

/** Returns the handler for node:http, Express and Connect. */
export function respondNode(handle: Respond): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => void respond(handle, request, response, {});
}

/** Returns the handler for Fastify. Keeps headers that hooks have set; hooks that change bodies get no body. */
export function respondFastify(handle: Respond): (request: FastifyRequest, reply: FastifyReply) => void {
  return ({ raw }, reply) => {
    reply.hijack();
    void respond(handle, raw, reply.raw, ownHeaders(reply.getHeaders()));
  };
}

function ownHeaders(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(given).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  );
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

async function respond(
  handle: Respond,
  { method = 'GET', url = '/', headers: sent }: NodeRequest,
  response: NodeResponse,
  set: Readonly<Record<string, string>>,
): Promise<void> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new Error('The client disconnected'));
  response.once('close', leave);
  // A client that left before the handler ran emits no `close` any more.
  if (response.destroyed === true) leave();
  const head: RequestHead = {
    method,
    url,
    header(name) {
      const value = sent[name.toLowerCase()];
      return typeof value === 'string' ? value : (value?.join(', ') ?? null);
    },
  };
  try {
    const { status, headers, body } = await handle(head, leaving.signal);
    const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const cached = Object.entries(set).filter(([name]) => !names.has(name.toLowerCase()));
    response.writeHead(status, { ...Object.fromEntries(cached), ...headers });
    if (typeof body === 'string') {
      response.end(body);
      return;
    }
    for await (const piece of body()) {
      if (leaving.signal.aborted) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  } catch (error) {
    // A client that has left gets no response. A list that breaks off must not look complete.
    response.destroy(error instanceof Error ? error : undefined);
  } finally {
    response.off('close', leave);
  }
}

/** Resolves when the client has read what was sent, or has disconnected. */
function drained(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      response.off('drain', finish);
      response.off('close', finish);
      resolve();
    };
    response.once('drain', finish);
    response.once('close', finish);
  });
}
