import { compareKeys, type Key, type Order } from '../../list/index.js';
import type { RowPredicate } from '../request/row-predicate.js';
import type { Filter } from '../../../filter/filter.js';
import type { FilterPlan, RangeLookup } from '../../../filter/plan.js';
import { rangeIndexName } from '../../table/index-declaration.js';
import { mergeRows } from '../../table/merge-rows.js';
import type { Viewer } from '../../table/row-matcher.js';
import type { SortField } from '../../table/sort-field.js';
import {
  prefixRange,
  scanPieces,
  scanRows,
  type SortedRows,
  type Piece,
  type Range,
} from '../../table/sorted-rows.js';
import { groupRows, type SecondaryIndex } from '../../table/secondary-index.js';
import {
  keyRangesOf,
  sortedRanges,
  rangeOf,
  type AccessPathBounds,
  type OrderedRange,
} from './ordered-range.js';

/** The rows that a query may read: a range of an ordered table, restricted by a predicate. */
export interface Selection<T> {
  readonly rows: SortedRows<T>;
  /** Selects rows whose key begins with this string. */
  readonly keyPrefix: string;
  /** Predicate evaluated before any filter; null for all rows. */
  readonly where: RowPredicate<T> | null;
  /** The indexes of the table; absent if `rows` are not in list order. */
  readonly indexes?: Readonly<Record<string, SecondaryIndex<T>>>;
  /** The field whose value follows `keyPrefix` in the keys of `rows`; absent if the prefix ends within a value. */
  readonly keyField?: string;
  /** The conditions of `where` on single fields, so that indexes can find the rows. */
  readonly lookups?: readonly Lookup[];
  /**
   * The viewer, if the caller may not see all rows of the table. Its columns contain only visible rows and are filled only by its
   * own queries. If absent, queries with invisible rows use no columns.
   */
  readonly viewer?: Viewer<T>;
  /** All rows of the table sorted by a field; absent if `rows` are already in the requested order. */
  readonly sorted?: SortedTable<T>;
}

/** The rows of a table in the order of one of its fields. */
export interface SortedTable<T> {
  readonly field: SortField<T>;
  readonly rows: SortedRows<T>;
}

/** Returns a predicate: whether a row belongs to a selection and is visible to the caller. */
export function selectionTest<T>(
  { rows: { order }, keyPrefix, where }: Selection<T>,
  visible: RowPredicate<T> | null,
): RowPredicate<T> {
  return (row) =>
    (visible === null || visible(row)) &&
    (where === null || where(row)) &&
    (keyPrefix === '' || order.text(row).startsWith(keyPrefix));
}

/** Returns the order of the list. */
export function orderOf<T>({ rows, sorted }: Selection<T>): Order<T> {
  return (sorted?.rows ?? rows).order;
}

/** A condition: the field has this value. */
export interface Lookup {
  readonly field: string;
  readonly key: string;
}

/** The rows to scan for a list, and the predicate to evaluate on them. */
export interface AccessPath<T> {
  readonly order: Order<T>;
  /** Ranges in the requested order. A row may be in several of them. */
  readonly orderedRanges: readonly OrderedRange<T>[];
  readonly keyPrefix: string;
  /** The rest of the filter, which must be evaluated on rows. */
  readonly filter: Filter<T> | null;
  /** The index that finds the rows; null for a scan. */
  readonly index: UsedIndex | null;
  /** Whether the rows were found in another order and then sorted. */
  readonly isPutInOrder?: boolean;
}

export interface UsedIndex {
  readonly field: string;
  /** The values that were looked up; empty if ranges are used. */
  readonly keys: readonly string[];
  /** Whether the rows were found by a range of the index. */
  readonly isRange: boolean;
  /** The clauses of the filter that the index evaluates; empty if it was chosen for a parameter of the request. */
  readonly clauses: readonly number[];
}

/** Default limits. Sorting 2,000 rows takes a few milliseconds. */
export const defaultBounds: AccessPathBounds = { maxMerged: 16, maxSorted: 2_000 };

interface Candidate<T> {
  readonly index: UsedIndex;
  readonly orderedRanges: readonly OrderedRange<T>[];
  /** Compiles the rest of the filter. */
  readonly filter: () => AccessPath<T>['filter'];
}

/**
 * Returns the cheapest access path: of all usable indexes the one with the fewest rows, else a scan. If the caller has an access
 * filter, only its clauses choose the index: the time of a query must not depend on rows that the caller may not see.
 */
export function chooseAccessPath<T>(
  selection: Selection<T>,
  plan: FilterPlan<T> | null,
  bounds: AccessPathBounds = defaultBounds,
  accessPlan: FilterPlan<T> | null = null,
): AccessPath<T> {
  const { rows, keyPrefix } = selection;
  const chosen = accessPlan ?? plan;
  const lookups = accessPlan === null ? (selection.lookups ?? []) : [];
  const wholeFilter = (): Filter<T> | null => plan?.filter ?? null;
  const rest = (found: Pick<RangeLookup<T>, 'residual'>): Candidate<T>['filter'] =>
    accessPlan === null ? () => found.residual : wholeFilter;
  const whole = [rangeOf(rows)];
  const scan = {
    order: rows.order,
    keyPrefix,
    orderedRanges: whole,
    filter: wholeFilter(),
    index: null,
  };
  if (lookups.length + (chosen?.lookups.length ?? 0) + (chosen?.ranges.length ?? 0) === 0) return scan;
  const find = (used: UsedIndex, filter: Candidate<T>['filter']): Candidate<T> | null => {
    const index = indexOf(selection, used.field, false);
    if (index === null || used.keys.length > bounds.maxMerged) return null;
    const groups = used.keys.map((key) => groupRows(index, key)).filter(({ size }) => size > 0);
    return { index: used, orderedRanges: groups.map(rangeOf), filter };
  };
  const keyed = [
    ...(chosen?.lookups ?? []).map((lookup) => {
      const { clause, index, keys } = lookup;
      return find({ field: index.field, keys, isRange: false, clauses: [clause] }, rest(lookup));
    }),
    ...lookups.map(({ field, key }) =>
      find({ field, keys: [key], isRange: false, clauses: [] }, wholeFilter),
    ),
  ].filter((candidate) => candidate !== null);
  const fewest = Math.min(...keyed.map(sizeOf));
  const ranged = (chosen?.ranges ?? [])
    .map((range) => findRange(selection, range, fewest, bounds, rest))
    .filter((candidate) => candidate !== null);
  const [first, ...others] = [...keyed, ...ranged];
  if (first === undefined) return scan;
  const best = others.reduce((min, each) => (sizeOf(each) < sizeOf(min) ? each : min), first);
  return { ...scan, ...best, filter: sizeOf(best) === 0 ? null : best.filter() };
}

/** Returns the index of a field by value or by range; null without a complete index. */
function indexOf<T>(
  { indexes = {} }: Selection<T>,
  field: string,
  isRange: boolean,
): SecondaryIndex<T> | null {
  const index = indexes[isRange ? rangeIndexName(field) : field];
  return index === undefined || index.unindexed > 0 ? null : index;
}

/** Returns the rows of a key range in list order; null if that would require a full scan, or if they are not fewer than `max`. */
function findRange<T>(
  selection: Selection<T>,
  range: RangeLookup<T>,
  max: number,
  bounds: AccessPathBounds,
  rest: (range: RangeLookup<T>) => Candidate<T>['filter'],
): Candidate<T> | null {
  const { rows, keyPrefix, keyField } = selection;
  const { clauses, ranges } = range;
  const { field } = range.index;
  const index = { field, keys: [], isRange: true, clauses };
  const sorted = indexOf(selection, field, true);
  const orderedRanges =
    field === keyField
      ? keyRangesOf(rows, keyPrefix, ranges, bounds)
      : sorted === null
        ? null
        : sortedRanges(sorted, rows.order, ranges, max, bounds);
  return orderedRanges === null ? null : { index, orderedRanges, filter: rest(range) };
}

function sizeOf<T>({ orderedRanges: ranges }: Candidate<T>): number {
  return ranges.reduce((sum, { size }) => sum + size, 0);
}

/** Number of rows merged per step. Prevents a page from waiting for more rows than it needs. */
const mergedAtOnce = 16;

/** Yields the rows of an access path in order and in chunks, optionally starting at a key. */
export function* readAccessPath<T>(
  { order, orderedRanges: ranges, keyPrefix }: AccessPath<T>,
  start: Key | null,
  reverse: boolean,
): Generator<Piece<T>, void, undefined> {
  const all = prefixRange(keyPrefix);
  const range = start === null ? all : narrow(all, start, reverse);
  const [only, ...others] = ranges;
  if (only !== undefined && others.length === 0) {
    yield* scanPieces(only.rows, only.within?.(range) ?? range, reverse);
    return;
  }
  const sources = ranges.map(({ rows, within }) => scanRows(rows, within?.(range) ?? range, reverse));
  let piece: T[] = [];
  for (const row of mergeRows(order, sources, reverse)) {
    if (piece.push(row) < mergedAtOnce) continue;
    yield { rows: piece, from: 0, to: piece.length };
    piece = [];
  }
  if (piece.length > 0) yield { rows: piece, from: 0, to: piece.length };
}

/** Returns the part of a range that a page starting at `key` can contain. */
export function narrow(range: Range, key: Key, reverse: boolean): Range {
  const { from, to } = range;
  if (reverse) return to === null || compareKeys(key, to) < 0 ? { from, to: key } : range;
  return from === null || compareKeys(key, from) > 0 ? { from: key, to } : range;
}
