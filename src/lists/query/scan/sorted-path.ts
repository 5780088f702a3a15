import type { FilterPlan } from '../../../filter/plan.js';
import { atKey } from '../../../filter/compile/frame/key-range.js';
import type { Filter } from '../../../filter/filter.js';
import type { Order } from '../../list/order.js';
import { fromSortedRows, fullRange, scanRows, sortRows, type SortedRows } from '../../table/sorted-rows.js';
import type { RowPredicate } from '../request/row-predicate.js';
import { createFirstRows, type FirstRowsRequest } from './first-rows.js';
import {
  chooseAccessPath,
  defaultBounds,
  readAccessPath,
  type AccessPath,
  type Selection,
  type SortedTable,
} from './access-path.js';
import { valueRangesOf, rangeOf, type AccessPathBounds } from './ordered-range.js';

/**
 * Returns the access path to the rows of a list sorted by a field. If other indexes find few rows, these are sorted. Otherwise
 * rows are read in that order from the start of the page, which never reads more rows than a scan.
 */
export function chooseSortedPath<T>(
  selection: Selection<T>,
  sorted: SortedTable<T>,
  plan: FilterPlan<T> | null,
  bounds: AccessPathBounds = defaultBounds,
  page: NeededRows<T> | null = null,
  accessPlan: FilterPlan<T> | null = null,
): AccessPath<T> {
  const found = chooseAccessPath(selection, plan, bounds, accessPlan);
  const isPart = found.index !== null || found.keyPrefix !== '';
  const { order } = sorted.rows;
  const putInOrder = (
    rows: SortedRows<T>,
    orderedRanges: AccessPath<T>['orderedRanges'] = [rangeOf(rows)],
  ): AccessPath<T> => {
    return { ...found, order, keyPrefix: '', orderedRanges, isPutInOrder: true };
  };
  // Callers who may not see all rows must not learn from the time whether others sorted the same rows.
  const isShared = accessPlan === null && page?.where === null;
  const ofGroup = isPart && isShared ? sortedGroup(found, order, bounds.maxSorted) : null;
  if (ofGroup !== null) {
    // Rows outside the ranges need not be evaluated.
    return putInOrder(
      ofGroup,
      readInRanges({ field: sorted.field, rows: ofGroup }, plan, bounds)?.orderedRanges,
    );
  }
  const few = isPart ? fewRows(found, bounds.maxSorted) : null;
  if (few !== null) {
    const isSafe = page !== null && plan?.mayFail !== true;
    return putInOrder(isSafe ? firstRows(few, order, found.filter, page) : sortRows(order, few));
  }
  const whole = { orderedRanges: [rangeOf(sorted.rows)], filter: plan?.filter ?? null, index: null };
  return { order, keyPrefix: '', ...((accessPlan === null && readInRanges(sorted, plan, bounds)) || whole) };
}

/** The rows that a page needs. */
export interface NeededRows<T> extends Omit<FirstRowsRequest<T>, 'order'> {
  /** Predicate for relevant rows; null for all. */
  readonly where: RowPredicate<T> | null;
}

/** Returns the first matching rows of a page in order. Faster than sorting all rows. The filter must not fail. */
function firstRows<T>(
  rows: readonly T[],
  order: Order<T>,
  filter: Filter<T> | null,
  { where, ...page }: NeededRows<T>,
): SortedRows<T> {
  const relevant = where === null ? rows : rows.filter(where);
  const first = createFirstRows({ ...page, order });
  for (const row of filter === null ? relevant : filter.select(relevant)) first.add(row);
  return fromSortedRows(order, first.inOrder());
}

/** How often a page needed the rows of a group in one order, and these rows once they are sorted. */
interface SortedGroup {
  readonly order: object;
  uses: number;
  rows: object | null;
}

/** The sorted rows of groups of indexes. A write replaces the groups that it changes, so entries are never out of date. */
const sortedGroups = new WeakMap<object, SortedGroup>();
/**
 * Number of pages read from an unsorted group before it is sorted by strings, which takes as long as reading two or three. Sorting by
 * a number takes less time than reading one page.
 */
const usesBeforeSort = 2;

/** Returns all rows of a group in an order, if several pages needed them; else null. */
function sortedGroup<T>(
  { orderedRanges: [group, ...others], keyPrefix }: AccessPath<T>,
  order: Order<T>,
  max: number,
): SortedRows<T> | null {
  if (group === undefined || others.length > 0 || group.within !== null || keyPrefix !== '') return null;
  const { rows, size } = group;
  if (size > max) return null;
  const cached = sortedGroups.get(rows);
  const known = cached?.order === order ? cached : { order, uses: 0, rows: null };
  sortedGroups.set(rows, known);
  if ((known.uses += 1) <= usesBeforeSort && order.index === undefined) return null;
  known.rows ??= sortGroup(order, rows);
  return known.rows as SortedRows<T>;
}

/** Sorts rows that are in list order. The order of a field by numbers compares only these: rows with equal ones stay in list order. */
function sortGroup<T>(order: Order<T>, group: SortedRows<T>): SortedRows<T> {
  const rows = scanRows(group, fullRange, false);
  if (order.index === undefined || order === group.order) return sortRows(order, [...rows]);
  const byNumber = new Map<number | bigint, T[]>();
  for (const row of rows) {
    const index = order.index(row);
    const number = Number.isSafeInteger(Number(index)) ? Number(index) : index;
    const others = byNumber.get(number);
    if (others === undefined) byNumber.set(number, [row]);
    else others.push(row);
  }
  const sorted = [...byNumber].sort(([a], [b]) => (a < b ? -1 : 1));
  return fromSortedRows(
    order,
    sorted.flatMap(([, members]) => members),
  );
}

/** Returns the rows of a path; null if there are more than `max`. */
function fewRows<T>(path: AccessPath<T>, max: number): readonly T[] | null {
  const sizes = path.orderedRanges.map(({ size }) => size);
  // Ranges have no rows in common.
  const minSize =
    path.index?.isRange === true ? sizes.reduce((sum, size) => sum + size, 0) : Math.max(...sizes);
  if (path.keyPrefix === '' && minSize > max) return null;
  const found: T[] = [];
  for (const { rows, from, to } of readAccessPath(path, null, false)) {
    if (found.length + to - from > max) return null;
    for (let at = from; at < to; at += 1) found.push(rows[at] as T); // at < to <= rows.length
  }
  return found;
}

/** Returns the sorted rows that satisfy the clauses about the sort field, which leave `filter` to evaluate; null without any. */
function readInRanges<T>(
  { field, rows }: SortedTable<T>,
  plan: FilterPlan<T> | null,
  bounds: AccessPathBounds,
): Pick<AccessPath<T>, 'orderedRanges' | 'filter' | 'index'> | null {
  const { name, isNumbered, by } = field;
  // If the field is the list's own string order, keys are positions of that order, so ranges of the field do not apply.
  if (plan === null || (by === 'list' && !isNumbered)) return null;
  const range = plan.ranges.find(({ index }) => index.field === name);
  const inRanges = range === undefined ? null : valueRangesOf(rows, field, range.ranges, bounds);
  if (range !== undefined && inRanges !== null) {
    const { clauses, residual } = range;
    return {
      orderedRanges: inRanges,
      filter: residual,
      index: { field: name, keys: [], isRange: true, clauses },
    };
  }
  // The index key of a string is the string itself.
  const lookup = by === 'values' ? plan.lookups.find(({ index }) => index.field === name) : undefined;
  const ofValues = lookup === undefined ? null : valueRangesOf(rows, field, lookup.keys.map(atKey), bounds);
  if (lookup === undefined || ofValues === null) return null;
  const { keys, clause, residual } = lookup;
  return {
    orderedRanges: ofValues,
    filter: residual,
    index: { field: name, keys, isRange: false, clauses: [clause] },
  };
}
