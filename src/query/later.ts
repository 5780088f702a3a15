// What not every list is asked for, in one part that is loaded when it is: parts of their own would share pieces, and each
// piece is a file that comes with every list.
import { createFilterSet, type FilterSet } from '../filter-set/filter-set.js';
import type { Schema } from '../schema/schema.js';
import { createResultWatches, type ResultWatchDependencies, type ResultWatches } from './result-watches.js';

export { countRows } from './counted-rows.js';
export { explainRows } from './explained-rows.js';
export { watchList } from './watch-list.js';

/** Watches the results of a list, with an empty set for the filters of those who watch. */
export function openWatches<T extends object>(
  { schema, unresolved }: { readonly schema: Schema; readonly unresolved: 'error' | 'absent' },
  given: Omit<ResultWatchDependencies<T, never>, 'filters'>,
): ResultWatches<T> {
  const filters = createFilterSet(schema, { unresolved }) as object as FilterSet<T>;
  return createResultWatches<T, never, { readonly index: number }>({ ...given, filters });
}
