import { checkOptions, checkSchema, describe } from '../diagnostics/options.js';
import { compareKeys, keyOf as placeOfRow, type Order } from '../list/order.js';
import type { RowOf } from '../schema/row.js';
import type { Schema } from '../schema/schema.js';
import { define, definedTable, type TableDefinition, type TableOptions } from '../table/define-table.js';
import { arrangeRows } from '../table/sorted-rows.js';
import { inSlices } from '../pace/in-slices.js';
import { QueryError } from './query-error.js';
import type { ReadQuestion } from './query.js';
import { holdSource, type RowSource, type Source, type Work } from './row-source.js';
import { sortInSteps } from './sort-in-steps.js';
import { orderOfQuestion } from './table-source.js';
import type { OrderParts } from './sort-order.js';

/** Rows, at once or as they arrive. */
export type RowsGiven<T> = Iterable<T> | AsyncIterable<T> | Promise<Iterable<T> | AsyncIterable<T>>;

export interface ArraySourceOptions<T> {
  /** The unique key: a field of text, or a text made of the row. */
  readonly key: (keyof T & string) | ((row: T) => string);
  /** Fields by which lists are sorted, texts and integers. */
  readonly sorts?: readonly (keyof T & string)[] | undefined;
  /** Most rows that are put in order, of those that match: 100,000 where they arrive, any number of an array. */
  readonly maxSorted?: number | undefined;
}

/** Rows that are asked for anew for each question. Made by `arraySource`. */
export type ArraySource<T> = Source<T>;

/** Most rows of an iterable that are sorted where nothing else is said. Stops one without an end from filling the memory. */
const defaultMaxSorted = 100_000;

/**
 * Rows of an array, which is read anew for each question, or of any iterable that a function gives: its rows may arrive one by
 * one, and are put in order up to a bound.
 *
 * @throws TypeError for a key or a sort that cannot be one.
 */
export function arraySource<S extends Schema>(
  schema: S,
  rows: () => RowsGiven<RowOf<S>>,
  options: ArraySourceOptions<RowOf<S>>,
): ArraySource<RowOf<S> & object> {
  checkSchema('arraySource', schema);
  checkOptions<ArraySourceOptions<RowOf<S>>>('arraySource', options, ['key', 'sorts', 'maxSorted']);
  if (typeof rows !== 'function') {
    throw new TypeError(`arraySource: rows must be a function that gives them, not ${describe(rows)}`);
  }
  const { key, sorts = [], maxSorted } = options;
  if (maxSorted !== undefined && !(typeof maxSorted === 'number' && maxSorted >= 1)) {
    throw new TypeError(`arraySource: maxSorted must be a number of at least 1, not ${describe(maxSorted)}`);
  }
  const wanted = { key, sorts, rows: 'trust' } as object as TableOptions<never>;
  const made = createSource(
    definedTable<object>(define('arraySource', schema, wanted) as object as TableDefinition<object>),
    rows as never,
    maxSorted,
  );
  return holdSource<RowOf<S> & object>({ schema, sorts }, made as object as RowSource<never>);
}

function createSource(
  { schema, sorts, keyOf, keyField, empty }: ReturnType<typeof definedTable<object>>,
  rows: () => RowsGiven<object>,
  maxSorted: number | undefined,
): RowSource<object> {
  const parts: OrderParts<object> = { schema, sorts, listOrder: empty.listed.order };
  return {
    schema,
    sorts,
    // Nothing finds rows but a look at all of them.
    filterIndexes: [],
    keyOf,
    keyField,
    order: empty.listed.order,
    watched: null,
    async view(question, work, isWhole = false) {
      const given = await rows();
      const { order, reverse } = orderOfQuestion(question, parts, empty.primary.order);
      const found = isAsync(given)
        ? await collect(given, { question, keyOf, work, isWhole, most: maxSorted ?? defaultMaxSorted })
        : await select(given, { question, keyOf, work, isWhole, most: maxSorted ?? Infinity });
      const inOrder = await inSlices(sorting(found, order), work.pool.slices, work.signal);
      return {
        index: 1,
        history: '',
        selection: { rows: arrangeRows(order, inOrder), keyPrefix: '', where: null },
        sorted: { order, reverse, regroup: null },
      };
    },
  };
}

function isAsync(rows: Iterable<object> | AsyncIterable<object>): rows is AsyncIterable<object> {
  if (typeof rows === 'object' && rows !== null && Symbol.asyncIterator in rows) return true;
  if (typeof rows === 'object' && rows !== null && Symbol.iterator in rows) return false;
  throw new TypeError(`The rows of a list must be iterable, such as an array, not ${describe(rows)}`);
}

interface Wanted {
  readonly question: ReadQuestion<object>;
  readonly keyOf: (row: object) => string;
  readonly work: Work;
  readonly isWhole: boolean;
  readonly most: number;
}

/** Those rows that a page can need. Where no row can fail the filter, those that it refuses are not sorted. */
function testOf({ question, keyOf, isWhole }: Wanted): (row: object) => boolean {
  const { visible, prefix, plan } = question;
  const early = isWhole || plan === null || plan.mayFail ? null : plan.filter;
  return (row) =>
    (visible === null || visible(row)) &&
    (prefix === '' || keyOf(row).startsWith(prefix)) &&
    (early === null || early.test(row));
}

/** Rows between two looks at the clock. */
const lookedAtOnce = 64;

async function select(rows: Iterable<object>, wanted: Wanted): Promise<readonly object[]> {
  const test = testOf(wanted);
  const found: object[] = [];
  function* looking(): Generator<void, void, undefined> {
    let count = 0;
    for (const row of rows) {
      if (test(row)) add(found, row, wanted.most);
      if ((count += 1) % lookedAtOnce === 0) yield;
    }
  }
  await inSlices(looking(), wanted.work.pool.slices, wanted.work.signal);
  return found;
}

async function collect(rows: AsyncIterable<object>, wanted: Wanted): Promise<readonly object[]> {
  const test = testOf(wanted);
  const { signal } = wanted.work;
  const found: object[] = [];
  for await (const row of rows) {
    if (signal?.aborted === true) throw signal.reason as Error;
    if (test(row)) add(found, row, wanted.most);
  }
  return found;
}

function add(found: object[], row: object, most: number): void {
  if (found.push(row) > most) {
    throw new QueryError(
      'too-many-rows',
      '',
      `More than ${most} rows would have to be put in order: ask for fewer by a filter, or keep them in a table`,
    );
  }
}

function* sorting<T>(rows: readonly T[], order: Order<T>): Generator<void, readonly T[], undefined> {
  const keyed: { readonly row: T; readonly key: ReturnType<typeof placeOfRow<T>> }[] = [];
  for (const row of rows) {
    keyed.push({ row, key: placeOfRow(order, row) });
    if (keyed.length % lookedAtOnce === 0) yield;
  }
  const sorted = yield* sortInSteps(keyed, (a, b) => compareKeys(a.key, b.key));
  return sorted.map(({ row }) => row);
}
