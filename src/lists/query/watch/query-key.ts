import type { ParsedQuery } from '../request/query.js';
import type { RowPredicate } from '../request/row-predicate.js';
import { nameOfSort } from '../request/sort-query.js';

/** Returns the key of the order of a query. */
export function keyOfOrder<T>({ sort, reverse, prefix }: ParsedQuery<T>): string {
  return JSON.stringify([sort === null ? null : nameOfSort(sort), reverse, prefix !== '']);
}

/** Returns the key of a query. Queries with equal keys have the same page. */
export function keyOfQuery<T>(query: ParsedQuery<T>): string {
  const { filter, prefix, perPage, nextToken, access, viewer, visible, isCounted = false, facets } = query;
  // Callers with different visible rows have different pages.
  const caller: string | number | null =
    access?.key ?? viewer?.key ?? (visible === null ? null : keyOfFunction(visible));
  return JSON.stringify([caller, filter, keyOfOrder(query), prefix, perPage, nextToken, isCounted, facets]);
}

const functionKeys = new WeakMap<object, number>();
let functions = 0;

/** Returns a number that identifies a function. Functions are compared by identity. */
function keyOfFunction(visible: RowPredicate<never>): number {
  const known = functionKeys.get(visible) ?? (functions += 1);
  functionKeys.set(visible, known);
  return known;
}
