import { parseQueryString, RequestError, type HttpLimits, type QueryParameters } from '@tamis/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientDisconnected } from '@tamis/scheduler-model/base/errors.js';

/** Returns the query parameters. @throws RequestError */
export function queryOf(request: FastifyRequest, limits: HttpLimits): QueryParameters {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return parseQueryString(mark === -1 ? '' : url.slice(mark + 1), limits);
}

/**
 * Represents an escaped slash in a decoded path, because such a slash is part of an ID and separates no segments. It is an
 * unpaired surrogate, which no escape decodes to.
 */
const slash = '\uD800';

/** Returns an ID from a decoded path. */
export const idOfPath = (text: string): string => text.replaceAll(slash, '/');

/**
 * Returns the path, decoded segment by segment.
 *
 * @throws RequestError `bad-query` for an invalid escape.
 */
export function decodedPathOf({ raw }: Pick<FastifyRequest, 'raw'>): string {
  const [path = ''] = (raw.url ?? '').split('?', 1);
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, slash));
  } catch {
    throw new RequestError('bad-query', 'Invalid percent escape in the path');
  }
}

/** Returns a signal that is aborted when the client disconnects before the response. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(clientDisconnected());
  if (reply.raw.destroyed) leave();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) leave();
  });
  return controller.signal;
}
