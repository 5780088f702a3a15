import { FilterError } from '../language/diagnostics/errors.js';
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
  /** Token of a page with which the query can continue. */
  readonly nextToken?: string | null;
}

/** Calls a callback of the program. Its errors become OwnFailure, except HttpError. */
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

/** Returns the response to an error caused by the request; null for other errors. */
export function failureOf(error: unknown): FailedRequest | null {
  if (error instanceof HttpError)
    return { status: error.status, text: error.message, headers: error.headers };
  if (error instanceof RequestError) return { status: 400, text: error.message, headers: {} };
  if (error instanceof FilterError) return { status: 400, text: error.report, headers: {} };
  if (!(error instanceof QueryError)) return null;
  const { code, message, nextToken } = error;
  if (code === 'too-busy') return { status: 429, text: message, headers: { 'Retry-After': '1' } };
  return { status: code === 'stopped' ? 503 : 400, text: message, headers: {}, nextToken };
}
