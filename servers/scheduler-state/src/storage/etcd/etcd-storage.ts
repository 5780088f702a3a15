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
import type { StampClock } from '@tamis/scheduler-model/base/clock.js';
import { createRowFormat } from '../row-format.js';
import type { AppendOutcome, Batch, Contents, Entry, LogEvent, Storage, StoredRow } from '../storage.js';
import { StorageError } from '@tamis/scheduler-model/base/storage-error.js';
import {
  changedIndexes,
  decodeIncarnation,
  decodeState,
  emptyState,
  encodeState,
  nextIncarnation,
  stateAfter,
  type LogState,
} from './log-state.js';
import { createRowCodec, type RowCodec } from './row-codec.js';
import { storageErrorOf } from './storage-error-of.js';

export interface EtcdStorageOptions {
  /** The connection. It stays open when the storage is closed, because an election may use it too. */
  readonly connection: Connection;
  readonly clock: Clock;
  /** Key prefix of the log, such as `/scheduler/global/`. */
  readonly prefix: string;
  /** Row shapes by table. Rows of tables without a shape take more space. */
  readonly shapes: ReadonlyMap<string, StructType>;
  /** Clock of the stamps in the rows. */
  readonly stamps: StampClock;
}

/** A log in etcd that several servers share. */
export interface EtcdStorage extends Storage {
  /** The underlying log. The batches that its first subscriber has received count as applied. */
  readonly log: Log;
  /**
   * Prepares the log for a leader: applies everything committed before its term, and removes leftovers of the previous leader.
   * Resolves to whether this server may append.
   *
   * @throws EtcdError
   */
  lead(term: number, timeoutMs: number): Promise<boolean>;
  /**
   * Assigns a new history number if this server loaded the history instead of following it, because the store may then be
   * restored from a snapshot. Resolves to whether the number is right.
   *
   * @throws EtcdError
   */
  renew(term: number): Promise<boolean>;
}

/** A batch being appended to etcd. */
interface Proposal {
  readonly id: string;
  readonly batch: Batch;
  readonly changes: readonly RowChange[];
}

/**
 * Stores the log in etcd. The head contains the index, the table indexes and the ID of the last batch; each row has its own key.
 * An append succeeds only if the head and the term are unchanged. The term is the revision that elected the leader.
 */
export function createEtcdStorage(options: EtcdStorageOptions): EtcdStorage {
  const { connection, clock, prefix, shapes, stamps } = options;
  const codec = createRowCodec(createRowFormat(shapes));
  const closing = new AbortController();
  const log = openLog({ transport: connection, clock, prefix });
  /** Whether the log has a follower. */
  let isFollowed = false;
  /** The last appended batch, until the log has delivered it. Freed then, because it may contain a whole cluster. */
  let proposal: Proposal | null = null;
  /** The history whose contents this server has loaded; null if it started with the first batch. */
  let loaded: string | null = null;

  function requireOpen(): void {
    if (closing.signal.aborted) throw new StorageError('closed', 'The log in etcd has been closed');
  }

  async function propose({ id, batch }: Entry): Promise<Proposal> {
    if (proposal?.id !== id) proposal = { id, batch, changes: await codec.encode(batch) };
    return proposal;
  }

  async function renew(term: number): Promise<boolean> {
    const head = log.head();
    if (head === undefined || head.incarnation !== loaded) return true;
    const next = nextIncarnation(decodeIncarnation(head.incarnation), Number(stamps.next() / nanoseconds));
    return (await log.renew(term, String(next))) === 'done';
  }

  async function* follow(signal: AbortSignal): AsyncGenerator<LogEvent, undefined> {
    const isFirst = !isFollowed;
    if (isFirst) isFollowed = true;
    try {
      const followed = isFirst ? log : openLog({ transport: connection, clock, prefix });
      const own = (id: string): Batch | null => {
        if (proposal?.id !== id) return null;
        const { batch } = proposal;
        if (isFirst) proposal = null;
        return batch;
      };
      for await (const event of eventsOf(followed.follow(null, signal), codec, own)) {
        if (isFirst && event.event.kind === 'reset') loaded = event.history;
        yield event.event;
      }
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
        const commit = commitOf(entry, changes, log.head(), stamps);
        return outcomeOf(await log.append(commit), entry.id);
      } catch (error) {
        throw storageErrorOf(error);
      }
    },
    async lead(term, timeoutMs) {
      return (await log.reached(term, timeoutMs)) && (await log.finish(term)) === 'done' && renew(term);
    },
    renew,
    subscribe() {
      const leaving = new AbortController();
      const events = follow(AbortSignal.any([closing.signal, leaving.signal]));
      return {
        next: () => events.next(),
        return() {
          // A generator that waits for the next event would not notice before that event.
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
        // This read is linearizable, like an append.
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
  stamps: StampClock,
): Commit {
  const first = after === '' ? { incarnation: String(stamps.next() / nanoseconds) } : {};
  const state = encodeState(stateAfter(decodeState(head?.state), batch, stamps.last()));
  return { id, term, after, state, changes, ...first };
}

/** Nanoseconds per millisecond. */
const nanoseconds = 1_000_000n;

function outcomeOf(outcome: CommitOutcome, id: string): AppendOutcome {
  if (outcome.kind === 'unknown') return { kind: 'unknown' };
  if (outcome.kind === 'committed' || outcome.head?.id === id) return { kind: 'committed' };
  return { kind: outcome.kind, index: decodeState(outcome.head?.state).index };
}

/** An event for a follower of the log, with the data of the head. */
interface AnnouncedEvent {
  readonly event: LogEvent;
  /** ID of the history; null for a log without commits. */
  readonly history: string | null;
}

/**
 * Converts events of the log to scheduler events.
 *
 * @param own the batch with that ID if this server created it, so that its rows need not be read back.
 */
async function* eventsOf(
  events: AsyncIterable<FollowEvent>,
  codec: RowCodec,
  own: (id: string) => Batch | null,
): AsyncGenerator<AnnouncedEvent, undefined> {
  let state: LogState = emptyState;
  let incarnation = 0;
  for await (const event of events) {
    const next = decodeState(event.head?.state);
    const announce = (logEvent: LogEvent): AnnouncedEvent => ({
      event: logEvent,
      history: event.head?.incarnation ?? null,
    });
    const before = incarnation;
    incarnation = decodeIncarnation(event.head?.incarnation);
    const changed = incarnation === before ? {} : { incarnation };
    if (event.kind === 'commit') {
      const { id } = event.head;
      const batch = own(id) ?? {
        ...(await codec.decode(event.changes)),
        index: next.index,
        tableIndexes: changedIndexes(state, next),
      };
      yield announce({ kind: 'batch', id, batch, ...changed });
    } else if (event.kind === 'renewal') {
      yield announce({ kind: 'renewal', incarnation });
    } else {
      const contents = await loadContents(event, next, codec);
      if (contents === null) continue;
      yield announce({ kind: 'reset', contents });
    }
    state = next;
  }
}

/** Reads the complete contents of a log, so that they can be applied at once; null if etcd no longer has them. */
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
  return {
    id: head?.id ?? '',
    index,
    tableIndexes,
    incarnation: decodeIncarnation(head?.incarnation),
    rows: inTurn(pages),
  };
}

/** Releases each page, so that its memory is free once its rows are used. */
async function* inTurn(pages: (readonly StoredRow[])[]): AsyncGenerator<StoredRow> {
  for (let page = pages.shift(); page !== undefined; page = pages.shift()) yield* page;
}
