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
import { SecretsError, type SecretsErrorCode } from '../base/errors.js';
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
  /** Forwards requests that another server is to handle; null if this is the only one. */
  readonly forward: Forward | null;
  readonly pages: Pages;
  /** The address that the listener is bound to. */
  readonly host: string;
  /** Additional host names that it accepts, if it is bound to loopback. */
  readonly hostNames: readonly string[];
  readonly limits: ListenerLimits;
  /** What a path below `/v1/` allows of a body. */
  readonly bodyRule: (path: string) => BodyRule;
  readonly bodyBudgets: BodyBudgets;
  readonly forwardedFor: ForwardedFor;
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly logger: Logger;
}

/** Bytes of a body that takes no more time than a request without one. */
const smallBody = 4_096;

interface Options extends HandlerOptions {
  /** An admission gate for large bodies: only so many begin in one turn, and requests without one do not wait for them. */
  readonly admitBody: ScheduleTask;
}

/** A reply as it is sent, whatever it is about. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Content['pieces'];
}

/**
 * Handles the requests of one listener: the API below `/v1/`, the page below `/ui/`, and nothing else. Without a framework:
 * fastify takes no route once it listens, refuses the verb LIST, and responds to bad targets and with 417 outside its hooks, so
 * without the configured headers.
 */
export function createHandler(given: HandlerOptions): RequestListener {
  const options: Options = {
    ...given,
    admitBody: createTurnLimiter(eventLoop),
  };
  return (request, response) => {
    respond(options, request, response).catch((error: unknown) => {
      // A failure of one response must not reach the others.
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

interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects when the time is up. */
  readonly passed: Promise<never>;
  clear(): void;
}

function startDeadline({ clock, limits }: HandlerOptions, response: ServerResponse): Deadline {
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
    // A client with the whole response has not left.
    if (!response.writableFinished) controller.abort();
  });
  return { signal: controller.signal, passed, clear: () => cancel() };
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

/** A request below `/v1/` before its headers are read. */
interface Begun extends Pick<ApiRequest, 'id' | 'signal'> {
  readonly target: Target;
}

type ReadBytes = (maxLength: number) => Promise<Buffer>;

/** A body that was read to be passed on may be read here after all: by then this server is the active one. */
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
        // The active server refuses it without its body.
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
    throw new SecretsError('bad-request', 'cannot write to a path that ends in a slash');
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

/** `LINK` is what the connection has made of `LIST`. */
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
  if (requested === null) throw new SecretsError('bad-request', '');
  return requested;
}

/** Headers of a token, by their rank: our own, and that of clients of other such servers. */
const tokenHeaders = ['x-secrets-token', 'x-vault-token'];
const namespaceHeaders = ['x-secrets-namespace', 'x-vault-namespace'];

/** There is one namespace: a request for another one must not get a response of this. */
function refuseNamespaces({ headers }: IncomingMessage): void {
  for (const name of namespaceHeaders) {
    const namespace = headerText(headers[name]) ?? '';
    if (/^(root)?\/?$/.test(namespace)) continue;
    throw new SecretsError('bad-request', `namespaces are not supported: omit ${name}, or send root`);
  }
}

/** Responses are not wrapped: a client that requests wrapping must not get the secrets themselves. */
function refuseWrapping({ headers }: IncomingMessage): void {
  for (const name of ['x-secrets-wrap-ttl', 'x-vault-wrap-ttl']) {
    if (/^(0s?)?$/.test(headerText(headers[name]) ?? '')) continue;
    throw new SecretsError('bad-request', `response wrapping is not supported: omit ${name}`);
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

/** Verbs that change nothing. The browser hides the response from a page of another site. */
const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'LINK']);

/** Refusals in own words: those of the kit quote what was sent. */
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
 * Headers must mean the same to every reader. No page of another site may write through the browser of a user who can reach this
 * server. Nor may one whose own name leads to this machine: a listener on loopback accepts only local names and configured ones.
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

/** Milliseconds for what is sent in pieces. Stops who reads nothing from holding what they are made of. */
const maxSendMs = 3_600_000;

/** Whether the response may depend on the body of a request; all that decides it is in the head. */
function isBodyNeeded({ bodyRule, limits }: Options, request: IncomingMessage, path: string): boolean {
  const { method, headers } = request;
  if (!path.startsWith('/v1/') || (method !== 'POST' && method !== 'PUT')) return false;
  const { isOpen, maxLength } = bodyRule(path.slice('/v1/'.length));
  if (!isOpen && tokenOf(request) === null) return false;
  return Number(headers['content-length'] ?? 0) <= Math.min(maxLength, limits.maxRequestSize);
}

/** Holds nothing of a body while its request is refused. */
function dropBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  if (request.socket instanceof VerbSocket) request.socket.dropRest();
  request.resume();
}

/** Bytes of a body that was not needed, and is read all the same so that the connection can be kept. */
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
  // The rest of a large body is not needed: closing the connection is cheaper than reading it.
  if (!request.complete && mayBeLarge(request)) response.shouldKeepAlive = false;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (typeof body !== 'string') {
    response.writeHead(status);
    const cancel = clock.after(maxSendMs, () => response.destroy());
    await pipeline(Readable.from(body), response).finally(cancel);
    return;
  }
  // 204 has no length (RFC 9110, 8.6).
  if (status !== 204) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(status);
  response.end(method === 'HEAD' ? undefined : body);
}
