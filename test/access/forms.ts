import { compileWhole } from '../../src/filter/filter.js';
import { createFilterSet } from '../../src/entries/filter-set.js';
import { planFilter, type Filter, type Schema } from '../../src/index.js';
import { ColumnCache } from '../../src/lists/columns/column-cache.js';
import type { PageBits } from '../../src/lists/table/page-bits.js';
import type { PageResult } from '../../src/lists/table/row-matcher.js';
import { fromSortedRows, limit } from '../../src/lists/table/sorted-rows.js';
import { eager } from '../specialise/eager.js';
import { allIndexes, rowsInRanges, rowsWithKeys } from '../support/all-indexes.js';

/** The rows that a way to evaluate a filter selects, by the name of the way. */
export type Selections = ReadonlyMap<string, readonly unknown[]>;

/** Selects rows by every way to evaluate a filter with `unresolved: 'deny'`. */
export function selectEveryWay(text: string, schema: Schema, rows: readonly unknown[]): Selections {
  const now = (): Date => new Date(Date.UTC(2026, 10, 1));
  const options = { schema, unresolved: 'deny', now } as const;
  const make = (accelerate: typeof eager): Filter => compileWhole(text, options, accelerate).filter;
  const [closures, code] = [make(null), make(eager)];
  const selections = new Map<string, readonly unknown[]>([
    ['closures', rows.filter((row) => closures.test(row))],
    ['slices', make(null).select(rows)],
    ['slices by page', make(null).page(rows, rows.length).items],
    ['code by row', rows.filter((row) => code.test(row))],
    ['code by select', code.select(rows)],
    ['code by page', code.page(rows, rows.length).items],
    ['columns', selectByColumns(closures.at(), schema, rows)],
  ]);
  const counts = [make(null).count(rows), code.count(rows)];
  if (counts.some((count) => count !== selections.get('closures')?.length))
    selections.set('counts', [counts]);
  const plan = planFilter(text, { ...options, indexes: allIndexes(schema) }).at();
  if (plan.mayFail) selections.set('mayFail', ['must be false']);
  for (const { index, keys, residual } of plan.lookups) {
    if (rows.some((row) => index.keysOf(row) === null)) continue;
    const found = rowsWithKeys(rows, index, keys);
    selections.set(`index on ${index.field}`, residual === null ? found : residual.select(found));
  }
  for (const { index, ranges, residual } of plan.ranges) {
    if (rows.some((row) => index.keysOf(row) === null)) continue;
    const found = rowsInRanges(rows, index, ranges);
    selections.set(`ordered index on ${index.field}`, residual === null ? found : residual.select(found));
  }
  selections.set(
    'clauses',
    rows.filter((row) => plan.clauses.every((clause) => clause.test(row))),
  );
  const set = createFilterSet(schema, { unresolved: 'deny', now });
  set.add('filter', text);
  selections.set(
    'set',
    rows.filter((row) => set.match(row as never).ids.length > 0),
  );
  return selections;
}

/** Selects rows by columns, and by the filter those that columns leave undecided. */
function selectByColumns(filter: Filter, schema: Schema, rows: readonly unknown[]): readonly unknown[] {
  const objects = rows.filter((row) => typeof row === 'object' && row !== null);
  const names = new Map(objects.map((row, at) => [row, String(at).padStart(6, '0')]));
  const standing = fromSortedRows<object>({ text: (row) => names.get(row) ?? '' }, objects as object[]);
  const cache = new ColumnCache<object>(schema, {
    ...{ hasColumns: () => true, isEager: true, budget: () => 1e7, minRows: 0 },
  });
  const selected = new Set<unknown>();
  for (const page of standing.pages) {
    const making = cache.open(standing, filter)?.make(page);
    let step = making?.next();
    while (step?.done === false) step = making?.next();
    const result = (step?.value ?? null) as PageResult | null;
    const has = (of: PageBits | null, at: number): boolean =>
      of !== null && ((of[at >> 5] ?? 0) & (1 << (at & 31))) !== 0;
    for (const [chunk, each] of page.entries()) {
      for (const [at, row] of each.entries()) {
        const position = chunk * limit + at;
        const isUndecided = result === null || has(result.uncertain, position);
        if (isUndecided ? filter.test(row) : has(result.bits, position)) selected.add(row);
      }
    }
  }
  return rows.filter((row) => selected.has(row) || (typeof row !== 'object' && filter.test(row)));
}
