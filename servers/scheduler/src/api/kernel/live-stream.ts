import { PassThrough, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { isGzipAccepted } from '@tamis/http';
import type { FastifyReply } from 'fastify';

/** Headers of a stream without compression, which would have to be repeated for each client. */
export const uncompressed = { 'content-encoding': 'identity' } as const;

/** Returns the body of a live stream. Headers are sent at once, and each chunk is flushed through the compression. */
export function liveBody(reply: FastifyReply, stream: Readable): Readable {
  const isEncoded = reply.getHeader('content-encoding') !== undefined;
  const body = isGzipAccepted(reply.request) && !isEncoded ? compressLive(reply, stream) : stream;
  body.once('resume', () => setImmediate(() => reply.raw.flushHeaders()));
  reply.raw.once('close', () => stream.destroy());
  return body;
}

function compressLive(reply: FastifyReply, stream: Readable): Readable {
  reply.header('content-encoding', 'gzip');
  const compressor = createGzip({ flush: constants.Z_SYNC_FLUSH });
  stream.once('error', (error) => compressor.destroy(error));
  stream.once('close', () => compressor.end());
  return stream.pipe(compressor);
}

/** Returns a stream that ends normally when the signal is aborted, so that the client sees a complete response. */
export function endOnAbort(signal: AbortSignal, source: Readable): Readable {
  const body = new PassThrough();
  const end = (): void => {
    source.destroy();
    body.end();
  };
  signal.addEventListener('abort', end, { once: true });
  source.once('error', (error) => body.destroy(error));
  body.once('close', () => {
    signal.removeEventListener('abort', end);
    source.destroy();
  });
  return source.pipe(body);
}
