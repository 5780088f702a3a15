import { createHash } from 'node:crypto';
import { FilterError } from 'tamis';
import { printObject } from '../requests/answer.js';
import type { ListedRows } from './listed-rows.js';
import { indexOf, type Snapshot } from '../state/snapshot.js';
import type { RowChange } from '../state/change-feed.js';
import { changedAfter } from '../state/blocking-query.js';
import type { State } from '../state/state.js';
import type { TableName } from '../state/tables.js';
import { accessOf, accessorOf } from './access.js';
import {
  orderOf,
  type RowPredicate,
  sortedToken,
  type SortFields,
  findChanges,
  type ResultChanges,
  filterTest,
  pageBounds,
  selectionTest,
  type ResultQuestion,
  changesUpTo,
  watchResult,
  type ResultWatch,
  type ResultWatches,
  type WatchedState,
  rowTouches,
} from 'tamis/query';
import { aclTables } from './acl.js';
import type { HttpContext } from './context.js';
import { findRows, type ListJob } from './list-response.js';
import type { ListResponse } from './response-cache.js';
import type { RouteResponse } from './response.js';
import type { GrantedRows } from './rights.js';
import type { Call } from './route.js';

type Granted<T> = GrantedRows<RowPredicate<T> | null>;

/** A request that watches the result of a list. */
export interface ListWatchRequest<T extends object> {
  readonly list: WatchedList<T>;
  readonly watches: ResultWatches<T>;
  /** All but the waiting, so that the same question asked twice is one text. */
  readonly question: string;
  readonly call: Call;
  readonly granted: Granted<T>;
  /** What is needed to find its rows in a snapshot, for those who may see these. */
  readonly jobOf: (snapshot: Snapshot, granted: Granted<T>) => ListJob<T>;
  /** Makes the answer at a snapshot. */
  readonly answer: (snapshot: Snapshot, index: number) => ListResponse | Promise<ListResponse>;
}

/** A list that can be watched. */
export interface WatchedList<T> extends ListedRows<T> {
  /** The field by which answers name a row. */
  readonly idField: string;
  readonly sorts: SortFields;
}

/** A watch of the result of one request. */
export interface ListWatch<T> {
  readonly until: ResultWatch;
  /** What has come to the result, where that is known; null where the page is to be sent. */
  readonly tell: (
    snapshot: Snapshot,
    granted: Granted<T>,
    signal: AbortSignal,
  ) => Promise<RouteResponse | null>;
}

/** The state of this server, as those who wait for results need it. */
function watchedState(state: State): WatchedState<RowChange, Snapshot> {
  return {
    changes: state.changes,
    snapshot: () => state.snapshot(),
    indexOf,
    changedAfter: (tables, index) => changedAfter(state, tables, index),
  };
}

/** The tables by whose index the answers to watches are numbered: a caller with other rights gets another result. */
export function watchedTables(
  { access }: Pick<HttpContext, 'access'>,
  tables: readonly TableName[],
): readonly TableName[] {
  return access.enabled ? [...tables, ...aclTables] : tables;
}

/** Begins to watch, at the state that there is now. Null where no index is given: then there is nothing to compare with. */
export async function openListWatch<T extends object>(
  context: HttpContext,
  request: ListWatchRequest<T>,
): Promise<ListWatch<T> | null> {
  const { list, watches, call, granted, jobOf } = request;
  const { state, access } = context;
  const snapshot = state.snapshot();
  const job = jobOf(snapshot, granted);
  const after = job.query.index ?? 0n;
  if (after <= 0n) return null;
  const tables = watchedTables(context, list.tables);
  const { question, digest } = await questionOf(context, request, job, tables);
  const accessor = access.enabled ? accessorOf(call.request, context) : '';
  const until = watchResult(watchedState(state), list, watches, {
    ...{ question, digest, snapshot, after, tables, stale: job.query.stale },
    hasSameRights: () => hasSameRights(context, call, granted),
    isAboutRights: ({ table, key }) =>
      access.enabled && (table === 'acl_policies' || (table === 'acl_tokens' && key === accessor)),
  });
  return {
    until,
    tell: (now, given, signal) =>
      digest !== null || given.access.key !== granted.access.key
        ? Promise.resolve(null)
        : tellChanges(context, list, until.known(), jobOf(now, given), signal),
  };
}

function hasSameRights<T>(context: HttpContext, { request }: Call, { access }: Granted<T>): boolean {
  try {
    return accessOf(request, context).key === access.key;
  } catch {
    // Whoever may not even ask any more is to hear of it.
    return false;
  }
}

/** The question of a request, with the page that it is about. */
async function questionOf<T extends object>(
  { state }: HttpContext,
  { question, granted, answer }: ListWatchRequest<T>,
  { snapshot, query, plan, select, visible }: ListJob<T>,
  tables: readonly TableName[],
): Promise<{ readonly question: ResultQuestion<T>; readonly digest: string | null }> {
  const selection = select(snapshot, query);
  const answerAt = async (at: Snapshot): Promise<ListResponse> => answer(at, indexOf(at, tables));
  const isClocked = plan?.usesNow === true;
  const isPaged = !isClocked && query.perPage > 0;
  const digestNow = async (): Promise<string> => digestOf(await answerAt(state.snapshot()));
  return {
    question: {
      key: `${granted.access.key} ${question}`,
      filter: query.filter,
      holds: filterTest(plan),
      isSelected: selectionTest(selection, visible),
      page: pageBounds(orderOf(selection), query, isPaged ? (await answerAt(snapshot)).nextToken : null),
      digest: isClocked ? digestNow : null,
    },
    digest: isClocked ? await digestOf(await answerAt(snapshot)) : null,
  };
}

/** A text that is the same for equal answers. */
async function digestOf({ body, nextToken }: ListResponse): Promise<string> {
  const hash = createHash('sha256')
    .update(nextToken ?? '')
    .update('\n');
  if (typeof body === 'string') return hash.update(body).digest('base64');
  for await (const piece of body()) hash.update(piece as Buffer);
  return hash.digest('base64');
}

/** What has come to a result since the state at `known`; null where that cannot be told. */
async function tellChanges<T extends object>(
  { slices, state }: HttpContext,
  list: WatchedList<T>,
  known: number | null,
  job: ListJob<T>,
  signal: AbortSignal,
): Promise<RouteResponse | null> {
  const { snapshot, query, plan, select, visible } = job;
  const selection = select(snapshot, query);
  const order = orderOf(selection);
  const groups = known === null ? null : changesUpTo(watchedState(state), list.tables, known, snapshot);
  if (groups === null || !pageBounds(order, query, null).isExact) return null;
  const isSelected = selectionTest(selection, visible);
  try {
    const changes = await findChanges({
      ...{ list, order, query },
      matches: (row) => isSelected(row) && (plan === null || plan.filter.test(row)),
      touches: rowTouches(groups, list, snapshot),
      find: (count) => findRows(job, count, signal),
    });
    const body = await printObject(showChanges(changes, list, job), query.pretty, slices, signal);
    return {
      type: 'application/json',
      body,
      nextToken: sortedToken(query.sort, changes.nextToken, list.sorts),
    };
  } catch (error) {
    // A filter that fails for a row has no changes to tell: the page says what is wrong.
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** Changes as clients see them: entries of the list, and of what has left only how it is named. */
function showChanges<T extends object>(
  { entered, left, changed }: ResultChanges<T>,
  { idField }: WatchedList<T>,
  { snapshot, stub }: ListJob<T>,
): object {
  const show = (row: T): unknown => stub(row, snapshot);
  const names = ['Namespace', idField];
  return {
    Entered: entered.map(show),
    Left: left.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))),
    Changed: changed.map(show),
  };
}
