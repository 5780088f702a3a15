import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const gzipInBackground = promisify(gzip);
/** Length up to which compressing at once is cheaper than a trip through the thread pool. */
export const inlineGzipLimit = 262_144;
/** Level 4 is half the work of the default 6 for bodies a twentieth larger. */
const options = { level: 4 } as const;

/** Whether one item of an Accept-Encoding header is exactly `gzip`; weights are not recognised. */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  if (header === undefined) return false;
  const text = typeof header === 'string' ? header : header.join(',');
  return text.split(',').some((item) => item.trim() === 'gzip');
}

/** Whether the answer to this request is compressed. */
export function wantsGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return acceptsGzip(headers['accept-encoding']) && headers.upgrade === undefined;
}

/**
 * Compresses a body of up to {@link inlineGzipLimit} characters at once, for whoever keeps it: to be sent with
 * `content-encoding: gzip`.
 */
export function gzipText(text: string): Buffer {
  return gzipSync(text, options);
}

/**
 * A hook for `onSend` that compresses every answer, errors and empty ones included, for clients that accept gzip. A
 * stream is compressed as it passes, and what is encoded already stays as it is. `Vary` is always sent.
 */
export async function compressReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  reply.header('vary', 'Accept-Encoding');
  if (!wantsGzip(request) || reply.getHeader('content-encoding') !== undefined) return payload;
  reply.header('content-encoding', 'gzip');
  reply.removeHeader('content-length');
  if (payload instanceof Readable) return compressStream(payload);
  const body = typeof payload === 'string' || payload instanceof Uint8Array ? payload : '';
  return body.length <= inlineGzipLimit ? gzipSync(body, options) : gzipInBackground(body, options);
}

/** `pipe` does not carry errors or an early end either way, so both are passed on by hand. */
function compressStream(source: Readable): Readable {
  const compressor = createGzip(options);
  source.once('error', (error) => compressor.destroy(error));
  compressor.once('close', () => source.destroy());
  return source.pipe(compressor);
}
