import { findFieldPath } from '../language/schema/field-path.js';
import { describeType } from '../language/schema/type.js';
import { withArticle } from '../language/syntax/wording.js';
import { floorDivision } from '../language/values/instance/quantity.js';
import { parseToken, keyOf, tokenOf } from '../lists/list/order.js';
import {
  positionInList,
  sortOrder,
  type OrderParts,
  type SplitSortOrder,
} from '../lists/query/scan/sort-order.js';
import type { ParsedQuery } from '../lists/query/request/query.js';
import type { SortField } from '../lists/table/sort-field.js';
import { readInteger } from '../lists/table/text-order.js';
import { doubleAtPosition, textAtPosition } from '../lists/table/value-order.js';
import { integers64, type Column } from './column.js';
import type { SqlDialect } from './dialect.js';
import { placedAfter, type OrderedColumn, type PlacedValue } from './keyset-cursor.js';
import { isWithin } from './leaf.js';
import type { Mapping, MappedField } from './mapping.js';
import { always, and, never, parameter, raw, sql, type Sql } from './sql.js';
import { canBeSent, textAfterAll } from './text-leaf.js';
import { instantParameter, instantText } from './value-leaf.js';

/** The order of the rows of a query, for both the database and the list. */
export interface RowOrder {
  readonly columns: readonly OrderedColumn[];
  readonly sorted: SplitSortOrder<object>;
  readonly dialect: SqlDialect;
}

type Unordered = Omit<OrderedColumn, 'isDescending'>;

/** Returns a column that rows can be ordered by. @throws TypeError if its order is not that of the list */
export function orderedColumn(
  caller: string,
  mapping: Mapping,
  { name, values, read }: Pick<SortField<object>, 'name' | 'values' | 'read'>,
): Unordered {
  const field = mappedField(mapping, name);
  const column = field?.column ?? null;
  if (field === null || column === null)
    throw new TypeError(`${caller}: cannot sort by ${name}, which has no column of its own`);
  const order = orderOfColumn(mapping, field, column);
  if (order === null)
    throw new TypeError(
      `${caller}: cannot sort by ${name}: the database orders ${withArticle(describeType(field.type))} in a ${column.store} column differently; map a column that sorts like it`,
    );
  return {
    name,
    positionOf: (row) => values.positionOf(read(row)),
    expression: order.expression,
    isNullable: !column.notNull || order.hasNulls === true,
    valueAt: (position) => (position === values.last ? 'null' : order.valueAt(position)),
    isStored: order.isStored,
    compare: order.compare,
  };
}

/** Returns the field with a filter name or path; null if it has no column. */
export function mappedField({ schema, fields }: Mapping, name: string): MappedField | null {
  let parts: ReadonlyMap<string, MappedField> | null = fields;
  let found: MappedField | null = null;
  for (const property of findFieldPath(schema, name, 'fields')?.properties ?? []) {
    found = parts?.get(property) ?? null;
    parts = found?.parts ?? null;
  }
  return found;
}

interface ColumnOrder extends Pick<OrderedColumn, 'expression' | 'valueAt' | 'isStored' | 'compare'> {
  /** Whether the expression can be NULL for a value that is not. */
  readonly hasNulls?: boolean;
}

/** Returns how a column is ordered like the list; null if that is impossible. */
function orderOfColumn(mapping: Mapping, { type, access }: MappedField, column: Column): ColumnOrder | null {
  const { dialect } = mapping;
  // JSON is never sorted by: its order is that of no column.
  const scalar = column.store === 'json' ? null : access.scalar();
  switch (scalar?.kind) {
    case 'text': {
      if (type.kind !== 'string') return null;
      const { sorted, canStore } = scalar.text;
      if (sorted !== undefined && canStore !== undefined)
        return {
          expression: sorted.value,
          valueAt: (position) => sorted.from(textAtPosition(String(position))) ?? 'above',
          isStored: (position) => canStore(textAtPosition(String(position))),
        };
      return {
        expression: scalar.text.order,
        valueAt(position) {
          const text = textAtPosition(String(position));
          return canBeSent(text, dialect) ? dialect.text(text) : null;
        },
      };
    }
    case 'rounded':
      // Up to 15 digits, different decimals are read as different doubles.
      if ((column.size?.precision ?? Infinity) > 15) return null;
      return {
        expression: scalar.value,
        valueAt: (position) => mapNull(doubleAtPosition(String(position)), decimal),
      };
    case 'decimal':
    case 'integer': {
      const hasNulls = scalar.kind === 'decimal' && !column.isChecked;
      return {
        // The list sorts other integers, and NaN, like null.
        expression: hasNulls
          ? sql`CASE WHEN ${scalar.value} BETWEEN ${raw(integers64)} THEN ${scalar.value} END`
          : scalar.value,
        hasNulls,
        valueAt(position) {
          // If a list is ordered by integer keys, positions are strings.
          const integer = typeof position === 'string' ? readInteger(position) : BigInt(position);
          if (integer === null) return null;
          if (scalar.kind === 'decimal') return decimal(integer);
          if (integer <= dialect.maxInteger && integer >= -(2n ** 63n)) return dialect.integer(integer);
          return integer > 0n ? 'above' : 'below';
        },
      };
    }
    case 'bool':
      return {
        expression: scalar.value,
        valueAt: (position) => ({ 0: raw('FALSE'), 1: raw('TRUE') })[String(position)] ?? null,
      };
    case 'float':
      return column.store !== 'float'
        ? null
        : {
            expression: scalar.value,
            compare: compareFloats(scalar.value, dialect),
            valueAt(position) {
              const double = doubleAtPosition(String(position));
              if (double !== null && Number.isNaN(double) && dialect.ieee) return dialect.ieee.nan;
              if (double === null || (dialect.notNaN === null && Number.isNaN(double))) return null;
              if (!dialect.onlyFinite || Number.isFinite(double)) return dialect.float(double);
              return double > 0 ? 'above' : 'below';
            },
          };
    case 'timeText':
      return {
        expression: scalar.text.order,
        valueAt: (position) => mapNull(instantAt(position, scalar.digits), dialect.text),
      };
    case 'instant': {
      const { value, isBounded, as, digits = 6 } = scalar;
      return {
        // Other instants are not valid in rows.
        expression: isBounded ? value : sql`CASE WHEN ${isWithin(value, as)} THEN ${value} END`,
        hasNulls: !isBounded,
        valueAt: (position) =>
          mapNull(instantAt(position, digits), (text) => instantParameter(dialect, text, as)),
      };
    }
    default:
      return null;
  }
}

/** Returns how floats are compared if comparisons with NaN, which sorts after all numbers, are false. */
function compareFloats(own: Sql, { ieee, notNaN }: SqlDialect): ColumnOrder['compare'] {
  if (ieee === undefined || notNaN === null) return undefined;
  return (sign, value) => {
    const compared = sql`${own} ${raw(sign)} ${value}`;
    const isNumber = notNaN(own);
    if (value !== ieee.nan) return sign.startsWith('>') ? sql`(${compared} OR NOT ${isNumber})` : compared;
    if (sign === '>') return never;
    return sign === '<' ? isNumber : sign === '<=' ? sql`${own} IS NOT NULL` : sql`NOT ${isNumber}`;
  };
}

function decimal(number: number | bigint): Sql {
  return sql`${parameter(String(number))}::numeric`;
}

/** Returns the string of an instant in nanoseconds; null if it needs more digits. */
function instantAt(position: number | bigint | string, digits: number): string | null {
  const { quotient, rest } = floorDivision(BigInt(position), 1e6);
  const { text, isExact } = instantText({ millis: quotient, nanos: rest }, digits);
  return isExact ? text : null;
}

function mapNull<A, B>(value: A | null, change: (value: A) => B): B | null {
  return value === null ? null : change(value);
}

export type Orderable = ReadonlyMap<string, Unordered>;

/** Returns the order that a query requests. `columns` are those of the sort fields, by name, and of the key. */
export function orderOf(
  { sort, reverse }: Pick<ParsedQuery<object>, 'sort' | 'reverse'>,
  parts: OrderParts<object>,
  columns: Orderable,
  key: Unordered,
  dialect: SqlDialect,
): RowOrder {
  if (sort === null) {
    const sorted = { order: parts.listOrder, reverse, partialSort: null, positionsAt: positionInList };
    return { columns: [{ ...key, isDescending: reverse }], sorted, dialect };
  }
  const found = sortOrder(sort, parts);
  const keys = [sort, ...sort.others];
  const ordered = keys.flatMap(({ field, isDescending }): OrderedColumn[] => {
    const column = columns.get(field);
    return column === undefined ? [] : [{ ...column, isDescending }];
  });
  const last = keys.at(-1)?.isDescending === true;
  const isByKey = ordered.some(({ name }) => name === key.name);
  return {
    // The database returns rows in page order, so no further sorting is needed.
    columns: isByKey ? ordered : [...ordered, { ...key, isDescending: last }],
    sorted: { ...found, order: found.partialSort?.order ?? found.order, partialSort: null },
    dialect,
  };
}

/**
 * Returns the conditions for rows at and after the start of a page, in page order. If no row can have a value of the token, they
 * include further rows.
 */
export function fromToken({ columns, sorted, dialect }: RowOrder, token: string): readonly Sql[] {
  if (token === '') return [always];
  const start = parseToken(sorted.order, token);
  const positions = start.kind === 'text' ? [] : sorted.positionsAt(start.key);
  const values: PlacedValue[] = [];
  for (const [at, column] of columns.entries()) {
    const position = positions[at];
    const value = position === undefined ? null : column.valueAt(position);
    if (value === null) break;
    if (isBeyond(value)) {
      if (at === 0) return beyond(value === 'above', column);
      break;
    }
    values.push(value);
    if (position === undefined || column.isStored?.(position) === false) break;
  }
  return placedAfter(columns, values, true, dialect);
}

function isBeyond(value: PlacedValue | 'above' | 'below'): value is 'above' | 'below' {
  return value === 'above' || value === 'below';
}

/** Returns the condition for rows after an integer that is beyond the values of the column. */
function beyond(isAbove: boolean, { expression, isNullable, isDescending }: OrderedColumn): readonly Sql[] {
  if (isAbove === isDescending) return [always];
  return isAbove && isNullable ? [sql`${expression} IS NULL`] : [];
}

/** Returns the conditions for rows after a fetched one, in page order. */
export function afterRow({ columns, dialect }: RowOrder, row: object): readonly Sql[] {
  const values = columns.map(({ positionOf, valueAt }) => valueAt(positionOf(row)));
  return values.some((value) => value === null || isBeyond(value))
    ? []
    : placedAfter(columns, values as PlacedValue[], false, dialect);
}

/** Returns the condition for rows whose key has the prefix. */
export function withPrefix({ expression, valueAt }: Unordered, prefix: string): Sql {
  if (prefix === '') return always;
  const after = textAfterAll(prefix);
  const [from, to] = [valueAt(prefix), after === null ? null : valueAt(after)];
  if (from === null || typeof from === 'string') return never;
  const below = to === null || typeof to === 'string' ? always : sql`${expression} < ${to}`;
  return and([sql`${expression} >= ${from}`, below]);
}

/** Returns the token of the page that begins with a row. */
export function tokenOfRow({ sorted: { order } }: RowOrder, row: object): string {
  return tokenOf(order, keyOf(order, row));
}
