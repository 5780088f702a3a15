import type { Order, StructType } from 'tamis';
import type { TableOrders } from './index-declaration.js';
import { isTextPlace, textOrder } from './text-order.js';

/** A field by which lists can be sorted, rows with one value in their own order. */
export interface SortField<T> {
  readonly name: string;
  /**
   * Where rows stand in that order: in lists as they are, in an index that sorts, or in one of values, whose groups one after
   * the other are the order.
   */
  readonly by: 'list' | 'index' | 'values';
  /** Whether page tokens begin with a number. */
  readonly isNumbered: boolean;
  /** The order of the groups of values put together; null for the others, which have their own. */
  readonly order: ((orders: Pick<TableOrders<T>, 'list'>) => Order<T>) | null;
}

/** What a resource declares of its indexes. */
export interface DeclaredOrders {
  readonly shape: StructType;
  /** The field that the order of lists begins with; null where none does alone. */
  readonly listField: string | null;
  readonly listOrder: Pick<Order<never>, 'index'> | null;
  /** Fields of integers that an index sorts. */
  readonly ranges: readonly string[];
  readonly values: readonly string[];
}

/** @throws TypeError for a field by which nothing sorts. */
export function sortField<T extends object>(name: string, declared: DeclaredOrders): SortField<T> {
  const { shape, listField, listOrder, ranges, values } = declared;
  if (name === listField) {
    return { name, by: 'list', isNumbered: listOrder?.index !== undefined, order: null };
  }
  if (ranges.includes(name)) return { name, by: 'index', isNumbered: true, order: null };
  if (shape.properties.get(name)?.type.kind !== 'string') {
    throw new TypeError(`${name} is no text: to sort by it, declare it among the ranges`);
  }
  if (!values.includes(name)) return { name, by: 'index', isNumbered: false, order: null };
  return { name, by: 'values', isNumbered: false, order: ({ list }) => textOrder(list, textIn(name)) };
}

/** Whether a text names a place in the order of a field, as page tokens do. */
export function isPlaceInOrder(
  { by, isNumbered }: Pick<SortField<never>, 'by' | 'isNumbered'>,
  token: string,
): boolean {
  if (isNumbered) return /^-?\d{1,20}\../s.test(token);
  return by === 'list' ? token !== '' : isTextPlace(token);
}

/** Reads a field of texts. */
export function textIn<T extends object>(name: string): (row: T) => string {
  // Rows are complete, and the shape says that this is a text.
  return (row) => (row as Readonly<Record<string, string>>)[name] ?? '';
}
