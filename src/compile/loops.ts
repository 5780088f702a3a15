import type { Predicate } from './predicate.js';
import { loops, type FastPredicate, type Loops } from './fused/leaves.generated.js';
import { privateCopies, sharedCopies, type Copies } from './fused/pool.js';

/**
 * The loops over many rows. A filter that owns its loop is called from one place only, and the compiler of the engine
 * can put the one into the other; a shared loop pays for a call a row.
 */
export interface FilterLoops {
  select<T>(rows: Iterable<T>): T[];
  count(rows: Iterable<unknown>): number;
  page<T>(rows: Iterable<T>, size: number): FilterPage<T>;
}

/** One page of rows, and the row that the next page starts with. */
export interface FilterPage<T> {
  readonly rows: T[];
  readonly next: T | undefined;
}

/** Rows that a filter must have seen in lists before it gets code of its own: there is only so much of it. */
const worthOwnCode = 1_000;

/**
 * The loops of a filter. It begins with code that all filters share; a filter that is used again on lists that are worth
 * it is compiled once more, into copies of its own. `compile` makes its predicate from the copies that it is given.
 */
export function createLoops(compile: (copies: Copies) => Predicate, shared: Predicate): FilterLoops {
  let seen = 0;
  let own: Loops | null = null;
  const common = sharedCopies.take(loops)(shared as FastPredicate);
  const use = (rows: readonly unknown[]): Loops => {
    if (own !== null) return own;
    if (seen >= worthOwnCode) {
      own = privateCopies.take(loops)(compile(privateCopies) as FastPredicate);
      return own;
    }
    seen += rows.length;
    return common;
  };
  return {
    select<T>(rows: Iterable<T>): T[] {
      if (Array.isArray(rows)) return use(rows).select(rows) as T[];
      const selected: T[] = [];
      for (const row of rows) if (shared(row)) selected.push(row);
      return selected;
    },
    count(rows) {
      if (Array.isArray(rows)) return use(rows).count(rows);
      let count = 0;
      for (const row of rows) if (shared(row)) count += 1;
      return count;
    },
    page<T>(rows: Iterable<T>, size: number) {
      return takePage(shared, rows, size);
    },
  };
}

function takePage<T>(predicate: Predicate, rows: Iterable<T>, size: number): FilterPage<T> {
  if (!Number.isSafeInteger(size) || size < 0)
    throw new RangeError(`page: size must be a count, got ${size}`);
  const page: T[] = [];
  const list = Array.isArray(rows) ? rows : null;
  let at = -1;
  for (const row of rows) {
    at += 1;
    // The holes of an array are no rows, for `filter` of arrays too.
    if (row === undefined && list !== null && !(at in list)) continue;
    if (!predicate(row)) continue;
    if (page.length === size) return { rows: page, next: row };
    page.push(row);
  }
  return { rows: page, next: undefined };
}
