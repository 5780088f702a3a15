/** How a call to the cloud has failed. */
export type CloudErrorCode =
  /** No usable response: refused, timed out, too long, a redirect, or a status that means "later". */
  | 'unreachable'
  /** A definite refusal: a 4xx response. `status` is its code. */
  | 'refused'
  /** A response of the wrong shape. */
  | 'malformed'
  /** The cloud does not accept the credentials of this server. */
  | 'bad-credentials'
  /** The credentials that are configured are of a kind that this edition cannot use. */
  | 'not-supported';

/** A failed call. The message names the call, and where it went, never a path, a token or a body: it may be logged. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly code: CloudErrorCode;
  /** The status of the response, 0 without a response. */
  readonly status: number;

  constructor(code: CloudErrorCode, message: string, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
