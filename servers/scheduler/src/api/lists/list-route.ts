import { facetFields } from 'tamis/query';
import type { Access } from '../../services/acl/access.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { HttpContext, ClusterRoute } from '../kernel/context.js';
import { listSteps, type ServedList, type GrantedList, type ListRouteInput } from './list-handlers.js';
import { parseFacets, parseListQuery } from './list-sort.js';
import type { ParameterName } from '../kernel/parameters.js';
import { defineRoute } from '../kernel/pipeline.js';
import { parseReadQuery, parseSwitch, parseWatch, type ReadQuery } from '../kernel/query.js';
import { readParameters } from './read-route.js';
import { rightToRows } from '../kernel/rights.js';
import type { RouteFacts } from '../kernel/route.js';

/** Parameters of every list, in addition to those of every read. */
const listParameters = [
  'filter',
  'sort',
  'per_page',
  'next_token',
  'prefix',
  'explain',
  'facets',
  'watch',
  'changes',
] as const;

/** Declaration of a list. All lists share one implementation. */
export interface ListDefinition<T extends object> extends ServedList<T>, Pick<RouteFacts, 'summary' | 'tag'> {
  readonly requires?: (context: HttpContext) => void;
  /** Schema name of an entry. */
  readonly entry: string;
  readonly isSecret?: boolean;
  /** Parameters in addition to those of every list. With `reverse` the order can be reversed. */
  readonly parameters?: readonly ParameterName[];
  /**
   * Returns the function that creates entries. `query` is validated before blocking, so an invalid switch is rejected
   * immediately.
   */
  readonly stub: (query: ReadQuery) => (row: T, snapshot: Snapshot) => unknown;
}

export function listRoute<T extends object>(definition: ListDefinition<T>): ClusterRoute {
  const { parameters = [], requires, right, stub } = definition;
  const countable = facetFields<T>(definition.resource.schema, definition.reportedFields);
  return defineRoute<HttpContext, Access, ListRouteInput<T>, GrantedList<T>>({
    path: definition.path,
    summary: definition.summary,
    tag: definition.tag,
    response: { kind: 'list', schema: definition.entry, filtered: true },
    headers: 'page',
    failures: [429, 503],
    sorts: [...definition.resource.sorts.keys()],
    isSecret: definition.isSecret === true,
    parameters: [...readParameters, ...listParameters, ...parameters],
    ...(requires === undefined ? {} : { requires }),
    right: rightToRows(right),
    open: (context) => ({
      parse({ parameters: given }) {
        const read = parseReadQuery(given);
        const reverse = read.reverse && parameters.includes('reverse');
        const query = parseListQuery({ ...read, reverse }, definition.resource.sorts);
        const isExplained = parseSwitch(given, 'explain');
        const facets = parseFacets(read, countable);
        return { query, stub: stub(query), isExplained, facets, watch: parseWatch(given, isExplained) };
      },
      isStale: ({ query }) => query.stale,
      ...listSteps(definition, context),
    }),
  });
}
