import type { PageBits } from '../table/page-bits.js';
import type { RowPage } from '../table/sorted-rows.js';
import type { CodeColumn } from './column.js';
import { findBound, type NumberColumn, type Numbers } from './numbers.js';

/** A predicate on a row, which may throw. */
type Test = (row: unknown) => boolean;

/** Number of codes whose results fit in one word of bits. */
const wordLength = 32;

/** Caches an expression's result for each value code, so that each distinct value is evaluated once. Code 0 is unused. */
export class CodeTable {
  /** 1 for codes that satisfy the expression, 0 for others. */
  table: Uint8Array = new Uint8Array(16);
  /** 1 for codes for which the expression fails; null if none exist. */
  uncertain: Uint8Array | null = null;
  /** The first code whose value has not been evaluated yet. */
  known = 1;
  /** Counter value of the cache at the last use. */
  used = 0;
  /** Bit sets of the codes below {@link wordLength}: those that satisfy the expression, and those for which it throws. */
  yes = 0;
  failing = 0;
  /** Number of codes that satisfy the expression or for which it throws. */
  found = 0;
  #forgotten = 0;

  constructor(readonly test: Test) {}

  /** Number of values that are not evaluated yet. */
  missing(column: CodeColumn): number {
    if (this.#forgotten !== column.forgotten) this.#begin(column);
    return column.values.length - this.known;
  }

  #begin(column: CodeColumn): void {
    this.#forgotten = column.forgotten;
    this.clear();
  }

  get bytes(): number {
    return this.table.length * (this.uncertain === null ? 1 : 2);
  }

  /** Drops all results. */
  clear(): void {
    this.table = new Uint8Array(16);
    this.uncertain = null;
    this.known = 1;
    this.yes = this.failing = this.found = 0;
  }

  /** Evaluates at most `max` more values. */
  fill(column: CodeColumn, max: number): void {
    const { values } = column;
    const end = Math.min(values.length, this.known + max);
    if (this.table.length < end) this.table = grown(this.table, values.length);
    if (this.uncertain !== null && this.uncertain.length < this.table.length) {
      this.uncertain = grown(this.uncertain, this.table.length);
    }
    for (; this.known < end; this.known += 1) {
      const code = this.known;
      try {
        if (!this.test(column.sample(values[code]))) continue;
        this.table[code] = 1;
        if (code < wordLength) this.yes |= 1 << code;
      } catch {
        this.uncertain ??= new Uint8Array(this.table.length);
        this.uncertain[code] = 1;
        if (code < wordLength) this.failing |= 1 << code;
      }
      this.found += 1;
    }
  }
}

function grown(table: Uint8Array, length: number): Uint8Array {
  const longer = new Uint8Array(Math.max(length, table.length * 2));
  longer.set(table);
  return longer;
}

/**
 * The number at which an ordering changes its result. On each page, the ordering is first evaluated at the smallest and greatest
 * number.
 */
export class NumberBound {
  #turn: { readonly at: number; readonly isFrom: boolean } | null = null;
  constructor(readonly test: Test) {}

  /** Writes the bits of a page. Returns false if the expression fails. */
  find(column: NumberColumn, page: Numbers, out: PageBits): boolean {
    // No row of the page has a number.
    if (page.min > page.greatest) {
      out.fill(0);
      return true;
    }
    try {
      const [first, last] = [this.#evaluate(column, page.min), this.#evaluate(column, page.greatest)];
      if (first === last) {
        out.fill(first ? -1 : 0);
        return true;
      }
      this.#turn ??= this.#findTurn(column, page, last);
    } catch {
      return false;
    }
    page.find(this.#turn.at, this.#turn.isFrom, out);
    return true;
  }

  /** Returns the number of rows of a page that satisfy the ordering; null if it throws. */
  count(column: NumberColumn, page: Numbers, rows: RowPage<unknown>, size: number): number | null {
    if (page.min > page.greatest) return 0;
    try {
      const [first, last] = [this.#evaluate(column, page.min), this.#evaluate(column, page.greatest)];
      if (first === last) return first ? size : 0;
      this.#turn ??= this.#findTurn(column, page, last);
    } catch {
      return null;
    }
    const from = page.countFrom(this.#turn.at, rows);
    return this.#turn.isFrom ? from : size - from;
  }

  #evaluate(column: NumberColumn, value: number): boolean {
    return this.test(column.sample(value));
  }

  #findTurn(column: NumberColumn, { min, greatest }: Numbers, isFrom: boolean) {
    const evaluate = (value: number): boolean => this.#evaluate(column, value);
    return { at: findBound(evaluate, min, greatest, column.isWhole), isFrom };
  }
}
