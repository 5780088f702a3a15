import { parseSchema } from '../../src/index.js';
import {
  array,
  bool,
  float,
  int,
  jsonb,
  map,
  sqlMapping,
  struct,
  text,
  timestamptz,
  timeText,
  type Column,
  type DialectName,
  type Placeholder,
  type SqlMapping,
} from '../../src/entries/sql.js';
import { datetime, json, sqlMapping as mysqlMapping } from '../../src/entries/mysql.js';
import * as clickhouse from '../../src/entries/clickhouse.js';
import type { Values } from '../support/drawn-values.js';
import type { OracleSchema, OracleType } from '../support/oracle-value.js';

/** The dialects of the tests. In the last one ClickHouse stores lists, maps and structs as JSON instead of its own types. */
export type TestDialect = DialectName | 'mysql' | 'clickhouse' | 'clickhouse-json';

/** Whether a dialect is that of ClickHouse. */
export function isClickhouse(dialect: TestDialect): dialect is 'clickhouse' | 'clickhouse-json' {
  return dialect.startsWith('clickhouse');
}

/** Returns the name of a column of the test table, quoted. */
export function quotedColumn(dialect: TestDialect, name: string): string {
  return dialect === 'mysql' || isClickhouse(dialect) ? `\`${name}"?\`` : `"${name}""?"`;
}

/** Returns how placeholders are written in statements of the test table. */
export function markOf(dialect: TestDialect): Placeholder {
  return isClickhouse(dialect) ? clickhouse.namedPlaceholder : dialect === 'postgres' ? '$' : '?';
}

/** A property: its type, and its column in each dialect, as DDL and as the mapping has it. Null where it has none there. */
interface Property {
  readonly type: OracleType;
  readonly column: (name: string, dialect: TestDialect) => readonly [ddl: string, column: Column];
}

const string: OracleType = { kind: 'string' };
const nullable = (type: OracleType): OracleType => ({ ...type, nullable: true });
const listOf = (of: OracleType): OracleType => ({ kind: 'list', of });

const scalars = {
  text: { postgres: 'text', sqlite: 'TEXT', duckdb: 'VARCHAR', mysql: 'TEXT', clickhouse: 'String' },
  int: { postgres: 'bigint', sqlite: 'INTEGER', duckdb: 'BIGINT', mysql: 'BIGINT', clickhouse: 'Int64' },
  float: {
    postgres: 'double precision',
    sqlite: 'REAL',
    duckdb: 'DOUBLE',
    mysql: 'DOUBLE',
    clickhouse: 'Float64',
  },
  bool: {
    postgres: 'boolean',
    sqlite: 'INTEGER',
    duckdb: 'BOOLEAN',
    mysql: 'TINYINT(1)',
    clickhouse: 'Bool',
  },
} as const;

const makers = { text, int, float, bool };

function scalar(type: OracleType, store: keyof typeof scalars, options: object = {}): Property {
  const notNull = 'notNull' in options ? ' NOT NULL' : '';
  return {
    type,
    column(name, dialect) {
      if (isClickhouse(dialect)) {
        const own = type.kind === 'uint' ? 'UInt64' : scalars[store].clickhouse;
        return [notNull === '' ? `Nullable(${own})` : own, makers[store](name, options)];
      }
      // MySQL has indexes on strings of limited length only.
      if (dialect === 'mysql' && store === 'text' && notNull !== '')
        return [
          `VARCHAR(200) COLLATE utf8mb4_nopad_bin${notNull}`,
          text(name, { ...options, collation: 'C' }),
        ];
      const unsigned = dialect === 'mysql' && type.kind === 'uint' ? ' UNSIGNED' : '';
      return [`${scalars[store][dialect]}${unsigned}${notNull}`, makers[store](name, options)];
    },
  };
}

/** Instants: of the engine where it has such, and as text of one form. */
function instant(
  type: OracleType,
  options: { readonly notNull?: true; readonly constrained?: true } = {},
): Property {
  const notNull = options.notNull === true ? ' NOT NULL' : '';
  return {
    type,
    column: (name, dialect) =>
      dialect === 'sqlite'
        ? [`TEXT${notNull}`, timeText(name, { digits: 6, ...(options.notNull ? { notNull: true } : {}) })]
        : isClickhouse(dialect)
          ? [
              notNull === '' ? "Nullable(DateTime64(6, 'UTC'))" : "DateTime64(6, 'UTC')",
              clickhouse.datetime64(name, options.notNull === true ? { notNull: true } : {}),
            ]
          : dialect === 'mysql'
            ? [`DATETIME(6)${notNull}`, datetime(name, options)]
            : [`TIMESTAMPTZ${notNull}`, timestamptz(name, options)],
  };
}

/** What has parts: JSON, or types of the engine. */
function composite(
  type: OracleType,
  duck: string,
  maker: (name: string) => Column,
  postgres: readonly [string, (name: string) => Column] = ['jsonb', (name) => jsonb(name)],
): Property {
  const own = { list: clickhouse.array, map: clickhouse.map, struct: clickhouse.struct }[type.kind as 'list'];
  return {
    type,
    column: (name, dialect) =>
      dialect === 'duckdb'
        ? [duck, maker(name)]
        : dialect === 'postgres'
          ? [postgres[0], postgres[1](name)]
          : dialect === 'mysql'
            ? ['LONGTEXT', json(name)]
            : dialect === 'clickhouse' && !isJson(name.slice(0, -2), type)
              ? [nativeType(type), own(name)]
              : isClickhouse(dialect)
                ? ['Nullable(String)', clickhouse.json(name)]
                : ['TEXT', jsonb(name)],
  };
}

/** Whether ClickHouse stores a property as JSON although it has a type for it: types other than JSON cannot store null. */
function isJson(name: string, type: OracleType): boolean {
  return type.nullable === true || name === 'deep';
}

/** Returns the type of ClickHouse for an Oracle type. */
function nativeType(type: OracleType): string {
  const { kind, of = string } = type;
  switch (kind) {
    case 'list':
      return `Array(${nativeType(of)})`;
    case 'map':
      return `Map(String, ${nativeType(of)})`;
    case 'struct': {
      const fields = Object.entries(shape.structs[type.name ?? '']?.fields ?? {});
      return `Tuple(${fields.map(([name, each]) => `${name} ${nativeType(each)}`).join()})`;
    }
    case 'int':
      return 'Nullable(Int64)';
    case 'float64':
      return 'Nullable(Float64)';
    case 'bool':
      return 'Nullable(Bool)';
    default:
      return 'Nullable(String)';
  }
}

const inArray = (name: string): Column => array(name);
const groupType =
  'STRUCT("Name" VARCHAR, "Count" BIGINT, "Load" DOUBLE, "On" BOOLEAN, "Tags" VARCHAR[], "Note" VARCHAR)';

const properties: Readonly<Record<string, Property>> = {
  id: scalar(string, 'text', { notNull: true }),
  text: scalar(string, 'text'),
  strict: scalar(string, 'text', { notNull: true, constrained: true }),
  owner: scalar(nullable(string), 'text', { constrained: true }),
  whole: scalar({ kind: 'int' }, 'int'),
  maybeWhole: scalar(nullable({ kind: 'int' }), 'int'),
  count: scalar({ kind: 'uint' }, 'int', { notNull: true }),
  load: scalar({ kind: 'float64' }, 'float'),
  maybeLoad: scalar(nullable({ kind: 'float64' }), 'float'),
  flag: scalar({ kind: 'bool' }, 'bool'),
  maybeFlag: scalar(nullable({ kind: 'bool' }), 'bool'),
  at: instant({ kind: 'time' }),
  maybeAt: instant(nullable({ kind: 'time' }), { constrained: true }),
  stamp: {
    type: { kind: 'time' },
    column: (name, dialect) => [
      isClickhouse(dialect) ? 'Nullable(String)' : scalars.text[dialect],
      timeText(name, { digits: 3 }),
    ],
  },
  ms: scalar({ kind: 'time', unit: 'ms' }, 'int'),
  seconds: scalar({ kind: 'time', unit: 's' }, 'int'),
  length: scalar({ kind: 'duration' }, 'text'),
  span: scalar({ kind: 'duration', unit: 's' }, 'int'),
  wait: scalar({ kind: 'duration', unit: 'ms' }, 'int'),
  size: scalar({ kind: 'bytes', unit: 'MiB' }, 'int'),
  address: scalar({ kind: 'ip' }, 'text'),
  version: scalar(nullable({ kind: 'version' }), 'text'),
  tags: composite(listOf(string), 'VARCHAR[]', inArray, ['text[]', inArray]),
  notes: composite(listOf(nullable(string)), 'VARCHAR[]', inArray, ['varchar[]', inArray]),
  nums: composite(listOf({ kind: 'int' }), 'BIGINT[]', inArray, ['bigint[]', inArray]),
  flags: composite(listOf({ kind: 'bool' }), 'BOOLEAN[]', inArray, ['boolean[]', inArray]),
  labels: composite(nullable(listOf(string)), 'VARCHAR[]', inArray),
  peers: composite(listOf({ kind: 'ip' }), 'VARCHAR[]', inArray, ['text[]', inArray]),
  meta: composite({ kind: 'map', of: string }, 'MAP(VARCHAR, VARCHAR)', (name) => map(name)),
  counts: composite({ kind: 'map', of: { kind: 'int' } }, 'MAP(VARCHAR, BIGINT)', (name) => map(name)),
  groups: composite(listOf({ kind: 'struct', name: 'Group' }), `${groupType}[]`, inArray),
  periodic: composite(
    nullable({ kind: 'struct', name: 'Periodic' }),
    'STRUCT("Spec" VARCHAR, "Every" BIGINT)',
    (name) => struct(name),
  ),
  deep: composite({ kind: 'struct', name: 'Deep' }, `STRUCT("One" ${groupType}, "Label" VARCHAR)`, (name) =>
    struct(name),
  ),
};

export const shape: OracleSchema = {
  root: 'Row',
  structs: {
    Row: { fields: Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type])) },
    Group: {
      fields: {
        Name: string,
        Count: { kind: 'int' },
        Load: { kind: 'float64' },
        On: { kind: 'bool' },
        Tags: listOf(string),
        Note: nullable(string),
      },
    },
    Periodic: { fields: { Spec: string, Every: { kind: 'int' } } },
    Deep: { fields: { One: { kind: 'struct', name: 'Group' }, Label: string } },
  },
};

export const schema = parseSchema(shape);

export interface TestMapping {
  readonly dialect: TestDialect;
  /** Each column of the table: its name and its type. */
  readonly ddl: readonly (readonly [name: string, type: string])[];
  readonly source: SqlMapping;
}

export function testMappingOf(dialect: TestDialect, table = 'rows'): TestMapping {
  const columns = Object.entries(properties).map(([name, { column }]) => {
    // Names that have to be quoted.
    const [type, made] = column(`${name}"?`, dialect);
    return { name, type, made };
  });
  const mapping = { table, columns: Object.fromEntries(columns.map(({ name, made }) => [name, made])) };
  return {
    dialect,
    ddl: columns.map(({ name, type }) => [`${name}"?`, type]),
    source: isClickhouse(dialect)
      ? clickhouse.sqlMapping(schema, { dialect: 'clickhouse', ...mapping })
      : dialect === 'mysql'
        ? mysqlMapping(schema, { dialect, server: 'mariadb', ...mapping })
        : sqlMapping(schema, { dialect, ...mapping }),
  };
}

/** Returns the properties that a dialect stores as JSON. */
export function jsonProperties(dialect: TestDialect): readonly string[] {
  return Object.entries(properties)
    .filter(([name, { column }]) => column(`${name}"?`, dialect)[1].store === 'json')
    .map(([name]) => name);
}

/** Returns a value of a row as a type of ClickHouse stores it, which has no null lists, maps and tuples. */
export function withoutNullParts(value: unknown, type: OracleType): unknown {
  if (type.kind === 'list')
    return ((value ?? []) as readonly unknown[]).map((each) => withoutNullParts(each, type.of ?? string));
  if (type.kind === 'map') return value ?? {};
  if (type.kind !== 'struct') return value ?? null;
  const fields = Object.entries(shape.structs[type.name ?? '']?.fields ?? {});
  const own = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map(([name, of]) => [name, withoutNullParts(own[name], of)]));
}

/** Returns a row as a dialect stores it. */
export function asStored(
  dialect: TestDialect,
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const own = dialect === 'clickhouse' ? (shape.structs.Row?.fields ?? {}) : {};
  const native = Object.entries(own).filter(
    ([name, { kind, nullable: isNullable }]) =>
      /list|map|struct/.test(kind) && isNullable !== true && name !== 'deep',
  );
  return {
    ...row,
    ...Object.fromEntries(native.map(([name, type]) => [name, withoutNullParts(row[name], type)])),
  };
}

/** A row that each database can keep: no halves of pairs, no U+0000, instants of microseconds, no NaN in JSON. */
export function drawRow(values: Values, id: string): Record<string, unknown> {
  const row = values.row(shape, false) as Record<string, unknown>;
  const type = { kind: 'struct', name: shape.root };
  return storable({ ...row, id, strict: row.strict ?? '', count: row.count ?? 0 }, type, 0) as Record<
    string,
    unknown
  >;
}

function storable(value: unknown, type: OracleType, depth: number): unknown {
  if (type.kind === 'float64' && (typeof value === 'number' || typeof value === 'bigint')) {
    const number = Number(value);
    return depth > 1 && !Number.isFinite(number) ? null : number;
  }
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : 2n ** 63n - 1n;
  if (typeof value === 'string') return value.replace(/\p{Surrogate}|\0/gu, 'x');
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((each) => storable(each, type.of ?? type, depth + 1));
  const fields = type.kind === 'struct' ? shape.structs[type.name ?? '']?.fields : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      storable(key, { kind: 'string' }, 0),
      storable(each, fields?.[key] ?? type.of ?? type, depth + 1),
    ]),
  );
}
