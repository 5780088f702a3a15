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

/** One match of a set. */
export interface FilterSetMatchOptions {
  /** What `now` is for all filters; what the clock of the set shows where it is left out. */
  readonly now?: Date;
}

/** What is in a set, and what it has done so far. Counts. */
export interface FilterSetStats {
  /** Ids. */
  readonly filters: number;
  /** Different filters: those with the same text are one. */
  readonly distinct: number;
  /** Those of them that are asked about every row. */
  readonly always: number;
  /** Characters of their texts. */
  readonly totalLength: number;
  /** Where the others are found. */
  readonly indexes: readonly FilterSetIndexStats[];
  /** Rows that the set was asked about. A change has two. */
  readonly rows: number;
  /** Sums over these rows of what a match counts: candidates, those that were asked, ids that held and that failed. */
  readonly candidates: number;
  readonly evaluated: number;
  readonly matched: number;
  readonly failed: number;
}

/** The filters that are found by one field. */
export interface FilterSetIndexStats {
  readonly field: string;
  /** `keys`: by equality. `ranges`: by the order of its values. */
  readonly kind: 'keys' | 'ranges';
  /** How often filters stand in the index: once for each key or range that they are found by. */
  readonly entries: number;
  /** Different keys or ranges. */
  readonly ranges: number;
}

/** Saved filters, and which of them hold for a row. */
export interface FilterSet<Row = unknown> {
  /** How many ids there are. */
  readonly size: number;
  /**
   * Adds a filter, or puts it in the place of the one with this id. A filter that is refused changes nothing.
   * @throws what `compileFilter` throws; RangeError where the set is full; TypeError for an id that is no text.
   */
  add(id: string, filter: FilterSource): void;
  /** Removes a filter. False where there is none with this id. */
  remove(id: string): boolean;
  has(id: string): boolean;
  /** The filters that hold for a row, and those that fail. Never throws for a row. @throws TypeError for a wrong option. */
  match(row: Row, options?: FilterSetMatchOptions): FilterSetMatch;
  /**
   * The same in parts of at most `size` candidates, for sets where a row may have thousands: whoever takes a part at a time
   * holds up nobody. Filters may be added and removed between the parts: what was removed is not told, what was added is not
   * asked. The row must stay as it is.
   * @throws RangeError for a size that is no count above 0; TypeError for a wrong option.
   */
  matchInParts(row: Row, size: number, options?: FilterSetMatchOptions): Generator<FilterSetMatch, void>;
  /**
   * What a change of a row means: the difference of two matches at one instant. Undefined stands for a row that was not there
   * before, or is not there any more. @throws as `match`.
   */
  matchChange(
    before: Row | undefined,
    after: Row | undefined,
    options?: FilterSetMatchOptions,
  ): FilterSetChange;
  stats(): FilterSetStats;
  /** How a filter is found, which can change with the filters and the rows that come. Undefined for an unknown id. */
  explain(id: string): FilterAccess | undefined;
  /** The same for a row: whether it leads to the filter, why, and what the filter says. */
  explainRow(id: string, row: Row, options?: FilterSetMatchOptions): CandidateExplanation | undefined;
}

/**
 * Makes a set of saved filters that tells which of them hold for one row. Filters are found by the values of the row, as rows
 * are by an index: by clauses that each of them needs (`F == v`, `F in [..]`, `v in F`, orderings, `starts with`, an `or` of such).
 * So a match takes time in proportion to these candidates and not to the set. Filters without such a clause are asked about
 * every row, and `stats` counts them.
 *
 * ```ts
 * const set = createFilterSet(jobs);
 * set.add('ann', 'Status == "failed" and Priority > 50');
 * set.match(job).ids; // ['ann'] for a job that has failed and matters
 * ```
 *
 * The answers are those of the filters one by one, errors included, for rows that do not fit the schema too.
 * @throws TypeError for a wrong option.
 */
export function createFilterSet<S extends Schema>(
  schema: S,
  options: FilterSetOptions = {},
): FilterSet<InputRowOf<S>> {
  const { filterOptions, bounds } = readSetOptions(schema, options);
  const store = new FilterStore(filterOptions, bounds);
  return Object.freeze(new IndexedFilterSet(store, options.now ?? (() => new Date())));
}

/** How often a filter is looked at anew: it may be found by another clause, now that more is known of the rows. */
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
      throw new RangeError(`FilterSet.matchInParts: size must be a count above 0, not ${describe(size)}`);
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

  /** One match has one instant, which the clock is asked for when a filter needs it. @throws TypeError for a wrong option. */
  #instant(method: keyof FilterSet, options: FilterSetMatchOptions = {}): ReadNow {
    checkNames(`FilterSet.${method}`, 'option', options, ['now']);
    let instant = options.now;
    if (instant !== undefined) readInstant(instant);
    return () => (instant ??= this.#clock());
  }
}
