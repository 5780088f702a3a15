import type { Suggestion } from '../../language/diagnostics/errors.js';
import type { Span } from '../../language/diagnostics/span.js';
import { isErrorOf, markError } from '../../runtime/shared-identity.js';

/** Details that the server sends about a rejected request, in addition to the message. */
export interface ClientErrorDetails {
  /** The code of the error, such as `find-no-field` or `invalid-sort`; null if the server sent a plain text. */
  readonly code: string | null;
  /** The invalid parameter, by its name on this server; null if the error is not about a parameter. */
  readonly parameter: string | null;
  /** The span in the filter, in UTF-16 units; null if the error is not about a filter. */
  readonly span: Span | null;
  /** Suggestion what to do instead; null if none exists. */
  readonly hint: string | null;
  /** Corrections of the filter that can be applied. */
  readonly suggestions: readonly Suggestion[];
}

/** Error of a failed request to a list. The message is that of the server, or describes the problem with its response. */
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
