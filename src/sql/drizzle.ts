import { checkOptions, describe } from '../language/diagnostics/options.js';
import { defineSchema, t } from '../language/schema/define.js';
import type { TypeFor } from '../language/schema/fields-of.js';
import type { Schema } from '../language/schema/schema.js';
import { fieldPathText } from '../language/syntax/field-path.js';
import type {
  FieldDefinitions,
  ListType,
  Nullable,
  ScalarType,
  Type,
  UnitType,
} from '../language/schema/type.js';
import {
  array,
  bool,
  date,
  float,
  int,
  jsonb,
  real,
  text,
  timestamp,
  timestamptz,
  type Column,
} from './column.js';
import { enumeration } from './enum-column.js';
import { looseText } from './loose-text.js';
import { numeric } from './numeric.js';
import { uuid } from './uuid.js';
import type { DialectName } from './dialect.js';
import { sqlMapping, type SqlMapping } from './sql-mapping.js';

/** The parts of a Drizzle table that are read. Structural, so that this package does not depend on Drizzle. */
export interface DrizzleTable {
  readonly _: { readonly columns: Readonly<Record<string, { readonly _: ColumnType }>> };
}

interface ColumnType {
  readonly data: unknown;
  readonly notNull: boolean;
  readonly columnType: string;
}

/** Options of `fromDrizzle`. */
export interface DrizzleOptions<Name extends string = string> {
  /** Properties to omit. Filters cannot use them, and rows do not have them. */
  readonly omit?: readonly Name[] | undefined;
}

type FieldsOfTable<Table extends DrizzleTable, Omitted extends string> = {
  readonly [Name in Exclude<keyof Table['_']['columns'], Omitted>]: FieldOf<Table['_']['columns'][Name]['_']>;
};

type FieldOf<Of extends ColumnType> = Of['notNull'] extends true
  ? PresentField<Of>
  : PresentField<Of> extends infer T extends Type
    ? Nullable<T>
    : never;

/**
 * SQLite stores dates as integers, which rows contain unchanged. Decimals are numbers. JSON is checked when a row is read, not by
 * the schema.
 */
type PresentField<Of extends ColumnType> = Of['columnType'] extends 'SQLiteTimestamp'
  ? UnitType<'time'>
  : Of['columnType'] extends 'PgNumeric'
    ? ScalarType<'float64'>
    : Of extends {
          readonly columnType: 'PgArray';
          readonly baseColumn: { readonly _: infer Base extends ColumnType };
        }
      ? ListType<PresentField<Base>>
      : Of['columnType'] extends 'PgJsonb' | 'SQLiteTextJson'
        ? TypeFor<unknown>
        : TypeFor<Of['data']>;

/** The members of a Drizzle column at run time. */
interface DrizzleColumn {
  readonly name: string;
  readonly notNull: boolean;
  readonly columnType: string;
  readonly enumValues?: readonly string[] | undefined;
  readonly mode?: string;
  readonly precision?: number | undefined;
  readonly scale?: number | undefined;
  readonly enum?: { readonly enumName: string; readonly schema?: string | undefined };
  readonly baseColumn?: DrizzleColumn;
  getSQLType(): string;
}

/** A column type of Drizzle: the type in the schema and the column in the mapping. */
interface ColumnKind {
  readonly type: (column: DrizzleColumn) => Type;
  readonly column: (name: string, options: { readonly notNull: boolean }, column: DrizzleColumn) => Column;
}

const strings: ColumnKind = {
  type: ({ enumValues: [first, ...others] = [] }) =>
    first === undefined ? t.string : t.oneOf(first, ...others),
  column: text,
};
const integers: ColumnKind = { type: () => t.int, column: int };
const safeIntegers: ColumnKind = { type: () => t.int({ safe: true }), column: int };
const floats: ColumnKind = { type: () => t.float64, column: float };
const booleans: ColumnKind = { type: () => t.bool, column: bool };
/** Decimals are read as numbers, whatever Drizzle reads them as. */
const decimals: ColumnKind = {
  type: () => t.float64,
  column: (name, options, { precision, scale }) =>
    numeric(name, { ...options, precision, scale: precision === undefined ? scale : (scale ?? 0) }),
};
const enums: ColumnKind = {
  type: strings.type,
  column: (name, options, { enum: of, enumValues: values = [] }) => {
    const type = [...(of?.schema === undefined ? [] : [of.schema]), of?.enumName ?? ''];
    return enumeration(name, { ...options, type, values });
  },
};
const instants: ColumnKind = {
  type: () => t.time,
  column: (name, options, column) =>
    column.getSQLType().endsWith('with time zone')
      ? timestamptz(name, options)
      : timestamp(name, { ...options, zone: 'UTC' }),
};
const dates: ColumnKind = { type: () => t.time, column: date };
const json: ColumnKind = { type: () => t.any, column: (name, options) => jsonb(name, options) };

/** The supported columns by Drizzle's `columnType`. */
const kinds: Readonly<Record<string, ColumnKind>> = {
  PgText: strings,
  PgVarchar: strings,
  PgInteger: safeIntegers,
  PgSmallInt: safeIntegers,
  PgSerial: safeIntegers,
  PgSmallSerial: safeIntegers,
  PgBigInt53: safeIntegers,
  PgBigSerial53: safeIntegers,
  PgBigInt64: integers,
  PgBigSerial64: integers,
  PgReal: { type: () => t.float32, column: real },
  PgDoublePrecision: floats,
  PgBoolean: booleans,
  PgChar: { ...strings, column: looseText },
  PgUUID: { type: () => t.string, column: uuid },
  PgEnumColumn: enums,
  PgEnumObjectColumn: enums,
  PgNumeric: decimals,
  PgNumericNumber: decimals,
  PgNumericBigInt: {
    type: () => t.int,
    column: (name, options, { precision }) => numeric(name, { ...options, precision, scale: 0 }),
  },
  PgDate: dates,
  PgDateString: dates,
  PgTimestamp: instants,
  PgTimestampString: instants,
  PgJsonb: json,
  SQLiteText: strings,
  SQLiteInteger: safeIntegers,
  SQLiteBoolean: booleans,
  SQLiteReal: floats,
  SQLiteTextJson: json,
  SQLiteTimestamp: { type: ({ mode }) => t.time(mode === 'timestamp_ms' ? 'ms' : 's'), column: int },
};

/**
 * Returns the schema of a Drizzle table of PostgreSQL or SQLite, and its mapping for `where`, `sqlListSource` and
 * `verifyMapping`. Rows have the types that the mapping decodes: times as strings, integers of SQLite's `timestamp` mode as
 * integers, decimals as numbers, timestamps without a zone and dates as instants in UTC. Columns keep their database names, filters
 * use the property names.
 *
 * ```ts
 * const { mapping } = fromDrizzle(jobs);
 * const list = createList(sqlListSource(mapping, run, { key: 'id' }));
 * ```
 *
 * @throws TypeError that names each column of an unsupported type.
 */
export function fromDrizzle<
  const Table extends DrizzleTable,
  const Omitted extends keyof Table['_']['columns'] & string = never,
>(
  table: Table,
  options: DrizzleOptions<Omitted> = {},
): {
  readonly schema: Schema<FieldsOfTable<Table, Omitted>>;
  readonly mapping: SqlMapping<Schema<FieldsOfTable<Table, Omitted>>>;
} {
  checkOptions('fromDrizzle', options, ['omit']);
  const columns = memberOf(table, 'Columns') as Readonly<Record<string, DrizzleColumn>> | undefined;
  const name = memberOf(table, 'Name');
  if (columns === undefined || typeof name !== 'string')
    throw new TypeError(`fromDrizzle: table must be a Drizzle table, got ${describe(table)}`);
  const omitted = new Set<string>(options.omit);
  for (const property of omitted)
    if (!Object.hasOwn(columns, property))
      throw new TypeError(
        `fromDrizzle: omit names ${JSON.stringify(property)}, which is not a column of ${name}`,
      );
  const included = Object.entries(columns).filter(([property]) => !omitted.has(property));
  const unsupported = included.filter(([, column]) => kindOf(column) === null);
  if (unsupported.length > 0)
    throw new TypeError(
      `fromDrizzle: unsupported columns of ${name}: ${unsupported.map(([property, column]) => `${property} (${column.getSQLType()})`).join(', ')}. Omit them: { omit: [${unsupported.map(([property]) => `'${property}'`).join(', ')}] }`,
    );
  const fields: FieldDefinitions = Object.fromEntries(
    included.map(([property, column]) => {
      const type = (kindOf(column) as ColumnKind).type(column);
      return [property, column.notNull ? type : t.nullable(type)];
    }),
  );
  const schema = defineSchema(fields) as Schema<FieldsOfTable<Table, Omitted>>;
  const namespace = memberOf(table, 'Schema');
  const mapping = sqlMapping(schema, {
    dialect: dialectOf(included.map(([, { columnType }]) => columnType)),
    table: typeof namespace === 'string' ? [namespace, name] : name,
    columns: Object.fromEntries(
      included.map(([property, column]) => [
        fieldPathText([property]),
        (kindOf(column) as ColumnKind).column(column.name, { notNull: column.notNull }, column),
      ]),
    ),
  });
  return { schema, mapping };
}

/** Returns the kind of a column; null if it is not supported. */
function kindOf(column: DrizzleColumn): ColumnKind | null {
  const { columnType, baseColumn } = column;
  if (columnType === 'PgArray' && baseColumn !== undefined) {
    const of = kindOf(baseColumn);
    if (of === null || of === json) return null;
    return {
      type: () => t.list(of.type(baseColumn)),
      column: (name, options) => {
        const element = of.column(name, { notNull: false }, baseColumn);
        return array(['text', 'int', 'float', 'bool'].includes(element.store) ? name : element, options);
      },
    };
  }
  if (columnType === 'PgCustomColumn' && column.getSQLType() === 'citext')
    return { ...strings, column: looseText };
  return Object.hasOwn(kinds, columnType) ? (kinds[columnType] as ColumnKind) : null;
}

function dialectOf(columnTypes: readonly string[]): DialectName {
  return columnTypes.some((each) => each.startsWith('SQLite')) ? 'sqlite' : 'postgres';
}

function memberOf(table: object, name: 'Columns' | 'Name' | 'Schema'): unknown {
  return (Object(table) as Readonly<Record<symbol, unknown>>)[Symbol.for(`drizzle:${name}`)];
}
