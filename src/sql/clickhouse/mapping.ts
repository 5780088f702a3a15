import { checkNames, checkSchema, describe } from '../../language/diagnostics/options.js';
import type { Schema } from '../../language/schema/schema.js';
import {
  codeOf,
  column,
  isColumn,
  jsonColumnOf,
  real,
  type CheckedColumnOptions,
  type Column,
  type ColumnCode,
  type ColumnOptions,
} from '../column.js';
import { defaultColumns } from '../default-mapping.js';
import type { SqlTable } from '../mapping.js';
import type { RunSql } from '../run-statement.js';
import { createMapping, tableOptions, type SqlMapping } from '../sql-mapping.js';
import { instantText } from '../value-leaf.js';
import { storedTypeOf } from '../column-access.js';
import { isNative, readDocument, readNative } from './access.js';
import { clickhouse, namedValues } from './dialect.js';

const access: ColumnCode['access'] = ({ store }) => {
  throw new TypeError(`${store}: use the function of tamis/sql for mappings of tamis/sql`);
};
const native: ColumnCode = { access, read: readNative };
const document: ColumnCode = { access, read: readDocument };
const ticks: ColumnCode = {
  access,
  read(text, _type, { digits }) {
    const all = BigInt(text) * 10n ** BigInt(9 - digits);
    const rest = ((all % 1_000_000n) + 1_000_000n) % 1_000_000n;
    const instant = { millis: (all - rest) / 1_000_000n, nanos: Number(rest) };
    const { text: written, year } = instantText(instant, digits);
    return year < 1 || year > 9999 ? 'outside of the years 1 to 9999' : written;
  },
};

export interface Datetime64Options extends ColumnOptions {
  /** Number of fraction digits of a second, which must be the precision of the type. Default: 6. */
  readonly digits?: 0 | 3 | 6 | 9 | undefined;
}

/** Creates a column of `DateTime64(digits, 'UTC')`. In rows instants are strings with these digits. */
export function datetime64(name: string, options: Datetime64Options = {}): Column {
  checkNames<Datetime64Options>('datetime64', 'option', options, ['notNull', 'digits']);
  return column('datetime64', 'datetime64', name, { digits: 6, ...options }, ['notNull', 'digits'], ticks);
}

const whole = { notNull: true } as const;

/** Creates a column of `Array(T)`, of single values, arrays, maps or named tuples. It cannot be null. */
export function array(name: string): Column {
  return column('array', 'array', name, whole, ['notNull'], native);
}

/** Creates a column of `Map(String, T)`. It cannot be null. */
export function map(name: string): Column {
  return column('map', 'map', name, whole, ['notNull'], native);
}

/** Creates a column of a named `Tuple`, with an element for each field of the struct. It cannot be null. */
export function struct(name: string): Column {
  return column('struct', 'struct', name, whole, ['notNull'], native);
}

/**
 * Creates a column of JSON in a `String`. It contains a value of the declared type, or null. `path` contains the names of the
 * enclosing objects. Set `constrained` if a constraint excludes JSON that ClickHouse cannot read.
 */
export function json(
  name: string,
  path: readonly string[] | CheckedColumnOptions = [],
  options: CheckedColumnOptions = {},
): Column {
  return jsonColumnOf('json', name, path, options, document);
}

/** Describes where the rows of a schema are stored in ClickHouse. */
export interface ClickhouseMapping extends SqlTable {
  readonly dialect: 'clickhouse';
  /** Whether statements read the table with FINAL, which ReplacingMergeTree and similar engines need. Default: false. */
  readonly final?: boolean | undefined;
}

/**
 * Returns a mapping from a schema to the columns of a table of ClickHouse. As `sqlMapping` of `tamis/sql`.
 *
 * ```ts
 * const jobs = sqlMapping(schema, { dialect: 'clickhouse', table: 'jobs', columns: { ID: text('id', { notNull: true }) } });
 * ```
 *
 * @throws TypeError for a mapping that cannot be one.
 */
export function sqlMapping<S extends Schema>(schema: S, mapping: ClickhouseMapping): SqlMapping<S> {
  const caller = 'sqlMapping';
  checkSchema(caller, schema);
  checkNames<ClickhouseMapping>(caller, 'option', mapping, [...tableOptions, 'final']);
  const { dialect, final = false, columns } = mapping;
  if ((dialect as unknown) !== 'clickhouse')
    throw new TypeError(
      `${caller}: dialect must be 'clickhouse', got ${describe(dialect)}. Use tamis/sql or tamis/mysql for others`,
    );
  if (typeof (final as unknown) !== 'boolean')
    throw new TypeError(`${caller}: final must be a boolean, got ${describe(final)}`);
  const own = new Set<ColumnCode | null>([native, document]);
  for (const [path, each] of Object.entries(Object(columns) as object)) {
    if (!isColumn(each) || !/^(array|map|struct|json)$/.test(each.store)) continue;
    const { store } = each;
    if (!own.has(codeOf(each)))
      throw new TypeError(
        `${caller}: the column of ${path} must be created with ${store}() of tamis/clickhouse`,
      );
    const type = schema.root.properties.get(path)?.type;
    if (store !== 'json' && type !== undefined && !isNative(type))
      throw new TypeError(
        `${caller}: ${path} may be null or contain values that ${store} columns do not store: map it with json()`,
      );
  }
  return createMapping(schema, mapping, final ? { ...clickhouse, afterTable: ' FINAL' } : clickhouse);
}

/** As `defaultMapping` of `tamis/sql`: nullable columns; JSON for lists, maps and structs that native types cannot store. */
export function defaultMapping(schema: Schema, table: string): ClickhouseMapping {
  const found = defaultColumns(schema, { isNative: false, instant: datetime64, json, real });
  const columns = Object.entries(found).map(([path, column]): [string, Column] => {
    const type = schema.root.properties.get(column.name)?.type;
    const stored = type !== undefined && type.nullDepth === 0 && isNative(type) ? storedTypeOf(type) : null;
    const maker = { list: array, map, struct }[String(stored)];
    return [path, maker === undefined ? column : maker(column.name)];
  });
  return { dialect: 'clickhouse', table, columns: Object.fromEntries(columns) };
}

/** The part of a client of `@clickhouse/client` that is used. */
export interface ClickhouseClient {
  query(options: {
    readonly query: string;
    readonly query_params: Record<string, unknown>;
    readonly format: 'JSONEachRow';
    readonly abort_signal?: AbortSignal;
  }): Promise<{ json(): Promise<unknown> }>;
}

/** Returns a function that runs statements with a client of `@clickhouse/client`. It ends the request of an aborted one. */
export function clickhouseRun(client: ClickhouseClient): RunSql {
  return async (text, values, signal) => {
    const found = await client.query({
      ...{ query: text, query_params: namedValues(values), format: 'JSONEachRow' },
      ...(signal === null ? {} : { abort_signal: signal }),
    });
    return (await found.json()) as readonly unknown[];
  };
}

/** The part of a session of `chdb` that is used. */
export interface ChdbSession {
  queryBind(text: string, values: object, format: string): string;
}

/** Returns a function that runs statements with a session of `chdb`, one after the other in this process. */
export function chdbRun(session: ChdbSession): RunSql {
  return (text, values) =>
    session
      .queryBind(text, namedValues(values), 'JSONEachRow')
      .split('\n')
      .flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]));
}
