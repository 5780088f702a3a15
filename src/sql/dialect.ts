import { parameter, sql, type Sql } from './sql.js';

/** The engines that a filter is translated for. */
export type DialectName = 'postgres' | 'sqlite' | 'duckdb';

/** How an engine writes what all of them can do. Positive conditions are NULL where what they ask about is. */
export interface SqlDialect {
  readonly name: DialectName;
  /** Values of filters, as the engine takes them: always beside the text. */
  readonly text: (value: string) => Sql;
  readonly integer: (value: number | bigint) => Sql;
  readonly float: (value: number) => Sql;
  readonly isTrue: (value: Sql) => Sql;
  readonly isFalse: (value: Sql) => Sql;
  readonly contains: (text: Sql, part: Sql) => Sql;
  /** The end is not empty. */
  readonly endsWith: (text: Sql, end: Sql) => Sql;
  /** The start is not empty. */
  readonly startsWith: (text: Sql, start: Sql) => Sql;
  /** Code points of a text. */
  readonly length: (text: Sql) => Sql;
  /** Whether the engine has an order for NaN, so that it has to be kept out. */
  readonly notNaN: ((value: Sql) => Sql) | null;
  /** Whether a text holds U+0000, at which functions of the engine stop; null where none can, or none stops. */
  readonly containsNul: ((text: Sql) => Sql) | null;
  /** Whether a text can hold U+0000. */
  readonly takesNul: boolean;
}

/** A name in quotes. @throws TypeError for one that no engine takes. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text of the mapping or the schema, which stands in a statement. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A float64 as all engines read it. */
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
  // As bytes: a text that holds U+0000 ends there for `substr`, for which an empty one is NULL.
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
