import { parseToken, keyOf, tokenOf } from '../lists/list/order.js';
import { sortOrder, type OrderParts, type SortOrder } from '../lists/query/scan/sort-order.js';
import type { ParsedQuery } from '../lists/query/request/query.js';
import { readPlaceOfText } from '../lists/table/text-order.js';
import type { Mapping, MappedField } from './mapping.js';
import { placedAfter, type OrderedColumn } from './keyset-cursor.js';
import { always, and, never, sql, type Sql } from './sql.js';
import { hasHalfPair, textAfterAll } from './text-leaf.js';

/** The row order of a query, for the database and for the list. */
export interface RowOrder {
  readonly columns: readonly OrderedColumn[];
  readonly sorted: SortOrder<object>;
}

/** Returns a column that rows can be ordered by. @throws TypeError if it may be null, or if its order differs from the list's. */
export function orderedColumn(
  caller: string,
  mapping: Mapping,
  property: string,
): Omit<OrderedColumn, 'isDescending'> {
  const field: MappedField | undefined = mapping.fields.get(property);
  const column = field?.column ?? null;
  const { dialect } = mapping;
  if (field === undefined || column === null || !isSortable(column.store, field.type.kind))
    throw new TypeError(
      `${caller}: rows are sorted by string and integer columns; ${property} has no such column`,
    );
  if (!column.notNull)
    throw new TypeError(
      `${caller}: rows are sorted by ${property}, whose column must be NOT NULL; set notNull if it is`,
    );
  if (column.store === 'int') {
    return {
      property,
      expression: field.expression,
      value(value) {
        const integer = BigInt(value as number | bigint);
        return BigInt.asIntN(64, integer) === integer ? dialect.integer(integer) : null;
      },
    };
  }
  const scalar = field.access.scalar();
  const expression = scalar?.kind === 'text' ? scalar.text.order : field.expression;
  return {
    property,
    expression,
    value: (value) => (isPlain(String(value), mapping) ? dialect.text(String(value)) : null),
  };
}

function isSortable(store: string, kind: string): boolean {
  return store === 'int' || (store === 'text' && kind === 'string');
}

/** Whether a string can be sent as a parameter. */
export function isPlain(text: string, { dialect }: Mapping): boolean {
  return !hasHalfPair(text) && (!text.includes('\0') || (dialect.takesNul && dialect.containsNul === null));
}

export type Orderable = ReadonlyMap<string, Omit<OrderedColumn, 'isDescending'>>;

/** Returns the order that a query requests. `columns` are those of the sort fields, by name, and of the key. */
export function orderOf(
  { sort, reverse }: Pick<ParsedQuery<object>, 'sort' | 'reverse'>,
  parts: OrderParts<object>,
  columns: Orderable,
  key: Omit<OrderedColumn, 'isDescending'>,
): RowOrder {
  if (sort === null) {
    const sorted = { order: parts.listOrder, reverse, partialSort: null };
    return { columns: [{ ...key, isDescending: reverse }], sorted };
  }
  const found = sortOrder(sort, parts);
  const keys = [sort, ...sort.others];
  const ordered = keys.flatMap(({ field, isDescending }): OrderedColumn[] => {
    const column = columns.get(field);
    return column === undefined ? [] : [{ ...column, isDescending }];
  });
  const last = keys.at(-1)?.isDescending === true;
  const isByKey = ordered.some(({ property }) => property === key.property);
  return {
    // Rows come in page order, so no further sorting is needed.
    columns: isByKey ? ordered : [...ordered, { ...key, isDescending: last }],
    sorted: { ...found, order: found.partialSort?.order ?? found.order, partialSort: null },
  };
}

/**
 * Returns the condition for rows at and after the start of a page. It includes further rows if the token does not contain all
 * columns.
 */
export function fromToken({ columns, sorted }: RowOrder, token: string, sortCount: number): Sql {
  if (token === '') return always;
  const start = parseToken(sorted.order, token);
  const [first, second] = columns;
  if (start.kind === 'text' || first === undefined) return always;
  const { index, text } = start.key;
  const isNumbered = sorted.order.index !== undefined;
  // With several sort fields, a token contains all of them; the first one is enough for an approximate condition.
  if (sortCount > 1) return always;
  const cursor = isNumbered ? { first: index, rest: text } : splitPlace(text, sortCount);
  if (cursor === null) return always;
  const value = first.value(cursor.first);
  if (value === null) return isNumbered ? beyond(BigInt(index) > 0n, first.isDescending) : always;
  const after = second === undefined || cursor.rest === null ? null : second.value(cursor.rest);
  return placedAfter(columns, after === null ? [value] : [value, after], true);
}

/** Splits a token into a sort string and the key after it, or the key alone. */
function splitPlace(
  text: string,
  sortCount: number,
): { readonly first: string; readonly rest: string | null } | null {
  if (sortCount === 0) return { first: text, rest: null };
  const value = readPlaceOfText(text);
  if (value === null) return { first: text, rest: null };
  return { first: value, rest: text.slice(text.indexOf('\0\0') + 2) };
}

/** No integer of the table is that large or small. */
function beyond(isLarge: boolean, isDescending: boolean): Sql {
  return isLarge === isDescending ? always : never;
}

/** Returns the condition for rows after a fetched one. */
export function afterRow({ columns }: RowOrder, row: Readonly<Record<string, unknown>>): Sql {
  const values = columns.map(({ property, value }) => value(row[property]));
  return values.includes(null) ? never : placedAfter(columns, values as Sql[], false);
}

/** Returns the condition for rows whose key has the prefix. */
export function withPrefix(key: Omit<OrderedColumn, 'isDescending'>, prefix: string): Sql {
  if (prefix === '') return always;
  const from = key.value(prefix);
  if (from === null) return never;
  const after = textAfterAll(prefix);
  const to = after === null ? null : key.value(after);
  return and([sql`${key.expression} >= ${from}`, ...(to === null ? [] : [sql`${key.expression} < ${to}`])]);
}

/** Returns the token of the page that begins with a row. */
export function tokenOfRow({ sorted: { order } }: RowOrder, row: object): string {
  return tokenOf(order, keyOf(order, row));
}
