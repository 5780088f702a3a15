import { readInstant } from '../compile/frame/clock.js';
import { checkNames, describe } from '../../language/diagnostics/options.js';
import type { FilterSource } from '../../language/parse.js';
import type { InputRowOf } from '../../language/schema/row.js';
import type { Schema } from '../../language/schema/schema.js';
import type { ReadNow } from './compiled-filters.js';
import type { Candidates } from './filter-index.js';
import { FilterStore } from './filter-store.js';
import { RowView } from './row-view.js';
import {
  explainAccess,
  explainCandidate,
  type CandidateExplanation,
  type FilterAccess,
} from './set-explanation.js';
import {
  changeBetween,
  matchCandidates,
  noMatch,
  type FilterSetChange,
  type FilterSetMatch,
} from './set-match.js';
import { readSetOptions, type FilterSetOptions } from './set-options.js';

/** Options of one match of a set. */
export interface FilterSetMatchOptions {
  /** The instant of `now` for all filters. Default: the current time of the set's clock. */
  readonly now?: Date;
}

/** Numbers about the content of a set and its work so far. */
export interface FilterSetStats {
  /** Number of ids. */
  readonly filters: number;
  /** Number of distinct filters. Filters with the same source count once. */
  readonly distinct: number;
  /** Number of distinct filters that are evaluated for every row. */
  readonly always: number;
  /** Total length of the distinct sources, in UTF-16 units. */
  readonly totalLength: number;
  /** The indexes by which the other filters are found. */
  readonly indexes: readonly FilterSetIndexStats[];
  /** Number of rows matched so far. A change of a row counts as two. */
  readonly rows: number;
  /** Totals over all matches: candidates, evaluated filters, matching ids and failing ids. */
  readonly candidates: number;
  readonly evaluated: number;
  readonly matched: number;
  readonly failed: number;
}

/** Statistics of the filters that are found by one field. */
export interface FilterSetIndexStats {
  readonly field: string;
  /** `keys`: by equality. `ranges`: by the order of its values. */
  readonly kind: 'keys' | 'ranges';
  /** Number of index entries: one for each key or range by which a filter is found. */
  readonly entries: number;
  /** Different keys or ranges. */
  readonly ranges: number;
}

/** A set of saved filters that returns which of them match a row. */
export interface FilterSet<Row = unknown> {
  /** Number of ids. */
  readonly size: number;
  /**
   * Adds a filter, or replaces the one with this id. If the filter is rejected, nothing changes.
   * @throws the errors of `compileFilter`; RangeError if the set is full; TypeError if the id is not a string.
   */
  add(id: string, filter: FilterSource): void;
  /** Removes a filter. Returns false if none exists with this id. */
  remove(id: string): boolean;
  has(id: string): boolean;
  /**
   * Returns the filters that match a row, and those that throw for it. Never throws because of a row.
   * @throws TypeError if an option is invalid.
   */
  match(row: Row, options?: FilterSetMatchOptions): FilterSetMatch;
  /**
   * Like `match`, in parts of at most `size` candidates, for sets in which a row may have thousands. Other work can run between
   * the parts. Filters can be added and removed between the parts: removed ones are not reported, added ones are not evaluated.
   * The row must not change.
   * @throws RangeError if the size is not a positive integer; TypeError if an option is invalid.
   */
  matchInParts(row: Row, size: number, options?: FilterSetMatchOptions): Generator<FilterSetMatch, void>;
  /**
   * Returns the effect of a change of a row: the difference of two matches at one instant. Undefined for a row that did not exist
   * before, or does not exist after.
   * @throws as `match`.
   */
  matchChange(
    before: Row | undefined,
    after: Row | undefined,
    options?: FilterSetMatchOptions,
  ): FilterSetChange;
  stats(): FilterSetStats;
  /** Explains how a filter is found, which can change with the filters and the rows. Undefined for an unknown id. */
  explain(id: string): FilterAccess | undefined;
  /** Like `explain`, for one row: whether the row leads to the filter, why, and the result of the filter. */
  explainRow(id: string, row: Row, options?: FilterSetMatchOptions): CandidateExplanation | undefined;
}

/**
 * Creates a set of saved filters that returns which of them hold for a row. Filters are found by the values of the row, as rows
 * are by an index: by clauses that each of them requires (`F == v`, `F in [..]`, `v in F`, orderings, `starts with`, an `or` of
 * such). So a match takes time proportional to these candidates and not to the set. Filters without such a clause are evaluated
 * for every row, and `stats` counts them.
 *
 * ```ts
 * const set = createFilterSet(jobs);
 * set.add('ann', 'Status == "failed" and Priority > 50');
 * set.match(job).ids; // ['ann'] for a job that has failed and matters
 * ```
 *
 * The results are those of the filters one by one, errors included, also for rows that do not fit the schema.
 * @throws TypeError if an option is invalid.
 */
export function createFilterSet<S extends Schema>(
  schema: S,
  options: FilterSetOptions = {},
): FilterSet<InputRowOf<S>> {
  const { filterOptions, bounds } = readSetOptions(schema, options);
  const store = new FilterStore(filterOptions, bounds);
  return Object.freeze(new IndexedFilterSet(store, options.now ?? (() => new Date())));
}

/** Number of rows between two reconsiderations. After more rows, a better clause may be known. */
const rowsBetweenChanges = 8;

class IndexedFilterSet implements FilterSet {
  readonly #store: FilterStore;
  readonly #clock: ReadNow;
  readonly #sums = { rows: 0, candidates: 0, evaluated: 0, matched: 0, failed: 0 };

  constructor(store: FilterStore, clock: ReadNow) {
    this.#store = store;
    this.#clock = clock;
  }

  get size(): number {
    return this.#store.size;
  }

  add(id: string, filter: FilterSource): void {
    this.#store.add(id, filter);
  }

  remove(id: string): boolean {
    return this.#store.remove(id);
  }

  has(id: string): boolean {
    return this.#store.get(id) !== undefined;
  }

  match(row: unknown, options?: FilterSetMatchOptions): FilterSetMatch {
    return this.#match(row, this.#instant('match', options));
  }

  matchInParts(row: unknown, size: number, options?: FilterSetMatchOptions): Generator<FilterSetMatch, void> {
    if (!Number.isSafeInteger(size) || size < 1)
      throw new RangeError(
        `FilterSet.matchInParts: size must be an integer of at least 1, got ${describe(size)}`,
      );
    return this.#parts(row, size, this.#instant('matchInParts', options));
  }

  matchChange(before: unknown, after: unknown, options?: FilterSetMatchOptions): FilterSetChange {
    const instant = this.#instant('matchChange', options);
    const old = before === undefined ? noMatch : this.#match(before, instant);
    return changeBetween(old, after === undefined ? noMatch : this.#match(after, instant));
  }

  stats(): FilterSetStats {
    const { size, distinct, totalLength, index } = this.#store;
    return {
      filters: size,
      distinct,
      always: index.always.size,
      totalLength,
      indexes: index.used.map((used) => ({
        field: used.field,
        kind: used.kind,
        entries: used.size,
        ranges: used.ranges,
      })),
      ...this.#sums,
    };
  }

  explain(id: string): FilterAccess | undefined {
    const filter = this.#store.get(id);
    return filter === undefined ? undefined : explainAccess(filter, this.#store.compiled.of(filter).filter);
  }

  explainRow(id: string, row: unknown, options?: FilterSetMatchOptions): CandidateExplanation | undefined {
    const now = this.#instant('explainRow', options);
    const filter = this.#store.get(id);
    if (filter === undefined) return undefined;
    const compiled = this.#store.compiled.of(filter).filter;
    return explainCandidate(filter, compiled.at(now()), new RowView(row));
  }

  #match(row: unknown, now: ReadNow): FilterSetMatch {
    const found = this.#find(row);
    return this.#look(found, 0, found.filters.length, now);
  }

  *#parts(row: unknown, size: number, now: ReadNow): Generator<FilterSetMatch, void> {
    const found = this.#find(row);
    const { length } = found.filters;
    for (let from = 0; from < length; from += size)
      yield this.#look(found, from, Math.min(from + size, length), now);
  }

  #find(row: unknown): Candidates {
    const { index } = this.#store;
    if (this.#sums.rows % rowsBetweenChanges === 0) index.reconsider();
    this.#sums.rows += 1;
    return index.find(row);
  }

  #look(found: Candidates, from: number, to: number, now: ReadNow): FilterSetMatch {
    const part = matchCandidates(found, from, to, this.#store.compiled, now);
    this.#sums.candidates += part.candidates;
    this.#sums.evaluated += part.evaluated;
    this.#sums.matched += part.ids.length;
    this.#sums.failed += part.errors.length;
    return part;
  }

  /**
   * Returns the instant of a match, which is read from the clock when a filter first needs it.
   * @throws TypeError if an option is invalid.
   */
  #instant(method: keyof FilterSet, options: FilterSetMatchOptions = {}): ReadNow {
    checkNames(`FilterSet.${method}`, 'option', options, ['now']);
    let instant = options.now;
    if (instant !== undefined) readInstant(instant);
    return () => (instant ??= this.#clock());
  }
}
