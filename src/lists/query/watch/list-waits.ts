import { createFilterSet, type FilterSet } from '../../../filter/filter-set/filter-set.js';
import { eventLoop } from '../../../runtime/time-slicer.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { RowChange } from '../../table/change-feed.js';
import { LivePages, type LiveList } from './live-pages.js';
import { createResultWatches, type ResultWatchDependencies, type ResultWatches } from './result-watches.js';
import type { RowSource } from '../source/row-source.js';
import { createVersionWait, type VersionWait } from './version-wait.js';

/** Options for parsing filters. */
export interface FilterReading {
  readonly schema: Schema;
  readonly unresolved: 'error' | 'absent';
}

/** Creates watches of results, with an empty filter set for the watchers' filters. */
export function openResultWatches<
  T extends object,
  C extends RowChange,
  S extends { readonly index: number },
>(
  { schema, unresolved }: FilterReading,
  given: Omit<ResultWatchDependencies<T, C, S>, 'filters'>,
): ResultWatches<T> {
  const filters = createFilterSet(schema, { unresolved }) as object as FilterSet<T>;
  return createResultWatches<T, C, S>({ ...given, filters });
}

/** The waiting queries of a list. */
export interface ListWaits<T extends object> {
  readonly version: VersionWait;
  /** The watched results and pages; null if the source reports no changes. */
  readonly results: ResultWatches<T> | null;
  readonly pages: LivePages<T> | null;
}

export interface WaitedList<T> extends LiveList<T> {
  readonly pollIntervalMs: number;
}

export function openWaits<T extends object>(list: WaitedList<T>): ListWaits<T> {
  const { source, pool, closed, pollIntervalMs, unresolved } = list;
  const { schema, watched, keyOf } = source;
  const version = createVersionWait(source as object as RowSource<never>, pool, closed, pollIntervalMs);
  if (watched === null) return { version, results: null, pages: null };
  const { versions, table } = watched;
  const state = { changes: versions.changes, snapshot: () => versions.snapshot() };
  const { slices } = pool;
  const rows = { tables: [table] as const, key: keyOf };
  return {
    version,
    results: openResultWatches({ schema, unresolved }, { state, slices, clock: eventLoop, list: rows }),
    pages: new LivePages(list, watched),
  };
}
