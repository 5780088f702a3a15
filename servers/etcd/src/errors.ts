/**
 * The outcomes of a call that failed.
 *
 * | code              | meaning                                                                                    |
 * | ----------------- | ------------------------------------------------------------------------------------------ |
 * | `not-sent`        | no member took the request, so nothing has happened: it may be sent again                  |
 * | `unknown`         | the request was sent without a response: it may or may yet be carried out             |
 * | `no-space`        | etcd's quota is used up: it refuses every put, elections too, until the alarm is disarmed  |
 * | `permission`      | the user may not do this                                                                   |
 * | `unauthenticated` | the user, the password or the token is refused                                             |
 * | `compacted`       | the requested revision is gone                                                             |
 * | `future-revision` | the requested revision does not exist yet: the store is a different or older copy        |
 * | `too-large`       | a request or a response above a limit                                                       |
 * | `lease-not-found` | the lease has ended                                                                        |
 * | `refused`         | any other refusal, with etcd's message: nothing has happened                                   |
 * | `closed`          | closed on this side                                                                        |
 * | `damaged`         | a value that this kit has not written                                                      |
 * | `configuration`   | an invalid setting                                                                   |
 */
export type EtcdErrorCode =
  | 'not-sent'
  | 'unknown'
  | 'no-space'
  | 'permission'
  | 'unauthenticated'
  | 'compacted'
  | 'future-revision'
  | 'too-large'
  | 'lease-not-found'
  | 'refused'
  | 'closed'
  | 'damaged'
  | 'configuration';

export class EtcdError extends Error {
  override readonly name = 'EtcdError';

  constructor(
    readonly code: EtcdErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether an error leaves the outcome of the request open, or means that nothing has happened and it may be sent again. */
export function isUnavailable(error: unknown): error is EtcdError {
  return error instanceof EtcdError && (error.code === 'unknown' || error.code === 'not-sent');
}
