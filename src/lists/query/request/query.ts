import { checkNames, describe, isPromise, limitsOf } from '../../../language/diagnostics/options.js';
import { looksLikeTree } from '../../../language/syntax/read-tree.js';
import { sourceOf, type FilterSource } from '../../../language/parse.js';
import type { FilterPlan } from '../../../filter/plan.js';
import { readAccess, type AccessFilter, type CompiledAccess } from '../../../filter/access-filter.js';
import type { Schema } from '../../../language/schema/schema.js';
import type { Viewer } from '../../table/row-matcher.js';
import type { RowPredicate } from './row-predicate.js';
import type { FilterCache } from './filter-cache.js';
import { QueryError } from './query-error.js';
import {
  readSort,
  readSortedToken,
  rejectReverse,
  reversedSort,
  type Sort,
  type SortFields,
} from './sort-query.js';

/** A query to a list. All options are optional: `{}` returns all rows in the list's own order. */
export interface Query<T> {
  readonly filter?: FilterSource | undefined;
  /** Fields of `sorts`, separated by commas; `-` before a field means descending. */
  readonly sort?: string | undefined;
  /** Whether to reverse the list's own order. */
  readonly reverse?: boolean | undefined;
  /** Selects rows whose key begins with this string, in key order. */
  readonly prefix?: string | undefined;
  /** Maximum rows on a page; 0 or absent means all. */
  readonly perPage?: number | undefined;
  /** Token of the first row of this page: the `nextToken` of the previous page. */
  readonly nextToken?: string | null | undefined;
  /** The `prevToken` of the next page, instead of `nextToken`: requests the `perPage` rows before it. */
  readonly prevToken?: string | null | undefined;
  /** Whether the page includes the number of all matching rows. */
  readonly total?: boolean | undefined;
  /** Fields whose values the page counts in all matching rows, on all pages. */
  readonly facets?: readonly string[] | undefined;
  /**
   * The rows that the caller may see, from `policy.access`; evaluated before the filter. Other rows do not affect results, counts,
   * explanations or the choice of an index, and are not fetched from a database.
   */
  readonly access?: AccessFilter<T>;
  /**
   * Visibility check, evaluated before the filter. Invisible rows do not affect results, counts or explanations. A `Viewer`
   * allows columns to cache results for all callers with the same visible rows.
   * @deprecated Use `access`, which indexes and databases can evaluate.
   */
  readonly visible?: ((row: T) => boolean) | Viewer<T> | undefined;
}

/** A parsed and validated query. */
export interface ParsedQuery<T> {
  readonly plan: FilterPlan<T> | null;
  /** The filter string; empty for none. */
  readonly filter: string;
  readonly sort: Sort | null;
  /** Whether the list is read from its end. With a sort, its order decides this. */
  readonly reverse: boolean;
  readonly prefix: string;
  readonly perPage: number;
  /** The start of the page in the requested order; empty for the first page. */
  readonly nextToken: string;
  /**
   * Whether the page before `nextToken` is requested. `sort`, `reverse` and `perPage` then describe the scan for it: in the
   * opposite order, with one additional row for the row at `nextToken`.
   */
  readonly isBackward: boolean;
  /** The access filter; absent for callers that see all rows, and for `visible`. */
  readonly access?: CompiledAccess<T>;
  /** The plan of the access filter: if there is one, only its clauses choose an index. */
  readonly accessPlan?: FilterPlan<T> | null;
  /** Test of the visible rows; that of the access filter if there is one. */
  readonly visible: RowPredicate<T> | null;
  /** The viewer; absent if `visible` is a function. */
  readonly viewer?: Viewer<T>;
  /** Whether the page includes the number of all matching rows. */
  readonly isCounted?: boolean;
  /** The fields whose values the page counts; absent for none. */
  readonly facets?: readonly string[];
  /** The instant of `now` in the plan, once it is bound. */
  readonly instant?: Date;
}

/** The query for all matching rows, in any order. */
export function wholeQuery<T>(query: ParsedQuery<T>): ParsedQuery<T> {
  return { ...query, perPage: 0, nextToken: '', isBackward: false, sort: null };
}

const names = [
  ...(['filter', 'sort', 'reverse', 'prefix', 'perPage', 'nextToken', 'prevToken'] as const),
  ...(['total', 'access', 'visible'] as const),
];
const pageNames = [...names, 'facets'] as const;
const callersWithPages: readonly string[] = ['list.page', 'list.pageAfter', 'list.watch'];

/**
 * Parses a query.
 *
 * @throws TypeError for an option of the wrong type; QueryError or FilterError for an invalid query.
 */
export function parseQuery<T>(
  caller: string,
  query: Query<T>,
  fields: SortFields,
  filters: FilterCache<T>,
  schema: Schema,
): ParsedQuery<T> {
  checkNames<Query<T>>(caller, 'option', query, callersWithPages.includes(caller) ? pageNames : names);
  const { filter } = query;
  const text = filter === undefined ? '' : sourceTextOf(caller, filter);
  if (typeof text !== 'string')
    throw new TypeError(`${caller}: filter must be a string or a parsed filter, got ${describe(text)}`);
  const sort = readSort(memberOf(caller, query, 'sort', 'string') ?? '', fields);
  const reverse = memberOf(caller, query, 'reverse', 'boolean') ?? false;
  const prefix = memberOf(caller, query, 'prefix', 'string') ?? '';
  const next = tokenOf(caller, query, 'nextToken');
  const previous = tokenOf(caller, query, 'prevToken');
  const isCounted = memberOf(caller, query, 'total', 'boolean') === true;
  const visible = readVisible(caller, query.visible);
  const access = accessOf(caller, query, schema);
  if (sort !== null && reverse) rejectReverse(sort);
  const perPage = readPerPage(caller, query.perPage);
  if (previous !== '') requirePage(next, perPage);
  return {
    plan: text === '' ? null : filters.plan(text),
    filter: text,
    prefix,
    ...(isCounted ? { isCounted } : {}),
    ...(query.facets === undefined ? {} : { facets: readFacetNames(caller, query.facets) }),
    ...(previous === ''
      ? { sort, reverse, perPage, nextToken: readSortedToken(next, sort, fields), isBackward: false }
      : {
          sort: sort === null ? null : reversedSort(sort),
          reverse: sort === null && !reverse,
          perPage: perPage + 1,
          nextToken: readSortedToken(previous, sort, fields, 'prev_token'),
          isBackward: true,
        }),
    ...(access !== null
      ? { access, accessPlan: filters.planAccess(access), ...rightsOf(access) }
      : typeof visible === 'object'
        ? { visible: visible.canSee, viewer: visible }
        : { visible: visible ?? null }),
  };
}

/** Whether the result depends on the clock, and so must not be cached. */
export function usesClock({ plan, access }: Pick<ParsedQuery<never>, 'plan' | 'access'>): boolean {
  return plan?.usesNow === true || access?.usesNow === true;
}

/** Returns the query with `now` fixed in its filter and in its access filter. */
export function bindQuery<T>(query: ParsedQuery<T>, instant: Date, filters: FilterCache<T>): ParsedQuery<T> {
  const bound = { ...query, plan: query.plan?.at(instant) ?? null, instant };
  if (query.access?.usesNow !== true) return bound;
  const access = query.access.at(instant) as CompiledAccess<T>;
  const accessPlan = query.visible === null ? null : filters.planAccess(access);
  // A source that enforces access filters has no test.
  return { ...bound, access, accessPlan, visible: query.visible === null ? null : access.test };
}

/** Returns the test of the visible rows. Results that depend on the clock have no viewer, so that they are not cached. */
function rightsOf<T>({ key, test, usesNow }: CompiledAccess<T>): Pick<ParsedQuery<T>, 'visible' | 'viewer'> {
  return usesNow ? { visible: test } : { visible: test, viewer: { key, canSee: test } };
}

/** Returns the access filter of a query; null if every row passes. @throws TypeError for one of another schema. */
function accessOf<T>(caller: string, query: Query<T>, schema: Schema): CompiledAccess<T> | null {
  // An access filter that is undefined by mistake must not grant everything.
  if (!('access' in query)) return null;
  const { access, visible } = query;
  if (visible !== undefined)
    throw new TypeError(
      `${caller}: access cannot be combined with visible; write both conditions as rules of the policy`,
    );
  const compiled = readAccess(caller, access as AccessFilter<T>);
  if (compiled.schema !== schema)
    throw new TypeError(
      `${caller}: access belongs to another schema; define the policy with the schema of the list`,
    );
  // Rights that depend on the clock may be others at the time of the query.
  return compiled.kind === 'all' && !compiled.usesNow ? null : compiled;
}

/** Checks that facets are an array of strings. Whether they name fields is checked when they are counted. */
export function readFacetNames(caller: string, facets: unknown): readonly string[] {
  const names: readonly unknown[] | null = Array.isArray(facets) ? facets : null;
  const at = names?.findIndex((each) => typeof each !== 'string');
  if (at === -1) return names as readonly string[];
  const option = caller === 'list.facets' ? 'fields' : 'facets';
  const got = at === undefined ? describe(facets) : `${describe(names?.[at])} in it`;
  throw new TypeError(`${caller}: ${option} must be an array of names, got ${got}`);
}

function tokenOf<T>(caller: string, query: Query<T>, name: 'nextToken' | 'prevToken'): string {
  return query[name] === null ? '' : (memberOf(caller, query, name, 'string') ?? '');
}

/** @throws QueryError if a query for the previous page has no page size, or also has a `nextToken`. */
function requirePage(next: string, perPage: number): void {
  if (next !== '')
    throw new QueryError(
      'invalid-token',
      'prev_token',
      '`prev_token` cannot be combined with `next_token`: send one of them',
    );
  if (perPage === 0)
    throw new QueryError('invalid-page', 'prev_token', '`prev_token` needs `per_page`, the size of the page');
}

function sourceTextOf(caller: string, filter: FilterSource): unknown {
  if (!looksLikeTree(filter)) {
    if (!('source' in Object(filter))) rejectRepeated(caller, 'filter', filter);
    return sourceOf(caller, filter, limitsOf(undefined)).source;
  }
  try {
    return sourceOf(caller, filter, limitsOf(undefined)).source;
  } catch (error) {
    if (error instanceof TypeError) throw new QueryError('invalid-parameter', 'filter', error.message);
    throw error;
  }
}

/**
 * Rejects arrays and objects, which HTTP frameworks create from repeated (`?filter=a&filter=b`) or bracketed (`?filter[a]=b`)
 * parameters.
 */
function rejectRepeated(caller: string, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const expected =
    name === 'perPage' ? 'a number' : ['reverse', 'total'].includes(name) ? 'a boolean' : 'a string';
  const help =
    caller === 'listEndpoint'
      ? '. Send the parameter once'
      : name === 'sort'
        ? "; use a string such as 'Name,-Age'"
        : '';
  const message = `${caller}: ${name} must be ${expected}, got ${describe(value)}${help}`;
  throw new QueryError('invalid-parameter', name, message);
}

function readVisible<T>(caller: string, visible: Query<T>['visible']): Query<T>['visible'] {
  if (visible === undefined) return undefined;
  if (typeof visible === 'function') return strictTest(visible);
  const { key, canSee } = readViewer(caller, visible);
  return { key, canSee: strictTest(canSee) };
}

/** Strict tests by the function that they wrap, so that watches with the same function share results. */
const strictTests = new WeakMap<object, RowPredicate<never>>();

/**
 * Returns a test that passes only rows for which the function returns `true`. Prevents async functions from passing every row,
 * because promises are truthy.
 */
function strictTest<T>(visible: RowPredicate<T>): RowPredicate<T> {
  let test = strictTests.get(visible) as RowPredicate<T> | undefined;
  if (test !== undefined) return test;
  test = (row) => {
    const result: unknown = visible(row);
    if (typeof result === 'object' && result !== null) {
      ignoreRejection(result);
      throw new TypeError(`visible must return a boolean, got ${describe(result)}`);
    }
    return result === true;
  };
  strictTests.set(visible, test as RowPredicate<never>);
  return test;
}

/** Prevents a rejected promise that is not awaited from ending the process. */
export function ignoreRejection(value: unknown): void {
  if (isPromise(value)) value.then(undefined, () => undefined);
}

/** @throws TypeError if the value is not a viewer. */
export function readViewer<T>(caller: string, given: Viewer<T>): Viewer<T> {
  const { key, canSee } = ((given as object | null | undefined) ?? {}) as Partial<Viewer<T>>;
  if (typeof key === 'string' && typeof canSee === 'function') return { key, canSee };
  throw new TypeError(
    `${caller}: visible must be a function, or a viewer { key: string, canSee: function }, got ${describe(given)}`,
  );
}

interface Kinds {
  readonly string: string;
  readonly boolean: boolean;
}

function memberOf<K extends keyof Kinds>(
  caller: string,
  query: object,
  name: string,
  kind: K,
): Kinds[K] | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  if (value === undefined) return undefined;
  if (typeof value === kind) return value as Kinds[K];
  rejectRepeated(caller, name, value);
  throw new TypeError(`${caller}: ${name} must be a ${kind}, got ${describe(value)}`);
}

function readPerPage(caller: string, perPage: unknown): number {
  if (perPage === undefined) return 0;
  rejectRepeated(caller, 'perPage', perPage);
  if (typeof perPage !== 'number') {
    throw new TypeError(`${caller}: perPage must be a number, got ${describe(perPage)}`);
  }
  if (Number.isInteger(perPage) && perPage >= 0 && perPage < 2 ** 31) return perPage;
  throw new QueryError(
    'invalid-page',
    'per_page',
    `perPage must be an integer >= 0 (0 = all), got ${perPage}`,
  );
}
