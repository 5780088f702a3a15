export { bool, float, int, real, text, timeText } from '../sql/column.js';
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
export { namedPlaceholder, namedValues } from '../sql/clickhouse/dialect.js';
export {
  array,
  chdbRun,
  clickhouseRun,
  datetime64,
  defaultMapping,
  json,
  map,
  sqlMapping,
  struct,
  type ChdbSession,
  type ClickhouseClient,
  type ClickhouseMapping,
  type Datetime64Options,
} from '../sql/clickhouse/mapping.js';
export { verifyMapping, type ClickhouseVerifyOptions } from '../sql/clickhouse/verify.js';
export type { Placeholder, PlaceholderStyle, SqlParts, SqlTemplate, SqlValue } from '../sql/sql.js';
export { sqlListSource, SqlBudgetError, type SqlListSourceOptions } from '../sql/rows.js';
export { SqlRunError, type RunSql } from '../sql/run-statement.js';
export type { SqlMapping } from '../sql/sql-mapping.js';
export { SqlFilterError, type SqlClause, type SqlCondition, type WhereOptions } from '../sql/where.js';
export { verifyAccess } from '../sql/verify-access.js';
export type { SqlFinding, VerifyOptions } from '../sql/verify.js';
