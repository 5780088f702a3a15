import type { Batch, StoredRow } from '../storage/storage.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { placedJobKey } from '@tamis/scheduler-model/jobs.js';
import { shareJob, unlinkAllocation, unstoredJob } from './placed-jobs.js';
import { requireStorable } from './row-size.js';
import type { Snapshot } from './snapshot.js';
import { deleteRow, getRow, putRow, putRows } from 'tamis/table';
import type { Rows, TableName, Tables } from './tables.js';

/** Provides values for rows from outside of the state. */
export interface RowSources {
  /** Returns a timestamp in ns. */
  readonly stamp: () => bigint;
  readonly uuid: () => string;
}

/** One write, whose changes are invisible to others until committed. */
export interface Transaction extends RowSources {
  /** Index of all rows written in this transaction. */
  readonly index: number;
  /** The tables including the changes so far. */
  readonly tables: Tables;
  get<N extends TableName>(name: N, key: string): Rows[N] | null;
  /** Adds or replaces a row. */
  put<N extends TableName>(name: N, row: Rows[N]): void;
  delete(name: TableName, key: string): void;
  /**
   * Adds rows that were written elsewhere and can be stored. They keep their indexes; the index of the table becomes the largest
   * of them.
   */
  restore<N extends TableName>(name: N, rows: readonly Rows[N][]): void;
}

/** A transaction and its result. */
export function openTransaction(before: Snapshot, { stamp, uuid }: RowSources) {
  let { tables } = before;
  let index = before.index + 1;
  const changes = new Map<TableName, Map<string, object | null>>();
  /** Tables changed only by `restore`, with their largest row index. */
  const restored = new Map<TableName, number>();

  function note(name: TableName, key: string, row: object | null): void {
    const rows = changes.get(name) ?? new Map<string, object | null>();
    rows.set(key, row);
    changes.set(name, rows);
    restored.delete(name);
  }

  /**
   * Replaces a table. The types `Tables[N]` and `Table<Rows[N]>` are the same, but the compiler cannot infer it for a generic N.
   */
  function replace<N extends TableName>(name: N, table: unknown): void {
    tables = { ...tables, [name]: table as Tables[N] };
  }

  /** Makes allocations share stored jobs and stores missing ones. Other rows are unchanged. */
  function shareJobs<R extends object>(name: TableName, rows: readonly R[]): readonly R[] {
    if (name !== 'allocations') return rows;
    return rows.map((each) => {
      const row = each as object as Allocation;
      const unstored = unstoredJob(tables, row);
      if (unstored === null) return shareJob(tables, row) as object as R;
      replace('placed_jobs', putRow(tables.placed_jobs, unstored));
      note('placed_jobs', placedJobKey(unstored), unstored);
      return each;
    });
  }

  const transaction: Transaction = {
    ...{ stamp, uuid },
    get index() {
      return index;
    },
    get tables() {
      return tables;
    },
    get: (name, key) => getRow(tables[name], key),
    put(name, row) {
      const [stored] = shareJobs(name, [row]);
      if (stored === undefined) return;
      replace(name, putRow(tables[name], stored));
      note(name, tables[name].primary.order.text(stored as never), stored);
    },
    delete(name, key) {
      if (getRow<object>(tables[name] as never, key) === null) return;
      replace(name, deleteRow<object, string>(tables[name] as never, key));
      note(name, key, null);
    },
    restore(name, given) {
      const rows = shareJobs(name, given);
      replace(name, putRows(tables[name], rows));
      let maximum = before.tableIndexes[name];
      for (const row of rows) {
        note(name, tables[name].primary.order.text(row as never), row);
        maximum = Math.max(maximum, Number(row.CreateIndex), Number(row.ModifyIndex));
      }
      restored.set(name, maximum);
      index = Math.max(index, maximum);
    },
  };

  return {
    transaction,
    /** Returns the resulting snapshot and the batch for the storage; null if nothing changed. */
    finish: (): { readonly snapshot: Snapshot; readonly batch: Batch } | null => {
      if (changes.size === 0) return null;
      const raised = Object.fromEntries(
        [...changes.keys()].map((name) => [name, restored.get(name) ?? index]),
      );
      const snapshot = { ...before, tables, index, tableIndexes: { ...before.tableIndexes, ...raised } };
      return { snapshot, batch: { index, tableIndexes: raised, ...toBatch(tables, changes, restored) } };
    },
  };
}

/**
 * @param restored tables whose rows are known to be storable; there may be hundreds of thousands.
 * @throws SchedulerError `row-too-large`
 */
function toBatch(
  tables: Tables,
  changes: ReadonlyMap<TableName, ReadonlyMap<string, object | null>>,
  restored: ReadonlyMap<TableName, number>,
): Pick<Batch, 'puts' | 'deletes'> {
  const puts: StoredRow[] = [];
  const deletes: { table: string; key: string }[] = [];
  for (const [table, rows] of changes) {
    for (const [key, row] of rows) {
      if (row === null) deletes.push({ table, key });
      else {
        const stored = table === 'allocations' ? unlinkAllocation(tables, row as Allocation) : row;
        const put = { table, key, row: stored };
        if (!restored.has(table)) requireStorable(put);
        puts.push(put);
      }
    }
  }
  return { puts, deletes };
}
