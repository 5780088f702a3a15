import { compareKeys, keyOf, type FieldIndex, type Order } from 'tamis';
import { textKey } from './key.js';
import { arrangeRows, findRow, orderRows, withoutRow, withRow, type SortedRows } from './sorted-rows.js';

/**
 * Rows by the value of one field, those with one value in the order of lists: so a filter on the field is a stretch of
 * rows, and a page of it begins anywhere in that. Immutable, like the orders that it is made of. Measured with a million
 * jobs and six fields: 9 bytes a row and field, and a write costs 125 us of the processor instead of 24.
 */
export interface Grouped<T> {
  readonly field: FieldIndex<T>;
  /** The order within each group. */
  readonly order: Order<T>;
  readonly groups: SortedRows<Group<T>>;
  /** How many rows have no key, because they do not fit the schema. While there is one, no filter may look here. */
  readonly misfits: number;
}

/** The rows with one key; never empty. */
export interface Group<T> {
  readonly key: string;
  readonly rows: SortedRows<T>;
}

const byKey = { text: ({ key }: { readonly key: string }) => key };

/** Groups rows that stand in the order already. */
export function groupRows<T>(field: FieldIndex<T>, order: Order<T>, rows: Iterable<T>): Grouped<T> {
  const found = new Map<string, T[]>();
  let misfits = 0;
  for (const row of rows) {
    const keys = field.keysOf(row);
    if (keys === null) misfits += 1;
    for (const key of keys ?? []) {
      const group = found.get(key);
      if (group === undefined) found.set(key, [row]);
      else group.push(row);
    }
  }
  const groups = [...found].map(([key, members]) => ({ key, rows: arrangeRows(order, members) }));
  return { field, order, groups: orderRows<Group<T>>(byKey, groups), misfits };
}

/** The rows with a key; null where there are none. */
export function findGroup<T>({ groups }: Grouped<T>, key: string): SortedRows<T> | null {
  return findRow(groups, textKey(key))?.rows ?? null;
}

/** Puts a row among those with its keys, and takes the one that it replaces out where that stood elsewhere. */
export function withGroupedRow<T>(grouped: Grouped<T>, old: T | undefined, row: T): Grouped<T> {
  const { field, order } = grouped;
  const keys = field.keysOf(row);
  const stays = old !== undefined && compareKeys(keyOf(order, old), keyOf(order, row)) === 0;
  // A row in its old place is replaced there, which costs less than to go and to come.
  let rest = old === undefined ? grouped : withoutGroupedRow(grouped, old, stays ? (keys ?? []) : []);
  if (keys === null) return { ...rest, misfits: rest.misfits + 1 };
  for (const key of keys) {
    const rows = findGroup(rest, key);
    const changed = rows === null ? arrangeRows(order, [row]) : withRow(rows, row);
    rest = { ...rest, groups: withRow(rest.groups, { key, rows: changed }) };
  }
  return rest;
}

/** Takes a row out, but not from the groups that it comes back to. */
export function withoutGroupedRow<T>(
  grouped: Grouped<T>,
  row: T,
  returning: readonly string[] = [],
): Grouped<T> {
  const { field, order } = grouped;
  const keys = field.keysOf(row);
  if (keys === null) return { ...grouped, misfits: grouped.misfits - 1 };
  let { groups } = grouped;
  for (const key of keys) {
    const rows = returning.includes(key) ? null : findGroup({ ...grouped, groups }, key);
    if (rows === null) continue;
    const left = withoutRow(rows, keyOf(order, row));
    groups = left.size === 0 ? withoutRow(groups, textKey(key)) : withRow(groups, { key, rows: left });
  }
  return { ...grouped, groups };
}
