import { parseQueryString, RequestError, type HttpLimits, type QueryParameters } from '@tamis/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientDisconnected } from '@tamis/scheduler-model/base/errors.js';

/** The parameters after the `?`. @throws RequestError */
export function queryOf(request: FastifyRequest, limits: HttpLimits): QueryParameters {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return parseQueryString(mark === -1 ? '' : url.slice(mark + 1), limits);
}

/**
 * The path, decoded: IDs may hold slashes and escapes.
 *
 * @throws RequestError `bad-query` for a broken escape.
 */
export function decodedPathOf({ raw }: Pick<FastifyRequest, 'raw'>): string {
  const [path = ''] = (raw.url ?? '').split('?', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    throw new RequestError('bad-query', 'Invalid percent escape in the path');
  }
}

/** Aborted when the client disconnects before it has its response. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(clientDisconnected());
  if (reply.raw.destroyed) leave();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) leave();
  });
  return controller.signal;
}
