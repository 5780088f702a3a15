import type { IncomingMessage } from 'node:http';
import { SecretsError } from '../base/errors.js';
import type { BodyCharge } from './body-budget.js';

/** Bodies whose rest will not come, and why: it may be known before anybody reads them. */
const broken = new WeakMap<IncomingMessage, SecretsError>();

/** Notifies current and later readers of the body of a request that the rest of it will not come. */
export function breakBody(request: IncomingMessage, reason: SecretsError): void {
  broken.set(request, reason);
  if (request.listenerCount('error') > 0) request.emit('error', reason);
}

/** Assumed memory of a chunk in addition to its bytes: bodies may come byte by byte. */
const chunkSize = 256;

/**
 * Reads the body of a request, at most `maxLength` bytes of it.
 *
 * @param charge where each byte that is kept is charged; its owner releases it.
 * @throws SecretsError `body-too-large` at once when the length is announced, else when it is passed; that of the charge;
 *   that of the listener when the rest of it is no HTTP, or does not come
 */
export async function readBodyBytes(
  request: IncomingMessage,
  maxLength: number,
  signal: AbortSignal,
  charge: Pick<BodyCharge, 'take'>,
): Promise<Buffer> {
  const reason = broken.get(request);
  if (reason !== undefined) throw reason;
  if (Number(request.headers['content-length'] ?? 0) > maxLength) throw tooLarge(maxLength);
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: SecretsError): void => {
      request.off('data', take);
      // Remaining input is read and discarded, so that the client gets to see the response.
      chunks.length = 0;
      request.resume();
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxLength) return stop(tooLarge(maxLength));
      try {
        charge.take(chunk.length + chunkSize);
      } catch (error) {
        return stop(error as SecretsError);
      }
      chunks.push(chunk);
    };
    const leave = (): void => stop(new SecretsError('timed-out', 'the request took too long to arrive'));
    if (signal.aborted) {
      leave();
      return;
    }
    signal.addEventListener('abort', leave, { once: true });
    request.on('data', take);
    request.once('end', () => {
      signal.removeEventListener('abort', leave);
      resolve(Buffer.concat(chunks, length));
    });
    request.once('error', (error) => (error instanceof SecretsError ? stop(error) : leave()));
  });
}

function tooLarge(maxLength: number): SecretsError {
  return new SecretsError('body-too-large', `the body is larger than ${maxLength} bytes`);
}
