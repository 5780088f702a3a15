/** The reasons for refusing a request. `toFailure` maps them to statuses. */
export type SecretsErrorCode =
  | 'bad-request'
  | 'permission-denied'
  | 'not-found'
  | 'no-handler'
  | 'unsupported-path'
  | 'unsupported-operation'
  | 'body-too-large'
  | 'too-slow'
  | 'too-many-requests'
  | 'sealed'
  | 'not-initialized'
  | 'cloud-unreachable'
  | 'timed-out'
  | 'unsupported-media-type'
  | 'not-supported'
  | 'path-too-long'
  | 'too-many-headers'
  | 'conflict'
  | 'in-use'
  | 'storage-failed'
  | 'audit-failed'
  | 'no-space'
  | 'standby'
  | 'internal';

/**
 * The error of a refused request. The caller receives `message`, which contains no value of the request. `reason` and `details`,
 * such as the identity of the caller but never a secret, are only logged.
 */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
  readonly code: SecretsErrorCode;
  readonly reason: string | null;
  readonly details: Readonly<Record<string, string>>;

  constructor(
    code: SecretsErrorCode,
    message: string,
    reason: string | null = null,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

/** Returns the error of a request that is wrong in itself; see {@link SecretsError} for the parameters. */
export function badRequest(message: string, reason: string | null = null): SecretsError {
  return new SecretsError('bad-request', message, reason);
}

/** An error whose message quotes the request. Logs contain `recorded` instead, because the quote may be a secret. */
export class QuotingError extends SecretsError {
  readonly recorded: string;

  constructor(code: SecretsErrorCode, message: string, recorded: string) {
    super(code, message, recorded);
    this.recorded = recorded;
  }
}
