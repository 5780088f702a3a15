import type { IncomingMessage } from 'node:http';
import { badRequest, SecretsError } from '../base/errors.js';
import type { BodyCharge } from './body-budget.js';

/** The reasons why request bodies are incomplete. A reason may be known before the body is read. */
const broken = new WeakMap<IncomingMessage, SecretsError>();

/** Marks a request body as incomplete, and notifies its current or later reader. */
export function breakBody(request: IncomingMessage, reason: SecretsError): void {
  broken.set(request, reason);
  if (request.listenerCount('error') > 0) request.emit('error', reason);
}

/** Assumed memory of a chunk in addition to its bytes, in bytes. A body may arrive byte by byte. */
const chunkSize = 256;

/** Maximum number of chunks of a body. Prevents a body that is sent byte by byte from using up the budget of all bodies. */
const maxChunks = 4_096;

/**
 * Reads the body of a request, at most `maxLength` bytes of it.
 *
 * @param charge charged for each stored byte; its owner releases it.
 * @throws SecretsError `body-too-large` at once if the announced length is too large, else when the limit is exceeded; the error
 * of the charge; the error of the listener if the rest is invalid HTTP or missing
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
      // The remaining input is still read and discarded, so that the client receives the response.
      chunks.length = 0;
      request.resume();
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxLength) return stop(tooLarge(maxLength));
      if (chunks.length === maxChunks)
        return stop(badRequest(`the body is sent in more than ${maxChunks} chunks`));
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
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length));
    });
    request.once('error', (error) => (error instanceof SecretsError ? stop(error) : leave()));
  });
}

function tooLarge(maxLength: number): SecretsError {
  return new SecretsError('body-too-large', `the body is larger than ${maxLength} bytes`);
}
