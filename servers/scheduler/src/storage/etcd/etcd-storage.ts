import type { StructType } from 'tamis';
import {
  openLog,
  raisedAlarms,
  type Clock,
  type Commit,
  type CommitOutcome,
  type Connection,
  type FollowEvent,
  type Head,
  type Log,
  type RowChange,
} from '@tamis/etcd';
import { createRowFormat } from '../row-format.js';
import type { AppendOutcome, Batch, Contents, Entry, LogEvent, Storage, StoredRow } from '../storage.js';
import { StorageError } from '../storage-error.js';
import {
  changedIndexes,
  decodeState,
  emptyState,
  encodeState,
  stateAfter,
  type LogState,
} from './log-state.js';
import { createRowCodec, type RowCodec } from './row-codec.js';
import { storageErrorOf } from './storage-error-of.js';

export interface EtcdStorageOptions {
  /** It stays open when the storage is closed: an election may use it too. */
  readonly connection: Connection;
  readonly clock: Clock;
  /** What the keys of the log begin with, such as `/scheduler/global/`. */
  readonly prefix: string;
  /** What the rows of each table look like; rows of other tables take more room. */
  readonly shapes: ReadonlyMap<string, StructType>;
}

/** A log in etcd, which servers share. */
export interface EtcdStorage extends Storage {
  /** The log below the storage. What the first subscriber has taken counts as applied in it. */
  readonly log: Log;
}

/** A batch on its way to etcd. */
interface Proposal {
  readonly id: string;
  readonly batch: Batch;
  readonly changes: readonly RowChange[];
}

/**
 * Keeps the log in etcd: the index, the indexes of the tables and the name of the last batch in its head, each row under
 * a key of its own. An append is guarded by the term, which is the revision that elected the leader, and by the head.
 */
export function createEtcdStorage(options: EtcdStorageOptions): EtcdStorage {
  const { connection, clock, prefix, shapes } = options;
  const codec = createRowCodec(createRowFormat(shapes));
  const closing = new AbortController();
  const log = openLog({ transport: connection, clock, prefix });
  /** Whether somebody follows the log that is appended to. */
  let isFollowed = false;
  /** The batch that was appended last. */
  let proposal: Proposal | null = null;

  function requireOpen(): void {
    if (closing.signal.aborted) throw new StorageError('closed', 'The log in etcd has been closed');
  }

  async function propose({ id, batch }: Entry): Promise<Proposal> {
    if (proposal?.id !== id) proposal = { id, batch, changes: await codec.encode(batch) };
    return proposal;
  }

  async function* follow(signal: AbortSignal): AsyncGenerator<LogEvent, undefined> {
    const isFirst = !isFollowed;
    if (isFirst) isFollowed = true;
    try {
      const followed = isFirst ? log : openLog({ transport: connection, clock, prefix });
      const own = (id: string): Batch | null => (proposal?.id === id ? proposal.batch : null);
      yield* eventsOf(followed.follow(null, signal), codec, own);
    } catch (error) {
      throw storageErrorOf(error);
    } finally {
      if (isFirst) isFollowed = false;
    }
  }

  return {
    log,
    async append(entry) {
      requireOpen();
      try {
        const { changes } = await propose(entry);
        return outcomeOf(await log.append(commitOf(entry, changes, log.head())), entry.id);
      } catch (error) {
        throw storageErrorOf(error);
      }
    },
    subscribe() {
      const leaving = new AbortController();
      const events = follow(AbortSignal.any([closing.signal, leaving.signal]));
      return {
        next: () => events.next(),
        return() {
          // A generator that waits for the next event would hear of it only then.
          leaving.abort();
          return events.return(undefined);
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    async probe() {
      requireOpen();
      try {
        // The members agree on the answer, as they do on an append.
        const alarm = (await raisedAlarms(connection))[0];
        if (alarm === undefined) return;
        const why =
          alarm.kind === 'no-space' ? 'etcd has no space left' : `etcd has raised an alarm: ${alarm.kind}`;
        throw new StorageError('write-failed', `${why} (member ${alarm.member})`, undefined, why);
      } catch (error) {
        throw storageErrorOf(error);
      }
    },
    async close() {
      closing.abort();
    },
  };
}

function commitOf(
  { id, term, after, batch }: Entry,
  changes: readonly RowChange[],
  head: Head | undefined,
): Commit {
  const state = encodeState(stateAfter(decodeState(head?.state), batch));
  // Names of batches are unique, and so is that of a history that begins with one.
  return { id, term, after, state, changes, ...(after === '' ? { incarnation: id } : {}) };
}

function outcomeOf(outcome: CommitOutcome, id: string): AppendOutcome {
  if (outcome.kind === 'unknown') return { kind: 'unknown' };
  if (outcome.kind === 'committed' || outcome.head?.id === id) return { kind: 'committed' };
  return { kind: outcome.kind, index: decodeState(outcome.head?.state).index };
}

/**
 * What a follower of the log is told, in the words of the scheduler.
 *
 * @param own the batch of that name where this server has made it: its rows need not be read back.
 */
async function* eventsOf(
  events: AsyncIterable<FollowEvent>,
  codec: RowCodec,
  own: (id: string) => Batch | null,
): AsyncGenerator<LogEvent, undefined> {
  let state: LogState = emptyState;
  for await (const event of events) {
    const next = decodeState(event.head?.state);
    if (event.kind === 'commit') {
      const { id } = event.head;
      const batch = own(id) ?? {
        ...(await codec.decode(event.changes)),
        index: next.index,
        tableIndexes: changedIndexes(state, next),
      };
      yield { kind: 'batch', id, batch };
    } else {
      const contents = await loadContents(event, next, codec);
      if (contents === null) continue;
      yield { kind: 'reset', contents };
    }
    state = next;
  }
}

/**
 * The contents of a log, read to their end, so that whoever applies them has all of them or none; null where etcd no
 * longer has them.
 */
async function loadContents(
  { head, rows }: Extract<FollowEvent, { kind: 'reset' }>,
  { index, tableIndexes }: LogState,
  codec: RowCodec,
): Promise<Contents | null> {
  const pages: (readonly StoredRow[])[] = [];
  try {
    for await (const page of codec.decodeAll(rows)) pages.push(page);
  } catch (error) {
    if (storageErrorOf(error).code === 'damaged') throw error;
    return null;
  }
  return { id: head?.id ?? '', index, tableIndexes, rows: inTurn(pages) };
}

/** Each page is given away, so that its memory is free when its rows have been taken. */
async function* inTurn(pages: (readonly StoredRow[])[]): AsyncGenerator<StoredRow> {
  for (let page = pages.shift(); page !== undefined; page = pages.shift()) yield* page;
}
