import { status as Status, type ServiceError } from '@grpc/grpc-js';
import { EtcdError, type EtcdErrorCode } from '../errors.js';

/**
 * The errors of etcd that need different handling. Only their messages differ (etcd's own clients have the same table,
 * `rpctypes`): a full database and an overload have the same gRPC status.
 */
const refusals: ReadonlyMap<string, EtcdErrorCode> = new Map([
  ['mvcc: database space exceeded', 'no-space'],
  ['mvcc: required revision has been compacted', 'compacted'],
  ['mvcc: required revision is a future revision', 'future-revision'],
  ['permission denied', 'permission'],
  ['invalid auth token', 'unauthenticated'],
  ['revision of auth store is old', 'unauthenticated'],
  ['user name is empty', 'unauthenticated'],
  ['authentication failed, invalid user ID or password', 'unauthenticated'],
  ['request is too large', 'too-large'],
  ['too many operations in txn request', 'too-large'],
  ['requested lease not found', 'lease-not-found'],
  // Said before the request was proposed to the members.
  ['too many requests', 'not-sent'],
  ['no leader', 'not-sent'],
]);

/** Statuses that a call may end with although its request has been carried out, or still will be. */
const open: ReadonlySet<Status> = new Set([
  Status.UNAVAILABLE,
  Status.DEADLINE_EXCEEDED,
  Status.CANCELLED,
  Status.UNKNOWN,
  Status.INTERNAL,
  Status.ABORTED,
  Status.DATA_LOSS,
]);

/** A failure of grpc as an error of this kit. */
export function fromStatus(error: ServiceError): EtcdError {
  const { code, details } = error;
  const said = details.startsWith('etcdserver: ') ? details.slice('etcdserver: '.length) : undefined;
  const known = said === undefined ? undefined : refusals.get(said);
  if (known !== undefined) return new EtcdError(known, `etcd: ${details}`);
  if (wasNotSent(error)) return new EtcdError('not-sent', `etcd: ${details}`);
  if (code === Status.RESOURCE_EXHAUSTED && details.includes('message larger than'))
    return new EtcdError('too-large', `etcd: ${details}`);
  return new EtcdError(open.has(code) ? 'unknown' : 'refused', `etcd: ${details}`);
}

/** grpc-js reports only in the details that a call never had a connection. */
function wasNotSent({ code, details }: ServiceError): boolean {
  if (code === Status.UNAVAILABLE)
    return /^(?:No connection established|Name resolution failed)/.test(details);
  return (
    code === Status.DEADLINE_EXCEEDED &&
    !details.includes('remote_addr') &&
    /LB pick|name resolution/.test(details)
  );
}
