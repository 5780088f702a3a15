import { print, type Schema } from 'tamis';
import { defaultMapping, sqlMapping } from 'tamis/sql';
import type { SqlDialect, SqlStatement } from '../protocol.js';

/**
 * A filter as a condition of a database whose table has a column for each field. The source must be a filter for the schema. A
 * module of its own, which the worker loads on demand.
 */
export function writeSql(text: string, schema: Schema, dialect: SqlDialect): SqlStatement {
  const found = sqlMapping(schema, defaultMapping(schema, dialect, 'rows')).where(text, {
    unresolved: 'absent',
  });
  return {
    condition: found.toSQL(dialect === 'postgres' ? '$' : '?'),
    values: found.values.map((value) =>
      typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value)),
    ),
    residual: found.residual === null ? null : print(found.residual.ast),
    clauses: found.clauses,
  };
}
