import { parseQueryString, RequestError, type HttpLimits, type QueryParameters } from '@tamis/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SchedulerError } from '../errors.js';

/** The parameters behind the `?`. @throws RequestError */
export function queryOf(request: FastifyRequest, limits: HttpLimits): QueryParameters {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return parseQueryString(mark === -1 ? '' : url.slice(mark + 1), limits);
}

/** The path, not decoded. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}

/**
 * What follows `prefix` in the path, decoded. Ids may hold slashes and escapes, so the path is read from the raw URL.
 *
 * @throws RequestError `bad-query` for a broken escape.
 */
export function pathAfter(request: FastifyRequest, prefix: string): string {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  try {
    return decodeURIComponent(path.slice(prefix.length));
  } catch {
    throw new RequestError('bad-query', 'Invalid percent escape in the path');
  }
}

/** Aborted when the client hangs up before it has its answer. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(new SchedulerError('client-gone', 'The client is gone'));
  if (reply.raw.destroyed) leave();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) leave();
  });
  return controller.signal;
}

/**
 * Only this region is served here.
 *
 * @throws SchedulerError `no-region` for another one.
 */
export function requireRegion(region: string, own: string): void {
  if (region !== '' && region !== own) throw new SchedulerError('no-region', 'No path to region');
}
