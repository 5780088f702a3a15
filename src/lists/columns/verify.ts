import type { Filter } from '../../filter/filter.js';
import type { Order } from '../list/order.js';
import type { MatchCache, RowMatcher } from '../table/row-matcher.js';
import { limit, type SortedRows } from '../table/sorted-rows.js';
import type { PageBits } from '../table/page-bits.js';
import type { Clause } from './clause.js';
import type { Codes } from './codes.js';
import type { ColumnCache } from './column-cache.js';
import type { Vector } from './cache-entry.js';
import { NumberColumn, type Numbers } from './numbers.js';
import type { AnyColumn } from './node.js';
import type { PageData } from './page-data.js';
import { pathText } from './value-access.js';
import { Compound } from './values.js';

/** Number of rows per compared row: each query compares every 1,000th row, with a different offset each time. */
const comparedOf = 1_000;

/** Cache that checks that rows still equal their columns. A row that was modified in place would give wrong results. */
export class Verifying<T extends object> implements MatchCache<T> {
  readonly #cache: ColumnCache<T>;
  #queries = 0;

  get bytes(): number {
    return this.#cache.bytes;
  }

  constructor(cache: ColumnCache<T>) {
    this.#cache = cache;
  }

  /** @throws Error if a row was modified after it was put into the table. */
  open(rows: SortedRows<T>, filter: Filter<T> | null): RowMatcher<T> | null {
    const matcher = this.#cache.open(rows, filter);
    if (matcher !== null) this.#compare(rows);
    return matcher;
  }

  #compare({ pages, size, order }: SortedRows<T>): void {
    const step = Math.min(comparedOf, size);
    let next = this.#queries % step;
    this.#queries += 1;
    for (const page of pages) {
      const data = this.#cache.dataOf(page);
      for (const [chunk, rows] of page.entries()) {
        for (; next < rows.length; next += step) {
          const row = rows[next];
          if (row !== undefined) compare(row, chunk * limit + next, data, order);
        }
        next -= rows.length;
      }
    }
  }
}

function compare<T extends object>(row: T, rowIndex: number, data: PageData, order: Order<T>): void {
  for (const [column, cached] of data.columns) {
    if (data.of(column) !== undefined && isSure(cached, rowIndex) && !isSame(column, cached, rowIndex, row))
      throw changed(row, order, pathText(column.access));
  }
  for (const [clause, cached] of data.bitmaps) {
    if (isSure(cached, rowIndex) && resultOf(clause, row) !== hasBit(cached.bits, rowIndex)) {
      throw changed(row, order, `what ${clause.text} asks`);
    }
  }
}

function isSure({ uncertain }: Vector, rowIndex: number): boolean {
  return uncertain === null || !hasBit(uncertain, rowIndex);
}

function hasBit(bits: PageBits, rowIndex: number): boolean {
  return (((bits[rowIndex >> 5] ?? 0) >>> (rowIndex & 31)) & 1) === 1;
}

function isSame(column: AnyColumn, cached: Codes | Numbers, rowIndex: number, row: unknown): boolean {
  if (column instanceof NumberColumn) return column.numberOf(row) === (cached as Numbers).numbers[rowIndex];
  const now = column.read(row);
  const then = column.values[(cached as Codes).codes[rowIndex] ?? 0];
  return now instanceof Compound && then instanceof Compound ? now.text === then.text : Object.is(now, then);
}

/** Returns the result of a clause; null if it throws. */
function resultOf(clause: Clause, row: unknown): boolean | null {
  try {
    return clause.filter().test(row);
  } catch {
    return null;
  }
}

function changed<T>(row: T, order: Order<T>, what: string): Error {
  return new Error(
    `columns: the row ${JSON.stringify(order.text(row))} was changed after put: ${what} differs. ` +
      'Put a new row object instead',
  );
}
