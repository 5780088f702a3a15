import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ScheduleTask,
  createTurnLimiter,
  eventLoop,
  checkHeaders,
  firstParameter,
  checkOrigin,
  isLoopbackAddress,
  parseGoBool,
  RequestError,
  type RequestErrorCode,
} from '@tamis/http';
import type { ApiResponse, Content } from '../api/endpoint-result.js';
import { toFailure } from '../api/failure.js';
import type { ApiRequest } from '../api/request.js';
import type { Clock } from '../base/clock.js';
import { badRequest, SecretsError, type SecretsErrorCode } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { readBodyBytes } from './body.js';
import type { BodyBudgets, BodyRule } from './body-budget.js';
import type { Forward } from './forwarding.js';
import { readFieldsOf } from './json-body.js';
import type { ListenerLimits } from './limits.js';
import { peerOf, type ForwardedFor } from './peer.js';
import { readTarget, type Target } from './target.js';
import type { Page, Pages } from './ui.js';
import { VerbSocket } from './verb-socket.js';

export interface HandlerOptions {
  readonly api: (request: ApiRequest) => Promise<ApiResponse>;
  /** Forwards requests that another server must handle; null if no other server shares the store. */
  readonly forward: Forward | null;
  readonly pages: Pages;
  /** The address that the listener is bound to. */
  readonly host: string;
  /** Additional host names that a listener on a loopback address accepts. */
  readonly hostNames: readonly string[];
  readonly limits: ListenerLimits;
  /** Returns the body limits of a path below `/v1/`. */
  readonly bodyRule: (path: string) => BodyRule;
  readonly bodyBudgets: BodyBudgets;
  readonly forwardedFor: ForwardedFor;
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly logger: Logger;
}

/** Maximum size of a small body, in bytes. Handling one takes no longer than a request without a body. */
const smallBody = 4_096;

interface Options extends HandlerOptions {
  /** Admits large bodies: only a few begin per turn of the event loop, so that requests without a body need not wait. */
  readonly admitBody: ScheduleTask;
}

/** A reply of the API, the page or an error. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Content['pieces'];
}

/**
 * Handles the requests of one listener: the API below `/v1/`, the page below `/ui/`, and nothing else. Does not use fastify,
 * because fastify accepts no routes after it listens and refuses the verb LIST. Its hooks also do not see its responses to bad
 * targets and 417, which would lack the configured headers.
 */
export function createHandler(given: HandlerOptions): RequestListener {
  const options: Options = {
    ...given,
    admitBody: createTurnLimiter(eventLoop),
  };
  return (request, response) => {
    respond(options, request, response).catch((error: unknown) => {
      // An error while sending one response must not affect others.
      options.logger.error({ err: error }, 'a response could not be sent');
      response.destroy();
    });
  };
}

async function respond(options: Options, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const deadline = startDeadline(options, response);
  const id = options.uuid();
  let reply: Reply;
  try {
    reply = await Promise.race([route(options, request, response, deadline.signal, id), deadline.passed]);
  } catch (error) {
    if (!(error instanceof SecretsError))
      options.logger.error({ err: error, request_id: id }, 'request failed');
    reply = jsonReply(toFailure(error), id);
  } finally {
    deadline.clear();
  }
  await send(request, response, reply, options.clock);
}

function startDeadline({ clock, limits }: HandlerOptions, response: ServerResponse) {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(limits.maxRequestDuration, () => {
      controller.abort();
      reject(new SecretsError('timed-out', 'the request took too long'));
    });
  });
  response.once('close', () => {
    cancel();
    // If the whole response was sent, the client has not disconnected early.
    if (!response.writableFinished) controller.abort();
  });
  return {
    signal: controller.signal /** Rejects when the request times out. */,
    passed,
    clear: () => cancel(),
  };
}

async function route(
  options: Options,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  id: string,
): Promise<Reply> {
  const target = readTarget(request.url ?? '', options.limits.maxParameters);
  const { path } = target;
  if (mayBeLarge(request) && !isBodyNeeded(options, request, path)) dropBody(request, response);
  refuseAmbiguous(options, request);
  if (path.startsWith('/v1/'))
    return jsonReply(await handleApi(options, request, { id, target, signal }), id);
  const page = options.pages(path);
  if (page === null) return jsonReply({ status: 404, body: { errors: [] } }, id);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return jsonReply({ status: 405, body: { errors: [] } }, id);
  return pageReply(page);
}

/** A request below `/v1/` whose headers have not been read yet. */
interface Begun extends Pick<ApiRequest, 'id' | 'signal'> {
  readonly target: Target;
}

type ReadBytes = (maxLength: number) => Promise<Buffer>;

/**
 * Handles a request of the API. Even a body that was read for forwarding may be handled here, if this server becomes active
 * meanwhile.
 */
async function handleApi(options: Options, request: IncomingMessage, started: Begun): Promise<ApiResponse> {
  const { forward, limits, bodyBudgets } = options;
  const rule = options.bodyRule(started.target.path.slice('/v1/'.length));
  const charge = (rule.isOpen ? bodyBudgets.open : bodyBudgets.withToken).charge();
  const readBytes: ReadBytes = (maxLength) =>
    readBodyBytes(request, Math.min(maxLength, limits.maxRequestSize), started.signal, charge);
  try {
    if (forward === null) return await options.api(toApiRequest(options, request, started, readBytes));
    let known: Buffer | null = null;
    const apiRequest = toApiRequest(options, request, started, async (maxLength) => {
      if (known !== null && known.length > maxLength)
        throw new SecretsError('body-too-large', `the body is larger than ${maxLength} bytes`);
      return known ?? readBytes(maxLength);
    });
    const apiResponse = await forward(apiRequest, {
      contentType: request.headers['content-type'] ?? '',
      async read() {
        // The active server refuses the request without reading its body.
        if (apiRequest.token === null && !rule.isOpen) return Buffer.alloc(0);
        known ??= await readBytes(rule.maxLength);
        return known;
      },
    });
    return apiResponse ?? (await options.api(apiRequest));
  } finally {
    charge.release();
  }
}

function toApiRequest(
  options: Options,
  request: IncomingMessage,
  { id, target, signal }: Begun,
  readBytes: ReadBytes,
): ApiRequest {
  const { limits, forwardedFor } = options;
  const { headers } = request;
  refuseNamespaces(request);
  refuseWrapping(request);
  const operation = operationOf(request, target);
  const path = target.path.slice('/v1/'.length);
  if (operation === 'write' && path.endsWith('/')) {
    throw badRequest('cannot write to a path that ends in a slash');
  }
  return {
    id,
    operation,
    path: operation === 'list' && !path.endsWith('/') ? `${path}/` : path,
    token: tokenOf(request),
    peer: peerOf(request.socket.remoteAddress ?? '', headerText(headers['x-forwarded-for']), forwardedFor),
    query: target.query,
    signal,
    async readBody(maxLength) {
      const bytes = await readBytes(maxLength);
      if (bytes.length > smallBody) await new Promise<void>(options.admitBody);
      return readFieldsOf(bytes, headers['content-type'] ?? '', limits);
    },
  };
}

/** Returns the operation of a request. The connection has replaced `LIST` by `LINK`, which the parser of Node.js knows. */
function operationOf(
  { method = '', headers }: IncomingMessage,
  { path, query }: Target,
): ApiRequest['operation'] {
  switch (method) {
    case 'LINK':
      return 'list';
    case 'GET':
      return isList(firstParameter(query, 'list')) ? 'list' : 'read';
    case 'POST':
    case 'PUT':
      return 'write';
    case 'DELETE':
      return 'delete';
    case 'HEAD':
      if (path === '/v1/sys/health') return 'read';
      break;
    case 'PATCH':
      if (!headers['content-type']?.toLowerCase().startsWith('application/merge-patch+json')) {
        throw new SecretsError(
          'unsupported-media-type',
          'the content type of a patch must be application/merge-patch+json',
        );
      }
  }
  throw new SecretsError('unsupported-operation', '');
}

function isList(parameter: string): boolean {
  if (parameter === '') return false;
  const requested = parseGoBool(parameter);
  if (requested === null) throw badRequest('');
  return requested;
}

/** Token headers in order of precedence: our own, and that of Vault clients. */
const tokenHeaders = ['x-secrets-token', 'x-vault-token'];
const namespaceHeaders = ['x-secrets-namespace', 'x-vault-namespace'];

/** Refuses namespaces. There is only the root namespace, which must not respond for others. */
function refuseNamespaces({ headers }: IncomingMessage): void {
  for (const name of namespaceHeaders) {
    const namespace = headerText(headers[name]) ?? '';
    if (/^(root)?\/?$/.test(namespace)) continue;
    throw badRequest(`namespaces are not supported: omit ${name}, or send root`);
  }
}

/** Refuses response wrapping, which is not supported. Otherwise the client would receive the secrets themselves. */
function refuseWrapping({ headers }: IncomingMessage): void {
  for (const name of ['x-secrets-wrap-ttl', 'x-vault-wrap-ttl']) {
    if (/^(0s?)?$/.test(headerText(headers[name]) ?? '')) continue;
    throw badRequest(`response wrapping is not supported: omit ${name}`);
  }
}

function tokenOf({ headers }: IncomingMessage): string | null {
  for (const name of tokenHeaders) {
    const own = headerText(headers[name]) ?? '';
    if (own !== '') return own;
  }
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return bearer ?? null;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Verbs without side effects. Browsers hide the responses to them from pages of other sites. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'LINK']);

/** Messages for refusals that replace those of `servers/http`, which quote the request. */
const refusals: ReadonlyMap<RequestErrorCode, readonly [code: SecretsErrorCode, message: string]> = new Map([
  [
    'foreign-host',
    [
      'permission-denied',
      'the Host header is not a name of this server: use localhost or 127.0.0.1, or configure host_names',
    ],
  ],
  ['foreign-site', ['permission-denied', 'writes from pages of another site are refused']],
  ['many-hosts', ['bad-request', 'there is more than one Host header']],
  ['too-many-headers', ['too-many-headers', 'the request has too many headers']],
]);

/**
 * Refuses headers that different readers could interpret differently, and writes of other sites through a user's browser. This
 * includes sites whose name resolves to this machine: a loopback listener accepts only local and configured names.
 */
function refuseAmbiguous(
  { host, hostNames }: HandlerOptions,
  { method = '', headers, rawHeaders }: IncomingMessage,
): void {
  try {
    checkHeaders(rawHeaders);
    const guard = { loopback: isLoopbackAddress(host), hostNames };
    checkOrigin(guard, reading.has(method) ? 'GET' : method, headers);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const refusal = refusals.get(error.code);
    throw refusal === undefined ? error : new SecretsError(...refusal);
  }
}

function jsonReply({ status, body, content }: ApiResponse, id: string): Reply {
  const named = { 'X-Secrets-Request-Id': id };
  if (content !== undefined)
    return { status, headers: { ...named, 'Content-Type': content.type }, body: content.pieces };
  return {
    status,
    headers: { ...named, 'Content-Type': 'application/json', ...(status === 429 && { 'Retry-After': '1' }) },
    body: body === null ? '' : `${JSON.stringify(body)}\n`,
  };
}

function pageReply(page: Page): Reply {
  if (page.kind === 'redirect') return { status: 307, headers: { Location: page.location }, body: '' };
  const { type, text, policy } = page;
  return {
    status: 200,
    headers: { 'Content-Type': type, ...(policy !== '' && { 'Content-Security-Policy': policy }) },
    body: text,
  };
}

/** Timeout for a whole response sent in chunks, in ms. Prevents clients that read slowly from keeping its resources. */
const maxSendMs = 3_600_000;
/** Timeout for one chunk, in ms. Prevents an unread backup from keeping its snapshot, which makes the store grow. */
const maxStallMs = 30_000;

/** Yields chunks as long as each one is sent in time; otherwise calls `abort`. */
async function* sentInTime(
  pieces: Content['pieces'],
  { after }: Pick<Clock, 'after'>,
  abort: () => void,
): AsyncGenerator<string, void> {
  for await (const piece of pieces) {
    const cancel = after(maxStallMs, abort);
    try {
      yield piece;
    } finally {
      cancel();
    }
  }
}

/** Whether the response may depend on the body, according to the head of the request. */
function isBodyNeeded({ bodyRule, limits }: Options, request: IncomingMessage, path: string): boolean {
  const { method, headers } = request;
  if (!path.startsWith('/v1/') || (method !== 'POST' && method !== 'PUT')) return false;
  const { isOpen, maxLength } = bodyRule(path.slice('/v1/'.length));
  if (!isOpen && tokenOf(request) === null) return false;
  return Number(headers['content-length'] ?? 0) <= Math.min(maxLength, limits.maxRequestSize);
}

/** Discards the body of a request that was refused. */
function dropBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  if (request.socket instanceof VerbSocket) request.socket.dropRest();
  request.resume();
}

/** Maximum size of an unneeded body that is read so that the connection stays open, in bytes. */
const maxUnneeded = 65_536;

function mayBeLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxUnneeded;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
  clock: Clock,
): Promise<void> {
  if (response.destroyed || response.headersSent) return;
  const { method } = request;
  // Closing the connection is cheaper than reading the rest of a large body.
  if (!request.complete && mayBeLarge(request)) response.shouldKeepAlive = false;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (typeof body !== 'string') {
    response.writeHead(status);
    const abort = (): void => void response.destroy();
    const cancel = clock.after(maxSendMs, abort);
    await pipeline(Readable.from(sentInTime(body, clock, abort)), response).finally(cancel);
    return;
  }
  // 204 has no Content-Length (RFC 9110, 8.6).
  if (status !== 204) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(status);
  response.end(method === 'HEAD' ? undefined : body);
}
