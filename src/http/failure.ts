import { FilterError, type Suggestion } from '../language/diagnostics/errors.js';
import type { Span } from '../language/diagnostics/span.js';
import { RequestError } from '../runtime/request-error.js';
import { QueryError } from '../lists/query/request/query-error.js';
import { HttpError } from './http-error.js';

/** An error thrown by a callback of the program. Clients do not see it. */
export class OwnFailure extends Error {
  constructor(override readonly cause: unknown) {
    super('A function of the server failed');
  }
}

/** The status, message and headers of a rejected request. */
export interface FailedRequest {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Details for programs. */
  readonly problem?: ProblemDetails;
  /** Whether the server is at fault, so that the error is also reported to `onError`. */
  readonly isOwn?: true;
  /** Token of a page with which the query can continue. */
  readonly nextToken?: string | null;
}

/** Details of an error for programs: members of a problem document (RFC 9457) in addition to its own. */
export interface ProblemDetails {
  /** Why the request is rejected: the code of the error. */
  readonly code: string;
  /** The invalid parameter. */
  readonly parameter?: string;
  /** Description of the problem in one line. */
  readonly message: string;
  /** The span in the filter, in UTF-16 units. */
  readonly span?: Span;
  /** Suggestion what to do instead; null if none exists. */
  readonly hint?: string | null;
  /** Corrections of the filter that can be applied. */
  readonly suggestions?: readonly Suggestion[];
}

/** Returns the body of a problem document (RFC 9457). Its `detail` is the message. */
export function problemDocument(status: number, text: string, problem: ProblemDetails | undefined): string {
  const title = titles[status] ?? 'Error';
  const { message = text, code = title.toLowerCase().replaceAll(' ', '-'), ...rest } = problem ?? {};
  return JSON.stringify({ title, status, detail: message, code, message, ...rest });
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** The media type of problem documents. */
export const problemType = 'application/problem+json';

/** Whether a request accepts problem documents. Only this media type counts, because other clients expect plain text. */
export function acceptsProblem(accept: string | null): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.toLowerCase().split(';');
    return type.trim() === problemType && !parameters.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each));
  });
}

/** Returns a function that calls a callback of the program. Errors of the callback become OwnFailure, except HttpError. */
export function guarded<A extends unknown[], R>(action: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    try {
      return action(...given);
    } catch (error) {
      throw error instanceof HttpError ? error : new OwnFailure(error);
    }
  };
}

/** Like {@link guarded}, for an asynchronous callback. */
export function guardedAsync<A extends unknown[], R>(
  action: (...given: A) => R | Promise<R>,
): (...given: A) => Promise<R> {
  return async (...given) => {
    const settled = await Promise.resolve()
      .then(() => action(...given))
      .then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    if ('value' in settled) return settled.value;
    return guarded((): never => {
      throw settled.error;
    })();
  };
}

/**
 * Returns the response to an error caused by the request; null for other errors.
 *
 * @param filterParameter the public name of the parameter `filter`
 */
export function failureOf(error: unknown, filterParameter: string): FailedRequest | null {
  if (error instanceof HttpError)
    return { status: error.status, text: error.message, headers: error.headers };
  if (error instanceof RequestError) return { status: 400, text: error.message, headers: {} };
  if (error instanceof FilterError) {
    const { code, message, span, hint, suggestions } = error;
    const problem = { code, parameter: filterParameter, message, span, hint, suggestions };
    return { status: 400, text: error.report, headers: {}, problem };
  }
  if (!(error instanceof QueryError) || error.code === 'invalid-mapping') return null;
  const { code, parameter, message, nextToken } = error;
  // The message is the driver's, which clients must not see.
  if (code === 'unavailable')
    return {
      status: 503,
      text: 'The rows are not available now',
      headers: { 'Retry-After': '1' },
      isOwn: true,
    };
  const problem = { code, ...(parameter === '' ? {} : { parameter }), message };
  if (code === 'too-busy') return { status: 429, text: message, headers: { 'Retry-After': '1' }, problem };
  return { status: code === 'stopped' ? 503 : 400, text: message, headers: {}, nextToken, problem };
}
