import type { ScanRange } from '../../filter/compile/scan-range.js';
import { checkNames, checkOptions, type OptionNames } from '../../language/diagnostics/options.js';
import { ListQueryError } from './errors.js';
import { describe, parseToken, type Order, type PageStart } from './order.js';

/** Selects rows: a filter of this library, or an object with the same method. */
export interface RowTest<T> {
  test(row: T): boolean;
  /** Returns all rows that pass, in their order. Used instead of `test` if no page is requested: one loop is faster. */
  select?(rows: Iterable<T>): T[];
  /** Like `scan` of a filter. Used instead of `test` for rows in an array. */
  scan?(rows: readonly T[], into: T[], range?: ScanRange): number;
  /** Whether results depend on the clock. If so, a list binds the filter to one instant with `at`. */
  readonly usesNow?: boolean;
  at?(): RowTest<T>;
}

/** The query of `list`: at least one option. `undefined` is the same as absent. */
export interface ListQuery<T> {
  /** Selects the rows. If omitted, all rows are listed. */
  filter?: RowTest<T> | undefined;
  /** The sort order. If omitted, rows keep their order and pages are not available. */
  order?: Order<T> | undefined;
  /** Whether to reverse the order. */
  reverse?: boolean | undefined;
  /** Maximum items on a page, an integer. 0 and absent mean unlimited. */
  perPage?: number | undefined;
  /**
   * Token of the first item of the page, from the previous page. The item need not exist any more. Absent, null and the empty
   * string mean the first page.
   */
  nextToken?: string | null | undefined;
  /**
   * Whether the rows are already sorted by `order` (reversed if `reverse` is set). They are then read only as far as the page
   * needs. Not verified.
   */
  sorted?: boolean | undefined;
  /** Maximum rows sorted if they arrive one by one. Default: 100,000. Prevents memory growth by endless iterables. */
  maxSorted?: number | undefined;
}

/** A query for one page of sorted rows. */
export interface PagerQuery<T> extends Omit<ListQuery<T>, 'order' | 'sorted' | 'maxSorted'> {
  /** The order of the rows; reversed if `reverse` is set. Not verified. */
  order: Order<T>;
}

/** A validated page query with all defaults. `perPage` is Infinity if pages are unlimited. */
export interface PageRequest<T> {
  readonly filter: RowTest<T> | null;
  readonly order: Order<T>;
  readonly target: PageStart | null;
  readonly reverse: boolean;
  readonly perPage: number;
}

/** A validated query with all defaults. */
export interface ReadQuery<T> extends Omit<PageRequest<T>, 'order'> {
  readonly order: Order<T> | null;
  readonly sorted: boolean;
  readonly maxSorted: number;
}

const pagerOptions = ['filter', 'order', 'reverse', 'perPage', 'nextToken'] as const satisfies OptionNames<
  PagerQuery<unknown>
>;

/** Validates a query. @throws TypeError for a value of the wrong type; ListQueryError for an invalid value. */
export function readPagerQuery<T>(query: PagerQuery<T>): PageRequest<T> {
  const { order, ...request } = readOptions('createPager', query, pagerOptions);
  if (order === null) throw new TypeError(notAnOrder(query.order));
  return { ...request, order };
}

/** Validates a list query; `undefined` keeps all rows in their order. */
export function readQuery<T>(query: ListQuery<T> | undefined): ReadQuery<T> {
  const read = readOptions('list', query === undefined ? {} : query, [
    ...pagerOptions,
    'sorted',
    'maxSorted',
  ]);
  if (query === undefined || Object.values(query).some((value) => value !== undefined)) return read;
  throw new ListQueryError(
    'no-order',
    'order',
    'list: order is required, such as { text: (row) => row.ID }; without a query all rows are kept as they come',
  );
}

function readOptions<T>(caller: string, query: ListQuery<T>, names: OptionNames<ListQuery<T>>): ReadQuery<T> {
  if (typeof query !== 'object' || query === null) {
    throw new TypeError(`the query must be an object such as { perPage: 50 }, got ${describe(query)}`);
  }
  checkOptions(caller, query, names);
  const order = readOrder(query.order);
  const perPage = readPerPage(query.perPage);
  const token = readToken(query.nextToken);
  const sorted = readFlag('sorted', query.sorted);
  if (order === null) refuseWithoutOrder(perPage, token, sorted);
  return {
    filter: readFilter(query.filter),
    order,
    target: order === null || token === '' ? null : parseToken(order, token),
    reverse: readFlag('reverse', query.reverse),
    perPage: perPage === 0 ? Infinity : perPage,
    sorted,
    maxSorted: readMaxSorted(query.maxSorted),
  };
}

/**
 * Rejects pages without an order. They would have no token for the next page, and so would silently hide the rest of the list.
 */
function refuseWithoutOrder(perPage: number, token: string, sorted: boolean): void {
  const parameter = token !== '' ? 'nextToken' : perPage !== 0 ? 'perPage' : sorted ? 'sorted' : null;
  if (parameter === null) return;
  throw new ListQueryError(
    'no-order',
    parameter,
    `${parameter} needs an order, because tokens are made from its keys. Add an order, such as { text: (row) => row.ID }`,
  );
}

function readPerPage(perPage: unknown): number {
  if (perPage === undefined) return 0;
  rejectRepeated('perPage', 'a number', perPage);
  if (typeof perPage !== 'number') throw new TypeError(`perPage must be a number, got ${describe(perPage)}`);
  if (Number.isInteger(perPage) && perPage >= 0) return perPage;
  throw new ListQueryError(
    'invalid-per-page',
    'perPage',
    `perPage must be an integer >= 0 (0 = all), got ${perPage}`,
  );
}

/** Rejects arrays and objects, which HTTP frameworks create from repeated parameters. */
function rejectRepeated(name: 'perPage' | 'nextToken', expected: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const message = `${name} must be ${expected}, got ${describe(value)}. Send the parameter once`;
  throw new ListQueryError('invalid-parameter', name, message);
}

const defaultMaxSorted = 100_000;

function readMaxSorted(max: unknown): number {
  if (max === undefined) return defaultMaxSorted;
  if (typeof max === 'number' && max >= 1) return max;
  throw new TypeError(`maxSorted must be a number of at least 1, got ${describe(max)}`);
}

function readToken(token: unknown): string {
  if (token === undefined || token === null) return '';
  if (typeof token === 'string') return token;
  rejectRepeated('nextToken', 'a string', token);
  throw new TypeError(`nextToken must be a string from the previous page, got ${describe(token)}`);
}

function readOrder<T>(order: Order<T> | undefined): Order<T> | null {
  if (order === undefined) return null;
  if (typeof order !== 'object' || order === null) {
    throw new TypeError(notAnOrder(order));
  }
  checkNames('order', 'option', order, ['index', 'text']);
  const { index, text } = order;
  if (typeof text !== 'function') {
    throw new TypeError(`order.text must be a function from a row to a string, got ${describe(text)}`);
  }
  if (index !== undefined && typeof index !== 'function') {
    throw new TypeError(`order.index must be a function from a row to an integer, got ${describe(index)}`);
  }
  return order;
}

function notAnOrder(order: unknown): string {
  return `order must be an object such as { text: (row) => row.ID }, got ${describe(order)}`;
}

function readFilter<T>(filter: RowTest<T> | undefined): RowTest<T> | null {
  if (filter === undefined) return null;
  if (typeof filter === 'object' && filter !== null) {
    // Must come before `test` is checked: the predicate of `at` is already bound to an instant.
    if (filter.usesNow === true && filter.at !== undefined) return filter.at();
    if (typeof filter.test === 'function') return filter;
  }
  throw new TypeError(
    `filter must be an object with a test(row) method, got ${describe(filter)}; compile a string with compileFilter first`,
  );
}

function readFlag(name: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name} must be a boolean, got ${describe(value)}`);
}
