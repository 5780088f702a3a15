import type { Suggestion } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import { isErrorOf, markError } from '../../runtime/shared-identity.js';

/** What the server says about a rejected request, in addition to the message. */
export interface ClientErrorDetails {
  /** The code of the error, such as `find-no-field` or `invalid-sort`; null if the server sent a plain text. */
  readonly code: string | null;
  /** The parameter at fault, by its name on this server; null if there is none. */
  readonly parameter: string | null;
  /** The place in the filter, in UTF-16 units; null if the error is not about a filter. */
  readonly span: Span | null;
  /** What to do instead; null if there is nothing to add. */
  readonly hint: string | null;
  /** Corrections of the filter that can be applied. */
  readonly suggestions: readonly Suggestion[];
}

/** A failed request to a list. The message is the server's, or describes what is wrong with its response. */
export class ClientError extends Error implements ClientErrorDetails {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isErrorOf(this, ClientError, value, 'ClientError');
  }

  override readonly name = 'ClientError';
  /** The HTTP status; 0 if there was no complete response. */
  declare readonly status: number;
  /** Milliseconds until the next attempt, from `Retry-After`; null without that header. */
  declare readonly retryAfter: number | null;
  declare readonly code: string | null;
  declare readonly parameter: string | null;
  declare readonly span: Span | null;
  declare readonly hint: string | null;
  declare readonly suggestions: readonly Suggestion[];

  constructor(
    status: number,
    message: string,
    retryAfter: number | null = null,
    cause?: unknown,
    {
      code = null,
      parameter = null,
      span = null,
      hint = null,
      suggestions = [],
    }: Partial<ClientErrorDetails> = {},
  ) {
    super(message, { cause });
    markError(this, 'ClientError');
    Object.assign(this, { status, retryAfter, code, parameter, span, hint, suggestions });
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status < 400 || this.status === 429 || this.status >= 500;
  }
}
