/** A change of one row: added if `before` is null, deleted if `after` is null. The rows never change. */
export interface RowChange {
  readonly table: string;
  readonly key: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** The changes of one write, at most one per row. */
export interface RowChanges<C extends RowChange = RowChange> {
  readonly kind: 'rows';
  /** The index after the write, greater than that of all earlier groups. */
  readonly index: number;
  /** The index of each changed table after the write; at most `index`. */
  readonly indexes: Readonly<Partial<Record<C['table'], number>>>;
  readonly changes: readonly C[];
}

/** Everything was replaced, or too many rows changed to report them one by one. */
export interface TableReset {
  readonly kind: 'reset';
  /** The index after the reset, which may be lower than before. */
  readonly index: number;
  readonly indexes: Readonly<Record<string, number>>;
  readonly changes: readonly never[];
}

/** The result of one write: row changes or a reset. */
export type ChangeGroup<C extends RowChange = RowChange> = RowChanges<C> | TableReset;

/** A feed of row changes in order, each reported once. */
export interface ChangeFeed<C extends RowChange = RowChange> {
  /**
   * Calls `listener` for each future group, synchronously after the write when the snapshot includes it. The listener must
   * neither throw nor take long. Returns a function that ends the subscription.
   */
  subscribe(listener: (group: ChangeGroup<C>) => void): () => void;
  /** Returns the groups with a greater index, in order; `gone` if some of them were dropped. */
  since(index: number | bigint): readonly RowChanges<C>[] | 'gone';
  /** The smallest index that `since` accepts. */
  oldest(): number;
}

/** Limits of the stored changes. Prevent writers from filling the memory with old rows. */
export interface ChangeFeedLimits {
  /** Maximum row changes. The changes of a larger write are not reported row by row. */
  readonly maxChanges: number;
  /** Maximum size of rows that only the feed still holds, in bytes of JSON. */
  readonly maxSize: number;
}

export const defaultChangeFeedLimits: ChangeFeedLimits = Object.freeze({
  maxChanges: 65_536,
  maxSize: 67_108_864,
});

/** The writable side of a change feed. */
export interface WritableChangeFeed<C extends RowChange = RowChange> extends ChangeFeed<C> {
  /** Stores a group of changes and notifies all listeners. */
  publish(group: ChangeGroup<C>): void;
}

/** A stored group and its size. */
interface RetainedGroup<C extends RowChange> {
  readonly group: RowChanges<C>;
  readonly count: number;
  readonly size: number;
}

/**
 * Creates a feed of the changes after the state with an index.
 *
 * @param sizeOf returns the bytes that a change retains: its `before` row. Its `after` row is retained by the table until a
 * later change has it as `before`.
 */
export function createChangeFeed<C extends RowChange>(
  sizeOf: (change: C) => number,
  limits = defaultChangeFeedLimits,
  first = 0,
): WritableChangeFeed<C> {
  const listeners = new Set<(group: ChangeGroup<C>) => void>();
  /** The stored groups by index. Those before `begin` are dropped. */
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
    const removed = retained[begin] as RetainedGroup<C>; // at least one group is stored
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
      // Wrapped, because the same function may subscribe twice.
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
