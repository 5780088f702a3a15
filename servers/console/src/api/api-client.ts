import { failureOf, unanswered, type ApiFailure } from './api-failure.js';

/** A response or a failure. Failures are values, so that pages cannot ignore them. */
export type Result<T> = ApiResult<T> | { readonly ok: false; readonly failure: ApiFailure };

export interface ApiResult<T> {
  readonly ok: true;
  readonly value: T;
  /** Index for blocking queries; null if the route has none. */
  readonly index: string | null;
  /** The start of the next page; null on the last one. */
  readonly nextToken: string | null;
}

/** Query parameters; empty ones are omitted. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

export interface RequestOptions {
  readonly query?: Query;
  readonly signal?: AbortSignal;
  /** Time without data after which an agent counts as unreachable, in ms. */
  readonly timeoutMs?: number;
}

/** A client for the public API of the agent that served the page, with the token of the tab. */
export interface ApiClient {
  /** Requests JSON. Integers beyond 2^53 are rounded: use `text` for data that is sent back to the agent. */
  get<T>(path: string, options?: RequestOptions): Promise<Result<T>>;
  text(path: string, options?: RequestOptions): Promise<Result<string>>;
  /** @param body sent as JSON; a string is sent unchanged. */
  put<T>(path: string, body: unknown, options?: RequestOptions): Promise<Result<T>>;
  delete<T>(path: string, options?: RequestOptions): Promise<Result<T>>;
  /** Opens a streamed response. The caller reads its body, or aborts it with the signal. */
  open(path: string, options?: RequestOptions): Promise<Result<Response>>;
}

const defaultTimeoutMs = 30_000;

/** @param token returns the token of the tab; empty for none. */
export function createApiClient(token: () => string): ApiClient {
  const send = async (
    method: string,
    path: string,
    options: RequestOptions,
    body?: unknown,
  ): Promise<Response> =>
    fetch(addressOf(path, options.query ?? {}), {
      method,
      headers: headersWith(token()),
      // Responses depend on the token, which caches ignore.
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: options.signal ?? null,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const clauseFor = async <T>(
    method: string,
    path: string,
    read: (response: Response) => Promise<T>,
    options: RequestOptions = {},
    body?: unknown,
  ): Promise<Result<T>> => {
    const { signal, timeoutMs = defaultTimeoutMs } = options;
    const limit = AbortSignal.timeout(timeoutMs);
    const until = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const response = await send(method, path, { ...options, signal: until }, body);
      if (!response.ok) return { ok: false, failure: failureOf(response.status, await response.text()) };
      return resultOf(response, await read(response));
    } catch (error) {
      return { ok: false, failure: unanswered(error, signal) };
    }
  };
  const json = async <T>(response: Response): Promise<T> => JSON.parse(await response.text()) as T;
  return {
    get: (path, options) => clauseFor('GET', path, json<never>, options),
    text: (path, options) => clauseFor('GET', path, (response) => response.text(), options),
    put: (path, body, options) => clauseFor('PUT', path, json<never>, options, body),
    delete: (path, options) => clauseFor('DELETE', path, json<never>, options),
    async open(path, options = {}) {
      try {
        const response = await send('GET', path, options);
        if (response.ok) return resultOf(response, response);
        return { ok: false, failure: failureOf(response.status, await response.text()) };
      } catch (error) {
        return { ok: false, failure: unanswered(error, options.signal) };
      }
    },
  };
}

/** Returns the headers with the token. It is never part of the address, because addresses are stored, shown and shared. */
function headersWith(token: string): Record<string, string> {
  return token === '' ? {} : { 'X-Scheduler-Token': token };
}

function addressOf(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of typeof value === 'string' ? [value] : value)
      if (each !== '') parameters.append(name, each);
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

function resultOf<T>({ headers }: Response, value: T): ApiResult<T> {
  return {
    ok: true,
    value,
    index: headers.get('X-Scheduler-Index'),
    nextToken: headers.get('X-Scheduler-Nexttoken'),
  };
}
