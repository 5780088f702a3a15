import { checkOptions } from '../language/diagnostics/options.js';
import type { ArraySource } from '../lists/query/source/array-source.js';
import { coreOf, openList, sourceOf, type List } from '../lists/query/list.js';
import { encodeToken } from '../lists/query/request/page-token.js';
import { livePool } from '../lists/query/source/pool.js';
import type { Table } from '../lists/table/table.js';
import type { Schema } from '../language/schema/schema.js';
import type { RowKey } from '../lists/table/key.js';
import {
  allowedMethods,
  corsHeaders,
  optionsHeaders,
  plainText,
  textResponse,
  type ListResponse,
  type RequestHead,
} from './response.js';
import type { EndpointParameter } from './parameters.js';
import { endpointOptionNames, type EndpointOptions } from './endpoint-options.js';
import { checkEndpoint, rulesOf } from './endpoint-rules.js';
import {
  acceptsProblem,
  failureOf,
  OwnFailure,
  problemDocument,
  problemType,
  type ProblemDetails,
} from './failure.js';
import { respondFetch } from './hosts.js';
import {
  respondFastify,
  respondNode,
  type FastifyReply,
  type FastifyRequest,
  type NodeRequest,
  type NodeResponse,
} from './hosts.js';
import { describeEndpoint, describeParameters, type OpenApiFragment } from './openapi.js';
import { createListHandlers, type ListReply } from './list-handlers.js';
import { projectionSource } from './row-projection.js';

/** A list over HTTP. */
export interface Endpoint {
  /** Returns the response, for other HTTP frameworks. Rejects only with the reason of the signal. */
  respond(head: RequestHead, signal: AbortSignal): Promise<ListResponse>;
  /** Handler for the Fetch API: Deno, Bun, workers, Hono. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Handler for node:http, Express and Connect. */
  readonly node: (request: NodeRequest, response: NodeResponse) => void;
  /** Handler for Fastify. */
  readonly fastify: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** The schema of the rows, with the fields that clients can filter by. */
  readonly schema: Schema;
  /** The parameters with their descriptions, for documentation. */
  readonly parameters: readonly EndpointParameter[];
  /** Returns a fragment of an OpenAPI 3.1 document: the path, and the schema of an entry under a name. */
  openapi(path: string, name?: string): OpenApiFragment;
  /** Rejects waiting and future requests with 503. */
  close(): void;
}

/**
 * Creates an endpoint that serves a list over HTTP, with the conventions of `docs/http-lists.md`.
 *
 * ```ts
 * createServer(listEndpoint(jobs).node).listen(8080);
 * app.get('/v1/jobs', listEndpoint(jobs, { caller, access, fields: ['ID', 'Status'] }).fastify);
 * ```
 *
 * @throws TypeError if the first argument is not a source of rows, and for invalid options.
 */
export function listEndpoint<T extends object, C = null>(
  of: Table<T, RowKey> | ArraySource<T> | List<T>,
  options: EndpointOptions<T, C> = {},
): Endpoint {
  checkOptions<EndpointOptions<T, C>>('listEndpoint', options, endpointOptionNames, [
    'readSwitch',
    'identity',
  ]);
  const given = typeof of === 'object' && of !== null ? coreOf<T>(of) : null;
  const source = projectionSource(
    'listEndpoint',
    given?.source ?? sourceOf<T>('listEndpoint', of),
    options.fields,
  );
  const pool = livePool('listEndpoint', options.pool ?? given?.pool);
  // A separate list, in which hidden fields do not exist.
  const list = openList(source, { ...given?.options, pool });
  const { cors, onError = print } = options;
  checkEndpoint(options);
  const rules = rulesOf(source, options);
  const handlers = createListHandlers<T, C>({ core: requireCore(list), list, rules, options });
  given?.closed.addEventListener('abort', () => handlers.close());
  if (given?.closed.aborted === true) handlers.close();
  const { headerOf } = rules;
  const own = ['X-Index', 'X-Next-Token', 'X-Previous-Token', 'X-Total-Count', 'X-History'] as const;
  const exposed = [...own.map(headerOf), 'ETag', 'Retry-After'];

  /** Calls `onError`. Ignores errors that it throws, so that the client always gets a response. */
  function hear(error: unknown): void {
    try {
      onError(error instanceof OwnFailure ? error.cause : error);
    } catch (failure) {
      print(failure);
    }
  }

  async function respond(head: RequestHead, signal: AbortSignal): Promise<ListResponse> {
    const read = new Set<string>();
    const watched: RequestHead = {
      method: head.method,
      url: head.url,
      header(name) {
        read.add(name.toLowerCase());
        return head.header(name);
      },
    };
    const origin = cors === undefined ? null : head.header('origin');
    const common = (): Readonly<Record<string, string>> => {
      // If every origin may read, the response does not depend on the origin.
      const varying = [...read, ...(cors === undefined || cors.origins === '*' ? [] : ['origin'])];
      return {
        'Cache-Control': 'private, no-cache',
        'X-Content-Type-Options': 'nosniff',
        ...(varying.length === 0 ? {} : { Vary: varying.map(headerCase).join(', ') }),
        ...corsHeaders(cors, origin, exposed),
      };
    };
    const { method } = head;
    if (method === 'OPTIONS') {
      const isAllowed = 'Access-Control-Allow-Origin' in common();
      return { status: 204, headers: { ...common(), ...optionsHeaders(cors, isAllowed) }, body: '' };
    }
    const finish = (whole: ListResponse): ListResponse =>
      method === 'HEAD' ? { ...whole, body: '' } : whole;
    const refuse = (
      status: number,
      text: string,
      headers: Readonly<Record<string, string>> = {},
      problem?: ProblemDetails,
    ): ListResponse => {
      const isProblem = acceptsProblem(watched.header('accept'));
      const body = isProblem ? problemDocument(status, text, problem) : text;
      const type = isProblem ? problemType : plainText;
      return finish(textResponse(status, type, body, { ...common(), ...headers }));
    };
    if (method !== 'GET' && method !== 'HEAD') {
      return refuse(405, `This list supports only GET, got ${method}`, {
        Allow: allowedMethods,
      });
    }
    try {
      const reply = await handlers.reply(watched, head.header('if-none-match'), signal);
      const { body } = reply;
      const response = typeof body === 'function' ? { ...reply, body: streamOf(body) } : reply;
      return finish(toResponse(response, { ...common(), ...reply.headers }));
    } catch (error) {
      if (signal.aborted) throw signal.reason as Error;
      const failure = failureOf(error, rules.nameOf('filter'));
      if (failure !== null) {
        const { status, text, nextToken = null, problem, isOwn } = failure;
        if (isOwn === true) hear(error);
        const token = nextToken === null ? {} : { [headerOf('X-Next-Token')]: encodeToken(nextToken) };
        return refuse(status, text, { ...failure.headers, ...token }, problem);
      }
      if (handlers.isEnded()) return refuse(503, 'The list is closed');
      hear(error);
      return refuse(500, 'The list cannot be read');
    }
  }

  /** Wraps a long body to report errors that interrupt it. */
  function streamOf(body: () => AsyncIterable<Uint8Array>): () => AsyncIterable<Uint8Array> {
    return async function* read() {
      try {
        yield* body();
      } catch (error) {
        if (!handlers.isEnded()) hear(error);
        throw error;
      }
    };
  }

  return Object.freeze({
    respond,
    fetch: respondFetch(respond),
    node: respondNode(respond),
    fastify: respondFastify(respond),
    schema: source.schema,
    parameters: describeParameters(rules),
    openapi: (path: string, name?: string) => describeEndpoint(source, rules, options, path, name),
    close: () => handlers.close(),
  });
}

function requireCore<T extends object>(list: List<T>) {
  const core = coreOf<T>(list);
  if (core === null) throw new TypeError('listEndpoint: list must be created with createList()');
  return core;
}

function toResponse({ status, body }: ListReply, headers: Readonly<Record<string, string>>): ListResponse {
  if (body === null) return { status, headers, body: '' };
  if (typeof body === 'string') return textResponse(status, 'application/json', body, headers);
  return { status, headers: { ...headers, 'Content-Type': 'application/json' }, body };
}

/** The header names in their canonical spelling. */
function headerCase(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (letters) => letters.toUpperCase());
}

function print(error: unknown): void {
  console.error(error);
}
