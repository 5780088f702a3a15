export { bool, float, int, text, timeText } from '../sql/column.js';
export type {
  CheckedColumnOptions,
  Column,
  ColumnOptions,
  StoredAs,
  TextColumnOptions,
  TimeTextOptions,
} from '../sql/column.js';
export type { DriverRow } from '../sql/decode.js';
export type { SqlTable } from '../sql/mapping.js';
export { datetime, json } from '../sql/mysql/columns.js';
export type { MysqlServer } from '../sql/mysql/dialect.js';
export { defaultMapping, sqlMapping, type MysqlMapping } from '../sql/mysql/mapping.js';
export { mysqlRun, type MysqlConnection, type MysqlPool } from '../sql/mysql/run.js';
export { verifyMapping } from '../sql/mysql/verify.js';
export type { Placeholder, PlaceholderStyle, SqlParts, SqlTemplate, SqlValue } from '../sql/sql.js';
export { sqlListSource, SqlBudgetError, type SqlListSourceOptions } from '../sql/rows.js';
export { SqlRunError, type RunSql } from '../sql/run-statement.js';
export type { SqlMapping } from '../sql/sql-mapping.js';
export { SqlFilterError, type SqlClause, type SqlCondition, type WhereOptions } from '../sql/where.js';
export { verifyAccess } from '../sql/verify-access.js';
export type { SqlFinding, VerifyOptions } from '../sql/verify.js';
