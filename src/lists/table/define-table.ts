import { sharedWeakMap } from '../../runtime/shared-identity.js';
import { checkOptions, checkSchema, describe, hasNames } from '../../language/diagnostics/options.js';
import { findFieldIndex } from '../../filter/compile/frame/field-index.js';
import type { Order } from '../list/order.js';
import { jsonSize } from '../../runtime/json-size.js';
import type { RowOf } from '../../language/schema/row.js';
import type { Schema } from '../../language/schema/schema.js';
import { suggestNames } from '../../language/diagnostics/suggest.js';
import { describeType, type Field } from '../../language/schema/type.js';
import { withArticle } from '../../language/syntax/wording.js';
import { declareIndexes, type DeclaredIndexes } from './declare-indexes.js';
import { RowError } from './row-error.js';
import { emptyRows, type TableRows } from './table-rows.js';
import { createTake } from './validate-row.js';
import { stringPositionOf } from './text-order.js';

/** What a table is made of. Names are those of the schema's fields; one that cannot be indexed or sorted by is a TypeError at once. */
export interface TableOptions<T> {
  /** The unique key: a field of text, or a text made of the row. Well-formed, 1 to 1,024 UTF-16 units. */
  readonly key: (keyof T & string) | ((row: T) => string);
  /** Fields by which filters find rows: texts, booleans, integers, lists of them by element; integers by range too. */
  readonly indexes?: readonly (keyof T & string)[] | undefined;
  /** Fields by which lists can be sorted, strings and integers; rows with equal values are in the table's own order. */
  readonly sorts?: readonly (keyof T & string)[] | undefined;
  /** The table's own order, rows with one place in it in that of their keys; that of keys where it is left out. */
  readonly order?: Order<T> | undefined;
  /** `copy` (default) keeps a checked copy of each row; `share` keeps the row itself: whole, and never changed again. */
  readonly rows?: 'copy' | 'share' | undefined;
  /** Columns that speed up repeated queries: `columns()` of `tamis/columns`. */
  readonly columns?: TableColumns | false | undefined;
}

/** Columns for a table. Made by `columns` of `tamis/columns`. */
export interface TableColumns {
  /** Attaches columns to all rows in this order, which must not change. */
  readonly attach: <T extends object>(schema: Schema, order: Order<T>) => void;
}

/** A kind of table, as stores take it. Made by `defineTable`. */
export interface TableDefinition<T extends object> {
  readonly schema: Schema;
  readonly options: TableOptions<T>;
}

/** What follows from a definition. */
export interface DefinedTable<T extends object> extends DeclaredIndexes<T> {
  readonly schema: Schema;
  /** The key of a row. @throws RowError for one that cannot be a key. */
  readonly keyOf: (row: T) => string;
  /** The field that keys are, by the name of filters; null where a function makes them. */
  readonly keyField: string | null;
  /** The row as the table keeps it. @throws RowError */
  readonly take: (row: unknown) => T;
  readonly empty: TableRows<T>;
}

/** The same for one more store: stores do not share columns. */
type DefineTable<T extends object> = () => DefinedTable<T>;

const optionNames = ['key', 'indexes', 'sorts', 'order', 'rows', 'columns'] as const;

const defined = sharedWeakMap<object, DefineTable<never>>('definitions');

/** Returns the definition of a table, for `createStore`. @throws TypeError for a key, an index or a sort that cannot be one. */
export function defineTable<S extends Schema>(
  schema: S,
  options: TableOptions<RowOf<S>>,
): TableDefinition<RowOf<S> & object> {
  return define('defineTable', schema, options as TableOptions<never>) as object as TableDefinition<
    RowOf<S> & object
  >;
}

/** Like {@link defineTable}, for a function with additional options. */
export function define(caller: string, schema: Schema, options: TableOptions<never>): TableDefinition<never> {
  checkSchema(caller, schema);
  checkOptions<TableOptions<never>>(caller, options, optionNames);
  const definition: TableDefinition<never> = Object.freeze({
    schema,
    options: Object.freeze({ ...options }),
  });
  defined.set(
    definition,
    work(caller, schema, options as TableOptions<object>) as object as DefineTable<never>,
  );
  return definition;
}

/** What follows from a definition, for one store. @throws TypeError for what does not come from `defineTable`. */
export function definedTable<T extends object>(definition: TableDefinition<T>): DefinedTable<T> {
  const known = typeof definition === 'object' ? defined.get(definition) : undefined;
  if (known === undefined) {
    throw new TypeError(`A table must be created with defineTable(), got ${describe(definition)}`);
  }
  return (known as object as DefineTable<T>)();
}

function work(caller: string, schema: Schema, options: TableOptions<object>): DefineTable<object> {
  const {
    key,
    indexes = [],
    sorts = [],
    order,
    rows = 'copy',
    columns = false,
  } = options as {
    readonly key: unknown;
    readonly indexes?: readonly string[];
    readonly sorts?: readonly string[];
    readonly order?: Order<object>;
    readonly rows?: unknown;
    readonly columns?: unknown;
  };
  if (rows !== 'copy' && rows !== 'share') {
    throw new TypeError(`${caller}: rows must be 'copy' or 'share', got ${describe(rows)}`);
  }
  if (columns !== false && !isColumns(columns)) {
    throw new TypeError(
      `${caller}: columns must be created with columns() of tamis/columns, got ${describe(columns)}`,
    );
  }
  for (const [name, list] of Object.entries({ indexes, sorts })) {
    if (!Array.isArray(list))
      throw new TypeError(`${caller}: ${name} must be an array of field names, got ${describe(list)}`);
  }
  const keyField = typeof key === 'string' ? fieldOf(caller, schema, 'key', key) : null;
  if (keyField === null && typeof key !== 'function') {
    throw new TypeError(`${caller}: key must be the name of a field or a function, got ${describe(key)}`);
  }
  if (keyField !== null && (keyField.type.kind !== 'string' || keyField.type.nullDepth > 0)) {
    throw new TypeError(`${caller}: key must be a string field; ${keyField.name} is ${kindOf(keyField)}`);
  }
  const readKey = keyReader(key);
  const listOrder = order === undefined ? null : totalOrder(caller, order, readKey);
  const indexed = [...new Set(indexes)].map((name) => fieldOf(caller, schema, 'indexes', name));
  const sorted = [...new Set(sorts)].map((name) => fieldOf(caller, schema, 'sorts', name));
  const values = indexed.filter((field) => findFieldIndex(schema, field) !== null);
  const ranges = [...indexed, ...sorted].filter((field) => isInteger(field) && field !== keyField);
  for (const field of indexed) {
    if (values.includes(field) || ranges.includes(field)) continue;
    throw new TypeError(
      `${caller}: indexes must be string, boolean or integer fields, or lists of these; ${field.name} is ${kindOf(field)}`,
    );
  }
  for (const field of sorted) {
    if (isInteger(field) || (field.type.kind === 'string' && field.type.nullDepth === 0)) continue;
    throw new TypeError(
      `${caller}: sorts must be string or integer fields; ${field.name} is ${kindOf(field)}`,
    );
  }
  const names = (fields: readonly Field[]): string[] => [...new Set(fields.map(({ name }) => name))];
  const isByKey = keyField !== null && listOrder === null;
  const declared = declareIndexes<object>({
    schema,
    keyField: isByKey ? keyField.name : null,
    listOrder,
    listField: isByKey ? keyField.name : null,
    sorts: names(sorted),
    values: names(values),
    ranges: names(ranges),
  });
  const keyOf = (row: object): string => checkedKey(readKey(row));
  const take = createTake<object>(schema, rows === 'share');
  const makeEmpty = (): TableRows<object> => {
    const empty = emptyRows({
      key: readKey as (row: object) => string,
      // A separate order: columns are found by it.
      listOrder: listOrder === null ? null : { ...listOrder },
      indexes: declared.indexes,
    });
    if (columns !== false) columns.attach(schema, empty.listed.order);
    return empty;
  };
  const named = { ...declared, schema, keyField: keyField?.name ?? null, keyOf };
  // Columns that cannot be are an error at once.
  makeEmpty();
  return () => ({ ...named, take: (row) => checkedSize(take(row)), empty: makeEmpty() });
}

function isColumns(value: unknown): value is TableColumns {
  return (
    typeof value === 'object' && value !== null && 'attach' in value && typeof value.attach === 'function'
  );
}

/** Returns the field with the name of a property. Names are used in queries, where commas and dashes have a meaning. */
function fieldOf(caller: string, schema: Schema, option: string, name: unknown): Field {
  const field = typeof name === 'string' ? schema.root.properties.get(name) : undefined;
  if (field === undefined || field.hidden) {
    if (typeof name !== 'string')
      throw new TypeError(`${caller}: ${option} must name fields, got ${describe(name)}`);
    const known = [...schema.root.properties].filter(([, { hidden }]) => !hidden).map(([each]) => each);
    const [near] = suggestNames(name, known);
    const help = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new TypeError(`${caller}: ${option}: unknown field ${JSON.stringify(name)}.${help}`);
  }
  if (/[,:]|^-/.test(field.name)) {
    throw new TypeError(
      `${caller}: ${JSON.stringify(field.name)} cannot be written in a filter: rename the field`,
    );
  }
  return field;
}

function kindOf({ type }: Field): string {
  return withArticle(describeType(type));
}

/** Whether rows hold integers there, which sort them: those of a unit too. */
function isInteger(field: Field): boolean {
  const { type } = field;
  if (type.nullDepth > 0) return false;
  return type.kind === 'int' || type.kind === 'uint' || ('unit' in type && type.unit !== undefined);
}

function keyReader(key: unknown): (row: object) => unknown {
  if (typeof key === 'function') return key as (row: object) => unknown;
  const property = String(key);
  return (row) => (row as Readonly<Record<string, unknown>>)[property];
}

/** An order without ties: rows with equal values are in the order of their keys. */
function totalOrder(caller: string, order: Order<object>, keyOf: (row: object) => unknown): Order<object> {
  if (!hasNames(order)) {
    throw new TypeError(
      `${caller}: order must be an object such as { text: (row) => row.ID }, got ${describe(order)}`,
    );
  }
  checkOptions<Order<object>>(caller, order, ['index', 'text']);
  if (typeof order.text !== 'function')
    throw new TypeError(`${caller}: order.text must be a function, got ${describe(order.text)}`);
  const { index, text } = order;
  const placed = (row: object): string => {
    const given: unknown = text(row);
    if (typeof given !== 'string')
      throw new RowError('', `order.text must return a string, got ${describe(given)}`);
    return `${stringPositionOf(given)}${String(keyOf(row))}`;
  };
  return index === undefined ? { text: placed } : { index, text: placed };
}

/** Maximum length of a key, in UTF-16 units. Keys are part of tokens and requests. */
const maxKeyLength = 1_024;

function checkedKey(key: unknown): string {
  if (typeof key !== 'string')
    throw new RowError('', `The key of a row must be a string, got ${describe(key)}`);
  if (key === '') throw new RowError('', 'The key of a row must not be empty');
  if (key.length > maxKeyLength) {
    throw new RowError('', `The key of a row has ${key.length} characters; the maximum is ${maxKeyLength}`);
  }
  // No token could name it.
  if (/\p{Surrogate}/u.test(key))
    throw new RowError('', `The key ${JSON.stringify(key)} contains an unpaired surrogate`);
  return key;
}

/** Maximum bytes of a row as JSON. Bounds responses and stored changes, whose limits count rows. */
const maxSize = 1_048_576;

function checkedSize<T extends object>(row: T): T {
  const size = jsonSize(row);
  if (size <= maxSize) return row;
  throw new RowError('', `The row takes ${size} bytes as JSON; the maximum is ${maxSize}`);
}
