import { readJson, RequestError, whyUnreachable, writeJson } from '@tamis/http';
import { ApiError } from './api-error.js';

/** Request parameters; null and empty ones are omitted. */
export type Parameters = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The address of the API, and the headers of every request. */
export interface ApiOptions {
  /** Base URL of an agent. */
  readonly address: string;
  /** The secret of a token; null for none. */
  readonly token: string | null;
  /** Region of the request; null for that of the agent. */
  readonly region: string | null;
  readonly fetch: typeof globalThis.fetch;
  /** Aborts all requests when the user interrupts the command. */
  readonly signal: AbortSignal;
}

/** A response with its body read. */
export interface ApiResponse<T> {
  readonly body: T;
  /** Index of the response for a following blocking query; 0 if none exists. */
  readonly index: string;
  /** The start of the next page; null on the last one. */
  readonly next: string | null;
}

/** The public HTTP API of an agent. */
export type ApiClient = ReturnType<typeof createApiClient>;

/** Timeout for a response in addition to the wait of a blocking query, in ms. */
const timeoutMs = 30_000;
/** Maximum size of a response, in bytes. Prevents an unknown service at that address from filling the memory. */
const maxResponseLength = 512 * 2 ** 20;
/** Maximum length of an error response to show, in characters. */
const maxRefusal = 16_384;

export function createApiClient(options: ApiOptions) {
  async function readResponse<T>(
    method: string,
    path: string,
    parameters: Parameters,
    body?: object,
  ): Promise<ApiResponse<T>> {
    const limit = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs + waitOf(parameters))]);
    const response = await request(options, method, urlOf(options, path, parameters), limit, body);
    const text = await readText(response, options, limit, maxResponseLength);
    return {
      body: (text === '' ? null : parse(text, path, options)) as T,
      index: response.headers.get('x-scheduler-index') ?? '0',
      next: response.headers.get('x-scheduler-nexttoken'),
    };
  }

  return {
    address: options.address,
    /** @throws ApiError */
    get: <T>(path: string, parameters: Parameters = {}): Promise<ApiResponse<T>> =>
      readResponse('GET', path, parameters),
    /** @throws ApiError */
    put: async <T>(path: string, body: object = {}, parameters: Parameters = {}): Promise<T> =>
      (await readResponse<T>('PUT', path, parameters, body)).body,
    /** @throws ApiError */
    delete: async <T>(path: string, parameters: Parameters = {}): Promise<T> =>
      (await readResponse<T>('DELETE', path, parameters)).body,
    /** Returns the chunks of a streamed response. @throws ApiError */
    async stream(path: string, parameters: Parameters = {}): Promise<AsyncIterable<Uint8Array>> {
      const response = await request(options, 'GET', urlOf(options, path, parameters), options.signal);
      return piecesOf(response, options, options.signal);
    },
  };
}

/** Returns the wait time of a blocking query, in ms. */
function waitOf({ wait }: Parameters): number {
  const seconds = typeof wait === 'string' ? /^(\d+)s$/.exec(wait)?.[1] : undefined;
  return seconds === undefined ? 0 : Number(seconds) * 1_100;
}

function urlOf({ address, region }: ApiOptions, path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  const all: Parameters = { region, ...parameters };
  for (const [name, value] of Object.entries(all)) {
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value]) {
      if (one !== null && one !== '' && one !== false) query.append(name, String(one));
    }
  }
  const written = query.size === 0 ? '' : `?${query.toString()}`;
  return `${address.replace(/\/+$/, '')}${path}${written}`;
}

async function request(
  options: ApiOptions,
  method: string,
  url: string,
  signal: AbortSignal,
  body?: object,
): Promise<Response> {
  const headers: Record<string, string> =
    options.token === null ? {} : { 'x-scheduler-token': options.token };
  let response: Response;
  try {
    const pending = options.fetch(url, {
      method,
      // A token is only sent to the configured agent, never to the target of a redirect.
      ...{ headers, redirect: 'error', signal },
      ...(body === undefined ? {} : { body: writeJson(body) }),
    });
    response = await unlessAborted(pending, signal);
  } catch (error) {
    throw unreachable(error, options);
  }
  if (response.ok) return response;
  const text = await readText(response, options, signal, maxRefusal).catch(() => '');
  throw new ApiError(response.status, refusalOf(response, text.trim(), url, options));
}

function refusalOf({ status }: Response, text: string, url: string, { token }: ApiOptions): string {
  if (status === 403 && text === 'Permission denied') {
    return token === null
      ? 'Permission denied: this needs a token. Put its secret into SCHEDULER_TOKEN, or name a file with SCHEDULER_TOKEN_FILE'
      : 'Permission denied: the token may not do this, or has ended. scheduler acl token self shows what it may';
  }
  return text === '' ? `The agent responded with status ${status} to ${new URL(url).pathname}` : text;
}

function unreachable(error: unknown, { address, signal }: ApiOptions): unknown {
  if (signal.aborted) return error;
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ApiError(0, `${address} did not respond in time`);
  return new ApiError(
    0,
    `${address} cannot be reached: ${whyUnreachable(error)}. Is the agent running there? --address or SCHEDULER_ADDR names another`,
  );
}

async function readText(
  response: Response,
  options: ApiOptions,
  signal: AbortSignal,
  max: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const piece of piecesOf(response, options, signal)) {
    length += piece.length;
    if (length > max) throw new ApiError(0, `${options.address} responded with more than ${max} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

async function* piecesOf(
  { body }: Response,
  options: ApiOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { value } = await unlessAborted(reader.read(), signal);
      if (value === undefined) return;
      yield value;
    }
  } catch (error) {
    throw unreachable(error, options);
  } finally {
    // A consumer that leaves early must release the connection. A fully read body has nothing left to cancel.
    void reader.cancel().catch(() => undefined);
  }
}

/**
 * Resolves with the promise, or rejects with the reason of the signal. In Node.js 20 `fetch` holds its signal weakly and
 * sometimes misses an abort.
 */
async function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([aborted, waited]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function parse(text: string, path: string, { address }: ApiOptions): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new ApiError(0, `${address}${path} returned invalid JSON: is it a scheduler?`);
  }
}
