// What not every list is asked for: its code is loaded when it is.
import type { FilterSet } from '../filter-set/filter-set.js';
import type { Schema } from '../schema/schema.js';
import type { AskedRows } from './asked-rows.js';
import type { FacetCounts } from './count-facets.js';
import type { ListExplanation } from './explain-scan.js';
import type { ExplainedRows } from './explained-rows.js';
import type { FacetField } from './facet-query.js';
import type { ListCore } from './list-core.js';
import type { ReadQuestion } from './query.js';
import type { ResultChange } from './watch-list.js';

/** How often which values occur in the rows that match, whatever the page. */
export async function countRows<T>(
  asked: AskedRows<T>,
  fields: readonly FacetField<T>[],
  signal: AbortSignal | null,
): Promise<FacetCounts> {
  const counting = await import('./counted-rows.js');
  return counting.countRows(asked, fields, signal);
}

/** Searches for the page, and tells how; where nothing matches, why. */
export async function explainRows<T extends object>(
  asked: ExplainedRows<T>,
  signal: AbortSignal | null,
): Promise<{ readonly explanation: ListExplanation; readonly nextToken: string | null }> {
  const explaining = await import('./explained-rows.js');
  return explaining.explainRows(asked, signal);
}

/** Tells of a result for as long as somebody asks. */
export async function* watchList<T extends object>(
  core: ListCore<T>,
  question: ReadQuestion<T>,
  signal: AbortSignal | null,
): AsyncGenerator<ResultChange<T>, void, undefined> {
  const watching = await import('./watch-list.js');
  yield* watching.watchList(core, question, signal);
}

/** An empty set, for the filters of those who watch. */
export async function openFilterSet<T extends object>(
  schema: Schema,
  unresolved: 'error' | 'absent',
): Promise<FilterSet<T>> {
  const sets = await import('../filter-set/filter-set.js');
  return sets.createFilterSet(schema, { unresolved }) as object as FilterSet<T>;
}
