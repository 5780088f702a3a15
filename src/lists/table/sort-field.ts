import type { Order } from '../list/index.js';
import type { Schema } from '../../language/schema/schema.js';
import type { TableOrders } from './index-declaration.js';
import { isTextPlace, textOrder } from './text-order.js';

/** A field by which lists can be sorted, rows with one value in their own order. */
export interface SortField<T> {
  readonly name: string;
  /**
   * Where rows have that order: in the list itself, in a sorting index, or in an index of values, whose groups in sequence are
   * the order.
   */
  readonly by: 'list' | 'index' | 'values';
  /** Whether page tokens begin with a number. */
  readonly isNumbered: boolean;
  /** The order of the groups of values put together; null for the others, which have their own. */
  readonly order: ((orders: Pick<TableOrders<T>, 'list'>) => Order<T>) | null;
}

/** What a table declares of its indexes. */
export interface DeclaredOrders {
  readonly schema: Schema;
  /** The field that the order of lists begins with; null where none does alone. */
  readonly listField: string | null;
  readonly listOrder: Pick<Order<never>, 'index'> | null;
  /** Fields of integers that an index sorts. */
  readonly ranges: readonly string[];
  readonly values: readonly string[];
}

/** @throws TypeError for a field by which nothing sorts. */
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

/** Reads a field of texts, by the name that filters have for it. */
export function textIn<T extends object>({ root }: Schema, name: string): (row: T) => string {
  const property = root.fields.get(name)?.property ?? name;
  // Rows are of the schema, which says that this is a text.
  return (row) => (row as Readonly<Record<string, string>>)[property] ?? '';
}
