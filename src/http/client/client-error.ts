import { isErrorOf, markError } from '../../runtime/shared-identity.js';

/** A failed request to a list. The message is the server's, or describes what is wrong with its response. */
export class ClientError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, ClientError, value, 'ClientError');
  }

  override readonly name = 'ClientError';
  /** The HTTP status; 0 if there was no complete response. */
  readonly status: number;
  /** Milliseconds until the next attempt, from `Retry-After`; null without that header. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null, cause?: unknown) {
    super(message, { cause });
    markError(this, 'ClientError');
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status < 400 || this.status === 429 || this.status >= 500;
  }
}
