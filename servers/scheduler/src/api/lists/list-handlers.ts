import { firstParameter, writeJson } from '@tamis/http';
import type { FilterPlan } from 'tamis';
import {
  createListHandler,
  type ResponseWatch,
  type ListRequest,
  type ListView,
  type RenderRequest,
} from 'tamis/http';
import {
  countRows,
  createFilterCache,
  explainRows,
  openResultWatches,
  orderOf,
  sortedBy,
  sortedToken,
  type FacetField,
  type JoinedRows,
  type ResultChanges,
  type RowPredicate,
  type Selection,
  type Sort,
  type Viewer,
} from 'tamis/query';
import type { RowChange, TableRows } from 'tamis/table';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import type { Resource } from '@tamis/scheduler-model/resource.js';
import { prettyIndent, printObject, writeBody } from '../kernel/requests/response-body.js';
import { taskQueue } from '../kernel/requests/task-queue.js';
import { changedAfter } from '@tamis/scheduler-state/state/blocking-query.js';
import { indexOf, type Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import type { TableName } from '@tamis/scheduler-state/state/tables.js';
import type { Access } from '../../services/acl/access.js';
import { accessOf, accessorOf } from '../kernel/access.js';
import { aclTables } from '../kernel/acl.js';
import type { GrantedRows, RowsRight } from '../kernel/rights.js';
import { blockingRead, type Finding } from './blocking-read.js';
import type { HttpContext } from '../kernel/context.js';
import type { RouteSteps } from '../kernel/pipeline.js';
import type { ParameterName } from '../kernel/parameters.js';
import type { ReadQuery, WatchQuery } from '../kernel/query.js';
import type { RouteResponse } from '../kernel/response.js';
import type { Call } from '../kernel/route.js';
import { sendable, sharedStreams, type ListBody } from './list-body.js';
import type { ListQuery } from './list-sort.js';
import { explanationBody, facetBody } from '@tamis/scheduler-model/wire/aggregate-bodies.js';

/** A parsed list request. */
export interface ListRouteInput<T> {
  readonly query: ListQuery;
  readonly isExplained: boolean;
  /** The fields whose values are counted instead of returning rows; null if rows are requested. */
  readonly facets: readonly FacetField<T>[] | null;
  readonly watch: WatchQuery;
  readonly stub: (row: T, snapshot: Snapshot) => unknown;
}

export type GrantedList<T> = GrantedRows<RowPredicate<T> | null>;

/** A list request with the rows that its caller can see. */
interface CallerRequest<T> extends ListRequest<T> {
  readonly request: ListRouteInput<T>;
  readonly granted: GrantedList<T>;
  readonly call: Call;
}

/** The declaration of a list's data. */
export interface ServedList<T extends object> {
  readonly path: string;
  /** Returns which rows the caller can see, applied before anything else; null for all. */
  readonly right: RowsRight<RowPredicate<T> | null>;
  /** The table of the rows, and others that affect the list. Its index is the maximum of theirs. */
  readonly tables: readonly [TableName, ...TableName[]];
  /** Maps a row of another table to the row that shows parts of it; omitted if there are no such tables. */
  readonly rowIn?: JoinedRows<T, RowChange, Snapshot>['rowIn'];
  /** The fields visible to filters, and those with indexes. */
  readonly resource: Resource<T>;
  /**
   * Fields whose values may be revealed. If the right does not include whole rows, these are the fields of entries. Default: all
   * fields visible to filters.
   */
  readonly reportedFields?: ReadonlySet<string>;
  /** The parameters, in addition to `prefix`, that select rows themselves and so exclude a filter. */
  readonly filteringParameters?: readonly ParameterName[];
  /** Selects rows and their order. */
  readonly select: (snapshot: Snapshot, query: ReadQuery) => Selection<T>;
}

/** Validates and handles the requests for one list on one listener. */
export function listSteps<T extends object>(
  {
    path,
    tables,
    rowIn,
    resource,
    reportedFields: reported,
    right,
    select,
    filteringParameters = [],
  }: ServedList<T>,
  context: HttpContext,
): Pick<RouteSteps<ListRouteInput<T>, GrantedList<T>>, 'check' | 'handle'> {
  const { schema, filterIndexes: indexes, sorts, key, idField } = resource;
  const { access, unresolved, state, slices, clock } = context;
  const reading = { schema, unresolved, now: () => new Date(clock.now()) };
  const filters = createFilterCache<T>({ ...reading, indexes }, context.filters);
  context.metrics.watchFilters(path, filters);
  const list: JoinedRows<T, RowChange, Snapshot> = { tables, rowIn, key };
  // Loaded before it is needed, so that an agent whose files are replaced continues with the original ones.
  const watching = { state, slices, clock, list, rightsTables: aclTables };
  const watches = openResultWatches<T, RowChange, Snapshot>(reading, watching);
  const handler = createListHandler<T, Snapshot, CallerRequest<T>>({
    ...{
      slices,
      rowBudget: context.rowBudget,
      stream: sharedStreams(context.lists),
      limits: context.responseCache,
    },
    watched: {
      ...{ list, open: () => watches },
      state: {
        ...{ changes: state.changes, snapshot: () => state.snapshot(), indexOf },
        changedAfter: (names: readonly TableName[], index) => changedAfter(state, names, index),
      },
    },
    bound: (params) => ({ ...params, plan: params.plan?.at() ?? null }),
    viewAt: (request, { sort }, at) => viewAt(request, sort, at),
    formAt({ request: { query, stub } }, at) {
      const indent = query.pretty ? prettyIndent : 0;
      return { pretty: query.pretty, write: (row) => writeJson(stub(row, at), indent, 1) };
    },
    // The first rows of a new cluster have the index of the empty list. Callers with the same rights get the same result.
    keyAt: (request, at) =>
      at.index === 0 ? null : [`${at.generation} ${keyOf(request)}`, indexOf(at, tablesOf(request.request))],
    renderAggregate,
  });

  /**
   * Returns the tables that determine the index of a response. They include those of rights, because callers with other rights
   * get a different result.
   */
  function tablesOf({ watch }: ListRouteInput<T>): readonly TableName[] {
    return watch.isResult && access.enabled ? [...tables, ...aclTables] : tables;
  }

  function viewAt(
    { request: { query }, granted }: CallerRequest<T>,
    sort: Sort | null,
    at: Snapshot,
  ): ListView<T> {
    const field = sort === null ? undefined : sorts.get(sort.field);
    // The table of a list contains its rows, but the compiler cannot infer it.
    const rows = at.tables[tables[0]] as object as TableRows<T>;
    const selection = {
      ...select(at, query),
      ...(granted.access.management ? {} : { viewer: viewerOf(granted.access, query) }),
      ...(field === undefined ? {} : { sorted: sortedBy(rows, field) }),
    };
    const sorted = { order: orderOf(selection), reverse: query.reverse, partialSort: null };
    return { index: at.index, history: String(at.generation), selection, sorted };
  }

  /**
   * Returns the viewer of a request. Separate viewers prevent response times from revealing queries of callers who can see other
   * rows.
   */
  function viewerOf(access: Access, query: ReadQuery): Viewer<T> {
    const canSee = right.grant(access, { ...query, namespace: '*' }, '') ?? ((): boolean => true);
    return { key: `${right.name} ${access.key}`, canSee };
  }

  /** Renders the requested aggregate instead of a page. */
  function renderAggregate(
    request: CallerRequest<T>,
    job: RenderRequest<T> & ListRequest<T>,
    at: Snapshot,
    signal: AbortSignal,
  ) {
    const { facets, isExplained, query } = request.request;
    if (facets !== null) return renderCounts(facets);
    return isExplained ? renderScan() : null;

    async function renderCounts(fields: readonly FacetField<T>[]): Promise<ListBody> {
      const counts = await countRows(job, fields, signal);
      return { body: writeBody(facetBody(counts), query.pretty), nextToken: null };
    }

    async function renderScan(): Promise<ListBody> {
      const whole = viewAt(request, null, at);
      const { explanation, nextToken } = await explainRows(
        { ...job, whole, reading, reportedFields: reported },
        signal,
      );
      // The filter is checked again, for literals that no value equals.
      const explained = await taskQueue.run(() => explanationBody(explanation, schema), signal);
      return { body: writeBody(explained, query.pretty), nextToken };
    }
  }

  /** Compiles filters of concurrent requests one by one, so that other requests are served in between. */
  async function planOf(
    { filter, parameters }: ListQuery,
    signal: AbortSignal,
  ): Promise<FilterPlan<T> | null> {
    if (filter === '') return null;
    if (['prefix', ...filteringParameters].some((name) => firstParameter(parameters, name) !== '')) {
      const text = 'Filter expression cannot be used with other filter parameters';
      throw badRequest(text);
    }
    return filters.has(filter) ? filters.plan(filter) : taskQueue.run(() => filters.plan(filter), signal);
  }

  /** Starts watching the result. Null without an index: there is nothing to compare with. */
  async function watch(callerRequest: CallerRequest<T>): Promise<ResponseWatch | null> {
    const { request, call, granted } = callerRequest;
    const { index: after, stale } = request.query;
    if (after === null || after <= 0n) return null;
    const accessor = access.enabled ? accessorOf(call.request, context) : '';
    const waiter = {
      ...{ key: keyOf(callerRequest), after, stale, tables: tablesOf(request) },
      hasSamePermissions() {
        try {
          return accessOf(call.request, context).key === granted.access.key;
        } catch {
          // A caller whose right has been revoked must be refused.
          return false;
        }
      },
      affectsPermissions: ({ table, key: row }: RowChange) =>
        access.enabled && (table === 'acl_policies' || (table === 'acl_tokens' && row === accessor)),
    };
    return handler.watch(callerRequest, waiter, call.signal);
  }

  /** Sends changes as clients see them: entries of the list, and only the keys of removed ones. */
  async function sendChanges(
    { entered, left, changed, nextToken }: ResultChanges<T>,
    { query, stub }: ListRouteInput<T>,
    at: Snapshot,
    signal: AbortSignal,
  ): Promise<RouteResponse> {
    const names = ['Namespace', idField];
    const nameOf = (row: T): object =>
      Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
    const project = (row: T): unknown => stub(row, at);
    const changes = { Entered: entered.map(project), Left: left.map(nameOf), Changed: changed.map(project) };
    const body = await printObject(changes, query.pretty, slices, signal);
    return { type: 'application/json', body, nextToken: sortedToken(query.sort, nextToken, sorts) };
  }

  return {
    async check({ query }, { signal }) {
      await planOf(query, signal);
    },
    async handle(request, given, call) {
      const { query } = request;
      const { isResult, isChanges } = request.watch;
      const plan = await planOf(query, call.signal);
      const requestBy = (granted: GrantedList<T>): CallerRequest<T> => {
        return { request, granted, call, query: { ...query, plan, visible: granted.rows } };
      };
      const callerRequest = requestBy(given);
      // If the filter throws for a current row, the request fails now instead of waiting.
      if (query.index !== null && plan?.mayFail === true) {
        await handler.render(callerRequest, state.snapshot(), call.signal);
      }
      const watched = isResult ? await watch(callerRequest) : null;
      const look = (snapshot: Snapshot, index: number, granted: GrantedList<T>): Finding => ({
        index,
        // Whether the filter throws for any row is known only after all rows were found.
        async respond(_headers, signal) {
          const now = requestBy(granted);
          const sendsChanges = isChanges && granted.access.key === given.access.key && watched !== null;
          const changes = sendsChanges ? await handler.changes(now, watched, snapshot, signal) : null;
          if (changes !== null) return sendChanges(changes, request, snapshot, signal);
          const body = await handler.render(now, snapshot, signal);
          return sendable(call.request, body, query.sort, sorts);
        },
      });
      // The current rights apply, not those at the start of the request.
      const current = watched === null ? given.access : accessOf(call.request, context);
      const granted =
        current === given.access ? given : { access: current, rows: right.grant(current, query, '') };
      const read = { query, tables: tablesOf(request), right, look, until: watched?.until };
      const respond = () => blockingRead(context, call, read, granted);
      const isExpensive = plan !== null || request.facets !== null || request.isExplained;
      // Waiting requests have a separate limit.
      return query.index === null && isExpensive ? context.queries.run(respond, call.signal) : respond();
    },
  };
}

/** Parameters that affect when a response is sent, not its content. */
const aboutWaiting = ['index', 'wait', 'stale', 'region', 'watch', 'changes'] as const;

/** Returns the cache key of a request: its parameters and its rights. It must include everything that the response depends on. */
function keyOf<T>({ request, granted }: CallerRequest<T>): string {
  const callerRequest = new Map(request.query.parameters);
  for (const name of aboutWaiting) callerRequest.delete(name);
  return `${granted.access.key} ${JSON.stringify([...callerRequest])}`;
}
