import { resourceOf, tableNames, type resources, type Rows, type TableName } from '../model/resources.js';
import { emptyRows, type TableRows } from 'tamis/table';

export { tableNames, type Rows, type TableName } from '../model/resources.js';

type IndexName<N extends TableName> = keyof (typeof resources)[N]['indexes'] & string;

export type Tables = { readonly [N in TableName]: TableRows<Rows[N], IndexName<N>> };

/** All tables, empty. */
export const emptyTables = Object.freeze(
  Object.fromEntries(tableNames.map((name) => [name, emptyRows(resourceOf(name))])),
) as unknown as Tables;
