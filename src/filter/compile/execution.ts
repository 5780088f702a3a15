import { checkIterable } from '../../language/diagnostics/options.js';
import type { CompiledExpression, Origin } from './quick/compiled-expression.js';
import { lazy } from './frame/lazy.js';
import type { Predicate } from './frame/predicate.js';
import { createBatchRunner } from './quick/batch.js';
import type { Runner } from './frame/runner.js';
import { readRange, type ScanRange } from './scan-range.js';

/** A filter that is about to be compiled. `compile` is called when its careful closures are needed. */
export type RecallRequest = Origin & Pick<CompiledExpression, 'root'> & { compile: () => CompiledExpression };

export interface Accelerate {
  /** Creates an accelerator for an expression; null if that is not possible. */
  (expression: CompiledExpression): Accelerator | null;
  /** Returns the expression of a filter that differs from an earlier one only in its literals; null if it knows none. */
  readonly recall?: (request: RecallRequest) => CompiledExpression | null;
}

/** Provides runners that are faster than the closures, but return the same results. */
export interface Accelerator {
  /**
   * Returns the runner; null if none exists yet. `evaluated` is the number of rows that the closures have evaluated since the
   * last call. `coming` is the number of rows to be evaluated now. Both numbers decide whether creating a runner is worthwhile.
   */
  readonly runner: (evaluated: number, coming: number) => Runner | null;
  /** Holds the runner as long as it exists. It is removed when its generated code is evicted. */
  readonly loan: RunnerHandle;
}

/** A slot that may hold a runner. */
export interface RunnerHandle {
  runner: Runner | null;
}

/** A page of matching rows, and the first row of the next page. */
export interface FilterPage<T> {
  readonly items: T[];
  readonly nextItem: T | undefined;
}

/** The operations of a compiled filter. */
export interface Execution {
  /** Returns the fastest predicate that currently exists. */
  readonly test: () => Predicate;
  readonly select: <T>(rows: Iterable<T>) => T[];
  readonly count: (rows: Iterable<unknown>) => number;
  readonly page: <T>(rows: Iterable<T>, size: number) => FilterPage<T>;
  readonly scan: <T>(rows: readonly T[], into: T[], range?: ScanRange) => number;
}

/** Number of rows between checks whether a faster runner exists. */
const warmUpRows = 1_000;

export function createExecution(expression: CompiledExpression, accelerate: Accelerate | null): Execution {
  // Filters that are used once need neither these nor a predicate, if their shape has code.
  const closures = lazy(() => createBatchRunner(expression));
  const deferredTest = lazy(() => createDeferredTest(expression.test, accelerated));
  let accelerator: Accelerator | null | undefined;
  const accelerated = (): Accelerator | null =>
    accelerator === undefined ? (accelerator = accelerate?.(expression) ?? null) : accelerator;

  /** Scans rows with the closures until a faster runner becomes available, possibly during the scan. */
  const scan: Runner['scan'] = (rows, from, to, out, limit) => {
    const faster = accelerated();
    let runner = faster?.runner(0, to - from) ?? null;
    let at = from;
    while (runner === null && at < to) {
      const end = faster === null ? to : Math.min(at + warmUpRows, to);
      const last = closures().scan(rows, at, end, out, limit);
      if (out.length === limit) return last;
      runner = faster?.runner(end - at, to - end) ?? null;
      at = end;
    }
    return runner === null || at >= to ? to : runner.scan(rows, at, to, out, limit);
  };

  function select(rows: readonly unknown[]): unknown[] {
    const runner = accelerated()?.runner(0, rows.length) ?? null;
    if (runner !== null) return runner.select(rows);
    const selected: unknown[] = [];
    scan(rows, 0, rows.length, selected, Infinity);
    return selected;
  }

  const test = (): Predicate => accelerated()?.runner(0, warmUpRows)?.test ?? deferredTest();
  return {
    test,
    scan(rows, into, range = {}) {
      const { from, to, limit } = readRange(rows, range);
      return into.length < limit ? scan(rows, from, to, into, limit) : from;
    },
    select<T>(rows: Iterable<T>): T[] {
      if (Array.isArray(rows)) return select(rows) as T[];
      checkIterable('filter.select', 'rows', rows);
      const selected: T[] = [];
      const matches = test();
      for (const row of rows) if (matches(row)) selected.push(row);
      return selected;
    },
    count(rows) {
      if (Array.isArray(rows))
        return accelerated()?.runner(0, rows.length)?.count(rows) ?? select(rows).length;
      checkIterable('filter.count', 'rows', rows);
      const matches = test();
      let sum = 0;
      for (const row of rows) if (matches(row)) sum += 1;
      return sum;
    },
    page: (rows, size) => takePage(rows, size, scan, test),
  };
}

/** Creates a predicate that callers may retain. It uses the closures until there is a faster runner. */
function createDeferredTest(test: Predicate, accelerated: () => Accelerator | null): Predicate {
  let loan: RunnerHandle = { runner: null };
  let left = warmUpRows;
  return (row) => {
    left -= 1;
    if (left === 0) {
      left = warmUpRows;
      const accelerator = accelerated();
      // Repeated calls mark the generated code as used, so that it is not evicted.
      accelerator?.runner(warmUpRows, warmUpRows);
      loan = accelerator?.loan ?? loan;
    }
    const { runner } = loan;
    return runner === null ? test(row) : runner.test(row);
  };
}

function takePage<T>(
  rows: Iterable<T>,
  size: number,
  scan: Runner['scan'],
  test: () => Predicate,
): FilterPage<T> {
  if (!Number.isSafeInteger(size) || size < 0)
    throw new RangeError(`page: size must be an integer >= 0, got ${size}`);
  const page: T[] = [];
  if (Array.isArray(rows)) {
    // The additional row is the first one of the next page.
    scan(rows, 0, rows.length, page, size + 1);
    return page.length > size ? { nextItem: page.pop(), items: page } : { items: page, nextItem: undefined };
  }
  checkIterable('filter.page', 'rows', rows);
  const matches = test();
  for (const row of rows) {
    if (!matches(row)) continue;
    if (page.length === size) return { items: page, nextItem: row };
    page.push(row);
  }
  return { items: page, nextItem: undefined };
}
