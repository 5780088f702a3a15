import { methods } from '../protocol/methods.js';
import { deleteOperation, prefixRange, putOperation, rangeRequest } from '../protocol/requests.js';
import type { RequestOp } from '../protocol/messages.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { guardedRequest, repeatGuarded, type GuardDependencies, type GuardedResult } from './guard.js';
import { encodeHead, type Head, type StoredHead } from './head.js';
import type { Layout } from './layout.js';
import { groupChanges, operationsOf, type RowChange } from './rows.js';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

/**
 * Stores the rows of a commit that is too large for one transaction outside of the log, where nothing depends on them yet.
 * Returns the number of chunks, or the reason why the guard failed.
 *
 * @throws EtcdError
 */
export async function stageChanges(
  dependencies: GuardDependencies & { readonly layout: Layout },
  commit: { readonly id: string; readonly term: number; readonly changes: readonly RowChange[] },
  head: StoredHead | undefined,
): Promise<number | Extract<GuardedResult, { kind: 'refused' }>> {
  const { layout } = dependencies;
  const chunks = await packChunks(commit.changes);
  for (const [n, chunk] of chunks.entries()) {
    const key = `${layout.chunksOf(commit.id)}${String(n).padStart(8, '0')}`;
    const request = guardedRequest(layout, commit.term, head, [putOperation(key, chunk)]);
    const response = await repeatGuarded(dependencies, request, commit.term);
    if (response.kind === 'refused') return response;
  }
  return chunks.length;
}

/** Returns the rows of a staged commit at a revision; 0 reads the current one. @throws EtcdError */
export async function readStaged(
  { transport, layout }: { readonly transport: Transport; readonly layout: Layout },
  { id, staged }: Head,
  revision = 0,
): Promise<readonly RowChange[]> {
  const range = prefixRange(layout.chunksOf(id));
  const { kvs } = await transport.call(methods.range, rangeRequest(range, { revision }), { timeout: 30_000 });
  if (kvs.length !== staged)
    throw new EtcdError(
      'damaged',
      `etcd log: ${kvs.length} of ${staged} chunks of a staged commit are there`,
    );
  return unpackChunks(kvs.map(({ value }) => value));
}

/**
 * Writes the rows of a staged commit to the log and removes the chunks. Each step is idempotent: this leader or the next one can
 * repeat it.
 *
 * @throws EtcdError
 */
export async function unpackStaged(
  dependencies: GuardDependencies & { readonly layout: Layout },
  term: number,
  head: StoredHead,
): Promise<GuardedResult> {
  const { layout } = dependencies;
  const changes = await readStaged(dependencies, head);
  for (const group of groupChanges(changes)) {
    const request = guardedRequest(layout, term, head, operationsOf(layout.rows, group));
    const response = await repeatGuarded(dependencies, request, term);
    if (response.kind === 'refused') return response;
  }
  const removal = deleteOperation(prefixRange(layout.chunks));
  return replaceHead(dependencies, term, head, { ...head, staged: 0 }, [removal]);
}

/**
 * Replaces the head by another one of the same commit, and executes the additional operations `also` in the same transaction.
 * Idempotent.
 *
 * @throws EtcdError
 */
export async function replaceHead(
  dependencies: GuardDependencies & { readonly layout: Layout },
  term: number,
  head: StoredHead,
  next: Head,
  also: readonly RequestOp[] = [],
): Promise<GuardedResult> {
  const { layout, history } = dependencies;
  const bytes = encodeHead(next);
  const request = guardedRequest(layout, term, head, [putOperation(layout.head, bytes), ...also]);
  const response = await repeatGuarded(dependencies, request, term);
  if (response.kind === 'done') history.hear(bytes, response.revision);
  else if (response.head?.bytes.equals(bytes) === true && response.isLeading)
    return { kind: 'done', revision: response.revision };
  return response;
}

/** Removes the chunks of commits that were staged but never committed. @throws EtcdError */
export async function removeChunks(
  dependencies: GuardDependencies & { readonly layout: Layout },
  term: number,
  head: StoredHead | undefined,
): Promise<GuardedResult> {
  const { layout } = dependencies;
  const request = guardedRequest(layout, term, head, [deleteOperation(prefixRange(layout.chunks))]);
  return repeatGuarded(dependencies, request, term);
}

/** Bytes of a chunk: etcd takes requests of 1.5 MiB. */
const chunkBytes = 1 << 20;
/** The length value that marks a deleted row. */
const deleted = 0xffff_ffff;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** Changes as compressed chunks: each change is the length of its key, the length of its value, and both. */
async function packChunks(changes: readonly RowChange[]): Promise<readonly Buffer[]> {
  const packed = await compress(Buffer.concat(changes.flatMap(partsOf)), { level: 1 });
  const chunks: Buffer[] = [];
  for (let at = 0; at === 0 || at < packed.length; at += chunkBytes)
    chunks.push(packed.subarray(at, at + chunkBytes));
  return chunks;
}

function partsOf({ key, value }: RowChange): Buffer[] {
  const keyBytes = Buffer.from(key);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(keyBytes.length, 0);
  lengths.writeUInt32BE(value === undefined ? deleted : value.length, 4);
  return value === undefined ? [lengths, keyBytes] : [lengths, keyBytes, value];
}

/** @throws EtcdError `damaged` */
async function unpackChunks(chunks: readonly Buffer[]): Promise<readonly RowChange[]> {
  try {
    return readChanges(await expand(Buffer.concat(chunks)));
  } catch (error) {
    throw new EtcdError('damaged', `etcd log: staged rows cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function readChanges(bytes: Buffer): RowChange[] {
  const changes: RowChange[] = [];
  for (let at = 0; at < bytes.length;) {
    const keyEnd = at + 8 + bytes.readUInt32BE(at);
    const length = bytes.readUInt32BE(at + 4);
    const end = length === deleted ? keyEnd : keyEnd + length;
    if (end > bytes.length) throw new RangeError('a row is cut off');
    const value = length === deleted ? undefined : bytes.subarray(keyEnd, end);
    changes.push({ key: bytes.toString('utf8', at + 8, keyEnd), value });
    at = end;
  }
  return changes;
}
