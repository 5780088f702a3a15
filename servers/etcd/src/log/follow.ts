import { sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { methods } from '../protocol/methods.js';
import { prefixRange, rangeRequest } from '../protocol/requests.js';
import { watchRange, type KeyChange, type Revision } from '../watch/watch.js';
import { decodeHead, type Head, type StoredHead } from './head.js';
import type { History } from './history.js';
import type { Layout } from './layout.js';
import { loadRange } from './load.js';
import type { Row, RowChange } from './rows.js';
import { readStaged } from './staging.js';

/** Milliseconds before a watch that broke is begun again. */
const retryDelay = 100;

/**
 * An event for a follower of a log: the next commit, contents that replace everything before, or a new name of the history, which
 * a commit may also carry. The rows of a reset throw if they are no longer available; then, and if they are not read to their
 * end, another reset follows.
 */
export type FollowEvent =
  | {
      readonly kind: 'commit';
      readonly head: Head;
      readonly revision: number;
      readonly changes: readonly RowChange[];
    }
  | { readonly kind: 'renewal'; readonly head: Head; readonly revision: number }
  | {
      readonly kind: 'reset';
      /** Absent in a log without commits. */
      readonly head: Head | undefined;
      readonly revision: number;
      readonly rows: AsyncIterable<readonly Row[]>;
    };

export interface FollowDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly layout: Layout;
  readonly history: History;
  /** Ends the watch in use, so that the place in the log is checked again. */
  readonly recheck: { current: () => void };
}

/** The position up to which a follower has received events. */
interface Place {
  readonly revision: number;
  readonly id: string;
  readonly incarnation: string;
  /** The version of the head: the next event has the next version. */
  readonly version: number;
}

/**
 * Yields the commits of a log, in order, from the one with that name on; null to begin with a reset. An event counts as applied
 * when the next one is requested. Only the signal ends it.
 */
export async function* followLog(
  { transport, clock, layout, history, recheck }: FollowDependencies,
  from: string | null,
  signal: AbortSignal,
): AsyncGenerator<FollowEvent> {
  const rowsPrefixBytes = Buffer.byteLength(layout.rows);
  let place: Place | undefined;
  let known = from;

  async function readHead(revision = 0): Promise<FoundHead> {
    const { header, kvs } = await transport.call(
      methods.range,
      rangeRequest({ key: layout.head }, { revision }),
    );
    const [kv] = kvs;
    return {
      head: kv === undefined ? undefined : decodeHead(kv.value, Number(kv.modRevision)),
      version: Number(kv?.version ?? 0),
      revision: Number(header?.revision ?? 0),
    };
  }

  /** Begins at the current contents of the log: without an event if the follower knows them. */
  async function* begin(): AsyncGenerator<FollowEvent> {
    const found = await readHead();
    const { head, revision } = found;
    history.restart(head, revision);
    const id = head?.id ?? '';
    if (known !== null && known === id) {
      place = placeAt(found);
      history.apply(revision);
      return;
    }
    known = null;
    yield { kind: 'reset', head, revision, rows: rowsAt(found) };
    if (place !== undefined) history.apply(revision);
  }

  /** Sets the place when all rows have been read. */
  async function* rowsAt(found: FoundHead): AsyncGenerator<readonly Row[]> {
    const { head, revision } = found;
    const staged =
      head === undefined || head.staged === 0 ? [] : await readStaged({ transport, layout }, head, revision);
    const changed = new Map(staged.map((change) => [change.key, change.value]));
    for await (const kvs of loadRange({ transport, clock, signal }, prefixRange(layout.rows), revision)) {
      const rows = kvs.map(({ key, value }) => ({ key: key.toString('utf8', rowsPrefixBytes), value }));
      yield changed.size === 0 ? rows : rows.filter(({ key }) => !changed.has(key));
    }
    const late: Row[] = [];
    for (const [key, value] of changed) if (value !== undefined) late.push({ key, value });
    if (late.length > 0) yield late;
    place = placeAt(found);
  }

  /**
   * Whether the log is still the one that was followed: a store restored from a snapshot continues with different commits under
   * the same revisions, which is not visible otherwise.
   */
  async function isSameLog({ revision, id }: Place): Promise<boolean> {
    const { head } = await readHead(revision);
    return (head?.id ?? '') === id;
  }

  async function* watch(start: Place): AsyncGenerator<FollowEvent> {
    const broken = new AbortController();
    recheck.current = () => broken.abort();
    const both = AbortSignal.any([signal, broken.signal]);
    let at = start;
    for await (const step of watchRange(transport, prefixRange(layout.prefix), start.revision + 1, both)) {
      const change = step.changes.find(({ key }) => key === layout.head);
      const head = headOf(step, change);
      const version = change?.version ?? at.version;
      if (change !== undefined && version !== at.version + 1)
        throw new EtcdError('compacted', 'etcd log: the watch has left out a commit');
      const isCommit = head !== undefined && head.id !== at.id;
      const changes = isCommit ? await changesOf(step, head) : [];
      history.deliver(step.revision, head);
      if (isCommit) yield { kind: 'commit', head, revision: step.revision, changes };
      else if (head !== undefined && head.incarnation !== at.incarnation)
        yield { kind: 'renewal', head, revision: step.revision };
      const { revision } = step;
      place = at = head === undefined ? { ...at, revision } : placeAt({ head, version, revision });
      history.apply(step.revision);
    }
  }

  function headOf({ revision }: Revision, change: KeyChange | undefined): StoredHead | undefined {
    if (change === undefined) return undefined;
    if (change.value === undefined) throw new EtcdError('compacted', 'etcd log: its head was deleted');
    return decodeHead(change.value, revision);
  }

  async function changesOf({ changes, revision }: Revision, head: StoredHead): Promise<readonly RowChange[]> {
    if (head.staged > 0) return readStaged({ transport, layout }, head, revision);
    return changes
      .filter(({ key }) => key.startsWith(layout.rows))
      .map(({ key, value }) => ({ key: key.slice(layout.rows.length), value }));
  }

  while (!signal.aborted) {
    try {
      if (place === undefined) yield* begin();
      else if (await isSameLog(place)) yield* watch(place);
      else forget();
    } catch (error) {
      const isDeleted =
        error instanceof EtcdError && (error.code === 'compacted' || error.code === 'future-revision');
      if (isDeleted) forget();
      else if (error instanceof EtcdError && error.code === 'damaged') throw error;
      if (!signal.aborted) await sleep(clock, retryDelay, signal);
    }
  }

  /** The applied commits are no longer part of a history that can be followed. */
  function forget(): void {
    place = undefined;
    known = null;
  }
}

/** A head as etcd has it at a revision; undefined in a log without commits. */
interface FoundHead {
  readonly head: StoredHead | undefined;
  readonly version: number;
  readonly revision: number;
}

function placeAt({ head, version, revision }: FoundHead): Place {
  return { revision, version, id: head?.id ?? '', incarnation: head?.incarnation ?? '' };
}
