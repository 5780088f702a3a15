import type { HeaderName, ParameterName } from '../parameters.js';
import { ClientError, type ClientErrorDetails } from './client-error.js';
import type { ClientOptions, ClientQuery } from './client-types.js';

/** Parameters by their standard names. Undefined and empty ones are omitted. */
export type Parameters = Partial<Readonly<Record<ParameterName, unknown>>>;

/** A response; `text` is null if the client already has it (304). */
export interface ClientReply {
  readonly text: string | null;
  readonly value: unknown;
  readonly header: (name: HeaderName | 'ETag') => string | null;
}

/** Sends a request to a list. Rejects with ClientError, or with the reason of the signal. */
export type FetchList = (
  parameters: Parameters,
  query: ClientQuery,
  signal: AbortSignal | undefined,
  known?: string | null,
  /** Time without data after which the connection counts as lost, in ms. */
  timeoutMs?: number,
  /** Validates the response body. Default: it is a page. */
  isResponse?: (value: unknown) => boolean,
) => Promise<ClientReply>;

/** A problem document (RFC 9457) of a list. */
interface Problem extends ClientErrorDetails {
  readonly detail: string;
}

/** Maximum characters of a server's error in the message. */
const maxMessageLength = 4_000;

export function createFetchList(url: string, options: ClientOptions): FetchList {
  const { names = {}, headers, fetch: send = fetch } = options;
  return async (parameters, query, signal, known, timeoutMs, isResponse = Array.isArray) => {
    const search = new URLSearchParams(query.parameters);
    for (const [name, value] of Object.entries(parameters) as [ParameterName, unknown][])
      if ((value ?? '') !== '' && value !== false) search.set(names[name] ?? name, String(value));
    const limits = signal ? [signal] : [];
    if (timeoutMs !== undefined) limits.push(AbortSignal.timeout(timeoutMs));
    let text;
    let response;
    try {
      const sent = new Headers(typeof headers === 'function' ? await headers() : headers);
      if (known) sent.set('If-None-Match', known);
      if (!sent.has('Accept')) sent.set('Accept', 'application/json, application/problem+json');
      response = await send(search.size === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${search}`, {
        headers: sent,
        signal: AbortSignal.any(limits),
      });
      text =
        typeof (response as Partial<Response> | undefined)?.text === 'function' && (await response.text());
    } catch (error) {
      signal?.throwIfAborted();
      throw new ClientError(0, `The list cannot be reached: ${String(error)}`, null, error);
    }
    if (text === false) throw mustBe('listClient', 'the result of fetch', 'a Response', response);
    const { status } = response;
    const header = (name: string): string | null => response.headers.get(names[name as HeaderName] ?? name);
    if (known && status === 304) return { text: null, value: null, header };
    let value, cause;
    try {
      value = JSON.parse(text) as unknown;
    } catch (error) {
      cause = error;
    }
    if (!response.ok) {
      const isProblem = header('Content-Type')?.startsWith('application/problem+json');
      const { detail, ...problem } = (isProblem ? Object(value) : {}) as Partial<Problem>;
      const message =
        (detail ?? text).trim().slice(0, maxMessageLength) || `The list responded with ${status}`;
      throw new ClientError(status, message, Number(header('Retry-After')) * 1_000 || null, cause, problem);
    }
    if (!isResponse(value)) throw new ClientError(status, 'The response is not that of a list', null, cause);
    return { text, value, header };
  };
}

export function mustBe(caller: string, name: string, expected: string, value: unknown): TypeError {
  const got =
    typeof value === 'string'
      ? JSON.stringify(value.slice(0, 60))
      : Object(value) === value
        ? Array.isArray(value)
          ? 'an array'
          : typeof value === 'object'
            ? 'an object'
            : `a ${typeof value}`
        : String(value);
  return new TypeError(`${caller}: ${name} must be ${expected}, got ${got}`);
}
