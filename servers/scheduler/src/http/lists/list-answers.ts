import { createHash } from 'node:crypto';
import type { FilterPlan } from 'tamis';
import { createFilterSet, type FilterSet } from 'tamis/filter-set';
import {
  createAnswerCache,
  findRows,
  makePage,
  tellChanges,
  watchAnswer,
  type ListView,
  type ReadQuestion,
} from 'tamis/http';
import {
  countRows,
  createFilterCache,
  createResultWatches,
  explainRows,
  orderOf,
  sortedToken,
  type AskedRows,
  type FacetField,
  type Held,
  type ListedRows,
  type ResultChanges,
  type ResultWatch,
  type RowPredicate,
  type Selection,
} from 'tamis/query';
import type { Access } from '../../acl/access.js';
import type { Resource } from '../../model/resource.js';
import { prettyIndent, printObject, writeBody } from '../../requests/answer.js';
import { wholeWork } from '../../requests/whole-work.js';
import { writeJson } from '@tamis/http';
import { changedAfter } from '../../state/blocking-query.js';
import type { RowChange } from '../../state/change-feed.js';
import { indexOf, type Snapshot } from '../../state/snapshot.js';
import type { TableName } from '../../state/tables.js';
import { accessOf, accessorOf } from '../access/access.js';
import { aclTables } from '../access/acl.js';
import type { HttpContext } from '../context.js';
import { heldRowsOf, sendable, sharedStreams, type ListBody } from './list-body.js';
import type { ListQuery } from './list-sort.js';
import type { WatchQuery } from '../query.js';
import type { RouteResponse } from '../response.js';
import type { GrantedRows } from '../access/rights.js';
import type { Call } from '../route.js';
import { explanationBody, facetBody } from './told-bodies.js';

/** The rows of a list of this server: those of a table, and what they show of other tables. */
export type StateRows<T> = ListedRows<T, RowChange, Snapshot>;

/** A list request that has been read. */
export interface ListRequest<T> {
  readonly query: ListQuery;
  readonly isExplained: boolean;
  /** The fields whose values are counted in place of the rows; null where rows are asked for. */
  readonly facets: readonly FacetField<T>[] | null;
  readonly watch: WatchQuery;
  readonly stub: (row: T, snapshot: Snapshot) => unknown;
}

export type GrantedList<T> = GrantedRows<RowPredicate<T> | null>;

/** A list request of somebody who may see these rows, with its filter compiled. */
interface Asked<T> {
  readonly request: ListRequest<T>;
  readonly plan: FilterPlan<T> | null;
  readonly granted: GrantedList<T>;
  readonly call: Call;
}

/** What a list answers from. */
export interface AnsweredList<T extends object> {
  readonly path: string;
  readonly rows: Pick<StateRows<T>, 'tables' | 'shownIn'>;
  readonly resource: Resource<T>;
  /** The fields whose values may be told; all that filters see where it is left out. */
  readonly toldFields: ReadonlySet<string> | undefined;
  readonly select: (snapshot: Snapshot, query: ListQuery) => Selection<T>;
}

/** The answers of one list on one listener, with the filters and bodies that it keeps. */
export interface ListAnswers<T> {
  /** Whether a filter is compiled already. */
  hasPlan(filter: string): boolean;
  /** @throws FilterError */
  planOf(filter: string): FilterPlan<T>;
  /** The tables by whose index answers are numbered: a caller with other rights gets another result. */
  tablesOf(watch: WatchQuery): readonly TableName[];
  /** The page, the counts or the explanation, as they are in a snapshot. */
  bodyOf(
    asked: Asked<T>,
    snapshot: Snapshot,
    index: number,
    signal: AbortSignal,
  ): ListBody | Promise<ListBody>;
  /** The same as it is sent. */
  send(asked: Asked<T>, snapshot: Snapshot, index: number, signal: AbortSignal): Promise<RouteResponse>;
  /** Begins to watch the result, at the state that there is now. Null where no index is given: then there is nothing to compare with. */
  watch(asked: Asked<T>): Promise<ListWatch<T> | null>;
}

/** A watch of the result of one request. */
export interface ListWatch<T> {
  readonly until: ResultWatch;
  /** What has come to the result, where that is known; null where the page is to be sent. */
  readonly tell: (asked: Asked<T>, snapshot: Snapshot, signal: AbortSignal) => Promise<RouteResponse | null>;
}

export function createListAnswers<T extends object>(
  { path, rows, resource, toldFields: told, select }: AnsweredList<T>,
  context: HttpContext,
): ListAnswers<T> {
  const { schema, filterIndexes: indexes, sorts, key, idField } = resource;
  const { access, unresolved, state, slices, clock } = context;
  const reading = { schema, unresolved, now: () => new Date(clock.now()) };
  const filters = createFilterCache<T>({ ...reading, indexes }, context.filters);
  context.metrics.watchFilters(path, filters);
  const bodies = createAnswerCache<ListBody>(context.answers);
  const heldRows = heldRowsOf(context.lists);
  const stream = sharedStreams(context.lists);
  const list: StateRows<T> = { ...rows, key };
  const watched = {
    list,
    watches: createResultWatches({
      ...{ state, slices, clock, list, rightsTables: aclTables },
      filters: createFilterSet(schema, { unresolved }) as object as FilterSet<T>,
    }),
    state: {
      changes: state.changes,
      snapshot: () => state.snapshot(),
      indexOf,
      changedAfter: (tables: readonly TableName[], index: bigint) => changedAfter(state, tables, index),
    },
  };
  const tablesOf = ({ isResult }: WatchQuery): readonly TableName[] =>
    isResult && access.enabled ? [...list.tables, ...aclTables] : list.tables;

  function viewOf(snapshot: Snapshot, query: ListQuery, { management }: Access): ListView<T> {
    // How fast an answer comes must tell nobody what was asked by those who may see more.
    const selection = { ...select(snapshot, query), isPart: !management };
    const sorted = { order: orderOf(selection), reverse: query.reverse, regroup: null };
    return { index: snapshot.index, history: String(snapshot.generation), selection, sorted };
  }

  function jobOf(asked: Asked<T>, snapshot: Snapshot): RowsJob<T> {
    const { request, plan, granted } = asked;
    const question = { ...request.query, plan, visible: granted.rows };
    return { question, view: viewOf(snapshot, request.query, granted.access), slices, held: heldRows.hold() };
  }

  async function count(
    asked: Asked<T>,
    fields: readonly FacetField<T>[],
    job: RowsJob<T>,
    signal: AbortSignal,
  ) {
    const counts = await countRows(job, fields, signal);
    return { body: writeBody(facetBody(counts), asked.request.query.pretty), nextToken: null };
  }

  async function explain(
    { request: { query }, granted }: Asked<T>,
    snapshot: Snapshot,
    job: RowsJob<T>,
    signal: AbortSignal,
  ) {
    const whole = viewOf(snapshot, { ...query, sort: null }, granted.access);
    const { explanation, nextToken } = await explainRows({ ...job, whole, reading, told }, signal);
    // The filter is looked through once more, for what no value equals.
    const explained = await wholeWork.run(() => explanationBody(explanation, schema), signal);
    return { body: writeBody(explained, query.pretty), nextToken };
  }

  function make(asked: Asked<T>, snapshot: Snapshot, signal: AbortSignal): ListBody | Promise<ListBody> {
    const { stub, query, facets, isExplained } = asked.request;
    const job = jobOf(asked, snapshot);
    if (facets !== null) return count(asked, facets, job, signal);
    if (isExplained) return explain(asked, snapshot, job, signal);
    const indent = query.pretty ? prettyIndent : 0;
    const write = (row: T): string => writeJson(stub(row, snapshot), indent, 1);
    return makePage({ ...job, stream, form: { pretty: query.pretty, write } }, signal);
  }

  function bodyOf(
    asked: Asked<T>,
    snapshot: Snapshot,
    index: number,
    signal: AbortSignal,
  ): ListBody | Promise<ListBody> {
    // One instant for one answer. What depends on it is nobody else's answer, and none for later.
    const plan = asked.plan?.at() ?? null;
    const bound = { ...asked, plan };
    // The rows of a new cluster come under the index at which there were none.
    if (asked.plan?.usesNow === true || snapshot.index === 0) return make(bound, snapshot, signal);
    // Whose rights are the same has the same answer.
    const question = `${snapshot.generation} ${keyOf(asked)}`;
    return bodies.answer(question, index, signal, (all) => make(bound, snapshot, all));
  }

  function isAllowedAsBefore({ call, granted }: Asked<T>): boolean {
    try {
      return accessOf(call.request, context).key === granted.access.key;
    } catch {
      // Whoever may not even ask any more is to hear of it.
      return false;
    }
  }

  /** Changes as clients see them: entries of the list, and of what has left only how it is named. */
  function showChanges({ entered, left, changed }: ResultChanges<T>, show: (row: T) => unknown): object {
    const names = ['Namespace', idField];
    const nameOf = (row: T): object =>
      Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
    return { Entered: entered.map(show), Left: left.map(nameOf), Changed: changed.map(show) };
  }

  async function tell(
    asked: Asked<T>,
    known: number | null,
    snapshot: Snapshot,
    signal: AbortSignal,
  ): Promise<RouteResponse | null> {
    const { query, stub } = asked.request;
    const job = jobOf(asked, snapshot);
    const find = (most: number): Promise<readonly T[]> => findRows(job, most, signal);
    const changes = await tellChanges(watched, known, { ...job, snapshot, find });
    if (changes === null) return null;
    const shown = showChanges(changes, (row) => stub(row, snapshot));
    const body = await printObject(shown, query.pretty, slices, signal);
    return { type: 'application/json', body, nextToken: sortedToken(query.sort, changes.nextToken, sorts) };
  }

  return {
    hasPlan: (filter) => filters.has(filter),
    planOf: (filter) => filters.plan(filter),
    tablesOf,
    bodyOf,
    async send(asked, snapshot, index, signal) {
      const body = await bodyOf(asked, snapshot, index, signal);
      return sendable(asked.call.request, body, asked.request.query.sort, sorts);
    },
    async watch(asked) {
      const { request, call, granted } = asked;
      const { index: after, stale } = request.query;
      if (after === null || after <= 0n) return null;
      const snapshot = state.snapshot();
      const tables = tablesOf(request.watch);
      const accessor = access.enabled ? accessorOf(call.request, context) : '';
      const answerAt = (at: Snapshot) => bodyOf(asked, at, indexOf(at, tables), call.signal);
      const { until, isClocked } = await watchAnswer(watched, {
        ...{ ...jobOf(asked, snapshot), key: keyOf(asked), snapshot, after, stale, tables, answerAt },
        digestAt: async (at) => digestOf(await answerAt(at)),
        hasSameRights: () => isAllowedAsBefore(asked),
        isAboutRights: ({ table, key: row }) =>
          access.enabled && (table === 'acl_policies' || (table === 'acl_tokens' && row === accessor)),
      });
      return {
        until,
        tell: (now, at, signal) =>
          isClocked || now.granted.access.key !== granted.access.key
            ? Promise.resolve(null)
            : tell(now, until.known(), at, signal),
      };
    },
  };
}

interface RowsJob<T> extends AskedRows<T> {
  readonly view: ListView<T>;
  readonly question: ReadQuestion<T>;
  readonly held: Held;
}

/** Parameters that decide when an answer comes, not what it says. */
const aboutWaiting = ['index', 'wait', 'stale', 'region', 'watch', 'changes'] as const;

/** What is asked and by whom, so that equal answers are those to one text. All that an answer depends on must be in it. */
function keyOf<T>({ request, granted }: Asked<T>): string {
  const asked = new Map(request.query.parameters);
  for (const name of aboutWaiting) asked.delete(name);
  return `${granted.access.key} ${JSON.stringify([...asked])}`;
}

/** A text that is the same for equal answers. */
async function digestOf({ body, nextToken }: ListBody): Promise<string> {
  const hash = createHash('sha256')
    .update(nextToken ?? '')
    .update('\n');
  if (typeof body === 'string') return hash.update(body).digest('base64');
  for await (const piece of body()) hash.update(piece as Buffer);
  return hash.digest('base64');
}
