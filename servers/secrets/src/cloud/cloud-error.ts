/** The reasons for a failed call to the cloud. */
export type CloudErrorCode =
  /** No usable response: refused, timed out, too long, a redirect, or a status that means "later". */
  | 'unreachable'
  /** A definite refusal: a 4xx response. `status` is its code. */
  | 'refused'
  /** A response of the wrong shape. */
  | 'malformed'
  /** The cloud does not accept the credentials of this server. */
  | 'bad-credentials'
  /** The configured credentials are of a kind that this server does not support. */
  | 'not-supported';

/** A failed call to the cloud. The message names the call and the host, but no path, token or body, so that it can be logged. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly code: CloudErrorCode;
  /** Status of the response; 0 without a response. */
  readonly status: number;

  constructor(code: CloudErrorCode, message: string, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
