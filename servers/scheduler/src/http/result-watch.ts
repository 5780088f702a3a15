import type { RowChange, RowChanges } from '../state/change-feed.js';
import { changedAfter, type WakeCondition, type Indexed } from '../state/blocking-query.js';
import { indexOf, type Snapshot } from '../state/snapshot.js';
import type { State } from '../state/state.js';
import type { TableName } from '../state/tables.js';
import { isConcerned, type ResultQuestion } from './result-question.js';
import type { ResultWatches } from './result-watches.js';
import { rowTouches, type ListedRows } from './row-touches.js';

/** A client that has a result, and waits until it is another one. */
export interface ResultWatchRequest<T> {
  readonly question: ResultQuestion<T>;
  /** The digest of the answer at `snapshot`; null where the question has none. */
  readonly digest: string | null;
  /** The state at which the page of the question is known. */
  readonly snapshot: Snapshot;
  /** The index of the answer that the client has. */
  readonly after: bigint;
  /** Whether this server may know less than others. */
  readonly stale: boolean;
  /** The tables by whose index the answers are numbered: those of the list and those of the caller's rights. */
  readonly tables: readonly TableName[];
  readonly hasSameRights: () => boolean;
  /** Whether a change may be one of what the caller may see. */
  readonly isAboutRights: (change: RowChange) => boolean;
}

/** The condition that the result of a client is another one. */
export interface ResultWatch extends WakeCondition<Indexed> {
  /** The index of a state whose result is the one that the client has; null where nobody knows one. */
  known(): number | null;
}

/** Most changes of rows that are judged one by one for a client who comes with an old index. It is answered at once. */
const maxJudged = 4_096;

/** What has come to these tables after an index, up to a snapshot; null where nobody knows, or there is too much of it. */
export function changesUpTo(
  { changes }: Pick<State, 'changes'>,
  tables: readonly TableName[],
  after: number | bigint,
  snapshot: Snapshot,
): readonly RowChanges[] | null {
  // Tables that nobody has written to since need no look into what may be forgotten.
  if (indexOf(snapshot, tables) <= after) return [];
  const all = changes.since(after);
  if (all === 'gone') return null;
  const groups = all.filter(
    ({ index, tableIndexes }) =>
      index <= snapshot.index && tables.some((table) => (tableIndexes[table] ?? 0) > after),
  );
  let count = 0;
  for (const group of groups) count += group.changes.length;
  return count > maxJudged ? null : groups;
}

/** Makes the condition for a client. */
export function watchResult<T>(
  state: Pick<State, 'changes' | 'snapshot' | 'watches'>,
  list: ListedRows<T>,
  watches: ResultWatches<T>,
  request: ResultWatchRequest<T>,
): ResultWatch {
  const { question, digest, snapshot, after, stale, tables, hasSameRights } = request;
  // Who is ahead of all servers has the result of a state that was replaced.
  if (after > snapshot.index && !stale)
    return { isMet: () => true, watch: () => () => undefined, known: () => null };
  // Who is ahead of this server has a result that nobody knows here: what comes after it may be another one.
  const later = after > snapshot.index ? changedAfter(state, tables, after) : null;
  if (later !== null) return { ...later, isRefusedAtStop: true, known: () => null };
  let known: number | null = Number(after);
  let isOther: boolean | null = null;

  /** Judged in two steps, because the page is known at the state between them. */
  function judge(): boolean {
    const now = state.snapshot();
    if (!hasSameRights()) {
      known = null;
      return true;
    }
    const steps = [
      [after, snapshot],
      [snapshot.index, now],
    ] as const;
    for (const [from, to] of steps) {
      const change = judgeChange(state, list, request, from, to);
      if (change === 'rights') known = null;
      if (change !== 'none') return true;
    }
    known = now.index;
    return false;
  }

  return {
    isRefusedAtStop: true,
    isMet: () => (isOther ??= judge()),
    watch(finish) {
      const wake = (index: number | null): void => {
        known = index;
        isOther = true;
        finish();
      };
      return watches.watch(question, { hasSameRights, wake }, digest);
    },
    // Who has not been woken has the result of what has been looked at so far.
    known: () => (known === null || isOther === true ? known : Math.max(known, watches.toldUntil())),
  };
}

/** What makes a result another one between two states: rows, or rights, whatever they are, and whatever nobody knows. */
function judgeChange<T>(
  state: Pick<State, 'changes'>,
  list: ListedRows<T>,
  { question, digest, tables, isAboutRights }: ResultWatchRequest<T>,
  after: number | bigint,
  snapshot: Snapshot,
): 'none' | 'rows' | 'rights' {
  const groups = changesUpTo(state, tables, after, snapshot);
  if (groups === null) return 'rights';
  if (groups.some(({ changes }) => changes.some(isAboutRights))) return 'rights';
  if (digest !== null && groups.length > 0) return 'rows';
  const touches = [...rowTouches(groups, list, snapshot).values()];
  return touches.some((touch) => isConcerned(question, touch)) ? 'rows' : 'none';
}
