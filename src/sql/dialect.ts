import { parameter, sql, type Sql } from './sql.js';

/** The supported database engines. */
export type DialectName = 'postgres' | 'sqlite' | 'duckdb';

/**
 * Writes the operations that all engines have, in the syntax of one engine. Positive conditions are NULL if their operand is
 * NULL.
 */
export interface SqlDialect {
  readonly name: DialectName;
  /** Literals of filters in the types of the engine. They are always sent as parameters, never as part of the SQL. */
  readonly text: (value: string) => Sql;
  readonly integer: (value: number | bigint) => Sql;
  readonly float: (value: number) => Sql;
  readonly isTrue: (value: Sql) => Sql;
  readonly isFalse: (value: Sql) => Sql;
  readonly contains: (text: Sql, part: Sql) => Sql;
  /** Tests the end of a string. The end is not empty. */
  readonly endsWith: (text: Sql, end: Sql) => Sql;
  /** Tests the start of a string. The start is not empty. */
  readonly startsWith: (text: Sql, start: Sql) => Sql;
  /** Number of code points in a string. */
  readonly length: (text: Sql) => Sql;
  /** Condition that a value is not NaN, if the engine orders NaN; otherwise null. */
  readonly notNaN: ((value: Sql) => Sql) | null;
  /** Whether a string contains U+0000, at which functions of the engine stop; null if no string can, or if no function stops. */
  readonly containsNul: ((text: Sql) => Sql) | null;
  /** Whether the engine can store U+0000 in strings. */
  readonly takesNul: boolean;
}

/** Returns a quoted name. @throws TypeError if no engine accepts the name. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a string of the mapping or the schema as an SQL literal. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a float64 in a form that all engines parse. */
export function floatText(value: number): string {
  return Object.is(value, -0) ? '0' : String(value);
}

const postgres: SqlDialect = {
  name: 'postgres',
  text: (value) => sql`${parameter(value)}::text`,
  integer: (value) => sql`${parameter(String(value))}::bigint`,
  float: (value) => sql`${parameter(floatText(value))}::float8`,
  isTrue: (value) => sql`${value} = TRUE`,
  isFalse: (value) => sql`${value} = FALSE`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  endsWith: (text, end) => sql`right(${text}, char_length(${end})) = ${end}`,
  startsWith: (text, start) => sql`starts_with(${text}, ${start})`,
  length: (text) => sql`char_length(${text})`,
  notNaN: (value) => sql`${value} <> 'NaN'::float8`,
  containsNul: null,
  takesNul: false,
};

const sqlite: SqlDialect = {
  name: 'sqlite',
  text: parameter,
  integer: (value) => parameter(Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(value)),
  float: parameter,
  isTrue: (value) => sql`${value} = 1`,
  isFalse: (value) => sql`${value} = 0`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  // Compared as bytes: `substr` cuts a string at U+0000, and returns NULL for an empty one.
  endsWith: (text, end) =>
    sql`(${text} <> '' AND substr(CAST(${text} AS BLOB), -length(CAST(${end} AS BLOB))) = CAST(${end} AS BLOB))`,
  startsWith: (text, start) =>
    sql`(${text} <> '' AND substr(CAST(${text} AS BLOB), 1, length(CAST(${start} AS BLOB))) = CAST(${start} AS BLOB))`,
  length: (text) => sql`length(${text})`,
  notNaN: null,
  containsNul: (text) => sql`instr(${text}, char(0)) > 0`,
  takesNul: true,
};

const duckdb: SqlDialect = {
  name: 'duckdb',
  text: (value) => sql`CAST(${parameter(value)} AS VARCHAR)`,
  integer: (value) => sql`CAST(${parameter(String(value))} AS BIGINT)`,
  float: (value) => sql`CAST(${parameter(floatText(value))} AS DOUBLE)`,
  isTrue: (value) => sql`${value} = TRUE`,
  isFalse: (value) => sql`${value} = FALSE`,
  contains: (text, part) => sql`contains(${text}, ${part})`,
  endsWith: (text, end) => sql`suffix(${text}, ${end})`,
  startsWith: (text, start) => sql`prefix(${text}, ${start})`,
  length: (text) => sql`length(${text})`,
  notNaN: (value) => sql`NOT isnan(${value})`,
  containsNul: null,
  takesNul: true,
};

export const dialects: Readonly<Record<DialectName, SqlDialect>> = { postgres, sqlite, duckdb };
