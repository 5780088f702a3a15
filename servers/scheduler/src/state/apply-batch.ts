import type { Batch, Contents } from '../storage/storage.js';
import { emptySnapshot, type Snapshot } from './snapshot.js';
import { deleteRow, putRow, putRows, type Table } from './table.js';
import { tableNames, type TableName, type Tables } from './tables.js';

/** The changes of one table. */
interface Changes {
  readonly puts: object[];
  readonly deletes: string[];
}

/** The snapshot that a batch of the log leaves behind. */
export function applyBatch(before: Snapshot, { index, puts, deletes, tableIndexes }: Batch): Snapshot {
  const changes = new Map<string, Changes>();
  const of = (table: string): Changes => {
    const known = changes.get(table) ?? { puts: [], deletes: [] };
    changes.set(table, known);
    return known;
  };
  for (const { table, row } of puts) of(table).puts.push(row);
  for (const { table, key } of deletes) of(table).deletes.push(key);
  const changed = tableNames.flatMap((name) => {
    const found = changes.get(name);
    return found === undefined ? [] : [[name, change(before.tables, name, found)] as const];
  });
  return {
    index,
    tables: { ...before.tables, ...Object.fromEntries(changed) },
    tableIndexes: { ...before.tableIndexes, ...tableIndexes },
  };
}

/** Rows above which a table is sorted anew, as a share of those that it has. */
const sortedShare = 1 / 8;

function change(tables: Tables, name: TableName, { puts, deletes }: Changes): unknown {
  let table = ofRows(tables[name]);
  for (const key of deletes) table = deleteRow(table, key);
  if (puts.length > table.primary.size * sortedShare) return putRows(table, puts);
  for (const row of puts) table = putRow(table, row);
  return table;
}

/** The snapshot that the contents of the log are. @throws StorageError `damaged` */
export async function loadContents({ index, tableIndexes, rows }: Contents): Promise<Snapshot> {
  const found = new Map<string, object[]>();
  for await (const { table, row } of rows) {
    const list = found.get(table);
    if (list === undefined) found.set(table, [row]);
    else list.push(row);
  }
  const tables = tableNames.map((name) => [
    name,
    putRows(ofRows(emptySnapshot.tables[name]), found.get(name) ?? []),
  ]);
  const indexes = tableNames.map((name) => [name, tableIndexes[name] ?? 0]);
  return {
    index,
    tables: Object.fromEntries(tables) as Tables,
    tableIndexes: Object.fromEntries(indexes) as Snapshot['tableIndexes'],
  };
}

/** The log gives back what a transaction gave it: rows of a table are of its kind. */
function ofRows(table: unknown): Table<object> {
  return table as Table<object>;
}
