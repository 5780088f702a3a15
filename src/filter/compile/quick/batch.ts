import type { CompiledExpression } from './compiled-expression.js';
import { lazy } from '../frame/lazy.js';
import type { Predicate } from '../frame/predicate.js';
import type { Runner } from '../frame/runner.js';
import { createNarrow, type Narrow } from './narrow.js';
import { createSlice, giveBackPicks, pickRows, sliceLength, takePicks, type Slice } from './slice.js';

/** Number of rows in the first slice for a page, because a short page needs few rows. */
const firstSlice = 32;

/**
 * Creates a runner of closures that evaluates clause by clause over a slice of rows, instead of row by row. A separate loop per
 * clause is faster, although all filters share its code.
 *
 * The error must be that of the first failing row, and no row may be read twice. So a row on which a clause throws ends the
 * slice, and only earlier rows are evaluated further. The cost of a row is the total of its clauses. So if several clauses may be
 * charged (`sharesBudget`), a row on which one is charged is evaluated separately. If the expression denies rows on which it
 * throws, all rows of a slice with such a row are evaluated separately.
 */
export function createBatchRunner({ quick, test: generic, budget, denies }: CompiledExpression): Runner {
  const sharesBudget = budget !== null;
  const narrow = lazy(() => createNarrow(quick(), sharesBudget));
  const scan: Runner['scan'] = (rows, from, to, out, limit) => {
    let size = limit === Infinity ? sliceLength : firstSlice;
    for (let base = from; base < to;) {
      const end = Math.min(base + size, to);
      const last = scanSlice(narrow(), generic, createSlice(rows, base, end), denies, out, limit);
      if (out.length === limit) return last;
      base = end;
      size = Math.min(size * 2, sliceLength);
    }
    return to;
  };
  const select: Runner['select'] = (rows) => {
    const selected: unknown[] = [];
    scan(rows, 0, rows.length, selected, Infinity);
    return selected;
  };
  return { test: generic, scan, select, count: (rows) => select(rows).length };
}

/** Adds the matches of a slice, up to `limit` in total. Returns the index after the last row that was needed. */
function scanSlice(
  narrow: Narrow,
  generic: Predicate,
  slice: Slice,
  denies: boolean,
  out: unknown[],
  limit: number,
): number {
  const selection = takePicks();
  const { end } = slice;
  const count = narrow(slice, selection, pickRows(slice, selection), true);
  if (denies && slice.failure !== null) {
    slice.failure = null;
    slice.end = end;
    slice.alone = new Set(selection.keys());
  }
  const last =
    slice.alone === null
      ? take(slice, selection, count, out, limit)
      : takeWithSeparate(slice, slice.alone, generic, selection, count, out, limit);
  giveBackPicks(selection);
  if (slice.failure !== null && out.length !== limit) throw slice.failure.error;
  return last;
}

function take(
  { rows, base, end }: Slice,
  selection: Uint16Array,
  count: number,
  out: unknown[],
  limit: number,
): number {
  let last = base;
  for (let at = 0; at < count && out.length !== limit; at += 1) {
    const pick = selection[at] ?? 0;
    if (pick >= end) break;
    out.push(rows[base + pick]);
    last = base + pick + 1;
  }
  return last;
}

/** Like {@link take}, with the separately evaluated rows inserted in order. */
function takeWithSeparate(
  { rows, base, end }: Slice,
  alone: ReadonlySet<number>,
  generic: Predicate,
  selection: Uint16Array,
  count: number,
  out: unknown[],
  limit: number,
): number {
  const found = new Set(selection.subarray(0, count));
  let last = base;
  for (let pick = 0; pick < end && out.length !== limit; pick += 1) {
    const row = rows[base + pick];
    if (!(alone.has(pick) ? generic(row) : found.has(pick))) continue;
    out.push(row);
    last = base + pick + 1;
  }
  return last;
}
