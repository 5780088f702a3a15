import { pathReader } from '../../filter/compile/frame/indexed-field.js';
import { findFieldPath } from '../../language/schema/field-path.js';
import type { Schema } from '../../language/schema/schema.js';
import type { Order } from '../list/index.js';
import { integerText, isTextPlace, placeInList, stringPositionOf, textOrder } from './text-order.js';
import { valueOrder, type ValueOrder } from './value-order.js';

/** A field by which lists can be sorted; rows with equal values are in list order. */
export interface SortField<T> {
  /** The name in filters and queries; a path for a field of a struct. */
  readonly name: string;
  /**
   * How the order is provided: `list` is list order itself, `index` a sorted index, `values` the groups of a value index in
   * sequence.
   */
  readonly by: 'list' | 'index' | 'values';
  /** Whether the field sorts by a number, with which its page tokens begin. */
  readonly isNumbered: boolean;
  /** The order of the values. */
  readonly values: ValueOrder;
  /** Returns the value of a row. */
  readonly read: (row: T) => unknown;
}

/** The orders that a table declares. */
export interface DeclaredOrders {
  readonly schema: Schema;
  /** The field by which list order sorts first; null if it is not a single field. */
  readonly listField: string | null;
  readonly listOrder: Pick<Order<never>, 'index'> | null;
  /** Fields with an index by value. */
  readonly values: readonly string[];
}

/** Returns a sort field by its filter name. @throws TypeError if the field cannot sort lists. */
export function sortField<T extends object>(name: string, declared: DeclaredOrders): SortField<T> {
  const { schema, listField, listOrder, values: indexed } = declared;
  const field = findFieldPath(schema, name, 'fields');
  const values = field === null ? null : valueOrder(field.type);
  if (field === null || values === null) throw new TypeError(`Lists cannot be sorted by ${name}`);
  const { type, properties, isOptional } = field;
  const read = pathReader(properties);
  if (name === listField)
    return { name, by: 'list', isNumbered: listOrder?.index !== undefined, values, read };
  const isGrouped = type.kind === 'string' && type.nullDepth === 0 && !isOptional && indexed.includes(name);
  return { name, by: isGrouped ? 'values' : 'index', isNumbered: values.isNumbered, values, read };
}

/** Returns the order of rows by a field; rows with equal values are in list order. */
export function orderByField<T>({ by, values, read }: SortField<T>, list: Order<T>): Order<T> {
  if (by === 'list') return list;
  if (!values.isNumbered) return textOrder(list, (row) => values.positionOf(read(row)));
  return { index: (row) => values.positionOf(read(row)), text: placeInList(list) };
}

/** Returns a position as a string. No such string is the beginning of another. */
export function positionText(position: number | bigint | string): string {
  return typeof position === 'string' ? stringPositionOf(position) : `${integerText(position)}.`;
}

/** Whether a string from a page token is a position in the order of a field. */
export function isPositionInOrder(
  { by, isNumbered }: Pick<SortField<never>, 'by' | 'isNumbered'>,
  token: string,
): boolean {
  if (isNumbered) return /^-?\d{1,22}\../s.test(token);
  return by === 'list' ? token !== '' : isTextPlace(token);
}
