import { defaultTimeout } from '../connection/session.js';
import { EtcdError, isUnavailable } from '../errors.js';
import { methods } from '../protocol/methods.js';
import { putOperation, rangeRequest } from '../protocol/requests.js';
import type { TxnRequest } from '../protocol/messages.js';
import {
  initialTimeoutMs,
  guardedRequest,
  sendGuarded,
  type GuardDependencies,
  type GuardedResult,
} from './guard.js';
import { encodeHead, type StoredHead } from './head.js';
import type { Layout } from './layout.js';
import { checkRows, groupChanges, mergeChanges, operationsOf, type RowChange } from './rows.js';
import { removeChunks, replaceHead, stageChanges, unpackStaged } from './staging.js';

/** Timeout for the watch to reach the revision that decides an unknown outcome, in ms. */
const settleTimeoutMs = 5_000;

/** A commit to append to a log. */
export interface Commit {
  /** Unique ID of the commit. */
  readonly id: string;
  /** The term of the leader that commits. */
  readonly term: number;
  /** The ID of the previous commit; empty for the first one. */
  readonly after: string;
  /** Opaque server state, stored in the head of the log. */
  readonly state: string;
  /** The name of the history; default: that of the previous commit. */
  readonly incarnation?: string;
  /** If a row is changed several times, the last change wins. */
  readonly changes: readonly RowChange[];
}

/**
 * The outcome of a commit.
 *
 * - `committed`: all of it is in the log
 * - `conflict`: the log does not end with the expected commit; nothing was done
 * - `notLeader`: a different server leads, or none; nothing was done
 * - `unknown`: it may be in the log, or still be added. Repeat the same commit to find out. If `isFinal`, a repetition cannot find
 * out: the commit will not be added any more, but a reset has removed the history that shows whether it was.
 */
export type CommitOutcome =
  | { readonly kind: 'committed' | 'conflict' | 'notLeader'; readonly head: StoredHead | undefined }
  | { readonly kind: 'unknown'; readonly isFinal: boolean; readonly reason: string };

export type Appender = ReturnType<typeof createAppender>;

/** A transaction whose outcome is unknown. */
interface Pending {
  readonly id: string;
  readonly term: number;
  readonly after: string;
  readonly request: TxnRequest;
  readonly bytes: Buffer;
  /** The last revision that the watch had delivered when the transaction was first sent. */
  readonly seen: number;
  /** Timeout of this attempt, in ms. */
  readonly timeoutMs: number;
}

export function createAppender(dependencies: GuardDependencies & { readonly layout: Layout }) {
  const { layout, history } = dependencies;
  let pending: Pending | undefined;

  async function prepare(commit: Commit): Promise<Pending | CommitOutcome> {
    const changes = mergeChanges(commit.changes);
    checkRows(changes);
    if ((history.newest()?.id ?? '') !== commit.after) return { kind: 'conflict', head: history.newest() };
    const finished = (history.newest()?.staged ?? 0) > 0 ? await finish(commit.term) : 'done';
    if (finished !== 'done') return { kind: finished, head: history.newest() };
    const base = history.newest();
    const isSmall = groupChanges(changes).length <= 1;
    const staged = isSmall ? 0 : await stageChanges(dependencies, { ...commit, changes }, base);
    if (typeof staged !== 'number') return refusedOutcome(staged);
    const { id, term, after, state } = commit;
    const bytes = encodeHead({
      id,
      state,
      staged,
      incarnation: commit.incarnation ?? base?.incarnation ?? '',
    });
    const operations = isSmall ? operationsOf(layout.rows, changes) : [];
    const request = guardedRequest(layout, term, base, [putOperation(layout.head, bytes), ...operations]);
    const seen = history.delivered();
    return { id, term, after, request, bytes, seen, timeoutMs: initialTimeoutMs };
  }

  async function send(entry: Pending, isRepeated: boolean): Promise<CommitOutcome> {
    pending = entry;
    try {
      const options = { timeout: entry.timeoutMs };
      const response = await sendGuarded(dependencies, entry.request, entry.term, options);
      return await conclude(entry, response, isRepeated);
    } catch (error) {
      if (error instanceof EtcdError && error.code === 'no-space') return lookUp(entry, isRepeated, error);
      // Refused or never sent: this attempt had no effect, but an earlier attempt may have been executed.
      if (isRepeated || (isUnavailable(error) && error.code === 'unknown'))
        return { kind: 'unknown', isFinal: false, reason: (error as Error).message };
      pending = undefined;
      throw error;
    }
  }

  /**
   * etcd executes the transaction that exhausts its quota, but still reports `no-space`. This attempt has ended with
   * that response, so the head shows the outcome; an earlier one may still arrive.
   */
  async function lookUp(
    { id, after }: Pending,
    isRepeated: boolean,
    refusal: EtcdError,
  ): Promise<CommitOutcome> {
    const found = await readHead().catch((error: unknown) => error as Error);
    if (found instanceof Error) return { kind: 'unknown', isFinal: false, reason: found.message };
    if (found?.id !== id && (isRepeated || (found?.id ?? '') !== after))
      return { kind: 'unknown', isFinal: false, reason: refusal.message };
    pending = undefined;
    if (found?.id !== id) throw refusal;
    return { kind: 'committed', head: found };
  }

  async function readHead(): Promise<StoredHead | undefined> {
    const { kvs } = await dependencies.transport.call(methods.range, rangeRequest({ key: layout.head }));
    const [kv] = kvs;
    return kv === undefined ? undefined : history.hear(kv.value, Number(kv.modRevision));
  }

  async function conclude(
    entry: Pending,
    response: GuardedResult,
    isRepeated: boolean,
  ): Promise<CommitOutcome> {
    if (response.kind === 'done' || response.head?.id === entry.id) {
      pending = undefined;
      const head = response.kind === 'done' ? history.hear(entry.bytes, response.revision) : response.head;
      return { kind: 'committed', head };
    }
    if (!isRepeated) {
      pending = undefined;
      return refusedOutcome(response);
    }
    return settle(entry, response);
  }

  /**
   * A transaction that was sent before is refused now. So it will never be carried out, because the guarded keys never return to
   * earlier values; but it may have been carried out before others followed. The watch shows whether it was.
   */
  async function settle(
    entry: Pending,
    response: Extract<GuardedResult, { kind: 'refused' }>,
  ): Promise<CommitOutcome> {
    const isThere = await history.contains(entry.id, entry.seen, response.revision, settleTimeoutMs);
    if (isThere === undefined) {
      const isFinal = history.applied() >= response.revision;
      if (isFinal) pending = undefined;
      return { kind: 'unknown', isFinal, reason: 'etcd log: the watch has not shown the outcome' };
    }
    pending = undefined;
    return isThere ? { kind: 'committed', head: response.head } : refusedOutcome(response);
  }

  /**
   * Completes leftovers of the previous leader: a staged commit is unpacked, chunks without one are removed.
   *
   * @throws EtcdError
   */
  async function finish(term: number): Promise<'done' | 'conflict' | 'notLeader'> {
    const head = history.newest();
    const isStaged = head !== undefined && head.staged > 0;
    const response = isStaged
      ? await unpackStaged(dependencies, term, head)
      : await removeChunks(dependencies, term, head);
    return kindOf(response);
  }

  /**
   * Renames the history of a non-empty log, without a commit.
   *
   * @throws EtcdError
   */
  async function renew(term: number, incarnation: string): Promise<'done' | 'conflict' | 'notLeader'> {
    const head = history.newest();
    if (head === undefined) return 'conflict';
    return kindOf(await replaceHead(dependencies, term, head, { ...head, incarnation }));
  }

  return {
    /**
     * Appends a commit. Calls must not overlap. After `unknown`, repeat the same commit before any other commit of that term.
     *
     * @throws EtcdError when nothing was done: `too-large` (a row), `no-space`, `permission`, `not-sent`.
     */
    async append(commit: Commit): Promise<CommitOutcome> {
      // A transaction of an earlier term can no longer be carried out.
      if (pending !== undefined && pending.term !== commit.term) pending = undefined;
      if (pending !== undefined && pending.id !== commit.id)
        throw new EtcdError(
          'refused',
          `etcd log: the outcome of commit ${pending.id} is unknown: it comes first`,
        );
      if (pending !== undefined) {
        const timeoutMs = Math.min(2 * pending.timeoutMs, defaultTimeout);
        return send({ ...pending, timeoutMs }, true);
      }
      const prepared = await prepare(commit);
      return 'kind' in prepared ? prepared : send(prepared, false);
    },
    finish,
    renew,
  };
}

function kindOf(response: GuardedResult): 'done' | 'conflict' | 'notLeader' {
  if (response.kind === 'done') return 'done';
  return response.isLeading ? 'conflict' : 'notLeader';
}

function refusedOutcome({ isLeading, head }: Extract<GuardedResult, { kind: 'refused' }>): CommitOutcome {
  return { kind: isLeading ? 'conflict' : 'notLeader', head };
}
