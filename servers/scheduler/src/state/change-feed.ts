import { jsonSize } from 'tamis/pace';
import type { Batch } from '../storage/storage.js';
import type { Snapshot } from './snapshot.js';
import { getRow, type TableRows } from 'tamis/table';
import type { Rows, TableName } from './tables.js';

/** A change of one row: added where there is nothing before, deleted where there is nothing after. */
export type RowChange = { readonly [N in TableName]: TableRowChange<N> }[TableName];

/** A change of one row of a table. Both rows are those of the snapshots, and never change. */
export interface TableRowChange<N extends TableName> {
  readonly table: N;
  readonly key: string;
  readonly before: Rows[N] | null;
  readonly after: Rows[N] | null;
}

/** The changes of one batch of the log, at most one of each row. */
export interface RowChanges {
  readonly kind: 'rows';
  /** The index of the state from then on, greater than that of every group before. */
  readonly index: number;
  /** The index that each changed table has from then on: not above `index`, and below it where a batch holds several writes. */
  readonly tableIndexes: Readonly<Partial<Record<TableName, number>>>;
  readonly changes: readonly RowChange[];
}

/** The state has become another one: all of it was replaced, or so much that nobody is told row by row. */
export interface StateReset {
  readonly kind: 'reset';
  /** The index of the state from then on, which may be less than before. */
  readonly index: number;
}

/** What the log has done to the state in one step. */
export type ChangeGroup = RowChanges | StateReset;

/** The feed of changes: row by row, each once, in the order of the log, on every server that holds a copy of the state. */
export interface ChangeFeed {
  /**
   * Calls `listener` for each group from now on, when the snapshot has it and before anybody hears of the write. It must
   * neither throw nor take long. The function returned ends it.
   */
  subscribe(listener: (group: ChangeGroup) => void): () => void;
  /** The groups with an index greater than this one, in order; `gone` where some of them are not kept any more. */
  since(index: number | bigint): readonly RowChanges[] | 'gone';
  /** The least index that `since` can answer for. */
  oldest(): number;
}

/** Bounds of the changes that are kept. They stop writers from filling the memory with rows that nobody has any more. */
export interface ChangeFeedLimits {
  /** Most changes of rows; of a batch with more than that nobody is told row by row. */
  readonly maxChanges: number;
  /** Most bytes, in JSON, of the rows that only the feed still holds. */
  readonly maxSize: number;
}

export const defaultChangeFeedLimits: ChangeFeedLimits = Object.freeze({
  maxChanges: 65_536,
  maxSize: 67_108_864,
});

/** The feed, as the state writes it. */
export interface WritableChangeFeed extends ChangeFeed {
  /** Tells of a batch, or that all was replaced where it is null. Returns what everybody was told. */
  publish(before: Snapshot, after: Snapshot, batch: Batch | null): ChangeGroup;
}

/** A feed of what comes after the empty state. */
export function createChangeFeed(limits = defaultChangeFeedLimits): WritableChangeFeed {
  const listeners = new Set<(group: ChangeGroup) => void>();
  const kept = new KeptGroups(limits);
  return {
    subscribe(listener) {
      // The same function may listen twice.
      const own = (group: ChangeGroup): void => listener(group);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    since: (after) => kept.since(after),
    oldest: () => kept.oldest,
    publish(before, after, batch) {
      const group = groupOf(before, after, batch, limits);
      kept.add(group);
      for (const listener of listeners) listener(group);
      return group;
    },
  };
}

function groupOf(
  before: Snapshot,
  after: Snapshot,
  batch: Batch | null,
  { maxChanges }: ChangeFeedLimits,
): ChangeGroup {
  const { index } = after;
  if (batch === null || batch.puts.length + batch.deletes.length > maxChanges) {
    return { kind: 'reset', index };
  }
  const changes: RowChange[] = [];
  for (const { table, key } of batch.puts) changes.push(changeOf(before, after, table as TableName, key));
  for (const { table, key } of batch.deletes) {
    const change = changeOf(before, after, table as TableName, key);
    // Of two writes in one batch the first may add what the second deletes.
    if (change.before !== null) changes.push(change);
  }
  return { kind: 'rows', index, tableIndexes: batch.tableIndexes, changes };
}

/** Rows as the snapshots have them: those of the log lack what they share with others. */
function changeOf(before: Snapshot, after: Snapshot, table: TableName, key: string): RowChange {
  const rowOf = ({ tables }: Snapshot): object | null =>
    getRow<object>(tables[table] as object as TableRows<object>, key);
  return { table, key, before: rowOf(before), after: rowOf(after) } as RowChange;
}

/** A group that is kept, and what it counts for. */
interface KeptGroup {
  readonly group: RowChanges;
  readonly count: number;
  readonly size: number;
}

/** The place of what is no longer kept. */
const forgotten: KeptGroup = {
  group: { kind: 'rows', index: 0, tableIndexes: {}, changes: [] },
  count: 0,
  size: 0,
};

/** The last groups, in the order of their indexes. */
class KeptGroups {
  readonly #limits: ChangeFeedLimits;
  /** Those before `#first` are forgotten. */
  #kept: KeptGroup[] = [];
  #first = 0;
  #count = 0;
  #size = 0;
  #oldest = 0;

  constructor(limits: ChangeFeedLimits) {
    this.#limits = limits;
  }

  get oldest(): number {
    return this.#oldest;
  }

  since(index: number | bigint): readonly RowChanges[] | 'gone' {
    if (index < this.#oldest) return 'gone';
    let low = this.#first;
    for (let high = this.#kept.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.#kept[middle] ?? forgotten).group.index <= index) low = middle + 1;
      else high = middle;
    }
    return this.#kept.slice(low).map(({ group }) => group);
  }

  add(group: ChangeGroup): void {
    if (group.kind === 'reset') {
      this.#kept = [];
      this.#first = this.#count = this.#size = 0;
      this.#oldest = group.index;
      return;
    }
    const kept = { group, count: Math.max(group.changes.length, 1), size: heldSize(group) };
    this.#kept.push(kept);
    this.#count += kept.count;
    this.#size += kept.size;
    while (this.#count > this.#limits.maxChanges || this.#size > this.#limits.maxSize) this.#forgetFirst();
  }

  #forgetFirst(): void {
    const { group, count, size } = this.#kept[this.#first] ?? forgotten;
    this.#count -= count;
    this.#size -= size;
    this.#oldest = group.index;
    this.#kept[this.#first] = forgotten;
    this.#first += 1;
    if (this.#first * 2 < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}

/**
 * Bytes that a group keeps from being freed: its rows of before. Those of after are in their tables, until a later group
 * has them as its rows of before. What allocations share, their job, is no row's own.
 */
function heldSize({ changes }: RowChanges): number {
  let size = 0;
  for (const { table, before } of changes) {
    if (before !== null) size += jsonSize(before) - (table === 'allocations' ? jsonSize(before.Job) : 0);
  }
  return size;
}
