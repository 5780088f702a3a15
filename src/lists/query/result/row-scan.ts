import type { TimeSlicer } from '../../../runtime/time-slicer.js';
import type { ExplainableScan } from './explain-scan.js';
import type { RowReservation } from '../source/row-budget.js';
import { createListScan } from '../scan/list-scan.js';
import type { LivePool } from '../source/pool.js';
import { scanRequestOf, type ListView, type RowQuery } from '../source/row-source.js';

/** A query over the rows of a view, evaluated in slices. */
export interface RowScan<T> {
  readonly view: Pick<ListView<T>, 'selection' | 'sorted'>;
  readonly query: RowQuery<T>;
  readonly slices: TimeSlicer;
}

/** Creates a query over the rows of a view of a list. */
export function rowScanOf<T, Q extends RowQuery<T>>(pool: LivePool, query: Q, view: ListView<T>) {
  return { query, view, slices: pool.slices, reservation: pool.rowBudget.reserve() };
}

/** A completed search with its page. */
export type ScanResult<T> = Pick<ExplainableScan<T>, 'request' | 'pager' | 'page'>;

/**
 * Returns the page. The rows count towards the budget until then.
 *
 * @param isExplained whether the number of evaluated rows matters
 */
export async function scanPage<T>(
  { view, query, slices, reservation }: RowScan<T> & { readonly reservation: RowReservation },
  signal: AbortSignal | null,
  isExplained = false,
): Promise<ScanResult<T>> {
  const request = scanRequestOf(view, query, !isExplained);
  const { advance, pager } = createListScan(request);
  try {
    await slices.run((shouldYield) => {
      const isFound = advance(shouldYield);
      reservation.grow(pager.found);
      return isFound;
    }, signal);
    return { request, pager, page: pager.page() };
  } finally {
    reservation.release();
  }
}
