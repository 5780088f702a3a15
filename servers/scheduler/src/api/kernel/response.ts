import { Readable } from 'node:stream';
import type { QueryParameters } from '@tamis/http';
import type { FastifyReply } from 'fastify';
import { writeBody } from './requests/response-body.js';
import { encodeToken } from 'tamis/query';
import { parsePretty } from './query.js';
import type { LeaderContact } from '@tamis/scheduler-state/cluster/leadership.js';
import { liveBody } from './live-stream.js';

/** A response returned by a route. */
export interface RouteResponse {
  /** Default: 200. */
  readonly status?: number;
  /** The index that a write returns. */
  readonly index?: number | bigint;
  /** The headers of a read. */
  readonly read?: ReadHeaders;
  /** The start of the next page; null for the last page. */
  readonly nextToken?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The content type; omitted without a body. */
  readonly type?: string;
  readonly body?: string | Uint8Array | Readable;
  /** Whether the body is a live stream, whose chunks are sent immediately. */
  readonly isLive?: boolean;
}

const textType = 'text/plain; charset=utf-8';

/** Returns a response with one object as JSON, indented if requested. */
export function jsonResponse(
  { parameters }: { readonly parameters: QueryParameters },
  value: unknown,
): RouteResponse {
  return { type: 'application/json', body: writeBody(value, parsePretty(parameters)) };
}

/** Returns a `text/plain` response; an empty one has no body. */
export function textResponse(status: number, text: string): RouteResponse {
  return text === '' ? { status } : { status, type: textType, body: text };
}

export function sendResponse(reply: FastifyReply, response: RouteResponse): FastifyReply {
  const { status = 200, index, read, nextToken = null, headers = {}, type, body } = response;
  reply.code(status);
  if (index !== undefined) setIndexHeader(reply, index);
  if (read !== undefined) setReadHeaders(reply, read, nextToken);
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  if (type !== undefined) reply.type(type);
  return reply.send(response.isLive === true && body instanceof Readable ? liveBody(reply, body) : body);
}

/** Headers of a read. */
export interface ReadHeaders extends LeaderContact {
  readonly index: number;
}

function setReadHeaders(reply: FastifyReply, headers: ReadHeaders, nextToken: string | null): void {
  setIndexHeader(reply, headers.index);
  setHeader(reply, 'LastContact', String(headers.lastContact));
  setHeader(reply, 'KnownLeader', String(headers.knownLeader));
  if (nextToken !== null) setHeader(reply, 'Nexttoken', encodeToken(nextToken));
}

function setIndexHeader(reply: FastifyReply, index: number | bigint): void {
  setHeader(reply, 'Index', String(index));
}

/** Prefixes of response headers: that of this scheduler, and that of the original one. */
export const headerPrefixes = ['X-Scheduler-', 'X-Nomad-'] as const;

/** Sets a header under both names. Uses the raw response, because the framework would convert the names to lower case. */
function setHeader(reply: FastifyReply, name: string, value: string): void {
  for (const prefix of headerPrefixes) reply.raw.setHeader(`${prefix}${name}`, value);
}
