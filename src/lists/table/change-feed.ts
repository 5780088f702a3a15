import { checkFunction } from '../../language/diagnostics/options.js';
import type { RowKey } from './key.js';

/** A change of one row: added where there is nothing before, deleted where there is nothing after. The rows never change. */
export interface RowChange<K extends RowKey = string> {
  readonly table: string;
  readonly key: K;
  readonly before: object | null;
  readonly after: object | null;
}

/** The changes of one write, at most one of each row. */
export interface RowChanges<C extends RowChange<RowKey> = RowChange> {
  readonly kind: 'rows';
  /** The index from then on, greater than that of every group before. */
  readonly index: number;
  /** The index that each changed table has from then on: not above `index`. */
  readonly indexes: Readonly<Partial<Record<C['table'], number>>>;
  readonly changes: readonly C[];
}

/** Everything was replaced, or too many rows changed to report them one by one. */
export interface TableReset {
  readonly kind: 'reset';
  /** The index from then on, which may be less than before. */
  readonly index: number;
  readonly indexes: Readonly<Record<string, number>>;
  readonly changes: readonly never[];
}

/** What was done in one step. */
export type ChangeGroup<C extends RowChange<RowKey> = RowChange> = RowChanges<C> | TableReset;

/** The feed of changes: row by row, each once, in their order. */
export interface ChangeFeed<C extends RowChange<RowKey> = RowChange> {
  /**
   * Calls `listener` for each group from now on, in the turn of the write, when the snapshot has it. It must neither throw nor
   * take long. The function returned ends it.
   */
  subscribe(listener: (group: ChangeGroup<C>) => void): () => void;
  /** The groups with an index greater than this one, in order; `gone` where some of them are not kept any more. */
  since(index: number | bigint): readonly RowChanges<C>[] | 'gone';
  /** The smallest index that `since` accepts. */
  oldest(): number;
}

/** Limits of the stored changes. Prevent writers from filling the memory with old rows. */
export interface ChangeFeedLimits {
  /** Maximum row changes. The changes of a larger write are not reported row by row. */
  readonly maxChanges: number;
  /** Most bytes, in JSON, of the rows that only the feed still holds. */
  readonly maxSize: number;
}

export const defaultChangeFeedLimits: ChangeFeedLimits = Object.freeze({
  maxChanges: 65_536,
  maxSize: 67_108_864,
});

/** The feed from the writer's side. */
export interface WritableChangeFeed<C extends RowChange<RowKey> = RowChange> extends ChangeFeed<C> {
  /** Stores a group of changes and notifies all listeners. */
  publish(group: ChangeGroup<C>): void;
}

/** A group that is kept, and what it counts for. */
interface RetainedGroup<C extends RowChange<RowKey>> {
  readonly group: RowChanges<C>;
  readonly count: number;
  readonly size: number;
}

/**
 * Creates a feed of the changes after the state with an index.
 *
 * @param sizeOf bytes that a change keeps from being freed: its row of before. That of after is in its table, until a later
 * change has it as its row of before.
 */
export function createChangeFeed<C extends RowChange<RowKey>>(
  sizeOf: (change: C) => number,
  limits = defaultChangeFeedLimits,
  first = 0,
): WritableChangeFeed<C> {
  const listeners = new Set<(group: ChangeGroup<C>) => void>();
  /** The last groups, in the order of their indexes. Those before `begin` are forgotten. */
  let retained: (RetainedGroup<C> | null)[] = [];
  let begin = 0;
  let [oldest, count, size] = [first, 0, 0];

  function retain(group: RowChanges<C>): void {
    const own = { group, count: Math.max(group.changes.length, 1), size: 0 };
    for (const change of group.changes) own.size += sizeOf(change);
    retained.push(own);
    count += own.count;
    size += own.size;
    while (count > limits.maxChanges || size > limits.maxSize) forgetFirst();
  }

  function forgetFirst(): void {
    const removed = retained[begin] as RetainedGroup<C>; // something is kept: it counts
    retained[begin++] = null;
    count -= removed.count;
    size -= removed.size;
    oldest = removed.group.index;
    if (begin * 2 < retained.length) return;
    retained = retained.slice(begin);
    begin = 0;
  }

  return {
    subscribe(listener) {
      checkFunction('changes.subscribe', 'listener', listener);
      // The same function may listen twice.
      const own = (group: ChangeGroup<C>): void => listener(group);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    since(index) {
      if (index < oldest) return 'gone';
      const groups: RowChanges<C>[] = [];
      for (let at = retained.length - 1; at >= begin; at -= 1) {
        const { group } = retained[at] as RetainedGroup<C>; // at is not before `begin`
        if (group.index <= index) break;
        groups.push(group);
      }
      return groups.reverse();
    },
    oldest: () => oldest,
    publish(group) {
      if (group.kind === 'rows') retain(group);
      else {
        retained = [];
        begin = count = size = 0;
        oldest = group.index;
      }
      for (const listener of listeners) listener(group);
    },
  };
}
