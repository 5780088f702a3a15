import type { Readable } from 'node:stream';
import { gzipText, inlineGzipLimit, isGzipAccepted, type ListForm, type SharedLists } from '@tamis/http';
import type { FastifyRequest } from 'fastify';
import type { RenderedPage } from 'tamis/http';
import { sortedToken, type RowReservation, type Sort, type SortFields } from 'tamis/query';
import type { RouteResponse } from '../kernel/response.js';

/** The body of a list and the start of its next page. */
export type ListBody = RenderedPage;

/** Returns the streams of long lists. Each counts as one until its last reader has ended. */
export function sharedStreams(
  lists: SharedLists,
): <T>(items: readonly T[], form: ListForm<T>, reservation: RowReservation) => () => Readable {
  return (items, form, reservation) => {
    const list = lists.share(items, form);
    let readers = 0;
    return () => {
      if (readers === 0) reservation.grow(items.length);
      readers += 1;
      return list.read().once('close', () => {
        readers -= 1;
        if (readers === 0) reservation.release();
      });
    };
  };
}

/** Keeps the body of a stream in memory as long as the stream. */
const readBodies = new WeakMap<Readable, ListBody>();

/** Compressed forms of cached bodies. Compressing costs more than the rest of a page. */
const compressedBodies = new WeakMap<ListBody, Buffer>();

/** Returns the response for one reader of the list. */
export function sendable(
  request: Pick<FastifyRequest, 'headers'>,
  made: ListBody,
  sort: Sort | null,
  sorts: SortFields,
): RouteResponse {
  const { body } = made;
  const nextToken = sortedToken(sort, made.nextToken, sorts);
  const common = { nextToken, type: 'application/json' } as const;
  if (typeof body !== 'string') {
    // The streams come from `sharedStreams`.
    const stream = body() as Readable;
    readBodies.set(stream, made);
    return { ...common, body: stream };
  }
  if (!isGzipAccepted(request) || body.length > inlineGzipLimit) return { ...common, body };
  const compressed = compressedBodies.get(made) ?? gzipText(body);
  compressedBodies.set(made, compressed);
  return { ...common, headers: { 'content-encoding': 'gzip' }, body: compressed };
}
