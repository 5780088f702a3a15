import { sharedWeakMap } from '../runtime/shared-identity.js';
import { checkNames, describe } from '../language/diagnostics/options.js';
import type { Type } from '../language/schema/type.js';
import type { SqlDialect } from './dialect.js';
import { jsonbColumn } from './jsonb-access.js';
import { arrayColumn, duckColumn } from './native-access.js';
import { noParts, type ColumnAccess, type SqlScalar, type TextValue } from './column-access.js';
import { readJson } from './read-json.js';
import { jsonColumn } from './sqlite-access.js';
import { sql, type Sql } from './sql.js';
import type { Column, StoredAs } from './stored-column.js';

export type { Column, EnumLabels, NumericSize, StoredAs } from './stored-column.js';

export interface ColumnOptions {
  /** Whether the column is NOT NULL. If so, statements are shorter and indexes can serve them. */
  readonly notNull?: boolean | undefined;
}

export interface TextColumnOptions extends ColumnOptions {
  /** PostgreSQL: `C` if the column is declared with that collation. Its indexes then serve orderings, `starts with` and pages. */
  readonly collation?: 'C' | undefined;
  /** SQLite: whether a CHECK excludes U+0000, at which its functions stop: `CHECK (instr(c, char(0)) = 0)`. */
  readonly constrained?: boolean | undefined;
}

export interface CheckedColumnOptions extends ColumnOptions {
  /** Whether a CHECK excludes values that rows cannot have: instants outside of the years 1 to 9999, or invalid JSON. */
  readonly constrained?: boolean | undefined;
}

export interface TimeTextOptions extends ColumnOptions {
  /** PostgreSQL: `C` if the column is declared with that collation. */
  readonly collation?: 'C' | undefined;
  /** Number of fraction digits of a second, the same in every row: 3, as in `toISOString` of JavaScript, or 0, 6, 9. */
  readonly digits?: 0 | 3 | 6 | 9 | undefined;
}

export interface TimestampOptions extends CheckedColumnOptions {
  /** The zone of the instants, which the column does not store. */
  readonly zone: 'UTC';
}

interface AllOptions extends TextColumnOptions, TimeTextOptions {
  readonly path?: readonly string[];
}

/**
 * The functions of column types that not every program uses. Referenced by their constructors, so that bundles without such
 * columns do not include them.
 */
export interface ColumnCode {
  readonly access: (column: Column, value: Sql, type: Type, dialect: SqlDialect) => ColumnAccess;
  readonly read: (text: string, type: Type, column: Column) => unknown;
}

const made = sharedWeakMap<object, ColumnCode | null>('columns');

/** Whether a value was created by a column constructor. */
export function isColumn(given: unknown): given is Column {
  return typeof given === 'object' && given !== null && made.has(given);
}

/** Returns the functions of a column type; null for a type whose functions every bundle includes. */
export function codeOf(column: Column): ColumnCode | null {
  return made.get(column) ?? null;
}

/** Creates a column. @throws TypeError if its name or an option is invalid */
export function column(
  maker: string,
  store: StoredAs,
  name: string,
  options: AllOptions,
  names: readonly string[],
  code: ColumnCode | null = null,
  details: Pick<Column, 'labels' | 'size'> & { readonly element?: Column | null } = {},
): Column {
  checkNames<AllOptions>(maker, 'option', options, names as readonly (keyof AllOptions)[]);
  if (typeof (name as unknown) !== 'string' || name === '' || name.includes('\0'))
    throw new TypeError(`${maker}: name must be a string, got ${describe(name)}`);
  const { notNull = false, collation, constrained = false, path = [], digits = 3 } = options;
  if (![0, 3, 6, 9].includes(digits))
    throw new TypeError(`${maker}: digits must be 0, 3, 6 or 9, got ${describe(digits)}`);
  for (const [option, value] of Object.entries({ notNull, constrained })) {
    if (typeof (value as unknown) !== 'boolean')
      throw new TypeError(`${maker}: ${option} must be a boolean, got ${describe(value)}`);
  }
  if (collation !== undefined && (collation as unknown) !== 'C')
    throw new TypeError(`${maker}: collation must be 'C' or undefined, got ${describe(collation)}`);
  const result = Object.freeze({
    store,
    name,
    path: Object.freeze([...path]),
    notNull,
    isBytewise: collation === 'C',
    isChecked: constrained,
    digits,
    element: null,
    ...details,
  });
  made.set(result, code);
  return result;
}

const plain = ['notNull'] as const;
export const checkable = ['notNull', 'constrained'] as const;

/** The integers of 64 bits, signed or unsigned, as the bounds of BETWEEN. */
export const integers64 = '-9223372036854775808 AND 18446744073709551615';

/** Returns the access to a column, or to an element of the column's type. */
export function accessOf(column: Column, value: Sql, type: Type, dialect: SqlDialect): ColumnAccess {
  return (
    dialect.access?.(column, value, type) ??
    codeOf(column)?.access(column, value, type, dialect) ??
    valueAccess(column, value, type, scalarOf(column, value, dialect))
  );
}

/** Returns the access to a single value. */
export function valueAccess(
  { notNull }: Pick<Column, 'notNull'>,
  value: Sql,
  type: Type,
  scalar: SqlScalar | null,
): ColumnAccess {
  return {
    ...noParts,
    type,
    isNull: notNull ? null : sql`${value} IS NULL`,
    isMissing: null,
    scalar: () => scalar,
  };
}

function scalarOf(column: Column, value: Sql, dialect: SqlDialect): SqlScalar | null {
  const { store, isChecked, digits } = column;
  switch (store) {
    case 'text':
      return { kind: 'text', text: textOf(column, value, dialect) };
    case 'timeText':
      return { kind: 'timeText', text: { ...textOf(column, value, dialect), mayContainNul: false }, digits };
    case 'int':
      return { kind: 'integer', value };
    case 'float':
    case 'real':
      return { kind: 'float', value };
    case 'bool':
      return { kind: 'bool', value };
    case 'timestamptz':
    case 'timestamp':
    case 'date':
    case 'datetime':
      return { kind: 'instant', value, isBounded: isChecked, as: store };
    default:
      return null;
  }
}

function textOf({ isBytewise, isChecked }: Column, value: Sql, { name, bytewise }: SqlDialect): TextValue {
  const isSqlite = name === 'sqlite';
  const order = isBytewise && !isSqlite ? value : bytewise(value);
  return { value, equal: isSqlite ? order : value, order, mayContainNul: isSqlite && !isChecked };
}

/** Creates a string column: for strings, and for times, durations, addresses and versions stored as strings. */
export function text(name: string, options: TextColumnOptions = {}): Column {
  return column('text', 'text', name, options, ['notNull', 'collation', 'constrained']);
}

/** Creates an integer column of up to 64 bits: for integers, and for times, durations and sizes in a unit. */
export function int(name: string, options: ColumnOptions = {}): Column {
  return column('int', 'int', name, options, plain);
}

/** Creates a 64-bit float column: `double precision`, `REAL` of SQLite, `DOUBLE`. */
export function float(name: string, options: ColumnOptions = {}): Column {
  return column('float', 'float', name, options, plain);
}

/** Creates a 32-bit float column: `real` of PostgreSQL, `FLOAT` of DuckDB. */
export function real(name: string, options: ColumnOptions = {}): Column {
  return column('real', 'real', name, options, plain);
}

/** Creates a boolean column; in SQLite the integers 0 and 1. */
export function bool(name: string, options: ColumnOptions = {}): Column {
  return column('bool', 'bool', name, options, plain);
}

/**
 * Creates a column of instants in microseconds, for PostgreSQL and DuckDB. In rows they are strings in UTC with six digits.
 * Instants outside of the years 1 to 9999, including `infinity`, are not valid in rows: set `constrained` if a constraint
 * excludes them.
 */
export function timestamptz(name: string, options: CheckedColumnOptions = {}): Column {
  return column('timestamptz', 'timestamptz', name, options, checkable);
}

/**
 * Creates a column of timestamps without a zone, for PostgreSQL and DuckDB, which are read as instants in UTC. As for
 * `timestamptz`, rows contain strings, and `constrained` says that a constraint excludes other years.
 */
export function timestamp(name: string, options: TimestampOptions): Column {
  checkNames<TimestampOptions>('timestamp', 'option', options, [...checkable, 'zone']);
  const { zone, ...others } = options;
  if ((zone as unknown) !== 'UTC')
    throw new TypeError(
      `timestamp: zone must be 'UTC', got ${describe(zone)}. Use timestamptz() for a column with a zone`,
    );
  return column('timestamp', 'timestamp', name, others, checkable);
}

/** Creates a column of dates, for PostgreSQL and DuckDB, which are read as the first instant of the day in UTC. */
export function date(name: string, options: CheckedColumnOptions = {}): Column {
  return column('date', 'date', name, options, checkable);
}

/** Creates a column of instants as strings of one form in UTC: `2026-11-01T08:00:00.000Z`. These sort correctly as strings. */
export function timeText(name: string, options: TimeTextOptions = {}): Column {
  return column('timeText', 'timeText', name, options, ['notNull', 'collation', 'digits']);
}

/** The structure of native types of the engine. */
const native: ColumnCode = {
  access: ({ notNull, element }, value, type, dialect) =>
    dialect.name === 'duckdb'
      ? duckColumn(value, type, notNull)
      : arrayColumn(
          value,
          type,
          notNull,
          element === null ? null : (own, of) => accessOf(element, own, of, dialect),
        ),
  read: readJson,
};

const json: ColumnCode = {
  access: ({ path, isChecked }, value, type, { name }) =>
    name === 'postgres' ? jsonbColumn(value, path, type) : jsonColumn(value, path, type, isChecked),
  read: readJson,
};

/**
 * Creates a list column: a PostgreSQL array or a DuckDB `LIST`. For arrays of strings, numbers and booleans give the name; for
 * arrays of another type of PostgreSQL give a column of that type: `array(uuid('owner_ids'))`.
 */
export function array(of: string | Column, options: ColumnOptions = {}): Column {
  if (!isColumn(of)) return column('array', 'array', of, options, plain, native);
  if (of.notNull || composite.has(of.store))
    throw new TypeError(`array: the column of the elements must be a nullable column of single values`);
  return column('array', 'array', of.name, options, plain, native, { element: of });
}

const composite: ReadonlySet<StoredAs> = new Set(['array', 'json', 'map', 'struct']);

/**
 * Creates a JSON column: `jsonb` in PostgreSQL, a string in SQLite. It contains a value of the declared type, or null. `path`
 * contains the names of the enclosing objects.
 */
export function jsonb(
  name: string,
  path: readonly string[] | CheckedColumnOptions = [],
  options: CheckedColumnOptions = {},
): Column {
  return jsonColumnOf('jsonb', name, path, options, json);
}

/** Creates a JSON column for a constructor with the arguments of `jsonb`. */
export function jsonColumnOf(
  maker: string,
  name: string,
  path: readonly string[] | CheckedColumnOptions,
  options: CheckedColumnOptions,
  code: ColumnCode,
): Column {
  const [names, given] = Array.isArray(path)
    ? [path as readonly string[], options]
    : [[], path as CheckedColumnOptions];
  if (names.some((each) => typeof (each as unknown) !== 'string'))
    throw new TypeError(`${maker}: path must be an array of names`);
  checkNames<CheckedColumnOptions>(maker, 'option', given, checkable);
  return column(maker, 'json', name, { ...given, path: names }, [...checkable, 'path'], code);
}

/** Creates a DuckDB `MAP` column with string keys. */
export function map(name: string, options: ColumnOptions = {}): Column {
  return column('map', 'map', name, options, plain, native);
}

/** Creates a DuckDB `STRUCT` column. */
export function struct(name: string, options: ColumnOptions = {}): Column {
  return column('struct', 'struct', name, options, plain, native);
}
