import { describe } from '../language/diagnostics/options.js';
import type { Type } from '../language/schema/type.js';
import { parseExactly } from '../runtime/exact-json.js';
import { isWithin } from './leaf.js';
import { codeOf, type Column } from './column.js';
import type { InstantType } from './column-access.js';
import { quotedText, type SqlDialect } from './dialect.js';
import type { MappedField, Mapping } from './mapping.js';
import { jsonPath } from './json-path.js';
import { specialFloats } from './special-floats.js';
import { list, raw, sql, type Sql } from './sql.js';

/** A row as returned by a driver: values by the names of the SELECT list. */
export type DriverRow = Readonly<Record<string, unknown>>;

/** The columns to select, and how to build a row from them. */
export interface Projection {
  /** The SELECT list. Every value is sent as a string or a boolean, so that no driver can round it. */
  readonly columns: Sql;
  readonly decode: (row: DriverRow) => Record<string, unknown>;
}

type Read = (row: DriverRow) => unknown;

export function projectionOf({ fields, dialect }: Mapping): Projection {
  const columns: Sql[] = [];
  const readStruct = (
    parts: ReadonlyMap<string, MappedField>,
  ): ((row: DriverRow) => Record<string, unknown>) => {
    const readers = [...parts].map(([property, field]): [string, Read] => {
      if (field.parts !== null) return [property, readStruct(field.parts)];
      const { column, type, expression } = field;
      const name = `c${columns.length}`;
      if (column === null) return [property, () => null];
      columns.push(sql`${selected(column, type, expression, dialect)} AS ${raw(name)}`);
      const read = readerOf(column, type);
      return [property, (row) => read(valueAt(row, name))];
    });
    return (row) => Object.fromEntries(readers.map(([property, read]) => [property, read(row)]));
  };
  const read = readStruct(fields);
  const decode = (row: DriverRow): Record<string, unknown> => {
    if (typeof row === 'object' && (row as unknown) !== null) return read(row);
    throw new TypeError(`decode: row must be an object, got ${describe(row)}`);
  };
  return { columns: list(columns), decode };
}

function valueAt(row: DriverRow, name: string): unknown {
  if (!(name in row))
    throw new TypeError(`decode: the row has no column ${name}; select the columns of \`select\``);
  return row[name] ?? null;
}

function selected(column: Column, type: Type, value: Sql, dialect: SqlDialect): Sql {
  const { store, path, isChecked, element } = column;
  if (dialect.selected !== undefined) return dialect.selected(column, type, value);
  const { name, asText } = dialect;
  switch (store) {
    case 'bool':
      return value;
    case 'int':
    case 'real':
      return asText(value);
    case 'array':
    case 'map':
    case 'struct':
      if (element !== null && type.kind === 'list')
        return sql`CASE WHEN ${value} IS NOT NULL THEN array_to_json(ARRAY(SELECT ${selected(element, type.of, raw('e.v'), dialect)} FROM unnest(${value}) WITH ORDINALITY AS e(v, n) ORDER BY e.n))::text END`;
      return name === 'duckdb' ? sql`CAST(to_json(${value}) AS VARCHAR)` : sql`array_to_json(${value})::text`;
    case 'timestamptz':
    case 'timestamp':
    case 'date':
      return instantOf(value, name, store, isChecked);
    case 'json': {
      if (name === 'sqlite') {
        const whole = isChecked ? value : sql`CASE WHEN json_valid(${value}) THEN ${value} END`;
        return path.length === 0 ? whole : sql`${whole} -> ${raw(jsonPath(path))}`;
      }
      return sql`(${path.reduce((json, step) => sql`${json} -> ${raw(quotedText(step))}`, value)})::text`;
    }
    default:
      return name === 'sqlite' ? value : asText(value);
  }
}

/** Returns an instant in UTC with six digits. An instant outside of the valid years becomes a string that is no instant. */
function instantOf(value: Sql, name: string, as: InstantType, isChecked: boolean): Sql {
  const local = as === 'timestamptz' ? sql`${value} AT TIME ZONE 'UTC'` : sql`CAST(${value} AS timestamp)`;
  const time = as === 'date' ? ['00:00:00', '00:00:00'] : ['"HH24:MI:SS.US"', '%H:%M:%S.%f'];
  const written =
    name === 'postgres'
      ? sql`to_char(${local}, ${raw(`'YYYY-MM-DD"T${time[0] ?? ''}Z"'`)})`
      : sql`strftime(${local}, ${raw(`'%Y-%m-%dT${time[1] ?? ''}Z'`)})`;
  if (isChecked) return written;
  return sql`CASE WHEN ${isWithin(value, as)} THEN ${written} WHEN ${value} IS NOT NULL THEN 'outside of the years 1 to 9999' END`;
}

function readerOf(column: Column, type: Type): (value: unknown) => unknown {
  switch (column.store) {
    case 'int':
      return nullOr((value) => toInteger(String(value), type, column));
    case 'float':
      return nullOr(toFloat);
    case 'real':
      return nullOr((value) => Math.fround(toFloat(value)));
    case 'bool':
      return nullOr(
        (value) => value === true || value === 1 || value === 1n || value === 't' || value === 'true',
      );
    default: {
      const { element } = column;
      if (element !== null && type.kind === 'list') {
        const read = readerOf(element, type.of);
        return nullOr((value) => (parseExactly(String(value)) as unknown[]).map(read));
      }
      const code = codeOf(column);
      return code === null
        ? (value) => value
        : (value) => (typeof value === 'string' ? code.read(value, type, column) : null);
    }
  }
}

function nullOr(read: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => (value === null ? null : read(value));
}

/** Parses a 64-bit float, or its string as engines write it. */
export function toFloat(value: unknown): number {
  if (typeof value === 'number') return value;
  const text = String(value);
  return specialFloats[text.toLowerCase()] ?? Number(text);
}

/** Parses an integer. @throws RangeError if the schema declares it as safe, and it is not */
export function toInteger(text: string, type: Type, { name }: Column): number | bigint {
  const near = Number(text);
  if (Number.isSafeInteger(near) || !/^-?\d+$/.test(text)) return near;
  if ('safe' in type)
    throw new RangeError(
      `column ${name} contains ${text}, which is not a safe integer: declare t.int in the schema`,
    );
  return BigInt(text);
}
