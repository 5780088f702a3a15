import type { Order } from '../list/index.js';
import type { Schema } from '../../language/schema/schema.js';
import type { TableOrders } from './index-declaration.js';
import { isTextPlace, textOrder } from './text-order.js';

/** A field by which lists can be sorted; rows with equal values are in list order. */
export interface SortField<T> {
  readonly name: string;
  /** Source of the order: the list itself, a sorting index, or the consecutive groups of a value index. */
  readonly by: 'list' | 'index' | 'values';
  /** Whether page tokens begin with a number. */
  readonly isNumbered: boolean;
  /** The order of the concatenated value groups; null for `list` and `index`, which have their own. */
  readonly order: ((orders: Pick<TableOrders<T>, 'list'>) => Order<T>) | null;
}

/** The declared orders of a table. */
export interface DeclaredOrders {
  readonly schema: Schema;
  /** The field that comes first in the list order; null if no single field does. */
  readonly listField: string | null;
  readonly listOrder: Pick<Order<never>, 'index'> | null;
  /** Integer fields with a sorting index. */
  readonly ranges: readonly string[];
  readonly values: readonly string[];
}

/** @throws TypeError if the field cannot sort lists. */
export function sortField<T extends object>(name: string, declared: DeclaredOrders): SortField<T> {
  const { schema, listField, listOrder, ranges, values } = declared;
  if (name === listField) {
    return { name, by: 'list', isNumbered: listOrder?.index !== undefined, order: null };
  }
  if (ranges.includes(name)) return { name, by: 'index', isNumbered: true, order: null };
  const type = schema.root.fields.get(name)?.type;
  if (type?.kind !== 'string' || type.nullDepth > 0) {
    throw new TypeError(`${name} is not a string: to sort by it, declare it in ranges`);
  }
  if (!values.includes(name)) return { name, by: 'index', isNumbered: false, order: null };
  return {
    name,
    by: 'values',
    isNumbered: false,
    order: ({ list }) => textOrder(list, textIn<T>(schema, name)),
  };
}

/** Returns whether a string is a position in the order of a field, as page tokens are. */
export function isPositionInOrder(
  { by, isNumbered }: Pick<SortField<never>, 'by' | 'isNumbered'>,
  token: string,
): boolean {
  if (isNumbered) return /^-?\d{1,20}\../s.test(token);
  return by === 'list' ? token !== '' : isTextPlace(token);
}

/** Returns a function that reads a string field, given its filter name. */
export function textIn<T extends object>({ root }: Schema, name: string): (row: T) => string {
  const property = root.fields.get(name)?.property ?? name;
  // Rows match the schema, in which this field is a string.
  return (row) => (row as Readonly<Record<string, string>>)[property] ?? '';
}
