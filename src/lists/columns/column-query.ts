import { countBits, countBoth, intersect, type PageBits } from '../table/page-bits.js';
import type { ClauseAccess, FieldCounts, PageResult, RowMatcher } from '../table/row-matcher.js';
import { limit, type RowPage, type SortedRows } from '../table/sorted-rows.js';
import { isClause, type Clause } from './clause.js';
import { Codes, readCodes } from './codes.js';
import { CodeColumn } from './column.js';
import { explainClause } from './explain-clause.js';
import { createFieldCounts } from './field-counts.js';
import { evaluateAll, evaluateUnknown, MatchBitmap } from './cached-bitmap.js';
import type { PageData } from './page-data.js';
import type { CodeTable } from './value-results.js';
import {
  type AnyColumn,
  countNode,
  evaluate,
  findPlane,
  isNowhere,
  UncertainRows,
  type FoundBits,
  type ScratchBuffers,
} from './node.js';
import { Numbers, readNumbers, type NumberColumn } from './numbers.js';
import type { Owner } from './cache-entry.js';

/** Cost of reading one row into a column, as a number of evaluated rows. */
const readingCost = 4;
/** Number of values evaluated between two checks of the clock. */
const valuesAtOnce = 64;

/** A build that is worth its cost: the entry to build, and the cost as a number of evaluated rows. */
interface Job {
  readonly owner: Owner;
  readonly cost: number;
  readonly run: () => Generator<void, void, undefined>;
}

/** Options of the column cache. */
export interface ColumnCacheOptions {
  /** Whether a field may have columns, by its property name. */
  readonly hasColumns: (property: string) => boolean;
  /** Whether columns are built at the first query, whatever the cost, instead of after enough evaluations. */
  readonly isEager: boolean;
  /** Returns the budget for cached data of a table with this many rows, in bytes. */
  readonly budget: (rows: number) => number;
  /** Minimum number of rows of a table with columns. */
  readonly minRows: number;
}

/** The storage of cached data. */
export interface ColumnStore<T> {
  readonly options: ColumnCacheOptions;
  readonly scratch: ScratchBuffers;
  dataOf(page: RowPage<T>): PageData;
  columnOf(field: string): CodeColumn | null;
  evictFor(bytes: number, isCacheable: boolean): boolean;
  grow(owner: Owner, bytes: number): void;
  cacheTable(table: CodeTable): void;
  /** Number of rows evaluated so far, plus the cost of all builds in the same unit. */
  servedRows: number;
  made: number;
  drop(owner: Owner): number;
}

const nowhere = new Int32Array(0);

/** One query on one version of a table. */
export class ColumnQuery<T extends object> implements RowMatcher<T> {
  readonly #store: ColumnStore<T>;
  readonly #clauses: readonly Clause[];
  /** All clauses except the last. */
  readonly #others: readonly Clause[];
  readonly #rows: SortedRows<T>;
  /** Columns needed for counts. */
  readonly #counted = new Set<CodeColumn>();
  /** Entries that do not fit into the budget during this query. */
  readonly #crowded = new Set<AnyColumn>();
  /** Entries that are worth building in the current state; null if not determined yet. */
  #wanting: readonly Owner[] | null = null;

  constructor(cache: ColumnStore<T>, clauses: readonly Clause[], rows: SortedRows<T>) {
    this.#store = cache;
    this.#clauses = clauses;
    this.#others = clauses.slice(0, -1);
    this.#rows = rows;
  }

  readonly known = (page: RowPage<T>): PageResult | null | undefined => {
    const data = this.#store.dataOf(page);
    return this.#pending(data, true) === null ? this.#resultOf(data, this.#clauses) : undefined;
  };

  readonly count = (page: RowPage<T>): number | null => {
    const data = this.#store.dataOf(page);
    const count = data.countOf(this.#clauses) ?? this.#count(data);
    if (count !== null) this.note(data.size);
    return count;
  };

  #count(data: PageData): number | null {
    if (this.#pending(data, true) !== null) return null;
    const [last, others] = [this.#clauses.at(-1), this.#others];
    if (last === undefined) return data.size;
    let count = others.length === 0 && last.node !== null ? countNode(last.node, data) : null;
    if (count === null) {
      const { scratch } = this.#store;
      const [each, found] = [scratch.take(data.rows.length), scratch.take(data.rows.length)];
      count = this.#countLast(last, data, this.#resultOf(data, others, found), each);
      scratch.give(each);
      scratch.give(found);
    }
    if (count !== null) data.cacheCount(this.#clauses, count);
    return count;
  }

  /** Returns the number of rows that satisfy all clauses; null if the result of the last clause is unknown for some rows. */
  #countLast(last: Clause, data: PageData, before: PageResult | null, out: PageBits): number | null {
    if (before === null || before.uncertain !== null) return null;
    if (before.bits.length === 0 || (last.node !== null && isNowhere(last.node, data))) return 0;
    const found = this.#find(last, data, out);
    return found === null || found.uncertain !== null ? null : countBoth(before.bits, found.bits, found.flip);
  }

  *make(page: RowPage<T>): Generator<void, PageResult | null, undefined> {
    const data = this.#store.dataOf(page);
    let mayCache = true;
    for (let job = this.#pending(data, mayCache); job !== null; job = this.#pending(data, mayCache)) {
      job.owner.credit -= job.cost;
      this.#store.made += job.cost;
      // At most one bitmap per query: evaluating a clause on all rows costs more than evaluating it after the earlier clauses.
      if (isClause(job.owner)) mayCache = false;
      yield* job.run();
      this.#wanting = null;
    }
    return this.#resultOf(data, this.#clauses);
  }

  note(rows: number): void {
    this.#store.servedRows += rows;
    const owners = (this.#wanting ??= [...this.#counted, ...this.#clauses.flatMap(requestedBy)]);
    const max = this.#maxCredit;
    let poor = 0;
    for (const { credit } of owners) if (credit < max) poor += 1;
    // The entries share the credit, so that all builds together cost no more than the scan would have.
    for (const owner of owners)
      if (owner.credit < max) owner.credit = Math.min(owner.credit + rows / poor, max);
  }

  counts(field: string): FieldCounts<T> | null {
    const column = this.#store.columnOf(field);
    if (column === null) return null;
    this.#counted.add(column);
    this.#wanting = null;
    return createFieldCounts<T>(column, (page) => this.#store.dataOf(page).of(column) ?? null);
  }

  /** Returns the next build that is worthwhile before a page is evaluated; null if none exists. */
  #pending(data: PageData, mayCache: boolean): Job | null {
    for (const clause of this.#clauses) {
      let isResolved = false;
      if (clause.node !== null) {
        isResolved = true;
        for (const leaf of clause.leaves()) {
          const { column } = leaf;
          const job =
            this.#reading(column, data) ??
            (leaf.kind === 'codes' ? this.#evaluationJob(leaf.column, leaf.table, data) : null);
          if (job !== null) return job;
          if (column.isWide || data.of<AnyColumn>(column) === undefined) isResolved = false;
        }
      }
      if (!isResolved && mayCache) {
        const job = this.#cachingJob(clause, data);
        if (job !== null) return job;
      }
    }
    for (const column of this.#counted) {
      const job = this.#reading(column, data);
      if (job !== null) return job;
    }
    return null;
  }

  #canPay(owner: Owner, cost: number): boolean {
    return owner.credit >= cost || this.#store.options.isEager;
  }

  #mayRead({ access }: AnyColumn): boolean {
    return this.#store.options.hasColumns(access.path[0] ?? '');
  }

  #reading(column: AnyColumn, data: PageData): Job | null {
    if (column.isWide || !this.#mayRead(column)) return null;
    const page = data.page;
    const known = data.of<AnyColumn>(column);
    const cost = readingCost * (known === undefined ? data.size : countUnsure(known.uncertain));
    if ((known !== undefined && !known.isStale) || !this.#canPay(column, cost)) return null;
    if (known !== undefined) {
      return {
        ...{ owner: column, cost },
        *run() {
          known.refresh(column as CodeColumn & NumberColumn, page);
        },
      };
    }
    const cache = this.#store;
    const bytes =
      column instanceof CodeColumn
        ? Codes.bytesOf(page.length, column.values.length - 1)
        : Numbers.bytesOf(page.length);
    if (this.#crowded.has(column) || !cache.evictFor(bytes, false)) return null;
    const crowded = this.#crowded;
    return {
      ...{ owner: column, cost },
      *run() {
        const { forgotten, valueBytes: before } = column;
        const isFull = (): boolean => !cache.evictFor(2 * bytes + column.valueBytes - before, false);
        const made = yield* column instanceof CodeColumn
          ? readCodes(column, page, isFull)
          : readNumbers(column, page);
        if (made === null) {
          crowded.add(column);
          // After an eviction, the values in the column belong to other queries.
          if (column.forgotten === forgotten) cache.drop(column);
        } else {
          data.columns.set(column, made);
          cache.grow(column, made.bytes + column.valueBytes - before);
        }
      },
    };
  }

  #evaluationJob(column: CodeColumn, table: CodeTable, data: PageData): Job | null {
    if (data.of(column) === undefined) return null;
    const cost = table.missing(column);
    if (cost === 0 || !this.#canPay(column, cost)) return null;
    // A value can take two bytes, and a full table grows by half its size.
    if (!this.#store.evictFor(4 * column.values.length, false)) return null;
    const cache = this.#store;
    return {
      ...{ owner: column, cost },
      *run() {
        while (table.missing(column) > 0) {
          table.fill(column, valuesAtOnce);
          yield;
        }
        cache.cacheTable(table);
      },
    };
  }

  #cachingJob(clause: Clause, data: PageData): Job | null {
    if (!clause.isCacheable || clause.queries < 2) return null;
    const cached = data.bitmaps.get(clause);
    const cost = cached === undefined ? data.size : countUnsure(cached.uncertain);
    if ((cached !== undefined && !cached.isStale) || clause.credit < cost) return null;
    const page = data.page;
    const cache = this.#store;
    if (cached === undefined && !cache.evictFor(MatchBitmap.bytesOf(page.length), true)) return null;
    return {
      ...{ owner: clause, cost },
      *run() {
        const filter = clause.filter();
        const made =
          cached === undefined
            ? yield* evaluateAll(filter, page)
            : yield* evaluateUnknown(filter, page, cached);
        if (cached === undefined) cache.grow(clause, made.bytes);
        data.bitmaps.set(clause, made);
      },
    };
  }

  /**
   * Returns the rows that may satisfy all these clauses, written into `into` unless bits exist already; null if nothing is known
   * about any row.
   */
  #resultOf(data: PageData, clauses: readonly Clause[], into?: PageBits): PageResult | null {
    const { rows, size } = data;
    const { length } = rows;
    const scratch = this.#store.scratch;
    const each = scratch.take(length);
    /** The buffer for the first write; `left` is the same buffer afterwards. */
    let own = into;
    let left: PageBits | null = null;
    let uncertain: PageBits | null = null;
    let isWhole = true;
    let isEmpty = false;
    for (const clause of clauses) {
      // Uncertain rows must be evaluated because they may fail.
      if (uncertain === null && clause.node !== null && isNowhere(clause.node, data)) {
        isEmpty = true;
        break;
      }
      const found = this.#find(clause, data, each);
      if (found === null) {
        isWhole = false;
        // If this clause throws for a row, the clauses after it must not be evaluated for that row.
        if (clause.mayFail) break;
        continue;
      }
      const { bits, flip } = found;
      const isSure = found.uncertain === null && uncertain === null;
      // Cached bits are 0 at positions without a row.
      if (isSure && left === null && flip === 0 && bits !== each) {
        left = bits;
        continue;
      }
      const before: PageBits = left ?? rows;
      left = own ??= scratch.take(length);
      if (isSure) {
        isEmpty = intersect(left, before, bits, flip) === 0;
      } else {
        uncertain ??= new Int32Array(length);
        let any = 0;
        for (let word = 0; word < length; word += 1) {
          const among = before[word] as number; // All arrays have the same length
          const open = (uncertain[word] as number) | (among & (found.uncertain?.[word] ?? 0));
          uncertain[word] = open;
          any |= left[word] = among & (((bits[word] as number) ^ flip) | open);
        }
        isEmpty = any === 0;
      }
      if (isEmpty) break;
    }
    scratch.give(each);
    if (isEmpty) {
      if (own !== undefined && own !== into) scratch.give(own);
      return { bits: nowhere, uncertain: null, size };
    }
    if (left === null) return clauses.length === 0 ? { bits: rows, uncertain: null, size } : null;
    return { bits: left, uncertain: isWhole ? uncertain : left, size };
  }

  #find(clause: Clause, data: PageData, out: PageBits): FoundBits | null {
    const cached = data.bitmaps.get(clause);
    if (cached !== undefined && !cached.isStale)
      return { bits: cached.bits, flip: 0, uncertain: cached.uncertain };
    if (clause.node !== null) {
      const plane = findPlane(clause.node, data);
      if (plane !== null) return plane;
      const uncertain = new UncertainRows();
      if (evaluate(clause.node, data, out, uncertain, this.#store.scratch))
        return { bits: out, flip: 0, uncertain: uncertain.bits };
    }
    return cached === undefined ? null : { bits: cached.bits, flip: 0, uncertain: cached.uncertain };
  }

  explain(): readonly ClauseAccess[] {
    const pages = this.#rows.pages.map((page) => this.#store.dataOf(page));
    const isRich = ({ credit }: Owner): boolean => credit >= this.#maxCredit;
    return this.#clauses.map((clause) =>
      explainClause(clause, pages, { mayRead: (column) => this.#mayRead(column), isRich }),
    );
  }

  /** Maximum credit of an entry: enough to read one page. Entries below it share the credit of evaluated rows. */
  get #maxCredit(): number {
    return readingCost * Math.min(this.#rows.size, limit * limit);
  }
}

/** Returns the entries worth building for a clause: its columns, plus its own bitmap if columns do not suffice. */
function requestedBy(clause: Clause): readonly Owner[] {
  const leaves = clause.leaves();
  const owners: Owner[] = leaves.map(({ column }) => column).filter(({ isWide }) => !isWide);
  const isOpen = clause.node === null || owners.length < leaves.length;
  return isOpen && clause.isCacheable ? [...owners, clause] : owners;
}

function countUnsure(bits: PageBits | null): number {
  return bits === null ? 0 : countBits(bits, 0, bits.length * 32);
}
