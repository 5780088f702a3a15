import { BitPlaces, countBits, countPlaces, rowOf } from '../../table/page-bits.js';
import type { PageResult } from '../../table/row-matcher.js';
import { countRows, prefixRange, scanPages, scanRows, fullRange } from '../../table/sorted-rows.js';
import type { RowPredicate } from '../request/row-predicate.js';
import { readAccessPath, type AccessPath, type Selection } from './access-path.js';
import { ScanRate } from './scan-rate.js';
import { countMatchedPlaces, isWholePage, Pieces, settle, wholeRows } from './table-scan.js';
import type { FacetField } from '../request/facet-query.js';
import type { ScanRequest } from './scan-request.js';
import { createValueTally, type FacetValueCount, type ValueTally } from './value-counts.js';

/** Number of rows of a list, and the frequencies of values in fields. */
export interface FacetCounts {
  readonly total: number;
  readonly facets: Readonly<Record<string, FacetCount>>;
}

export interface FacetCount {
  /** At most 100 values, the most frequent first. In list fields, each distinct element of a row counts once. */
  readonly values: readonly FacetValueCount<string | number | boolean | bigint>[];
  /** Total count of all other values. */
  readonly others: number;
}

/** Rows and fields to count. */
export interface FacetRequest<T> {
  readonly selection: Selection<T>;
  readonly path: AccessPath<T>;
  /** Predicate for relevant rows; null for all. */
  readonly where: RowPredicate<T> | null;
  /** The viewer, as in a scan request. */
  readonly viewer?: ScanRequest<T>['viewer'];
  readonly fields: readonly FacetField<T>[];
  /** Empty tallies of the fields, for a caller that keeps them. */
  readonly tallies?: readonly ValueTally[];
  /** Number of rows evaluated between two checks of the clock. Restarted at the beginning of each time slice. */
  readonly pace?: ScanRate;
  /** Limits the number of counted rows. If omitted, all rows are counted. */
  readonly budget?: CountBudget;
}

/** Number of rows that may still be counted; negative if the count ended early. */
export interface CountBudget {
  left: number;
}

/** Charges rows to a budget. Returns false if it is exceeded. */
function charge(budget: CountBudget | undefined, rows: number): boolean {
  if (budget === undefined) return true;
  budget.left -= rows;
  return budget.left >= 0;
}

/** Rows counted between two checks of the clock. */
const countedAtOnce = 32;
/** Pages counted from cached data between two checks of the clock. */
const passedAtOnce = 16;

/** Counts rows and values in steps. @throws FilterEvaluationError for a row on which the filter fails. */
export function* countFacets<T>(request: FacetRequest<T>): Generator<void, FacetCounts, undefined> {
  const { fields, tallies = fields.map(createValueTally) } = request;
  const counting =
    countInGroups(request, tallies) ?? countWhole(request, tallies) ?? countByRows(request, tallies);
  let step = counting.next();
  // Like `yield*`, but faster.
  for (; step.done !== true; step = counting.next()) yield;
  return { total: step.value, facets: facetsOf(fields, tallies) };
}

/** Returns the counts of fields as they are reported. */
export function facetsOf<T>(
  fields: readonly FacetField<T>[],
  tallies: readonly ValueTally[],
): FacetCounts['facets'] {
  const facets = fields.map(({ name, format }, at): [string, FacetCount] => {
    const { values = [], others = 0 } = tallies[at]?.finish() ?? {};
    return [name, { values: values.map(({ value, count }) => ({ value: format(value), count })), others }];
  });
  return Object.fromEntries(facets);
}

/** Counts values, and returns the number of rows. */
type Counting = Generator<void, number, undefined>;

/** Counts by the groups of indexes; null unless all rows of a table or prefix are requested and all fields are indexed. */
function countInGroups<T>(
  { selection, path, where, fields }: FacetRequest<T>,
  tallies: readonly ValueTally[],
): Counting | null {
  const { indexes = {}, rows } = selection;
  if (path.index !== null || path.filter !== null || where !== null) return null;
  const found = fields.map(({ text }) => (Object.hasOwn(indexes, text) ? indexes[text] : undefined));
  if (found.some((index) => index === undefined || index.unindexed > 0)) return null;
  const range = prefixRange(path.keyPrefix);
  return (function* () {
    for (const [at, index] of found.entries()) {
      if (index === undefined) continue;
      for (const { key, rows: members } of scanRows(index.groups, fullRange, false)) {
        const size = countRows(members, range);
        if (size > 0) tallies[at]?.add(key, size);
        yield;
      }
    }
    return countRows(rows, range);
  })();
}

/** Counts page by page, with columns if there are any; null if the rows are not contiguous. */
function countWhole<T>(request: FacetRequest<T>, tallies: readonly ValueTally[]): Counting | null {
  const { path, fields, pace = new ScanRate(), budget } = request;
  const { filter } = path;
  const whole = wholeRows(request);
  if (whole === null) return null;
  const { rows, matcher } = whole;
  const counts = fields.map(({ name, isPlain }) => (isPlain ? (matcher?.counts(name) ?? null) : null));
  return (function* () {
    let total = 0;
    let passed = 0;
    for (const range of scanPages(rows, prefixRange(path.keyPrefix), false)) {
      const { page, from, to } = range;
      const counted = fields.length === 0 && isWholePage(range) ? (matcher?.count(page) ?? null) : null;
      if (counted !== null) {
        total += counted;
        if ((passed += 1) % passedAtOnce === 0) yield;
        continue;
      }
      let result: PageResult | null = null;
      if (matcher !== null) {
        const known = matcher.known(page);
        result = known === undefined ? yield* matcher.make(page) : known;
      }
      matcher?.note(result === null ? countPlaces(page, from, to) : countMatchedPlaces(range, result));
      if ((result === null || filter !== null) && !charge(budget, to - from)) return total;
      if (result === null) {
        const pieces = new Pieces(range, false, pace);
        while (pieces.next()) {
          if (fields.length === 0) total += pieces.count(filter);
          else {
            const matching = pieces.select(filter);
            total += matching.length;
            for (const [at, field] of fields.entries()) tallyRows(matching, field, tallies[at]);
          }
          if (pace.isDue()) yield;
        }
        continue;
      }
      const bits = filter === null ? result.bits : yield* settle(range, result, filter, false);
      total += countBits(bits, from, to);
      for (const [at, field] of fields.entries()) {
        const left = counts[at]?.count(page, bits, from, to);
        if (left === null) continue;
        const positions = new BitPlaces(left === undefined || left === false ? bits : left, from, to, false);
        let matching: T[] = [];
        for (let position = positions.next(); position >= 0; position = positions.next()) {
          if (matching.push(rowOf(page, position)) < countedAtOnce) continue;
          tallyRows(matching, field, tallies[at]);
          matching = [];
          yield;
        }
        tallyRows(matching, field, tallies[at]);
      }
      yield;
    }
    for (const [at, field] of fields.entries()) {
      for (const { row, count } of counts[at]?.found() ?? []) {
        for (const value of field.keysOf(row) ?? []) tallies[at]?.add(value, count);
      }
    }
    return total;
  })();
}

/** Adds the values of rows to a tally, or removes them if `count` is -1. */
export function tallyRows<T>(
  rows: readonly T[],
  { keysOf }: FacetField<T>,
  tally: ValueTally | undefined,
  count = 1,
): void {
  for (const row of rows) for (const value of keysOf(row) ?? []) tally?.add(value, count);
}

function* countByRows<T>(
  { path, where, fields, pace = new ScanRate(), budget }: FacetRequest<T>,
  tallies: readonly ValueTally[],
): Counting {
  const { filter } = path;
  let total = 0;
  for (const { rows, from, to } of readAccessPath(path, null, false)) {
    for (let at = from; at < to;) {
      const end = at + pace.take(to - at);
      if (!charge(budget, end - at)) return total;
      const matching = matchesOf(rows, at, end, where, filter);
      at = end;
      total += matching.length;
      for (const [at, field] of fields.entries()) tallyRows(matching, field, tallies[at]);
      if (pace.isDue()) yield;
    }
  }
  return total;
}

/** Returns the relevant rows in a half-open range of positions. */
function matchesOf<T>(
  rows: readonly T[],
  from: number,
  to: number,
  where: RowPredicate<T> | null,
  filter: AccessPath<T>['filter'],
): readonly T[] {
  if (where === null && filter !== null) {
    const matching: T[] = [];
    filter.scan(rows, matching, { from, to });
    return matching;
  }
  const some = rows.slice(from, to);
  const seen = where === null ? some : some.filter(where);
  return filter === null ? seen : filter.select(seen);
}
