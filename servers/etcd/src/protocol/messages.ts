import { bool, bytes, choice, enumeration, int64, many, message, one, text, texts, uint64 } from './codec.js';
import type { MessageIn } from './codec.js';

/**
 * The messages of etcd's protocol, as far as the kit sends or reads them: other fields of a response are skipped. They are
 * documented in `proto/etcd`.
 */

export const KeyValue = message({
  key: bytes(1),
  createRevision: int64(2),
  modRevision: int64(3),
  version: int64(4),
  value: bytes(5),
  lease: int64(6),
});
export type KeyValue = MessageIn<typeof KeyValue>;

export const EventType = { PUT: 0, DELETE: 1 } as const;
export const Event = message({ type: enumeration(1), kv: one(2, KeyValue), prevKv: one(3, KeyValue) });
export type Event = MessageIn<typeof Event>;

export const ResponseHeader = message({
  clusterId: uint64(1),
  memberId: uint64(2),
  revision: int64(3),
  raftTerm: uint64(4),
});
export type ResponseHeader = MessageIn<typeof ResponseHeader>;

const header = one(1, ResponseHeader);

export const RangeRequest = message({
  key: bytes(1),
  rangeEnd: bytes(2),
  limit: int64(3),
  revision: int64(4),
  keysOnly: bool(8),
});
export type RangeRequest = MessageIn<typeof RangeRequest>;
export const RangeResponse = message({ header, kvs: many(2, KeyValue), more: bool(3), count: int64(4) });
export type RangeResponse = MessageIn<typeof RangeResponse>;

export const PutRequest = message({ key: bytes(1), value: bytes(2), lease: int64(3) });
export const PutResponse = message({ header, prevKv: one(2, KeyValue) });
export const DeleteRangeRequest = message({ key: bytes(1), rangeEnd: bytes(2) });
export const DeleteRangeResponse = message({ header, deleted: int64(2), prevKvs: many(3, KeyValue) });

export const RequestOp = message({
  requestRange: choice(one(1, RangeRequest)),
  requestPut: choice(one(2, PutRequest)),
  requestDeleteRange: choice(one(3, DeleteRangeRequest)),
});
export type RequestOp = MessageIn<typeof RequestOp>;
export const ResponseOp = message({
  responseRange: choice(one(1, RangeResponse)),
  responsePut: choice(one(2, PutResponse)),
  responseDeleteRange: choice(one(3, DeleteRangeResponse)),
});
export type ResponseOp = MessageIn<typeof ResponseOp>;

export const CompareResult = { EQUAL: 0, GREATER: 1, LESS: 2, NOT_EQUAL: 3 } as const;
export const CompareTarget = { VERSION: 0, CREATE: 1, MOD: 2, VALUE: 3, LEASE: 4 } as const;
export const Compare = message({
  result: enumeration(1),
  target: enumeration(2),
  key: bytes(3),
  createRevision: choice(int64(5)),
  value: choice(bytes(7)),
});
export type Compare = MessageIn<typeof Compare>;
export const TxnRequest = message({
  compare: many(1, Compare),
  success: many(2, RequestOp),
  failure: many(3, RequestOp),
});
export type TxnRequest = MessageIn<typeof TxnRequest>;
export const TxnResponse = message({ header, succeeded: bool(2), responses: many(3, ResponseOp) });
export type TxnResponse = MessageIn<typeof TxnResponse>;

export const CompactionRequest = message({ revision: int64(1), physical: bool(2) });
export const CompactionResponse = message({ header });

export const WatchCreateRequest = message({
  key: bytes(1),
  rangeEnd: bytes(2),
  startRevision: int64(3),
  progressNotify: bool(4),
  watchId: int64(7),
  fragment: bool(8),
});
export const WatchCancelRequest = message({ watchId: int64(1) });
export const WatchProgressRequest = message({});
export const WatchRequest = message({
  createRequest: choice(one(1, WatchCreateRequest)),
  cancelRequest: choice(one(2, WatchCancelRequest)),
  progressRequest: choice(one(3, WatchProgressRequest)),
});
export type WatchRequest = MessageIn<typeof WatchRequest>;
export const WatchResponse = message({
  header,
  watchId: int64(2),
  created: bool(3),
  canceled: bool(4),
  compactRevision: int64(5),
  cancelReason: text(6),
  fragment: bool(7),
  events: many(11, Event),
});
export type WatchResponse = MessageIn<typeof WatchResponse>;

export const LeaseGrantRequest = message({ TTL: int64(1), ID: int64(2) });
export const LeaseGrantResponse = message({ header, ID: int64(2), TTL: int64(3), error: text(4) });
export const LeaseRevokeRequest = message({ ID: int64(1) });
export const LeaseRevokeResponse = message({ header });
export const LeaseKeepAliveRequest = message({ ID: int64(1) });
export const LeaseKeepAliveResponse = message({ header, ID: int64(2), TTL: int64(3) });

export const Member = message({
  ID: uint64(1),
  name: text(2),
  peerURLs: texts(3),
  clientURLs: texts(4),
  isLearner: bool(5),
});
export const MemberListRequest = message({});
export const MemberListResponse = message({ header, members: many(2, Member) });

export const AlarmType = { NONE: 0, NOSPACE: 1, CORRUPT: 2 } as const;
export const AlarmRequest = message({ action: enumeration(1), memberID: uint64(2), alarm: enumeration(3) });
export const AlarmMember = message({ memberID: uint64(1), alarm: enumeration(2) });
export const AlarmResponse = message({ header, alarms: many(2, AlarmMember) });

export const StatusRequest = message({});
export const StatusResponse = message({
  header,
  version: text(2),
  dbSize: int64(3),
  leader: uint64(4),
  raftIndex: uint64(5),
  raftTerm: uint64(6),
  raftAppliedIndex: uint64(7),
  errors: texts(8),
  dbSizeInUse: int64(9),
  isLearner: bool(10),
});
export const SnapshotRequest = message({});
export const SnapshotResponse = message({ header, remainingBytes: uint64(2), blob: bytes(3) });

export const AuthenticateRequest = message({ name: text(1), password: text(2) });
export const AuthenticateResponse = message({ header, token: text(2) });
