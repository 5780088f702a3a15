/**
 * The outcomes of a call that failed.
 *
 * | code              | meaning                                                                                    |
 * | ----------------- | ------------------------------------------------------------------------------------------ |
 * | `not-sent`        | no member took the request, so nothing has happened: it may be sent again                  |
 * | `unknown`         | the request was sent and no answer came: it may have been done, and may yet be             |
 * | `no-space`        | etcd's quota is used up: it refuses every put, elections too, until the alarm is disarmed  |
 * | `permission`      | the user may not do this                                                                   |
 * | `unauthenticated` | the user, the password or the token is refused                                             |
 * | `compacted`       | the revision asked for is gone                                                             |
 * | `future-revision` | the revision asked for has not come yet: the store is another one, or an older copy        |
 * | `too-large`       | a request or an answer above a limit                                                       |
 * | `lease-not-found` | the lease has ended                                                                        |
 * | `refused`         | any other refusal, in etcd's words: nothing has happened                                   |
 * | `closed`          | closed on this side                                                                        |
 * | `damaged`         | a value that this kit has not written                                                      |
 * | `configuration`   | a setting that cannot be                                                                   |
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

/** Whether an error leaves open what has become of the request, or says that nothing has and it may be sent again. */
export function isUnavailable(error: unknown): error is EtcdError {
  return error instanceof EtcdError && (error.code === 'unknown' || error.code === 'not-sent');
}
