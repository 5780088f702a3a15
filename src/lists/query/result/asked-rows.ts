import type { Slices } from '../../../runtime/slices.js';
import type { ExplainableScan } from './explain-scan.js';
import type { Held } from '../source/held-rows.js';
import { createListScan } from '../scan/list-scan.js';
import type { LivePool } from '../source/pool.js';
import { scanRequestOf, type ListView, type RowsQuestion } from '../source/row-source.js';

/** A query over the rows of a view, evaluated in slices. */
export interface AskedRows<T> {
  readonly view: Pick<ListView<T>, 'selection' | 'sorted'>;
  readonly question: RowsQuestion<T>;
  readonly slices: Slices;
}

/** A query over the rows of a view of a list. */
export function askedRows<T, Q extends RowsQuestion<T>>(pool: LivePool, question: Q, view: ListView<T>) {
  return { question, view, slices: pool.slices, held: pool.held.hold() };
}

/** A search that is over, with its page. */
export type SearchedRows<T> = Pick<ExplainableScan<T>, 'request' | 'pager' | 'page'>;

/** Searches for the page. What is found counts as held meanwhile. */
export async function searchRows<T>(
  { view, question, slices, held }: AskedRows<T> & { readonly held: Held },
  signal: AbortSignal | null,
): Promise<SearchedRows<T>> {
  const request = scanRequestOf(view, question);
  const { advance, pager } = createListScan(request);
  try {
    await slices.run((isOver) => {
      const isFound = advance(isOver);
      held.grow(pager.found);
      return isFound;
    }, signal);
    return { request, pager, page: pager.page() };
  } finally {
    held.release();
  }
}
