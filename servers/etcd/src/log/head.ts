import { EtcdError } from '../errors.js';

/** The end of a log: the value of one key, which every commit replaces. */
export interface Head {
  /** The name of the last commit, which no other commit has. */
  readonly id: string;
  /**
   * The name of the history that the commits belong to. The writer of a log generates one, and a new one when a store has been
   * restored: then earlier counters are meaningless.
   */
  readonly incarnation: string;
  /** The number of chunks that hold the last commit's rows until they are unpacked, 0 when they are in their places. */
  readonly staged: number;
  /** The server's own part, such as its index. */
  readonly state: string;
}

/** A head as etcd has it: a guard compares these very bytes. */
export interface StoredHead extends Head {
  readonly bytes: Buffer;
  readonly revision: number;
}

export function encodeHead({ id, incarnation, staged, state }: Head): Buffer {
  return Buffer.from(JSON.stringify({ id, incarnation, staged, state }));
}

/** @throws EtcdError `damaged` */
export function decodeHead(bytes: Buffer, revision: number): StoredHead {
  const { id, incarnation, staged, state } = parse(bytes);
  if (typeof id !== 'string' || typeof incarnation !== 'string' || typeof state !== 'string') throw damaged();
  if (typeof staged !== 'number' || !Number.isInteger(staged) || staged < 0) throw damaged();
  return { id, incarnation, staged, state, bytes, revision };
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Reported below, like every other foreign value.
  }
  throw damaged();
}

function damaged(): EtcdError {
  return new EtcdError('damaged', 'etcd log: its head is not one that this program writes');
}
