import type { Clock } from '../base/clock.js';
import { CloudError } from './cloud-error.js';
import type { CloudResponse, CloudRequest } from './cloud-request.js';

/** Limits of one call to the cloud. */
export type TransportLimits = Readonly<Record<keyof typeof defaultTransportLimits, number>>;

const defaultTransportLimits = Object.freeze({
  /** Timeout for one request with its whole response, in ms. Prevents a cloud that responds slowly from keeping logins open. */
  requestTimeout: 10_000,
  /** Maximum response size in bytes. Prevents a hostile or broken endpoint from filling the memory. */
  maxResponseLength: 1_048_576,
});

/** Sends a request once. Redirects are not followed, because they could send a secret to another host. */
export type Send = (request: CloudRequest, signal: AbortSignal) => Promise<CloudResponse>;

export interface TransportOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly limits?: TransportLimits;
}

export function createTransport({ fetch, clock, limits = defaultTransportLimits }: TransportOptions): Send {
  return async (request, signal) => {
    const deadline = new AbortController();
    const cancel = clock.after(limits.requestTimeout, () => deadline.abort());
    const leave = (): void => deadline.abort();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirect: 'manual',
        signal: deadline.signal,
      });
      return await readResponse(request, response, limits.maxResponseLength);
    } catch (error) {
      if (error instanceof CloudError) throw error;
      const why = deadline.signal.aborted ? 'timed out' : codeOf(error);
      throw new CloudError(
        'unreachable',
        `${request.name} could not be fetched from ${request.url.origin}: ${why}`,
      );
    } finally {
      cancel();
      signal.removeEventListener('abort', leave);
    }
  };
}

/** Returns the code of a network error, such as `ECONNREFUSED`; its message may quote the request. */
function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'the connection failed';
}

async function readResponse(request: CloudRequest, response: Response, max: number): Promise<CloudResponse> {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw new CloudError('unreachable', `${request.name} returned a redirect`, status);
  }
  const retryAfter = response.headers.get('retry-after');
  return { status, retryAfter, text: await readText(request, response, max) };
}

async function readText(request: CloudRequest, response: Response, max: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // The error cancels the rest of the body.
    if (length > max) throw tooLong(request, response, max);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLong(request: CloudRequest, response: Response, max: number): CloudError {
  return new CloudError('malformed', `${request.name} is longer than ${String(max)} bytes`, response.status);
}
