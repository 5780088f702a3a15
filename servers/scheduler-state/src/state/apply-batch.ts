import type { Batch, Contents } from '../storage/storage.js';
import { linkAllocations, type StoredAllocation } from './placed-jobs.js';
import { emptySnapshot, type Snapshot } from './snapshot.js';
import { deleteRow, putRow, putRows, type TableRows } from 'tamis/table';
import { tableNames, type Tables } from './tables.js';

/** The changes of one table. */
interface Changes {
  readonly puts: object[];
  readonly deletes: string[];
}

/** Collects the changes of all tables, by table name. */
class TableChanges {
  readonly #changes = new Map<string, Changes>();

  of(table: string): Changes {
    const known = this.#changes.get(table) ?? { puts: [], deletes: [] };
    this.#changes.set(table, known);
    return known;
  }

  /** Returns the tables after the changes. @throws StorageError `damaged` for an allocation whose job is not stored. */
  applyTo(before: Tables): Tables {
    let tables = before;
    // Jobs precede the allocations that refer to them.
    for (const name of tableNames) {
      const changes = this.#changes.get(name);
      if (changes === undefined) continue;
      const puts = name === 'allocations' ? link(tables, changes.puts) : changes.puts;
      tables = { ...tables, [name]: change(ofRows(tables[name]), puts, changes.deletes) };
    }
    return tables;
  }
}

/** Returns the snapshot after applying a batch of the log. @throws StorageError `damaged` */
export function applyBatch(before: Snapshot, { index, puts, deletes, tableIndexes }: Batch): Snapshot {
  const changes = new TableChanges();
  for (const { table, row } of puts) changes.of(table).puts.push(row);
  for (const { table, key } of deletes) changes.of(table).deletes.push(key);
  return {
    ...before,
    index,
    tables: changes.applyTo(before.tables),
    tableIndexes: { ...before.tableIndexes, ...tableIndexes },
  };
}

/** Returns the snapshot with the contents of the log. @throws StorageError `damaged` */
export async function loadContents({ index, tableIndexes, rows }: Contents): Promise<Snapshot> {
  const changes = new TableChanges();
  for await (const { table, row } of rows) changes.of(table).puts.push(row);
  const empty = emptySnapshot();
  return {
    ...empty,
    index,
    tables: changes.applyTo(empty.tables),
    tableIndexes: { ...empty.tableIndexes, ...tableIndexes },
  };
}

/** Share of new rows in a table above which the whole table is sorted again. */
const sortedShare = 1 / 8;

function change(
  before: TableRows<object>,
  puts: readonly object[],
  deletes: readonly string[],
): TableRows<object> {
  let table = before;
  for (const key of deletes) table = deleteRow(table, key);
  if (puts.length > table.primary.size * sortedShare) return putRows(table, puts);
  for (const row of puts) table = putRow(table, row);
  return table;
}

function link(tables: Tables, rows: readonly object[]): readonly object[] {
  return linkAllocations(tables, rows as readonly StoredAllocation[]);
}

/**
 * Casts a table to one of objects. This is safe, because the log returns what transactions stored, so rows have the type of their
 * table.
 */
function ofRows(table: unknown): TableRows<object> {
  return table as TableRows<object>;
}
