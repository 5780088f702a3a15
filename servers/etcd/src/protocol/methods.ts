import type { Codec } from './codec.js';
import * as messages from './messages.js';

/** A method of etcd's protocol: its path, and the codecs of its messages. */
export interface Method<Request, Response> {
  /** Such as `/etcdserverpb.KV/Range`. */
  readonly path: string;
  /** Whether the client may send more than one request: then its side stays open. */
  readonly sendsMany: boolean;
  /** Whether it is idempotent: then a call without a response is repeated with another member. */
  readonly repeatable: boolean;
  readonly encode: (request: Request) => Buffer;
  readonly decode: (bytes: Buffer) => Response;
}

interface MethodOptions {
  readonly sendsMany?: boolean;
  readonly repeatable?: boolean;
}

function method<Request, Response>(
  name: string,
  request: Codec<Request>,
  response: Codec<Response>,
  { sendsMany = false, repeatable = false }: MethodOptions = {},
): Method<Request, Response> {
  const path = `/etcdserverpb.${name}`;
  return { path, sendsMany, repeatable, encode: request.encode, decode: response.decode };
}

const repeatable = { repeatable: true };
const sendsMany = { sendsMany: true };

/** The calls of etcd that the kit makes. */
export const methods = {
  range: method('KV/Range', messages.RangeRequest, messages.RangeResponse, repeatable),
  txn: method('KV/Txn', messages.TxnRequest, messages.TxnResponse),
  compact: method('KV/Compact', messages.CompactionRequest, messages.CompactionResponse),
  watch: method('Watch/Watch', messages.WatchRequest, messages.WatchResponse, sendsMany),
  leaseGrant: method('Lease/LeaseGrant', messages.LeaseGrantRequest, messages.LeaseGrantResponse),
  leaseRevoke: method('Lease/LeaseRevoke', messages.LeaseRevokeRequest, messages.LeaseRevokeResponse),
  leaseKeepAlive: method(
    'Lease/LeaseKeepAlive',
    messages.LeaseKeepAliveRequest,
    messages.LeaseKeepAliveResponse,
    sendsMany,
  ),
  alarm: method('Maintenance/Alarm', messages.AlarmRequest, messages.AlarmResponse),
  status: method('Maintenance/Status', messages.StatusRequest, messages.StatusResponse, repeatable),
  snapshot: method('Maintenance/Snapshot', messages.SnapshotRequest, messages.SnapshotResponse),
  memberList: method(
    'Cluster/MemberList',
    messages.MemberListRequest,
    messages.MemberListResponse,
    repeatable,
  ),
  authenticate: method(
    'Auth/Authenticate',
    messages.AuthenticateRequest,
    messages.AuthenticateResponse,
    repeatable,
  ),
} as const;
