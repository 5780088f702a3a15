// Rarely used features of lists: their code is loaded on demand.
import type { RowChange } from '../table/change-feed.js';
import type { RowScan } from './result/row-scan.js';
import type { FacetCounts } from './scan/count-facets.js';
import type { ListExplanation } from './result/explain-scan.js';
import type { ExplainedRows } from './result/explained-rows.js';
import type { FacetField } from './request/facet-query.js';
import type { ListCore } from './list-core.js';
import type { FilterReading } from './watch/list-waits.js';
import type { ParsedQuery } from './request/query.js';
import type * as Later from './load-lazily.js';
import type { ResultWatchDependencies, ResultWatches } from './watch/result-watches.js';
import type { ResultChange } from './watch-list.js';

let loading: Promise<typeof Later> | null = null;
let loaded: typeof Later | null = null;

/** The import, shared by all calls: importing a loaded module again takes as many turns as loading a file. */
export function loadLater(): Promise<typeof Later> {
  return (loading ??= import('./load-lazily.js').then(
    (later) => (loaded = later),
    (error: unknown) => {
      // After a network failure the next call imports again.
      loading = null;
      throw error;
    },
  ));
}

/** Returns how often each value occurs in all matching rows. */
export async function countRows<T>(
  request: RowScan<T>,
  fields: readonly FacetField<T>[],
  signal: AbortSignal | null,
): Promise<FacetCounts> {
  const counting = await loadLater();
  return counting.countRows(request, fields, signal);
}

/** Returns the page with an explanation of how it was found and, if nothing matches, why. */
export async function explainRows<T extends object>(
  request: ExplainedRows<T>,
  signal: AbortSignal | null,
): Promise<{ readonly explanation: ListExplanation; readonly nextToken: string | null }> {
  const explaining = await loadLater();
  return explaining.explainRows(request, signal);
}

/** Reports the changes of a result while it is iterated. */
export function watchList<T extends object>(
  core: ListCore<T>,
  query: ParsedQuery<T>,
  signal: AbortSignal | null,
): AsyncIterable<ResultChange<T>> {
  if (loaded !== null) return loaded.watchList(core, query, signal);
  let watch: Promise<ReturnType<typeof Later.watchList<T>>> | null = null;
  const open = () => (watch ??= loadLater().then((later) => later.watchList(core, query, signal)));
  // Not a generator, whose `return` waits for a pending `next`.
  const opening = {
    [Symbol.asyncIterator]: () => opening,
    next: async () => (await open()).next(),
    return: async () => (await open()).return(),
  };
  return opening;
}

/** Creates watches of the results of a list. */
export async function openResultWatches<
  T extends object,
  C extends RowChange,
  S extends { readonly index: number },
>(
  reading: FilterReading,
  given: Omit<ResultWatchDependencies<T, C, S>, 'filters'>,
): Promise<ResultWatches<T>> {
  const watching = await loadLater();
  return watching.openResultWatches(reading, given);
}
