export {
  array,
  bool,
  date,
  float,
  int,
  jsonb,
  map,
  real,
  struct,
  text,
  timestamp,
  timestamptz,
  timeText,
} from '../sql/column.js';
export { enumeration, type EnumOptions } from '../sql/enum-column.js';
export { mapTable, type MappedTable, type MapTableOptions } from '../sql/map-table.js';
export { looseText } from '../sql/loose-text.js';
export { numeric, type NumericOptions } from '../sql/numeric.js';
export { uuid } from '../sql/uuid.js';
export type {
  CheckedColumnOptions,
  Column,
  ColumnOptions,
  EnumLabels,
  NumericSize,
  StoredAs,
  TextColumnOptions,
  TimestampOptions,
  TimeTextOptions,
} from '../sql/column.js';
export type { DriverRow } from '../sql/decode.js';
export type { DialectName } from '../sql/dialect.js';
export { defaultMapping } from '../sql/default-mapping.js';
export type { TableMapping } from '../sql/mapping.js';
export type { Placeholder, PlaceholderStyle, SqlParts, SqlTemplate, SqlValue } from '../sql/sql.js';
export { sqlListSource, SqlBudgetError, type SqlListSourceOptions } from '../sql/rows.js';
export { poolRun, type PgClient, type PgPool } from '../sql/pool-run.js';
export { SqlRunError, type RunSql } from '../sql/run-statement.js';
export { sqlMapping, type SqlMapping } from '../sql/sql-mapping.js';
export { SqlFilterError, type SqlClause, type SqlCondition, type WhereOptions } from '../sql/where.js';
export { verifyAccess } from '../sql/verify-access.js';
export { verifyMapping, type SqlFinding, type VerifyOptions } from '../sql/verify.js';
