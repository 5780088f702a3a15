import type { FilterPlan } from 'tamis';
import { firstParameter } from '@tamis/http';
import type { Access } from '../acl/access.js';
import { accessOf } from './access.js';
import { aclTables } from './acl.js';
import { SchedulerError } from '../errors.js';
import { wholeWork } from '../requests/whole-work.js';
import type { Resource } from '../model/resource.js';
import { type SortField, sortedTable, type TableRows } from 'tamis/table';
import type { ListedRows } from './listed-rows.js';
import { indexOf, type Snapshot } from '../state/snapshot.js';
import {
  type RowPredicate,
  type Selection,
  type SortedTable,
  facetFields,
  type FacetField,
  createFilterCache,
  createResultWatches,
} from 'tamis/query';
import { parseFacets, parseListQuery, type ListQuery } from './list-sort.js';
import { heldRowsOf } from './shared-rows.js';
import { blockingRead, type Finding } from './blocking-read.js';
import type { HttpContext } from './context.js';
import { makeListResponse, sendable, type ListJob } from './list-response.js';
import { openListWatch, watchedTables } from './list-watch.js';
import type { ParameterName } from './openapi/parameters.js';
import { defineRoute } from './pipeline.js';
import type { RouteResponse } from './response.js';
import { parseReadQuery, parseSwitch, parseWatch, type ReadQuery, type WatchQuery } from './query.js';
import { readParameters } from './read-route.js';
import { createResponseCache, type ListResponse } from './response-cache.js';
import { rightToRows, type GrantedRows, type RowsRight } from './rights.js';
import type { Call, Route, RouteFacts } from './route.js';

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
  readonly tables: ListedRows<T>['tables'];
  /** The row that shows something of one in another table than the first; left out where none does. */
  readonly shownIn?: ListedRows<T>['shownIn'];
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

/** A list request that has been read. */
export interface ParsedListRequest<T> {
  readonly query: ListQuery;
  readonly isExplained: boolean;
  readonly facets: readonly FacetField<T>[] | null;
  readonly watch: WatchQuery;
  readonly stub: (row: T, snapshot: Snapshot) => unknown;
}

type Granted<T> = GrantedRows<RowPredicate<T> | null>;

export function listRoute<T extends object>(definition: ListDefinition<T>): Route<HttpContext, Access> {
  const { parameters = [], requires, right, stub } = definition;
  const countable = facetFields<T>(definition.resource.schema, definition.toldFields);
  return defineRoute<HttpContext, Access, ParsedListRequest<T>, Granted<T>>({
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
      ...listSteps(definition, context),
    }),
  });
}

/** The steps of one list on one listener, with the filters and responses that it keeps. */
interface ListSteps<T> {
  readonly check: (input: ParsedListRequest<T>) => void;
  readonly answer: (input: ParsedListRequest<T>, granted: Granted<T>, call: Call) => Promise<RouteResponse>;
}

function listSteps<T extends object>(definition: ListDefinition<T>, context: HttpContext): ListSteps<T> {
  const { path, resource, right, filteringParameters = [], shownIn } = definition;
  const { schema, filterIndexes: indexes, key, idField } = resource;
  const { unresolved, state, slices, clock } = context;
  const now = (): Date => new Date(clock.now());
  const filters = createFilterCache<T>({ schema, indexes, unresolved, now }, context.filters);
  context.metrics.watchFilters(path, filters);
  const responses = createResponseCache(context.answers);
  const held = heldRowsOf(context.lists);
  const list = { tables: definition.tables, key, idField, shownIn, sorts: resource.sorts };
  const watches = createResultWatches({
    state,
    slices,
    clock,
    list,
    schema,
    unresolved,
    rightsTables: aclTables,
  });

  function select(snapshot: Snapshot, query: ListQuery): Selection<T> {
    const selection = definition.select(snapshot, query);
    const field = query.sort === null ? undefined : resource.sorts.get(query.sort.field);
    if (field === undefined) return selection;
    return { ...selection, sorted: sortedTableOf(snapshot.tables[definition.tables[0]], field) };
  }

  function planOf(query: ReadQuery): FilterPlan<T> | null {
    refuseMixedFilters(query, ['prefix', ...filteringParameters]);
    return query.filter === '' ? null : filters.plan(query.filter);
  }

  async function answerList(
    input: ParsedListRequest<T>,
    granted: Granted<T>,
    call: Call,
  ): Promise<RouteResponse> {
    const { query } = input;
    // Texts that many ask at once are compiled one by one, and the others are answered in between.
    const isKnown = query.filter === '' || filters.has(query.filter);
    const plan = isKnown ? planOf(query) : await wholeWork.run(() => planOf(query), call.signal);
    const question = questionOf(query);
    const jobOf = (snapshot: Snapshot, { rows: visible }: Granted<T>): ListJob<T> => {
      const about = { told: definition.toldFields, diagnosis: { schema, unresolved, now } };
      return { ...input, ...about, context, select, snapshot, visible, plan, held: held.hold() };
    };
    const answer = (
      snapshot: Snapshot,
      index: number,
      given: Granted<T>,
      signal: AbortSignal,
    ): ListResponse | Promise<ListResponse> => {
      // One instant for one answer. What depends on it is nobody else's answer, and none for later.
      const bound = plan?.at() ?? null;
      const make = (all: AbortSignal): ListResponse | Promise<ListResponse> =>
        makeListResponse({ ...jobOf(snapshot, given), plan: bound }, all);
      // The rows of a new cluster come under the index at which there were none.
      if (plan?.usesNow === true || snapshot.index === 0) return make(signal);
      // Whose rights are the same has the same answer.
      return responses.answer(`${snapshot.generation} ${given.access.key} ${question}`, index, signal, make);
    };
    const { isResult, isChanges } = input.watch;
    const tables = isResult ? watchedTables(context, list.tables) : list.tables;
    // A filter that fails on the rows there are now must not wait for others.
    if (query.index !== null && plan?.mayFail === true) {
      const snapshot = state.snapshot();
      await answer(snapshot, indexOf(snapshot, tables), granted, call.signal);
    }
    const watch = isResult
      ? await openListWatch<T>(context, {
          ...{ list, watches, question, call, granted, jobOf },
          answer: (snapshot, index) => answer(snapshot, index, granted, call.signal),
        })
      : null;
    const look = (snapshot: Snapshot, index: number, given: Granted<T>): Finding => ({
      index,
      // Only when all rows are found is it known that none of them fails the request.
      async respond(_headers, signal) {
        const told = isChanges && watch !== null ? await watch.tell(snapshot, given, signal) : null;
        return (
          told ?? sendable(call.request, await answer(snapshot, index, given, signal), query, resource.sorts)
        );
      },
    });
    // The rights are those of now, who has waited for a page since they were given or not.
    const access = watch === null ? granted.access : accessOf(call.request, context);
    const current = access === granted.access ? granted : { access, rows: right.grant(access, query, '') };
    return blockingRead(context, call, { query, tables, right, look, until: watch?.until }, current);
  }

  return { check: ({ query }) => void planOf(query), answer: answerList };
}

/** Parameters that decide when an answer comes, not what it says. */
const aboutWaiting = ['index', 'wait', 'stale', 'region', 'watch', 'changes'] as const;

/** What is asked, so that the same question asked twice is one text. All that an answer depends on must be in it. */
function questionOf({ parameters }: ReadQuery): string {
  const asked = new Map(parameters);
  for (const name of aboutWaiting) asked.delete(name);
  return JSON.stringify([...asked]);
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
