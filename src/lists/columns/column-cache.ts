import type { Filter } from '../../filter/filter.js';
import { partsOf } from '../../filter/filter.js';
import type { Schema } from '../../language/schema/schema.js';
import type { MatchCache, RowMatcher } from '../table/row-matcher.js';
import type { RowPage, SortedRows } from '../table/sorted-rows.js';
import { Clauses, isClause, ownersOf, type Clause } from './clause.js';
import { CodeColumn } from './column.js';
import { movePage } from './carry-over.js';
import { NumberColumn } from './numbers.js';
import { ScratchBuffers, type AnyColumn, type Columns } from './node.js';
import type { CodeTable } from './value-results.js';
import type { Owner } from './cache-entry.js';
import { PageData } from './page-data.js';
import { ColumnQuery, type ColumnCacheOptions, type ColumnStore } from './column-query.js';
import type { FieldAccess } from './value-access.js';

/** Maximum number of distinct columns. Prevents growth by map keys, which come from filters. */
const maxColumns = 256;
/** Share of the budget for cached bitmaps, and share for results by value. */
const cacheShare = 1 / 4;
const tableShare = 1 / 8;
const maxTables = 1_024;

/** The cache of a table: columns, and match bitmaps of clauses. */
export class ColumnCache<T extends object> implements MatchCache<T>, Columns, ColumnStore<T> {
  readonly options: ColumnCacheOptions;
  readonly scratch = new ScratchBuffers();
  readonly #schema: Schema;
  readonly #columns = new Map<string, AnyColumn>();
  readonly #clauses = new Clauses((clause) => this.drop(clause));
  readonly #plans = new WeakMap<Filter<T>, readonly Clause[]>();
  readonly #data = new WeakMap<RowPage<T>, PageData>();
  /**
   * The pages of the last queried version; other versions have no cache. The reference is weak, so that it does not keep that
   * version in memory.
   */
  #pages: WeakRef<readonly RowPage<T>[]> = new WeakRef([]);
  #time = 0;
  /** Number of rows of the last queried version. */
  #size = 0;
  /** Results of clauses by value, oldest first. */
  readonly #tables = new Map<CodeTable, number>();
  #tableBytes = 0;
  /** Entries with cached data. */
  readonly #owners = new Set<Owner>();
  /** Size of all cached data, in bytes. */
  bytes = 0;
  servedRows = 0;
  made = 0;

  constructor(schema: Schema, options: ColumnCacheOptions) {
    this.#schema = schema;
    this.options = options;
  }

  open(rows: SortedRows<T>, filter: Filter<T> | null): RowMatcher<T> | null {
    if (rows.size < this.options.minRows) return null;
    const clauses = filter === null ? [] : this.#clausesOf(filter);
    const max = this.options.budget(rows.size);
    // A page without columns takes two bits per row. The budget must be at least twice that size.
    if (clauses === null || max * 2 < rows.size) return null;
    this.#time += 1;
    this.#size = rows.size;
    this.#follow(rows.pages);
    for (const clause of clauses) {
      clause.queries += 1;
      for (const owner of ownersOf(clause)) owner.used = this.#time;
    }
    return new ColumnQuery<T>(this, clauses, rows);
  }

  /** Returns the clauses of a filter; null if it is unknown which fields it reads, or if it depends on the clock. */
  #clausesOf(filter: Filter<T>): readonly Clause[] | null {
    const known = this.#plans.get(filter);
    if (known !== undefined) return known;
    const parts = partsOf(filter as Filter);
    if (parts?.isClosed !== true || filter.usesNow || parts.analysis.root !== this.#schema.root) return null;
    const clauses = this.#clauses.of(parts, this);
    this.#plans.set(filter, clauses);
    return clauses;
  }

  get #limit(): number {
    return this.options.budget(this.#size);
  }

  codes(access: FieldAccess): CodeColumn {
    return this.#take(new CodeColumn(access));
  }

  numbers(access: FieldAccess, kind: 'int' | 'float'): NumberColumn {
    return this.#take(new NumberColumn(access, kind));
  }

  /** Returns the existing column of this name, or adds the given one. */
  #take<C extends AnyColumn>(made: C): C {
    const { name } = made;
    const column = (this.#columns.get(name) ?? made) as C; // Names of different kinds of columns differ
    this.#columns.delete(name);
    this.#columns.set(name, column);
    if (this.#columns.size > maxColumns) {
      for (const [oldest, each] of this.#columns) {
        this.#columns.delete(oldest);
        this.drop(each);
        break;
      }
    }
    return column;
  }

  /** Returns the column of a field; null if the field may not have one. */
  columnOf(field: string): CodeColumn | null {
    const found = this.#schema.root.fields.get(field);
    if (found === undefined || found.property in Object.prototype || !this.options.hasColumns(found.property))
      return null;
    const column = this.codes({ path: [found.property], form: 'value', parts: [] });
    column.used = this.#time;
    return column.isWide ? null : column;
  }

  dataOf(page: RowPage<T>): PageData {
    let data = this.#data.get(page);
    if (data === undefined) {
      data = new PageData(page);
      this.#data.set(page, data);
      this.bytes += data.bytes;
    }
    return data;
  }

  /** Moves the cached data to the pages of another version. */
  #follow(pages: readonly RowPage<T>[]): void {
    const old = this.#pages.deref() ?? [];
    if (old === pages) return;
    this.#pages = new WeakRef(pages);
    let first = 0;
    const min = Math.min(old.length, pages.length);
    while (first < min && old[first] === pages[first]) first += 1;
    let last = 0;
    while (last < min - first && old[old.length - 1 - last] === pages[pages.length - 1 - last]) last += 1;
    const come = pages.slice(first, pages.length - last);
    const stay = new Set(come);
    let next = 0;
    for (const page of old.slice(first, old.length - last)) {
      if (stay.has(page)) {
        next = come.indexOf(page) + 1;
        continue;
      }
      const data = this.#data.get(page);
      this.#data.delete(page);
      for (let at = next; data !== undefined && at < Math.min(next + 2, come.length); at += 1) {
        const to = come[at];
        if (to === undefined || this.#data.has(to) || !this.#move(data, page, to)) continue;
        next = at + 1;
        break;
      }
    }
    this.#count();
  }

  #move(data: PageData, from: RowPage<T>, to: RowPage<T>): boolean {
    const move = movePage(from, to);
    if (move === null) return false;
    const moved = new PageData(to);
    for (const [column, each] of data.columns) {
      each.move(move);
      moved.columns.set(column, each);
    }
    for (const [clause, cached] of data.bitmaps) moved.bitmaps.set(clause, cached.moved(move));
    // A query that still reads the old page runs without a cache, because the cached data now belongs to the new page.
    data.columns.clear();
    this.#data.set(to, moved);
    return true;
  }

  /** Recounts the used bytes. Pages are garbage-collected together with their versions, without notice. */
  #count(): void {
    for (const owner of this.#owners) owner.bytes = owner instanceof CodeColumn ? owner.valueBytes : 0;
    this.bytes = this.#tableBytes;
    for (const page of this.#pages.deref() ?? []) {
      const data = this.#data.get(page);
      if (data === undefined) continue;
      this.bytes += data.bytes;
      for (const each of [data.columns, data.bitmaps]) {
        for (const [owner, { bytes }] of each) owner.bytes += bytes;
      }
    }
    for (const owner of this.#owners) {
      this.bytes += owner.bytes;
      if (owner.bytes === 0) this.#owners.delete(owner);
    }
    while (this.bytes > this.#limit && this.#dropOldest(() => true) > 0) continue;
  }

  /** Evicts the least recently used entries to free bytes for a new one. Returns false if that is not possible. */
  evictFor(bytes: number, isCacheable: boolean): boolean {
    if (isCacheable) {
      let cached = bytes;
      for (const owner of this.#owners) if (isClause(owner)) cached += owner.bytes;
      while (cached > this.#limit * cacheShare) {
        const dropped = this.#dropOldest(isClause);
        if (dropped === 0) return false;
        cached -= dropped;
      }
    }
    while (this.bytes + bytes > this.#limit) if (this.#dropOldest(() => true) === 0) return false;
    return true;
  }

  /** Evicts the least recently used matching entry, but none that the current query uses. Returns the freed bytes. */
  #dropOldest(isMeant: (owner: Owner) => boolean): number {
    let oldest: Owner | null = null;
    for (const owner of this.#owners) {
      if (owner.used >= this.#time || !isMeant(owner)) continue;
      if (oldest === null || owner.used < oldest.used) oldest = owner;
    }
    return oldest === null ? 0 : this.drop(oldest);
  }

  /** Deletes all cached data of a column or a clause. Returns the freed bytes. */
  drop(owner: Owner): number {
    const { bytes } = owner;
    // Most clauses have no cached data.
    if (isClause(owner) && bytes === 0) return 0;
    for (const page of this.#pages.deref() ?? []) {
      const data = this.#data.get(page);
      data?.columns.delete(owner as AnyColumn);
      data?.bitmaps.delete(owner as Clause);
    }
    if (owner instanceof CodeColumn) owner.forget();
    owner.bytes = 0;
    owner.credit = 0;
    this.#owners.delete(owner);
    this.bytes -= bytes;
    return bytes;
  }

  /** Caches a clause's results by value, and evicts less recently used results. */
  cacheTable(table: CodeTable): void {
    this.#forgetTable(table);
    table.used = this.#time;
    this.#tables.set(table, table.bytes);
    this.#addTable(table.bytes);
    for (const oldest of this.#tables.keys()) {
      const fits = this.#tableBytes <= this.#limit * tableShare && this.#tables.size <= maxTables;
      // Entries that the current query uses stay, because it would need them again immediately.
      if (fits || oldest.used >= this.#time) break;
      this.#forgetTable(oldest);
      oldest.clear();
    }
  }

  #forgetTable(table: CodeTable): void {
    this.#addTable(-(this.#tables.get(table) ?? 0));
    this.#tables.delete(table);
  }

  #addTable(bytes: number): void {
    this.#tableBytes += bytes;
    this.bytes += bytes;
  }

  /** Adds bytes to the size of an entry. */
  grow(owner: Owner, bytes: number): void {
    owner.bytes += bytes;
    owner.used = this.#time;
    this.#owners.add(owner);
    this.bytes += bytes;
  }
}
