import {
  resourceOf,
  tableNames,
  type resources,
  type Rows,
  type TableName,
} from '@tamis/scheduler-model/resources.js';
import { columns } from 'tamis/columns';
import { emptyRows, type TableRows } from 'tamis/table';

export { tableNames, type Rows, type TableName } from '@tamis/scheduler-model/resources.js';

type IndexName<N extends TableName> = keyof (typeof resources)[N]['indexes'] & string;

export type Tables = { readonly [N in TableName]: TableRows<Rows[N], IndexName<N>> };

/** Tables with possibly long lists that are filtered without an index. */
const withColumns: ReadonlySet<TableName> = new Set([
  'jobs',
  'nodes',
  'allocations',
  'evaluations',
  'deployments',
]);

/** Returns all tables, empty. Their caches are not shared with other servers in the process. */
export function emptyTables(): Tables {
  return Object.freeze(
    Object.fromEntries(tableNames.map((name) => [name, emptyTable(name)])),
  ) as unknown as Tables;
}

function emptyTable(name: TableName): TableRows<Rows[TableName]> {
  const { listOrder, ...resource } = resourceOf(name);
  // Each server has its own order object, because the caches of rows are looked up by it.
  const rows = emptyRows({ ...resource, listOrder: listOrder === null ? null : { ...listOrder } });
  if (withColumns.has(name)) columns('auto').attach(resource.schema, rows.listed.order);
  return rows;
}
