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
  /** Source of the order: the list itself, a sorting index, or the consecutive groups of a value index. */
  readonly by: 'list' | 'index' | 'values';
  /** Whether page tokens begin with a number. */
  readonly isNumbered: boolean;
  /** The order of the values. */
  readonly values: ValueOrder;
  /** Returns the value of a row. */
  readonly read: (row: T) => unknown;
}

/** The declared orders of a table. */
export interface DeclaredOrders {
  readonly schema: Schema;
  /** The field that comes first in the list order; null if no single field does. */
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

/** Returns the position of a value as a string that is not the beginning of another. */
export function positionText(position: number | bigint | string): string {
  return typeof position === 'string' ? stringPositionOf(position) : `${integerText(position)}.`;
}

/** Returns whether a string is a position in the order of a field, as page tokens are. */
export function isPositionInOrder(
  { by, isNumbered }: Pick<SortField<never>, 'by' | 'isNumbered'>,
  token: string,
): boolean {
  if (isNumbered) return /^-?\d{1,22}\../s.test(token);
  return by === 'list' ? token !== '' : isTextPlace(token);
}
