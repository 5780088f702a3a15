import { isErrorOf, markError } from '../runtime/shared-identity.js';

/** Throw it in `caller` to reject a request: the client gets its status, and its message as plain text. */
export class HttpError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, HttpError, value, 'HttpError');
  }

  override readonly name = 'HttpError';
  readonly status: number;
  /** Response headers, such as `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;

  /** @throws TypeError if the status is not from 400 to 599. */
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    markError(this, 'HttpError');
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new TypeError(`HttpError: status must be an integer from 400 to 599, got ${String(status)}`);
    }
    this.status = status;
    this.headers = Object.freeze({ ...headers });
  }
}
