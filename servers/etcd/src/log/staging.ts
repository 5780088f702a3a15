import { methods } from '../protocol/methods.js';
import { deleteOperation, prefixRange, putOperation, rangeRequest } from '../protocol/requests.js';
import type { RequestOp } from '../protocol/messages.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { packChunks, unpackChunks } from './chunks.js';
import { guardedRequest, repeatGuarded, type GuardDependencies, type GuardedResult } from './guard.js';
import { encodeHead, type Head, type StoredHead } from './head.js';
import type { Layout } from './layout.js';
import { groupChanges, operationsOf, type RowChange } from './rows.js';

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
