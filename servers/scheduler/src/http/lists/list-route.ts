import type { FilterPlan } from 'tamis';
import { firstParameter } from '@tamis/http';
import { facetFields, type RowPredicate, type Selection, type SortedTable } from 'tamis/query';
import { sortedTable, type SortField, type TableRows } from 'tamis/table';
import type { Access } from '../../acl/access.js';
import { SchedulerError } from '../../errors.js';
import type { Resource } from '../../model/resource.js';
import { wholeWork } from '../../requests/whole-work.js';
import { indexOf, type Snapshot } from '../../state/snapshot.js';
import { accessOf } from '../access/access.js';
import { blockingRead, type Finding } from '../blocking-read.js';
import type { HttpContext } from '../context.js';
import { createListAnswers, type GrantedList, type ListRequest, type StateRows } from './list-answers.js';
import { parseFacets, parseListQuery, type ListQuery } from './list-sort.js';
import type { ParameterName } from '../openapi/parameters.js';
import { defineRoute, type RouteSteps } from '../pipeline.js';
import { parseReadQuery, parseSwitch, parseWatch, type ReadQuery } from '../query.js';
import { readParameters } from '../read-route.js';
import type { RouteResponse } from '../response.js';
import { rightToRows, type RowsRight } from '../access/rights.js';
import type { Call, Route, RouteFacts } from '../route.js';

/** The parameters of every list, beside those of every read. */
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

/** A list, declared. What a list does is the same for all of them and written once. */
export interface ListDefinition<T extends object> extends Pick<RouteFacts, 'path' | 'summary' | 'tag'> {
  /** Which rows the caller may see, decided before anything else sees them; null for all. */
  readonly right: RowsRight<RowPredicate<T> | null>;
  readonly requires?: (context: HttpContext) => void;
  /** The schema of an entry, by its name. */
  readonly entry: string;
  readonly isSecret?: boolean;
  /** The table of the rows, and others whose changes can change the list. Its index is the greatest of theirs. */
  readonly tables: StateRows<T>['tables'];
  /** The row that shows something of one in another table than the first; left out where none does. */
  readonly shownIn?: StateRows<T>['shownIn'];
  /** What filters see of the full object, and the fields by which they find rows. */
  readonly resource: Resource<T>;
  /**
   * The fields whose values may be told: those that entries show, where the right to the list is none to whole rows. All that
   * filters see where it is left out.
   */
  readonly toldFields?: ReadonlySet<string>;
  /** Parameters beside those of every list. With `reverse` among them the order can be reversed. */
  readonly parameters?: readonly ParameterName[];
  /** Those parameters that select rows themselves and so exclude a filter, beside `prefix`. */
  readonly filteringParameters?: readonly ParameterName[];
  /** Which rows, in which order. */
  readonly select: (snapshot: Snapshot, query: ReadQuery) => Selection<T>;
  /** What an entry shows. `query` is looked at before anything blocks, so a bad switch is refused at once. */
  readonly stub: (query: ReadQuery) => (row: T, snapshot: Snapshot) => unknown;
}

export function listRoute<T extends object>(definition: ListDefinition<T>): Route<HttpContext, Access> {
  const { parameters = [], requires, right, stub } = definition;
  const countable = facetFields<T>(definition.resource.schema, definition.toldFields);
  return defineRoute<HttpContext, Access, ListRequest<T>, GrantedList<T>>({
    method: 'get',
    path: definition.path,
    summary: definition.summary,
    tag: definition.tag,
    body: null,
    answer: { kind: 'list', schema: definition.entry, filtered: true },
    headers: 'page',
    failures: [429, 503],
    forward: 'current',
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
      ...stepsOf(definition, context),
    }),
  });
}

/** How requests for one list are checked and answered, on one listener. */
function stepsOf<T extends object>(
  definition: ListDefinition<T>,
  context: HttpContext,
): Pick<RouteSteps<ListRequest<T>, GrantedList<T>>, 'check' | 'answer'> {
  const { path, tables, shownIn, resource, toldFields, right, filteringParameters = [] } = definition;
  const { state } = context;
  const select = (snapshot: Snapshot, query: ListQuery): Selection<T> => {
    const selection = definition.select(snapshot, query);
    const field = query.sort === null ? undefined : resource.sorts.get(query.sort.field);
    if (field === undefined) return selection;
    return { ...selection, sorted: sortedTableOf(snapshot.tables[tables[0]], field) };
  };
  const answers = createListAnswers(
    { path, rows: { tables, shownIn }, resource, toldFields, select },
    context,
  );

  function planOf(query: ReadQuery): FilterPlan<T> | null {
    refuseMixedFilters(query, ['prefix', ...filteringParameters]);
    return query.filter === '' ? null : answers.planOf(query.filter);
  }

  /** Texts that many ask at once are compiled one by one, and the others are answered in between. */
  async function admittedPlanOf(query: ReadQuery, signal: AbortSignal): Promise<FilterPlan<T> | null> {
    const isKnown = query.filter === '' || answers.hasPlan(query.filter);
    return isKnown ? planOf(query) : wholeWork.run(() => planOf(query), signal);
  }

  async function answer(request: ListRequest<T>, given: GrantedList<T>, call: Call): Promise<RouteResponse> {
    const { query } = request;
    const plan = await admittedPlanOf(query, call.signal);
    const asked = { request, plan, granted: given, call };
    const { isResult, isChanges } = request.watch;
    const numbering = answers.tablesOf(request.watch);
    // A filter that fails on the rows there are now must not wait for others.
    if (query.index !== null && plan?.mayFail === true) {
      const snapshot = state.snapshot();
      await answers.bodyOf(asked, snapshot, indexOf(snapshot, numbering), call.signal);
    }
    const watch = isResult ? await answers.watch(asked) : null;
    const look = (snapshot: Snapshot, index: number, granted: GrantedList<T>): Finding => ({
      index,
      // Only when all rows are found is it known that none of them fails the request.
      async respond(_headers, signal) {
        const now = { ...asked, granted };
        const told = isChanges && watch !== null ? await watch.tell(now, snapshot, signal) : null;
        return told ?? answers.send(now, snapshot, index, signal);
      },
    });
    // The rights are those of now, who has waited for a page since they were given or not.
    const access = watch === null ? given.access : accessOf(call.request, context);
    const current = access === given.access ? given : { access, rows: right.grant(access, query, '') };
    return blockingRead(
      context,
      call,
      { query, tables: numbering, right, look, until: watch?.until },
      current,
    );
  }

  return {
    async check({ query }, { signal }) {
      await admittedPlanOf(query, signal);
    },
    answer,
  };
}

/** The rows of a list's table in the order of a field. The table of a list holds its rows, which the compiler cannot see. */
function sortedTableOf<T extends object>(table: object, field: SortField<T>): SortedTable<T> {
  const rows = sortedTable(table as TableRows<T>, field);
  if (rows !== null) return { field: field.name, rows };
  throw new SchedulerError(
    'bad-sort',
    `Cannot sort by ${field.name} now: it is no integer in some of the rows`,
  );
}

function refuseMixedFilters({ filter, parameters }: ReadQuery, filtering: readonly string[]): void {
  if (filter === '') return;
  for (const name of filtering) {
    if (firstParameter(parameters, name) === '') continue;
    throw new SchedulerError(
      'filter-with-parameter',
      'Filter expression cannot be used with other filter parameters',
    );
  }
}
