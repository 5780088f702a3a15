import type { Server } from 'node:http';
import { RequestError } from 'tamis/internal';

/** Maximum header lines of a request: the default of the runtime. */
const maxHeaders = 2_000;

/**
 * Keeps all headers of each request, for {@link checkHeaders} to count: by default the runtime silently drops headers after the
 * first 2,000, such as the one that a proxy appends. Their size stays bounded.
 */
export function allowAllHeaders(server: Pick<Server, 'maxHeadersCount'>): void {
  server.maxHeadersCount = 0;
}

/**
 * Refuses requests with too many header lines or more than one host (RFC 9112, 3.2).
 *
 * @param rawHeaders alternating names and values, as received.
 * @throws RequestError `too-many-headers` or `many-hosts`
 */
export function checkHeaders(rawHeaders: readonly string[]): void {
  if (rawHeaders.length / 2 > maxHeaders) {
    throw new RequestError('too-many-headers', `The request has more than ${maxHeaders} headers`);
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) throw new RequestError('many-hosts', 'More than one Host header');
}
