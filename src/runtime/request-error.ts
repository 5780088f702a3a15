import { isErrorOf, markError } from './shared-identity.js';

/** Why a request is rejected before routing. */
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

/** A request rejected before routing. It has no HTTP status, because each server maps codes itself. */
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
