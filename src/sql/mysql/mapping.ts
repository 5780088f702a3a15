import { checkNames, checkSchema, describe } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';
import { isColumn } from '../column.js';
import { defaultColumns } from '../default-mapping.js';
import type { SqlTable } from '../mapping.js';
import { createMapping, tableOptions, type SqlMapping } from '../sql-mapping.js';
import { datetime, json } from './columns.js';
import { mysqlDialect, type MysqlServer } from './dialect.js';

/** Describes where the rows of a schema are stored, in a server that speaks the dialect of MySQL. */
export interface MysqlMapping extends SqlTable {
  readonly dialect: 'mysql';
  readonly server: MysqlServer;
}

/**
 * Returns a mapping from a schema to the columns of a table of MariaDB, MySQL or TiDB. As `sqlMapping` of `tamis/sql`.
 *
 * ```ts
 * const jobs = sqlMapping(schema, { dialect: 'mysql', server: 'mariadb', table: 'jobs', columns: { ID: text('id') } });
 * ```
 *
 * @throws TypeError for a mapping that cannot be one.
 */
export function sqlMapping<S extends Schema>(schema: S, mapping: MysqlMapping): SqlMapping<S> {
  const caller = 'sqlMapping';
  checkSchema(caller, schema);
  checkNames<MysqlMapping>(caller, 'option', mapping, [...tableOptions, 'server']);
  const { dialect, server, columns } = mapping;
  if ((dialect as unknown) !== 'mysql')
    throw new TypeError(
      `${caller}: dialect must be 'mysql', got ${describe(dialect)}. Use tamis/sql for others`,
    );
  if (!['mariadb', 'mysql', 'tidb'].includes(server))
    throw new TypeError(`${caller}: server must be 'mariadb', 'mysql' or 'tidb', got ${describe(server)}`);
  const names = new Map<string, string>();
  for (const column of Object.values(Object(columns) as object)) {
    if (!isColumn(column)) continue;
    const { name } = column;
    const other = names.get(name.toLowerCase()) ?? name;
    if (other !== name)
      throw new TypeError(`${caller}: ${other} and ${name} are the same column: names ignore letter case`);
    names.set(name.toLowerCase(), name);
  }
  return createMapping(schema, mapping, mysqlDialect(server));
}

/** As `defaultMapping` of `tamis/sql`. @throws TypeError if two names of the schema differ only in letter case. */
export function defaultMapping(schema: Schema, server: MysqlServer, table: string): MysqlMapping {
  const columns = defaultColumns(schema, { isNative: false, instant: datetime, json });
  const mapping: MysqlMapping = { dialect: 'mysql', server, table, columns };
  sqlMapping(schema, mapping);
  return mapping;
}
