import { advancedFlavour, re2Flavour, writeGlob, writePattern } from './pattern.js';
import type { Node } from '../language/values/pattern/node.js';
import type { Column, StoredAs } from './stored-column.js';
import type { ColumnAccess } from './column-access.js';
import type { Type } from '../language/schema/type.js';
import { parameter, sql, type Placeholder, type Sql } from './sql.js';

/** The database engines that `tamis/sql` supports. */
export type DialectName = 'postgres' | 'sqlite' | 'duckdb';

/** All supported engines. The others have an entry point of their own, so that bundles contain only the dialects they use. */
export type EngineName = DialectName | 'mysql' | 'clickhouse';

/**
 * Writes the operations that all engines have, in the syntax of one engine. Positive conditions are NULL if their operand is
 * NULL.
 */
export interface SqlDialect {
  readonly name: EngineName;
  /** Returns a quoted name. */
  readonly quoted: (name: string) => string;
  /** How placeholders are written in the statements of lists. */
  readonly placeholder: Placeholder;
  /**
   * Set if the engine does not read `(a, b) > (1, 2)` as a range of an index. Pages then use conditions on single columns.
   */
  readonly comparesColumns?: true;
  /** Set if the engine has no NULLS LAST. */
  readonly lacksNullsLast?: true;
  /** The maximum of integer columns. */
  readonly maxInteger: bigint;
  /** Set if the engine does not store infinite floats. */
  readonly onlyFinite?: true;
  /** Set if comparisons with NaN are false although it sorts after all numbers, and if sets distinguish the two zeros. */
  readonly ieee?: { readonly nan: Sql; readonly negativeZero: Sql };
  /** The maximum length of a condition in UTF-16 units; omitted for that of other engines. */
  readonly maxText?: number;
  /** What follows the table in the FROM clause. */
  readonly afterTable?: string;
  /** Literals of filters in the types of the engine. They are always sent as parameters, never as part of the SQL. */
  readonly text: (value: string) => Sql;
  readonly integer: (value: number | bigint) => Sql;
  readonly float: (value: number) => Sql;
  /** The maximum number of rows of a statement; omitted if it is sent as a number. */
  readonly limit?: (max: number) => Sql;
  /** An instant, given in UTC with the digits of the column; `above` or `below` if it is beyond its type. Omitted if it is cast. */
  readonly instant?: (text: string) => Sql | 'above' | 'below';
  /** Converts a value to a string. */
  readonly asText: (value: Sql) => Sql;
  /** A string that is compared by its bytes, regardless of its collation. */
  readonly bytewise: (text: Sql) => Sql;
  readonly isTrue: (value: Sql) => Sql;
  readonly isFalse: (value: Sql) => Sql;
  readonly contains: (text: Sql, part: Sql) => Sql;
  /** Tests the end of a string. The end is not empty. */
  readonly endsWith: (text: Sql, end: Sql) => Sql;
  /** Tests the start of a string. The start is not empty. */
  readonly startsWith: (text: Sql, start: Sql) => Sql;
  /** Tests a glob: strings joined by `?`, joined by `*`. Null if only `matches` can. */
  readonly like: ((text: Sql, parts: readonly (readonly string[])[]) => Sql) | null;
  /** Returns a pattern in the syntax of the engine; null if it has no equivalent one. */
  readonly pattern: (node: Node) => string | null;
  readonly matches: (text: Sql, pattern: Sql) => Sql;
  /** Number of code points in a string. */
  readonly length: (text: Sql) => Sql;
  /** Condition that a value is not NaN, if the engine orders NaN; otherwise null. */
  readonly notNaN: ((value: Sql) => Sql) | null;
  /** Whether a string contains U+0000, at which functions of the engine stop; null if no string can, or if no function stops. */
  readonly containsNul: ((text: Sql) => Sql) | null;
  /** Whether the engine can store U+0000 in strings. */
  readonly takesNul: boolean;
  /** Whether a column can store a type; null if the engine has no rule of its own. */
  readonly fits?: (store: StoredAs, type: Type) => boolean | null;
  /** Returns the access to a column, or to an element of its type; null if it is as in other engines. */
  readonly access?: (column: Column, value: Sql, type: Type) => ColumnAccess | null;
  /** Returns the expression in the SELECT list from which rows are decoded; omitted for the engines of `tamis/sql`. */
  readonly selected?: (column: Column, type: Type, value: Sql) => Sql;
}

/** Returns a name in double quotes. */
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

/** The maximum of a signed integer of 64 bits. */
const maxInt64 = 9_223_372_036_854_775_807n;

/** What the engines of `tamis/sql` have in common. */
const common = {
  quoted,
  placeholder: '?',
  maxInteger: maxInt64,
  isTrue: (value: Sql) => sql`${value} = TRUE`,
  isFalse: (value: Sql) => sql`${value} = FALSE`,
  length: (text: Sql) => sql`length(${text})`,
  like: null,
  containsNul: null,
  takesNul: true,
} as const;

/** Returns a dialect with the members of another one. Its calls are pure, so that bundles omit dialects that they do not use. */
function extended<Base extends Partial<SqlDialect>>(
  base: Base,
  own: Omit<SqlDialect, keyof Base> & Partial<SqlDialect>,
): SqlDialect {
  return { ...base, ...own } as object as SqlDialect;
}

function re2Pattern(node: Node): string | null {
  return writePattern(node, re2Flavour);
}

const postgres = /* @__PURE__ */ extended(common, {
  name: 'postgres',
  placeholder: '$',
  asText: (value) => sql`CAST(${value} AS TEXT)`,
  bytewise: (text) => sql`${text} COLLATE "C"`,
  like: (text, parts) => {
    const pattern = parts.map((part) => part.map(escapedLike).join('_')).join('%');
    return sql`${text} LIKE ${parameter(pattern)}::text`;
  },
  pattern: (node) => writePattern(node, advancedFlavour),
  matches: (text, pattern) => sql`${text} ~ ${pattern}`,
  text: (value) => sql`${parameter(value)}::text`,
  integer: (value) => sql`${parameter(String(value))}::bigint`,
  float: (value) => sql`${parameter(floatText(value))}::float8`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  endsWith: (text, end) => sql`right(${text}, char_length(${end})) = ${end}`,
  startsWith: (text, start) => sql`starts_with(${text}, ${start})`,
  length: (text) => sql`char_length(${text})`,
  notNaN: (value) => sql`${value} <> 'NaN'::float8`,
  takesNul: false,
});

function escapedLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&');
}

const sqlite = /* @__PURE__ */ extended(common, {
  name: 'sqlite',
  asText: (value) => sql`CAST(${value} AS TEXT)`,
  bytewise: (text) => sql`${text} COLLATE BINARY`,
  pattern: writeGlob,
  matches: (text, pattern) => sql`${text} GLOB ${pattern}`,
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
  notNaN: null,
  containsNul: (text) => sql`instr(${text}, char(0)) > 0`,
});

const duckdb = /* @__PURE__ */ extended(common, {
  name: 'duckdb',
  asText: (value) => sql`CAST(${value} AS VARCHAR)`,
  bytewise: (text) => text,
  pattern: re2Pattern,
  matches: (text, pattern) => sql`regexp_matches(${text}, ${pattern})`,
  text: (value) => sql`CAST(${parameter(value)} AS VARCHAR)`,
  integer: (value) => sql`CAST(${parameter(String(value))} AS BIGINT)`,
  float: (value) => sql`CAST(${parameter(floatText(value))} AS DOUBLE)`,
  contains: (text, part) => sql`contains(${text}, ${part})`,
  endsWith: (text, end) => sql`suffix(${text}, ${end})`,
  startsWith: (text, start) => sql`prefix(${text}, ${start})`,
  notNaN: (value) => sql`NOT isnan(${value})`,
});

export const dialects: Readonly<Record<DialectName, SqlDialect>> = { postgres, sqlite, duckdb };

/** Whether an engine is one of `tamis/sql`. */
export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name);
}

/** CockroachDB, whose regular expressions are those of RE2. */
export const cockroach = /* @__PURE__ */ extended(postgres, { pattern: re2Pattern });
