import { describe } from '../language/diagnostics/options.js';
import type { Schema } from '../language/schema/schema.js';
import { describeType, type StructType, type Type } from '../language/schema/type.js';
import { storedKindOf } from '../language/schema/value-kind.js';
import { fieldPathText, readFieldPath, suggestFieldName } from '../language/syntax/field-path.js';
import { withArticle } from '../language/syntax/wording.js';
import { accessOf, isColumn, type Column, type StoredAs } from './column.js';
import type { DialectName, EngineName, SqlDialect } from './dialect.js';
import { canBeInPath } from './json-path.js';
import { storedTypeOf, noParts, type ColumnAccess } from './column-access.js';
import { raw, sql, type Sql } from './sql.js';

/** Describes where the rows of a schema are stored. */
export interface TableMapping extends SqlTable {
  readonly dialect: DialectName;
  /** The server, if it differs from PostgreSQL in what it evaluates: `cockroach`. */
  readonly server?: 'cockroach' | undefined;
}

/** A table and its columns, in any dialect. */
export interface SqlTable {
  /** The name of the table, or the names of schema and table. They are quoted in statements. */
  readonly table: string | readonly string[];
  /** The alias of the table in the statement, if it has one: `FROM jobs AS j`. */
  readonly alias?: string | undefined;
  /**
   * Columns by property of the schema, as named in filters: `Periodic.Spec` is a property of a struct, `["Periodic.Spec"]` is a
   * single name. The database never tests a field without a column.
   */
  readonly columns: Readonly<Record<string, Column>>;
}

/** A property with its column, or a struct that contains mapped properties. */
export interface MappedField {
  readonly property: string;
  readonly type: Type;
  readonly column: Column | null;
  readonly parts: ReadonlyMap<string, MappedField> | null;
  /** The column expression in statements. */
  readonly expression: Sql;
  readonly access: ColumnAccess;
}

export interface Mapping {
  readonly schema: Schema;
  readonly dialect: SqlDialect;
  readonly table: readonly string[];
  /** The table for the FROM clause. */
  readonly from: Sql;
  readonly fields: ReadonlyMap<string, MappedField>;
}

const all: readonly EngineName[] = ['postgres', 'sqlite', 'duckdb', 'mysql', 'clickhouse'];
const native: readonly EngineName[] = ['postgres', 'duckdb'];
const instants = 'instants that rows contain as strings';

/** The engines that support each kind of column, and the values that it can store. */
const stores: Readonly<Record<StoredAs, readonly [engines: readonly EngineName[], what: string]>> = {
  text: [all, 'text'],
  int: [all, 'integers'],
  float: [all, 'numbers of 64 bits'],
  real: [[...native, 'clickhouse'], 'numbers of 32 bits'],
  bool: [all, 'truth values'],
  timestamptz: [native, instants],
  timestamp: [native, instants],
  date: [native, instants],
  datetime: [['mysql'], instants],
  datetime64: [['clickhouse'], instants],
  timeText: [all, instants],
  looseText: [['postgres'], 'text'],
  uuid: [['postgres'], 'strings'],
  enum: [['postgres'], 'strings'],
  numeric: [['postgres'], 'numbers of 64 bits, and with scale 0 integers'],
  array: [[...native, 'clickhouse'], 'lists of strings, integers, numbers or booleans'],
  json: [['postgres', 'sqlite', 'mysql', 'clickhouse'], 'anything but pointers to pointers'],
  map: [['duckdb', 'clickhouse'], 'maps with string keys'],
  struct: [['duckdb', 'clickhouse'], 'structs'],
};

/** Whether a column can store the values of a type. */
export function fitsColumn(
  { store, element, size }: Pick<Column, 'store' | 'element' | 'size'>,
  type: Type,
  dialect: SqlDialect,
): boolean {
  if (type.nullDepth > 1) return false;
  const own = dialect.fits?.(store, type) ?? null;
  if (own !== null) return own;
  const kind = storedKindOf(type);
  switch (store) {
    case 'text':
    case 'looseText':
      return kind === 'string' || kind === 'time';
    case 'uuid':
    case 'enum':
      return type.kind === 'string';
    case 'numeric':
      return kind === 'float64' || ((kind === 'int' || kind === 'uint') && size?.scale === 0);
    case 'int':
      return kind === 'int' || kind === 'uint';
    case 'float':
      return kind === 'float64';
    case 'real':
      return kind === 'float32';
    case 'bool':
      return kind === 'bool';
    case 'timestamptz':
    case 'timestamp':
    case 'date':
    case 'datetime':
    case 'datetime64':
    case 'timeText':
      return kind === 'time';
    case 'array':
      if (element !== null) return type.kind === 'list' && fitsColumn(element, type.of, dialect);
      return (
        type.kind === 'list' &&
        (dialect.name === 'duckdb' ||
          ['text', 'integer', 'float', 'bool'].includes(String(storedTypeOf(type.of))))
      );
    case 'map':
      return storedTypeOf(type) === 'map';
    case 'struct':
      return kind === 'struct';
    default:
      return true;
  }
}

/** Parses a mapping. @throws TypeError if it is invalid, naming the column, the reason and the fix. */
export function readMapping(
  caller: string,
  schema: Schema,
  { table, alias, columns }: SqlTable,
  dialect: SqlDialect,
): Mapping {
  const { quoted } = dialect;
  if (typeof table === 'string' && table.includes('.'))
    throw new TypeError(
      `${caller}: table must be a name without a dot, got ${describe(table)}. Did you mean [${table
        .split('.')
        .map((part) => JSON.stringify(part))
        .join(', ')}]?`,
    );
  const names = readNames(caller, 'table', typeof table === 'string' ? [table] : table);
  const known = readNames(caller, 'alias', alias === undefined ? names.slice(-1) : [alias]);
  if (typeof columns !== 'object' || (columns as unknown) === null)
    throw new TypeError(
      `${caller}: columns must be an object such as { ID: text('id') }, got ${describe(columns)}`,
    );
  const tree: Tree = new Map();
  for (const [path, column] of Object.entries(columns)) addColumn(caller, tree, readFieldPath(path), column);
  const own = sql`${raw(known.map(quoted).join('.'))}.`;
  const read = (parts: Tree, struct: StructType, path: readonly string[]): ReadonlyMap<string, MappedField> =>
    new Map(
      [...parts].map(([property, part]): [string, MappedField] => {
        const whole = fieldPathText([...path, property]);
        const field = struct.properties.get(property);
        if (field === undefined) throw unknownProperty(caller, whole, property, struct);
        if (part instanceof Map) {
          const { type } = field;
          if (type.kind !== 'struct' || type.nullDepth > 0)
            throw new TypeError(
              `${caller}: ${whole} is ${withArticle(describeType(type))}: only the fields of a struct that is never null have columns of their own`,
            );
          const inner = read(part, type, [...path, property]);
          return [
            property,
            { property, type, column: null, parts: inner, expression: [], access: structPlace(type, inner) },
          ];
        }
        checkColumn(caller, whole, part, field.type, dialect);
        const expression = sql`${own}${raw(quoted(part.name))}`;
        const access = accessOf(part, raw(textOfName(expression)), field.type, dialect);
        return [property, { property, type: field.type, column: part, parts: null, expression, access }];
      }),
    );
  const fields = read(tree, schema.root, []);
  return {
    schema,
    dialect,
    table: names,
    from: raw(
      `${names.map(quoted).join('.')}${alias === undefined ? '' : ` AS ${quoted(alias)}`}${dialect.afterTable ?? ''}`,
    ),
    fields,
  };
}

type Tree = Map<string, Tree | Column>;

function addColumn(caller: string, tree: Tree, path: readonly string[], column: Column): void {
  const [first = '', ...rest] = path;
  const there = tree.get(first);
  if (!isColumn(column))
    throw new TypeError(
      `${caller}: the column of ${fieldPathText(path)} must be created with text(), int() or a similar function`,
    );
  if (rest.length === 0) {
    if (there !== undefined) throw new TypeError(`${caller}: ${first} and a part of it both have columns`);
    tree.set(first, column);
    return;
  }
  const inner: Tree | Column = there ?? new Map();
  if (!(inner instanceof Map)) throw new TypeError(`${caller}: ${first} and a part of it both have columns`);
  tree.set(first, inner);
  addColumn(caller, inner, rest, column);
}

function unknownProperty(caller: string, whole: string, property: string, struct: StructType): TypeError {
  const near = suggestFieldName(
    property,
    [...struct.properties.keys()].map((each) => fieldPathText([each])),
  );
  const hint = near === undefined ? 'the schema has no such property' : `did you mean ${near}?`;
  return new TypeError(`${caller}: unknown property ${JSON.stringify(whole)}; ${hint}`);
}

function checkColumn(caller: string, whole: string, column: Column, type: Type, dialect: SqlDialect): void {
  const [engines, what] = stores[column.store];
  if (!engines.includes(dialect.name)) {
    throw new TypeError(
      `${caller}: ${whole} is stored as ${column.store}, which ${dialect.name} does not support; ${engines.join(' and ')} do`,
    );
  }
  if (!fitsColumn(column, type, dialect)) {
    throw new TypeError(
      `${caller}: ${whole} is ${withArticle(describeType(type))}, and ${column.store} columns store ${what}`,
    );
  }
  if (column.path.some((name) => !canBeInPath(name)))
    throw new TypeError(`${caller}: ${whole}: a JSON path cannot contain quotes or backslashes`);
}

/** Returns the names of a table or an alias. @throws TypeError if they are not names */
export function readNames(caller: string, option: string, names: unknown): readonly string[] {
  const list = Array.isArray(names) ? (names as readonly unknown[]) : [];
  if (
    list.length === 0 ||
    list.length > 3 ||
    !list.every((each) => typeof each === 'string' && each !== '' && !each.includes('\0'))
  )
    throw new TypeError(
      `${caller}: ${option} must be a name, or an array of names such as ['public', 'jobs']`,
    );
  return list as readonly string[];
}

/** Returns the SQL of an expression that is a column name, which needs no parentheses. */
function textOfName(expression: Sql): string {
  return expression.flat(9).join('');
}

function structPlace(type: Type, parts: ReadonlyMap<string, MappedField>): ColumnAccess {
  return {
    ...noParts,
    type,
    isNull: null,
    isMissing: null,
    scalar: () => null,
    field: (property) => parts.get(property)?.access ?? null,
  };
}
