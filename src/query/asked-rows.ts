import { inSlices } from '../pace/in-slices.js';
import type { Slices } from '../pace/slices.js';
import type { Schema } from '../schema/schema.js';
import { readAccessPath } from './access-path.js';
import { countFacets, type FacetCounts } from './count-facets.js';
import { explainEmpty, type EmptyList } from './empty-result.js';
import { explainScan, type ExplainableScan, type ListExplanation } from './explain-scan.js';
import type { FacetField } from './facet-query.js';
import type { Held } from './held-rows.js';
import { createListScan } from './list-scan.js';
import type { ReadQuestion } from './query.js';
import { scanRequestOf, type ListView, type RowsQuestion, type StatementExplanation } from './row-source.js';

/** A question about the rows of a view, which is answered in slices. */
export interface AskedRows<T> {
  readonly view: Pick<ListView<T>, 'selection' | 'sorted'>;
  readonly question: RowsQuestion<T>;
  readonly slices: Slices;
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

/** How often which values occur in the rows that match, whatever the page. */
export function countRows<T>(
  { view, question, slices }: AskedRows<T>,
  fields: readonly FacetField<T>[],
  signal: AbortSignal | null,
): Promise<FacetCounts> {
  const { path, where } = scanRequestOf(view, question);
  return inSlices(countFacets({ selection: view.selection, path, where, fields }), slices, signal);
}

/** Rows whose search is to be explained. */
export interface ExplainedRows<T> extends Omit<AskedRows<T>, 'question'> {
  readonly question: RowsQuestion<T> & Pick<ReadQuestion<T>, 'sort'>;
  readonly held: Held;
  /** The rows without the filter, in any order; null where nobody can tell why nothing matches. */
  readonly whole: AskedRows<T>['view'] | null;
  /** What found the rows in a database. */
  readonly statement?: StatementExplanation;
  /** How filters are read. */
  readonly reading: EmptyList<T>['options'] & { readonly schema: Schema };
  /** The fields whose values may be told; all that filters see where it is left out. */
  readonly told?: ReadonlySet<string> | undefined;
}

/** Searches for the page, and tells how; where nothing matches, why. */
export async function explainRows<T extends object>(
  asked: ExplainedRows<T>,
  signal: AbortSignal | null,
): Promise<{ readonly explanation: ListExplanation; readonly nextToken: string | null }> {
  const { question, slices, whole, statement, reading, told } = asked;
  const { plan, sort } = question;
  const found = await searchRows(asked, signal);
  const explanation = await explainScan(
    {
      ...{ ...found, plan, sort, slices },
      ...(statement === undefined ? {} : { statement }),
      explainEmpty:
        whole === null
          ? null
          : () => {
              const { path, where } = scanRequestOf(whole, { ...question, plan: null });
              const pieces = readAccessPath(path, null, false);
              return explainEmpty({ clauses: plan?.clauses ?? [], pieces, where, told, options: reading });
            },
    },
    signal,
  );
  return { explanation, nextToken: found.page.nextToken };
}
