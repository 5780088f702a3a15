import type { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  AuthDefinition,
  ClusterDefinition,
  KVDefinition,
  LeaseDefinition,
  MaintenanceDefinition,
  WatchDefinition,
} from './rpc.generated.js';

/** A call of etcd's protocol: where it goes, and how its messages are written and read. */
export interface Method<Request, Response> {
  /** Such as `/etcdserverpb.KV/Range`. */
  readonly path: string;
  /** Whether the client may send more than one request: then its side stays open. */
  readonly sendsMany: boolean;
  /** Whether a second time does no harm: then a call without an answer is made again elsewhere. */
  readonly repeatable: boolean;
  readonly encode: (request: Request) => Buffer;
  readonly decode: (bytes: Buffer) => Response;
}

interface Codec<T> {
  encode(message: T): BinaryWriter;
  decode(input: BinaryReader | Uint8Array): T;
}

interface Definition<Request, Response> {
  readonly name: string;
  readonly requestType: Codec<Request>;
  readonly requestStream: boolean;
  readonly responseType: Codec<Response>;
}

function method<Request, Response>(
  service: string,
  { name, requestType, requestStream, responseType }: Definition<Request, Response>,
  repeatable = false,
): Method<Request, Response> {
  return {
    path: `/${service}/${name}`,
    sendsMany: requestStream,
    repeatable,
    encode: (request) => Buffer.from(requestType.encode(request).finish()),
    decode: (bytes) => responseType.decode(bytes),
  };
}

const { range, txn, compact } = KVDefinition.methods;
const { leaseGrant, leaseRevoke, leaseKeepAlive } = LeaseDefinition.methods;
const { alarm, status, snapshot } = MaintenanceDefinition.methods;

/** The calls of etcd that the kit makes. */
export const methods = {
  range: method(KVDefinition.fullName, range, true),
  txn: method(KVDefinition.fullName, txn),
  compact: method(KVDefinition.fullName, compact),
  watch: method(WatchDefinition.fullName, WatchDefinition.methods.watch),
  leaseGrant: method(LeaseDefinition.fullName, leaseGrant),
  leaseRevoke: method(LeaseDefinition.fullName, leaseRevoke),
  leaseKeepAlive: method(LeaseDefinition.fullName, leaseKeepAlive),
  alarm: method(MaintenanceDefinition.fullName, alarm),
  status: method(MaintenanceDefinition.fullName, status, true),
  snapshot: method(MaintenanceDefinition.fullName, snapshot),
  memberList: method(ClusterDefinition.fullName, ClusterDefinition.methods.memberList, true),
  authenticate: method(AuthDefinition.fullName, AuthDefinition.methods.authenticate, true),
} as const;
