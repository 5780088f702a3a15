import type { Filter } from '../../filter/filter.js';
import type { Order } from '../list/order.js';
import type { AnswerKeeper, RowAnswers } from '../table/row-answers.js';
import { limit, type SortedRows } from '../table/sorted-rows.js';
import type { PageBits } from '../table/page-bits.js';
import type { Clause } from './clause.js';
import type { Codes } from './codes.js';
import type { Keeper } from './keeper.js';
import type { Vector } from './owner.js';
import { NumberColumn, type Numbers } from './numbers.js';
import type { AnyColumn } from './node.js';
import type { PageData } from './page-data.js';
import { pathText } from './reading.js';
import { Compound } from './values.js';

/** One of this many rows is compared at each query, a different one each time. */
const comparedOf = 1_000;

/** A cache that verifies that rows still equal their columns: a row that was modified in place would give wrong results. */
export class Verifying<T extends object> implements AnswerKeeper<T> {
  readonly #keeper: Keeper<T>;
  #questions = 0;

  get bytes(): number {
    return this.#keeper.bytes;
  }

  constructor(keeper: Keeper<T>) {
    this.#keeper = keeper;
  }

  /** @throws Error for a row that was changed after it was put. */
  open(rows: SortedRows<T>, filter: Filter<T> | null): RowAnswers<T> | null {
    const answers = this.#keeper.open(rows, filter);
    if (answers !== null) this.#compare(rows);
    return answers;
  }

  #compare({ pages, size, order }: SortedRows<T>): void {
    const step = Math.min(comparedOf, size);
    let next = this.#questions % step;
    this.#questions += 1;
    for (const page of pages) {
      const data = this.#keeper.dataOf(page);
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

function compare<T extends object>(row: T, place: number, data: PageData, order: Order<T>): void {
  for (const [column, kept] of data.columns) {
    if (data.of(column) !== undefined && isSure(kept, place) && !isSame(column, kept, place, row))
      throw changed(row, order, pathText(column.reading));
  }
  for (const [clause, kept] of data.kept) {
    if (isSure(kept, place) && answerOf(clause, row) !== hasBit(kept.bits, place)) {
      throw changed(row, order, `what ${clause.text} asks`);
    }
  }
}

function isSure({ unsure }: Vector, place: number): boolean {
  return unsure === null || !hasBit(unsure, place);
}

function hasBit(bits: PageBits, place: number): boolean {
  return (((bits[place >> 5] ?? 0) >>> (place & 31)) & 1) === 1;
}

function isSame(column: AnyColumn, kept: Codes | Numbers, place: number, row: unknown): boolean {
  if (column instanceof NumberColumn) return column.numberOf(row) === (kept as Numbers).numbers[place];
  const now = column.read(row);
  const then = column.values[(kept as Codes).codes[place] ?? 0];
  return now instanceof Compound && then instanceof Compound ? now.text === then.text : Object.is(now, then);
}

/** Null where it fails. */
function answerOf(clause: Clause, row: unknown): boolean | null {
  try {
    return clause.filter().test(row);
  } catch {
    return null;
  }
}

function changed<T>(row: T, order: Order<T>, what: string): Error {
  return new Error(
    `columns: the row ${JSON.stringify(order.text(row))} was changed after it was put: ${what} is not what it was. ` +
      'Put another row in its place',
  );
}
