/** How a call to the cloud has failed. */
export type CloudErrorCode =
  /** No usable answer: refused, timed out, too long, a redirect, or a status that says "later". */
  | 'unreachable'
  /** A clear no: a 4xx answer. `status` tells which. */
  | 'refused'
  /** An answer of the wrong shape. */
  | 'malformed'
  /** The cloud does not accept the credentials of this server. */
  | 'bad-credentials'
  /** The credentials that are configured are of a kind that this edition cannot use. */
  | 'not-supported';

/** A failed call. The message names the call, and where it went, never a path, a token or a body: it may be logged. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly code: CloudErrorCode;
  /** The status that was answered, 0 without an answer. */
  readonly status: number;

  constructor(code: CloudErrorCode, message: string, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
