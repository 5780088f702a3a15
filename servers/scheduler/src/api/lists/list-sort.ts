import { firstParameter } from '@tamis/http';
import {
  invalidFacets,
  invalidSort,
  readFacets,
  readSort,
  readSortedToken,
  rejectReverse,
  type FacetField,
  type FacetFields,
  type Sort,
  type SortFields,
} from 'tamis/query';
import type { ReadQuery } from '../kernel/query.js';

/** The parameters of a list. With `sort`, `reverse` means that order is descending. */
export interface ListQuery extends ReadQuery {
  /** Null for the list's own order. */
  readonly sort: Sort | null;
  /** Lists of the scheduler have no previous pages. */
  readonly isBackward: false;
}

/**
 * Parses `sort`, and `next_token` for that order.
 *
 * @throws QueryError `invalid-sort`, `invalid-token`
 */
export function parseListQuery(query: ReadQuery, fields: SortFields): ListQuery {
  const { parameters, nextToken } = query;
  const [text = '', ...others] = (parameters.get('sort') ?? []).filter((each) => each !== '');
  const sort = readSort(text, fields);
  if (others.length > 0 || (sort !== null && sort.others.length > 0)) {
    throw invalidSort('A list is sorted by one field: equal rows keep their own order');
  }
  const place = readSortedToken(nextToken, sort, fields);
  if (sort === null) return { ...query, sort, nextToken: place, isBackward: false };
  if (firstParameter(parameters, 'reverse') === 'true') rejectReverse(sort);
  return { ...query, sort, reverse: sort.isDescending, nextToken: place, isBackward: false };
}

/** Parameters that are incompatible with a one-time result of all matches. */
const excluded = ['index', 'watch', 'changes', 'explain', 'sort', 'reverse', 'per_page', 'next_token'];

/**
 * Reads `facets`: comma-separated field names. Null if none are requested.
 *
 * @throws QueryError `invalid-facets`
 */
export function parseFacets<T>(
  { parameters }: ReadQuery,
  fields: FacetFields<T>,
): readonly FacetField<T>[] | null {
  const text = (parameters.get('facets') ?? []).filter((each) => each !== '').join();
  if (text === '') return null;
  const other = excluded.find((name) => firstParameter(parameters, name) !== '');
  if (other !== undefined) {
    throw invalidFacets(`\`facets\` counts all matching rows once: remove \`${other}\``);
  }
  return readFacets(text, fields);
}
