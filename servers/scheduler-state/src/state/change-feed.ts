import { jsonSize } from 'tamis/internal';
import {
  createChangeFeed as createFeed,
  defaultChangeFeedLimits,
  getRow,
  type ChangeFeed as Feed,
  type ChangeFeedLimits,
  type ChangeGroup as Group,
  type RowChange as Change,
  type RowChanges as Changes,
  type TableRows,
} from 'tamis/table';
import type { Batch } from '../storage/storage.js';
import type { Snapshot } from './snapshot.js';
import type { Rows, TableName } from './tables.js';

/** A change of one row. An added row has no `before`, a deleted row no `after`. */
export type RowChange = { readonly [N in TableName]: TableRowChange<N> }[TableName];

/** A change of one row of a given table. Both rows are immutable rows of snapshots. */
export interface TableRowChange<N extends TableName> {
  readonly table: N;
  readonly key: string;
  readonly before: Rows[N] | null;
  readonly after: Rows[N] | null;
}

/** Whether a change affects a row of this table. */
export function isChangeOf<N extends TableName>(change: Change, table: N): change is TableRowChange<N> {
  return change.table === table;
}

/** The changes of one batch of the log, at most one per row. */
export type RowChanges = Changes<RowChange>;

/** A group of changes from the log. */
export type ChangeGroup = Group<RowChange>;

/** Feed of row changes on every server with a copy of the state. Each change is reported once, in the order of the log. */
export type ChangeFeed = Feed<RowChange>;

/** The writable side of the feed, used by the state. */
export interface WritableChangeFeed extends ChangeFeed {
  /** Publishes a batch; null if everything was replaced. Returns the published event. */
  publish(before: Snapshot, after: Snapshot, batch: Batch | null): ChangeGroup;
}

/** Creates a feed of the changes since the empty state. */
export function createChangeFeed(limits: ChangeFeedLimits = defaultChangeFeedLimits): WritableChangeFeed {
  const feed = createFeed<RowChange>(sizeOf, limits);
  return {
    ...feed,
    publish(before, after, batch) {
      const group = groupOf(before, after, batch, limits);
      feed.publish(group);
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
    return { kind: 'reset', index, indexes: {}, changes: [] };
  }
  const changes: RowChange[] = [];
  for (const { table, key } of batch.puts) changes.push(changeOf(before, after, table as TableName, key));
  for (const { table, key } of batch.deletes) {
    const change = changeOf(before, after, table as TableName, key);
    // A row that was added and deleted within the batch has not changed.
    if (change.before !== null) changes.push(change);
  }
  return { kind: 'rows', index, indexes: batch.tableIndexes, changes };
}

/** Returns a change with rows of the snapshots, because rows of the log lack shared objects. */
function changeOf(before: Snapshot, after: Snapshot, table: TableName, key: string): RowChange {
  const rowOf = ({ tables }: Snapshot): object | null =>
    getRow<object>(tables[table] as object as TableRows<object>, key);
  return { table, key, before: rowOf(before), after: rowOf(after) } as RowChange;
}

/** Returns the size of a row before its change. The job that allocations share is not counted. */
function sizeOf({ table, before }: RowChange): number {
  if (before === null) return 0;
  return jsonSize(before) - (table === 'allocations' ? jsonSize(before.Job) : 0);
}
