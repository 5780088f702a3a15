/** Why a request is refused. The routes have the one table that turns these into statuses. */
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
 * A request that gets an error response. `message` is what the caller sees and never holds a value that was sent; `reason` goes
 * to the log alone, as do `details`: the identity of the refused caller, never a secret.
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

/** An error whose message quotes the request. Logs hold `recorded` instead: what was quoted may be a secret. */
export class QuotingError extends SecretsError {
  readonly recorded: string;

  constructor(code: SecretsErrorCode, message: string, recorded: string) {
    super(code, message, recorded);
    this.recorded = recorded;
  }
}
