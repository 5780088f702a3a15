/** A change of one row: added where there is nothing before, deleted where there is nothing after. The rows never change. */
export interface RowChange {
  readonly table: string;
  readonly key: string;
  readonly before: object | null;
  readonly after: object | null;
}

/** The changes of one write, at most one of each row. */
export interface RowChanges<C extends RowChange = RowChange> {
  readonly kind: 'rows';
  /** The index from then on, greater than that of every group before. */
  readonly index: number;
  /** The index that each changed table has from then on: not above `index`. */
  readonly indexes: Readonly<Partial<Record<C['table'], number>>>;
  readonly changes: readonly C[];
}

/** All was replaced, or so much that nobody is told row by row. */
export interface TableReset {
  readonly kind: 'reset';
  /** The index from then on, which may be less than before. */
  readonly index: number;
  readonly indexes: Readonly<Record<string, number>>;
  readonly changes: readonly never[];
}

/** What was done in one step. */
export type ChangeGroup<C extends RowChange = RowChange> = RowChanges<C> | TableReset;

/** The feed of changes: row by row, each once, in their order. */
export interface ChangeFeed<C extends RowChange = RowChange> {
  /**
   * Calls `listener` for each group from now on, in the turn of the write, when the snapshot has it. It must neither throw nor
   * take long. The function returned ends it.
   */
  subscribe(listener: (group: ChangeGroup<C>) => void): () => void;
  /** The groups with an index greater than this one, in order; `gone` where some of them are not kept any more. */
  since(index: number | bigint): readonly RowChanges<C>[] | 'gone';
  /** The least index that `since` can answer for. */
  oldest(): number;
}

/** Bounds of the changes that are kept. They stop writers from filling the memory with rows that nobody has any more. */
export interface ChangeFeedLimits {
  /** Most changes of rows; of a write with more than that nobody is told row by row. */
  readonly maxChanges: number;
  /** Most bytes, in JSON, of the rows that only the feed still holds. */
  readonly maxSize: number;
}

export const defaultChangeFeedLimits: ChangeFeedLimits = Object.freeze({
  maxChanges: 65_536,
  maxSize: 67_108_864,
});

/** The feed, as whoever writes has it. */
export interface WritableChangeFeed<C extends RowChange = RowChange> extends ChangeFeed<C> {
  /** Keeps a group, and tells everybody of it. */
  publish(group: ChangeGroup<C>): void;
}

/**
 * A feed of what comes after the state with an index.
 *
 * @param sizeOf bytes that a change keeps from being freed: its row of before. That of after is in its table, until a later
 * change has it as its row of before.
 */
export function createChangeFeed<C extends RowChange>(
  sizeOf: (change: C) => number,
  limits = defaultChangeFeedLimits,
  first = 0,
): WritableChangeFeed<C> {
  const listeners = new Set<(group: ChangeGroup<C>) => void>();
  const kept = new KeptGroups<C>(sizeOf, limits, first);
  return {
    subscribe(listener) {
      // The same function may listen twice.
      const own = (group: ChangeGroup<C>): void => listener(group);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    since: (after) => kept.since(after),
    oldest: () => kept.oldest,
    publish(group) {
      kept.add(group);
      for (const listener of listeners) listener(group);
    },
  };
}

/** A group that is kept, and what it counts for. */
interface KeptGroup<C extends RowChange> {
  readonly group: RowChanges<C>;
  readonly count: number;
  readonly size: number;
}

/** The place of what is no longer kept. */
const forgotten: KeptGroup<never> = {
  group: { kind: 'rows', index: 0, indexes: {}, changes: [] },
  count: 0,
  size: 0,
};

/** The last groups, in the order of their indexes. */
class KeptGroups<C extends RowChange> {
  readonly #sizeOf: (change: C) => number;
  readonly #limits: ChangeFeedLimits;
  /** Those before `#first` are forgotten. */
  #kept: KeptGroup<C>[] = [];
  #first = 0;
  #count = 0;
  #size = 0;
  #oldest: number;

  constructor(sizeOf: (change: C) => number, limits: ChangeFeedLimits, first: number) {
    this.#sizeOf = sizeOf;
    this.#limits = limits;
    this.#oldest = first;
  }

  get oldest(): number {
    return this.#oldest;
  }

  since(index: number | bigint): readonly RowChanges<C>[] | 'gone' {
    if (index < this.#oldest) return 'gone';
    let low = this.#first;
    for (let high = this.#kept.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.#kept[middle] ?? forgotten).group.index <= index) low = middle + 1;
      else high = middle;
    }
    return this.#kept.slice(low).map(({ group }) => group);
  }

  add(group: ChangeGroup<C>): void {
    if (group.kind === 'reset') {
      this.#kept = [];
      this.#first = this.#count = this.#size = 0;
      this.#oldest = group.index;
      return;
    }
    let size = 0;
    for (const change of group.changes) size += this.#sizeOf(change);
    const kept = { group, count: Math.max(group.changes.length, 1), size };
    this.#kept.push(kept);
    this.#count += kept.count;
    this.#size += kept.size;
    while (this.#count > this.#limits.maxChanges || this.#size > this.#limits.maxSize) this.#forgetFirst();
  }

  #forgetFirst(): void {
    const { group, count, size } = this.#kept[this.#first] ?? (forgotten as KeptGroup<C>);
    this.#count -= count;
    this.#size -= size;
    this.#oldest = group.index;
    this.#kept[this.#first] = forgotten as KeptGroup<C>;
    this.#first += 1;
    if (this.#first * 2 < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}
