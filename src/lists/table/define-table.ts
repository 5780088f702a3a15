import { sharedWeakMap } from '../../runtime/shared-identity.js';
import { checkOptions, checkSchema, describe, hasNames } from '../../language/diagnostics/options.js';
import { findFieldIndex } from '../../filter/compile/frame/field-index.js';
import { findOrderedIndex } from '../../filter/compile/frame/ordered-index.js';
import type { Order } from '../list/order.js';
import { jsonSize } from '../../runtime/json-size.js';
import { nearestField } from '../../language/schema/declared-field.js';
import type { RowOf } from '../../language/schema/row.js';
import type { Schema } from '../../language/schema/schema.js';
import { findFieldPath, type FieldName, type RowField } from '../../language/schema/field-path.js';
import { describeType } from '../../language/schema/type.js';
import { withArticle } from '../../language/syntax/wording.js';
import { declareIndexes, type DeclaredIndexes } from './declare-indexes.js';
import { integerKeys, stringKeys, type KeyCodec } from './key.js';
import { RowError } from './row-error.js';
import { emptyRows, type TableRows } from './table-rows.js';
import { createTake } from './validate-row.js';
import { stringPositionOf } from './text-order.js';
import { valueOrder } from './value-order.js';

/**
 * Options of a table. Names must be fields of the schema; a field that cannot be indexed or sorted causes a TypeError
 * immediately.
 */
export interface TableOptions<T> {
  /**
   * The unique key: a string or integer field, or a string computed from the row. Strings must be well-formed, with 1 to 1,024
   * UTF-16 units.
   */
  readonly key: (keyof T & string) | ((row: T) => string);
  /**
   * Indexed fields, also of structs (`Summary.Running`): strings, booleans, integers, and lists of them by element. Numbers, times,
   * durations, sizes, addresses without ports and versions are indexed by range.
   */
  readonly indexes?: readonly FieldName<T>[] | undefined;
  /**
   * Fields by which lists can be sorted, also of structs, of every kind that has an order. Null is after all values; rows with
   * equal values are in the table's own order.
   */
  readonly sorts?: readonly FieldName<T>[] | undefined;
  /** The table's own order; ties are ordered by key. Default: key order. */
  readonly order?: Order<T> | undefined;
  /**
   * `copy` (default) stores a validated copy of each row; `share` stores the row itself, which must be complete and never change.
   */
  readonly rows?: 'copy' | 'share' | undefined;
  /** Columns that speed up repeated queries: `columns()` of `tamis/columns`. */
  readonly columns?: TableColumns | false | undefined;
}

/** Columns for a table. Created by `columns` of `tamis/columns`. */
export interface TableColumns {
  /** Attaches columns to all rows in this order, which must not change. */
  readonly attach: <T extends object>(schema: Schema, order: Order<T>) => void;
}

/** A table definition for `createStore`. Created by `defineTable`. */
export interface TableDefinition<T extends object> {
  readonly schema: Schema;
  readonly options: TableOptions<T>;
}

/** The values derived from a table definition for one store. */
export interface DefinedTable<T extends object> extends DeclaredIndexes<T> {
  readonly schema: Schema;
  /** The encoding of keys. */
  readonly keys: KeyCodec;
  /** Returns the stored key of a row. @throws RowError if the row has no valid key. */
  readonly keyOf: (row: T) => string;
  /** The key field, by its filter name; null if a function computes keys. */
  readonly keyField: string | null;
  /** Returns the row as stored by the table. @throws RowError */
  readonly take: (row: unknown) => T;
  readonly empty: TableRows<T>;
}

/** Derives the values. Called for each store, because stores do not share columns. */
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
  if (schema.root.open === true)
    throw new TypeError(`${caller}: the schema must not be open: rows are stored with its fields only`);
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

/** Returns the values derived from a definition, for one store. @throws TypeError if it was not created by `defineTable`. */
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
  if (Array.isArray(key))
    throw new TypeError(
      `${caller}: key must be one field or a function, got an array. Use a function that joins the fields`,
    );
  const keyField = typeof key === 'string' ? fieldOf(caller, schema, 'key', key) : null;
  if (keyField === null && typeof key !== 'function') {
    throw new TypeError(`${caller}: key must be the name of a field or a function, got ${describe(key)}`);
  }
  const keyKinds = new Map([
    ['string', stringKeys],
    ['int', integerKeys],
    ['uint', integerKeys],
    ['safe int', integerKeys],
    ['safe uint', integerKeys],
  ]);
  const keys = keyField === null ? stringKeys : keyKinds.get(describeType(keyField.type));
  if (keys === undefined) {
    throw new TypeError(
      `${caller}: key must be a string or integer field; ${String(keyField?.name)} is ${keyField === null ? '' : kindOf(keyField)}`,
    );
  }
  if (keyField !== null && keyField.properties.length > 1)
    throw new TypeError(`${caller}: key must be a field of the row itself, got ${describe(key)}`);
  const readKey = keyReader(keyField?.properties[0] ?? key, keys);
  const listOrder = order === undefined ? null : totalOrder(caller, order, readKey);
  const fieldsOf = (option: string, names: readonly string[]): readonly RowField[] =>
    [...new Set(names)].map((name) => fieldOf(caller, schema, option, name));
  const [indexed, sorted] = [fieldsOf('indexes', indexes), fieldsOf('sorts', sorts)];
  const values = indexed.filter((field) => findFieldIndex(schema, field) !== null);
  const ranges = [...indexed, ...sorted].filter(
    (field) =>
      field.type.kind !== 'string' &&
      findOrderedIndex(schema, field) !== null &&
      (field.name !== keyField?.name || listOrder !== null),
  );
  for (const field of indexed) {
    if (values.includes(field) || ranges.includes(field)) continue;
    throw new TypeError(
      `${caller}: indexes must be scalar fields, or lists of strings, booleans or integers; ${field.name} is ${kindOf(field)}`,
    );
  }
  for (const field of sorted) {
    if (valueOrder(field.type) !== null) continue;
    throw new TypeError(`${caller}: sorts must be fields with an order; ${field.name} is ${kindOf(field)}`);
  }
  const names = (fields: readonly RowField[]): string[] => [...new Set(fields.map(({ name }) => name))];
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
      // Each store gets its own object, because columns are registered by it.
      listOrder: listOrder === null ? null : { ...listOrder },
      indexes: declared.indexes,
    });
    if (columns !== false) columns.attach(schema, empty.listed.order);
    return empty;
  };
  const named = { ...declared, schema, keys, keyField: keyField?.path[0] ?? null, keyOf };
  // Throws immediately for invalid columns.
  makeEmpty();
  return () => ({ ...named, take: (row) => checkedSize(take(row)), empty: makeEmpty() });
}

function isColumns(value: unknown): value is TableColumns {
  return (
    typeof value === 'object' && value !== null && 'attach' in value && typeof value.attach === 'function'
  );
}

/**
 * Returns the field with a property name, or a field of a struct. Commas and dashes are rejected, because they have a meaning in
 * queries.
 */
function fieldOf(caller: string, schema: Schema, option: string, name: unknown): RowField {
  if (typeof name !== 'string')
    throw new TypeError(`${caller}: ${option} must name fields, got ${describe(name)}`);
  const field = findFieldPath(schema, name, 'properties');
  if (field === null) {
    const near = nearestField(schema.root, name);
    const help = near === null ? '' : ` Did you mean ${near}?`;
    throw new TypeError(`${caller}: ${option}: unknown field ${JSON.stringify(name)}.${help}`);
  }
  return field;
}

function kindOf({ type }: RowField): string {
  return withArticle(describeType(type));
}

/**
 * Returns a function that returns the stored key of a row, or another value if the key is invalid. @throws RowError for an
 * invalid integer
 */
function keyReader(key: unknown, keys: KeyCodec): (row: object) => unknown {
  if (typeof key === 'function') return key as (row: object) => unknown;
  const property = String(key);
  return (row) => {
    const value = (row as Readonly<Record<string, unknown>>)[property];
    if (keys === stringKeys) return value;
    const stored = keys.encode(value);
    if (stored !== null) return stored;
    throw new RowError('', `The key of a row must be ${keys.expected}, got ${describe(value)}`);
  };
}

/** Returns an order without ties, by ordering rows with equal values by key. */
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

/** Matches all surrogates, paired or not. Faster than the class of unpaired ones. */
const unit = /[\ud800-\udfff]/;

/** Maximum length of a key, in UTF-16 units. Keys are part of tokens and requests. */
const maxKeyLength = 1_024;

function checkedKey(key: unknown): string {
  if (typeof key !== 'string')
    throw new RowError('', `The key of a row must be a string, got ${describe(key)}`);
  if (key === '') throw new RowError('', 'The key of a row must not be empty');
  if (key.length > maxKeyLength) {
    throw new RowError('', `The key of a row has ${key.length} characters; the maximum is ${maxKeyLength}`);
  }
  // Page tokens cannot contain unpaired surrogates.
  if (unit.test(key) && /\p{Surrogate}/u.test(key))
    throw new RowError('', `The key ${JSON.stringify(key)} contains an unpaired surrogate`);
  return key;
}

/** Maximum size of a row as JSON, in bytes. Limits the size of responses and of stored changes, whose other limits count rows. */
const maxSize = 1_048_576;

function checkedSize<T extends object>(row: T): T {
  if (isSmall(row)) return row;
  const size = jsonSize(row);
  if (size <= maxSize) return row;
  throw new RowError('', `The row takes ${size} bytes as JSON; the maximum is ${maxSize}`);
}

/** Whether a row of strings and numbers is certainly small enough: a character takes at most six bytes, another value 32. */
function isSmall(row: object): boolean {
  let size = 0;
  for (const name in row) {
    const value = (row as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'bigint' || (typeof value === 'object' && value !== null)) return false;
    size += name.length * 6 + (typeof value === 'string' ? value.length * 6 : 32) + 4;
  }
  return size <= maxSize;
}
