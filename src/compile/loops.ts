import type { Predicate } from './predicate.js';
import { loops, type FastPredicate } from './fused/leaves.generated.js';
import { takeCopy } from './fused/pool.js';

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

export function createLoops(predicate: Predicate): FilterLoops {
  const own = takeCopy(loops)(predicate as FastPredicate);
  return {
    select<T>(rows: Iterable<T>): T[] {
      if (Array.isArray(rows)) return own.select(rows) as T[];
      const selected: T[] = [];
      for (const row of rows) if (predicate(row)) selected.push(row);
      return selected;
    },
    count(rows) {
      if (Array.isArray(rows)) return own.count(rows);
      let count = 0;
      for (const row of rows) if (predicate(row)) count += 1;
      return count;
    },
    page<T>(rows: Iterable<T>, size: number) {
      if (!Number.isSafeInteger(size) || size < 0)
        throw new RangeError(`page: size must be a count, got ${size}`);
      const page: T[] = [];
      for (const row of rows) {
        if (!predicate(row)) continue;
        if (page.length === size) return { rows: page, next: row };
        page.push(row);
      }
      return { rows: page, next: undefined };
    },
  };
}
