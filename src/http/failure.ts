import { FilterError } from '../language/diagnostics/errors.js';
import { RequestError } from '../runtime/request-error.js';
import { QueryError } from '../lists/query/request/query-error.js';
import { HttpError } from './http-error.js';

/** What a program's own function has thrown, which is nobody else's business. */
export class OwnFailure extends Error {
  constructor(override readonly cause: unknown) {
    super('A function of the program has failed');
  }
}

/** A refusal, as it is answered. */
export interface FailedRequest {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a page with which the question can go on. */
  readonly nextToken?: string | null;
}

/** Calls a function of the program. What it throws is its own, but for what it refuses. */
export function guarded<A extends unknown[], R>(action: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    try {
      return action(...given);
    } catch (error) {
      throw error instanceof HttpError ? error : new OwnFailure(error);
    }
  };
}

/** The same for a function that may wait. */
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

/** The answer to an error that a request has caused; null for one that it has not. */
export function failureOf(error: unknown): FailedRequest | null {
  if (error instanceof HttpError)
    return { status: error.status, text: error.message, headers: error.headers };
  if (error instanceof RequestError) return { status: 400, text: error.message, headers: {} };
  if (error instanceof FilterError) {
    const { message, frame } = error;
    return { status: 400, text: frame === '' ? message : `${message}\n${frame}`, headers: {} };
  }
  if (!(error instanceof QueryError)) return null;
  const { code, message, nextToken } = error;
  if (code === 'too-busy') return { status: 429, text: message, headers: { 'Retry-After': '1' } };
  return { status: code === 'stopped' ? 503 : 400, text: message, headers: {}, nextToken };
}
