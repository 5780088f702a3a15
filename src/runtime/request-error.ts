import { isErrorOf, markError } from './shared-identity.js';

/** Why a request is refused before any resource is looked at. */
export type RequestErrorCode =
  | 'bad-query'
  | 'too-many-parameters'
  | 'parameter-too-long'
  | 'too-many-values'
  | 'bad-json'
  | 'foreign-site'
  | 'foreign-host'
  | 'too-many-headers'
  | 'many-hosts';

/** A request that no handler should see. It knows no HTTP status: each server has one table for that. */
export class RequestError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, RequestError, value, 'RequestError');
  }

  override readonly name = 'RequestError';
  readonly code: RequestErrorCode;

  constructor(code: RequestErrorCode, message: string) {
    super(message);
    markError(this, 'RequestError');
    this.code = code;
  }
}
