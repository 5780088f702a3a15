import { scanRows, fullRange, type SortedRows } from 'tamis/table';
import {
  exportedResources,
  type ExportedResource,
  type Rows,
  type TableName,
} from '@tamis/scheduler-model/resources.js';
import type { Snapshot } from './snapshot.js';

/** A row of an export. */
export interface RowToExport {
  readonly resource: ExportedResource;
  readonly row: Rows[TableName];
}

/** Yields the rows of an export in list order, kind by kind, so that referenced rows come before those that refer to them. */
export function* rowsToExport({ tables }: Snapshot): Generator<RowToExport> {
  for (const resource of exportedResources) {
    const rows = tables[resource.table].listed as unknown as SortedRows<Rows[TableName]>;
    for (const row of scanRows(rows, fullRange, false)) yield { resource, row };
  }
}

/** Returns the content of an export line: the kind of an object, and the whole object. */
export function exportedEntry({ resource: { kind }, row }: RowToExport): object {
  return { kind, object: row };
}
