export { array, bool, float, int, jsonb, map, real, struct, text, timestamptz, timeText } from './column.js';
export type {
  CheckedColumnOptions,
  Column,
  ColumnOptions,
  StoredAs,
  TextColumnOptions,
  TimeTextOptions,
} from './column.js';
export type { DriverRow } from './decode.js';
export type { DialectName } from './dialect.js';
export { defaultMapping } from './default-mapping.js';
export type { TableMapping } from './mapping.js';
export type { Mark, SqlParts, SqlTemplate, SqlValue } from './sql.js';
export { listSource, SqlBudgetError, type RunSql, type SourceOptions } from './rows.js';
export { sqlSource, type SqlSource } from './sql-source.js';
export { SqlFilterError, type SqlClause, type SqlCondition, type WhereOptions } from './where.js';
export { verifyMapping, type SqlFinding, type VerifyOptions } from './verify.js';
