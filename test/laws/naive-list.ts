import { compileFilter, FilterError } from '../../src/index.js';
import type { DrawnList, DrawnRow } from './drawn-list.js';

/** A query, as the model understands it. */
export interface NaiveQuery {
  readonly filter?: string | undefined;
  readonly sort?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly prefix?: string | undefined;
  readonly visible?: ((row: DrawnRow) => boolean) | undefined;
}

function bytewise(a: unknown, b: unknown): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function numerically(a: unknown, b: unknown): number {
  const [left, right] = [a as bigint, b as bigint];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** All rows of a query in their order, by a filter of an array and a sort. */
export function naiveOrder(
  list: DrawnList,
  rows: readonly DrawnRow[],
  query: NaiveQuery,
): readonly DrawnRow[] {
  const { key, numbers } = list;
  const sorts = (query.sort ?? '').split(',').filter((each) => each !== '');
  const isLastDown = sorts[sorts.length - 1]?.startsWith('-') ?? query.reverse === true;
  const compare = (a: DrawnRow, b: DrawnRow): number => {
    for (const each of sorts) {
      const name = each.replace(/^-/, '');
      const distance = numbers.has(name) ? numerically(a[name], b[name]) : bytewise(a[name], b[name]);
      // Rows of one key are one row.
      if (distance !== 0) return each.startsWith('-') ? -distance : distance;
    }
    return isLastDown ? -bytewise(a[key], b[key]) : bytewise(a[key], b[key]);
  };
  return rows
    .filter((row) => query.visible?.(row) ?? true)
    .filter((row) => String(row[key]).startsWith(query.prefix ?? ''))
    .sort(compare);
}

/** The rows of a query; the error message of the first row, in the order of the list, that fails the filter. */
export function naiveList(
  list: DrawnList,
  rows: readonly DrawnRow[],
  query: NaiveQuery,
): readonly DrawnRow[] | string {
  const ordered = naiveOrder(list, rows, query);
  if (query.filter === undefined) return ordered;
  try {
    const filter = compileFilter(query.filter, { schema: list.schema });
    return ordered.filter((row) => filter.test(row));
  } catch (error) {
    if (error instanceof FilterError) return error.message;
    throw error;
  }
}

/** The items of the first page, which is looked for up to the row that the next one begins with; or the text of an error on the way. */
export function naivePage(
  list: DrawnList,
  rows: readonly DrawnRow[],
  query: NaiveQuery,
  perPage: number,
): readonly DrawnRow[] | string {
  const items: DrawnRow[] = [];
  for (const row of naiveOrder(list, rows, query)) {
    const found = naiveList(list, [row], query);
    if (typeof found === 'string') return found;
    if (found.length > 0 && items.push(row) > perPage) break;
  }
  return items.slice(0, perPage);
}
