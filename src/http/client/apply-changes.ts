import type { ListPage } from '../../lists/query/list-core.js';
import type { ResultChange } from '../../lists/query/watch-list.js';
import type { ClientChange, ClientPage } from './client-types.js';

/**
 * Returns the page after a change of a watch, so that a sorted page stays current without being fetched again. The page is the one
 * that the watch reported before, or the result of `applyChanges` for it.
 *
 * ```ts
 * let page: ClientPage<Job> | null = null;
 * for await (const change of jobs.watch({ sort: '-Priority', perPage: 10 })) draw((page = applyChanges(page, change)).items);
 * ```
 *
 * Pages and changes of `watch` of a list in the same process work too, including the total and the facets of the page. Changes over
 * HTTP have no total: it becomes null.
 *
 * @throws TypeError if the changes are not those of this page.
 */
export function applyChanges<T>(page: ClientPage<T> | null, change: ClientChange<T>): ClientPage<T>;
export function applyChanges<T>(page: ListPage<T> | null, change: ResultChange<T>): ListPage<T>;
export function applyChanges<T>(
  page: ClientPage<T> | ListPage<T> | null,
  change: ClientChange<T> | ResultChange<T>,
): ClientPage<T> | ListPage<T> {
  if (change.kind === 'page') return change.page;
  const { index, since, entered, changed, nextToken, positions } = change;
  if (page?.index !== since || positions === undefined)
    throw new TypeError(
      `applyChanges: page must be the one at index ${since}, got index ${page?.index ?? 'none'}`,
    );
  const removed = new Set(positions.removed);
  const items = page.items.filter((_, at) => !removed.has(at));
  const added = [...entered, ...changed].map((row, at) => ({
    row,
    place: [...positions.entered, ...positions.changed][at] ?? 0,
  }));
  // In ascending order, each row is inserted at its final place.
  for (const { row, place } of added.sort((a, b) => a.place - b.place)) items.splice(place, 0, row);
  const total = 'total' in change ? change.total : null;
  const facets = 'facets' in change ? { facets: change.facets } : {};
  const etag = 'etag' in page ? { etag: null } : {};
  return { ...page, items, nextToken, index, total, ...facets, ...etag } as ClientPage<T> | ListPage<T>;
}
