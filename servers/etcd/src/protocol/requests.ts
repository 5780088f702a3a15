import {
  Compare,
  CompareResult,
  CompareTarget,
  DeleteRangeRequest,
  PutRequest,
  RangeRequest,
  type RequestOp,
} from './messages.js';

/** A key, or a range of keys up to, not including, `end`. */
export interface KeyRange {
  readonly key: string;
  readonly end?: Buffer;
}

/** Every key that begins with a prefix. */
export function prefixRange(prefix: string): KeyRange {
  return { key: prefix, end: prefixEnd(Buffer.from(prefix)) };
}

/** The first key after all that begin with a prefix: the prefix with its last byte one higher. UTF-8 has no byte 0xff. */
function prefixEnd(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  const last = end.length - 1;
  end.writeUInt8(end.readUInt8(last) + 1, last);
  return end;
}

export interface RangeOptions {
  /** The store as it was at this revision; as it is now when 0 or absent. */
  readonly revision?: number;
  readonly limit?: number;
  readonly keysOnly?: boolean;
}

/** A linearizable read. */
export function rangeRequest({ key, end }: KeyRange, options: RangeOptions = {}): RangeRequest {
  return RangeRequest.fromPartial({
    key: Buffer.from(key),
    rangeEnd: end ?? Buffer.alloc(0),
    revision: BigInt(options.revision ?? 0),
    limit: BigInt(options.limit ?? 0),
    keysOnly: options.keysOnly ?? false,
  });
}

export function putOperation(key: string, value: Uint8Array, lease = 0n): RequestOp {
  return { requestPut: PutRequest.fromPartial({ key: Buffer.from(key), value: Buffer.from(value), lease }) };
}

export function deleteOperation({ key, end }: KeyRange): RequestOp {
  return {
    requestDeleteRange: DeleteRangeRequest.fromPartial({
      key: Buffer.from(key),
      rangeEnd: end ?? Buffer.alloc(0),
    }),
  };
}

export function getOperation(range: KeyRange): RequestOp {
  return { requestRange: rangeRequest(range) };
}

/** Holds when the key was created at that revision; 0 when there is no such key. */
export function isCreatedAt(key: string, revision: number): Compare {
  return Compare.fromPartial({
    result: CompareResult.EQUAL,
    target: CompareTarget.CREATE,
    key: Buffer.from(key),
    createRevision: BigInt(revision),
  });
}

/** Holds when the key has exactly that value. */
export function hasValue(key: string, value: Uint8Array): Compare {
  return Compare.fromPartial({
    result: CompareResult.EQUAL,
    target: CompareTarget.VALUE,
    key: Buffer.from(key),
    value: Buffer.from(value),
  });
}
