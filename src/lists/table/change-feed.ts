import { checkFunction } from '../../language/diagnostics/options.js';
import type { RowKey } from './key.js';

/** A change of one row. An added row has no `before`, a deleted row no `after`. Neither object is ever modified. */
export interface RowChange<K extends RowKey = string> {
  readonly table: string;
  readonly key: K;
  readonly before: object | null;
  readonly after: object | null;
}

/** The changes of one write; at most one change per row. */
export interface RowChanges<C extends RowChange<RowKey> = RowChange> {
  readonly kind: 'rows';
  /** The index after the write, greater than the indexes of all earlier groups. */
  readonly index: number;
  /** The index of each changed table after the write; never greater than `index`. */
  readonly indexes: Readonly<Partial<Record<C['table'], number>>>;
  readonly changes: readonly C[];
}

/** Reports that all rows were replaced, or that too many rows changed to report each of them. */
export interface TableReset {
  readonly kind: 'reset';
  /** The index after the reset, which may be less than before. */
  readonly index: number;
  readonly indexes: Readonly<Record<string, number>>;
  readonly changes: readonly never[];
}

/** The effect of one write or reset. */
export type ChangeGroup<C extends RowChange<RowKey> = RowChange> = RowChanges<C> | TableReset;

/** Feed of row changes. Each change is reported once, in order. */
export interface ChangeFeed<C extends RowChange<RowKey> = RowChange> {
  /**
   * Calls `listener` for each later group, synchronously during the write, after the snapshot includes it. The listener must not
   * throw or take long. Returns a function that unsubscribes.
   */
  subscribe(listener: (group: ChangeGroup<C>) => void): () => void;
  /** Returns the groups with a greater index, in order; `gone` if some of them are no longer stored. */
  since(index: number | bigint): readonly RowChanges<C>[] | 'gone';
  /** The smallest index that `since` accepts. */
  oldest(): number;
}

/** Limits of the stored changes. They prevent writers from filling the memory with old rows. */
export interface ChangeFeedLimits {
  /** Maximum number of stored row changes. A larger write is not reported row by row. */
  readonly maxChanges: number;
  /** Maximum size, as JSON in bytes, of the rows that only the feed keeps in memory. */
  readonly maxSize: number;
}

export const defaultChangeFeedLimits: ChangeFeedLimits = Object.freeze({
  maxChanges: 65_536,
  maxSize: 67_108_864,
});

/** A change feed to which a writer can publish. */
export interface WritableChangeFeed<C extends RowChange<RowKey> = RowChange> extends ChangeFeed<C> {
  /** Stores a group of changes and notifies all listeners. */
  publish(group: ChangeGroup<C>): void;
}

/** A stored group, with its share of the limits. */
interface RetainedGroup<C extends RowChange<RowKey>> {
  readonly group: RowChanges<C>;
  readonly count: number;
  readonly size: number;
}

/**
 * Creates a feed of all changes after an index.
 *
 * @param sizeOf returns the bytes that a stored change keeps in memory: those of `before`. The table itself keeps `after`, until
 * a later change has it as `before`.
 */
export function createChangeFeed<C extends RowChange<RowKey>>(
  sizeOf: (change: C) => number,
  limits = defaultChangeFeedLimits,
  first = 0,
): WritableChangeFeed<C> {
  const listeners = new Set<(group: ChangeGroup<C>) => void>();
  /** The stored groups in the order of their indexes. Elements before `begin` were removed. */
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
    const removed = retained[begin] as RetainedGroup<C>; // If a limit is exceeded, there is a stored group
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
      // A new function, because the same listener may subscribe twice.
      const own = (group: ChangeGroup<C>): void => listener(group);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    since(index) {
      if (index < oldest) return 'gone';
      const groups: RowChanges<C>[] = [];
      for (let at = retained.length - 1; at >= begin; at -= 1) {
        const { group } = retained[at] as RetainedGroup<C>; // `at` is at least `begin`
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
