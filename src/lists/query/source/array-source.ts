import { checkMinimum, checkOptions, checkSchema, describe } from '../../../language/diagnostics/options.js';
import { compareKeys, keyOf as placeOfRow, parseToken, type Order } from '../../list/order.js';
import type { FieldName } from '../../../language/schema/field-path.js';
import type { InputRowOf, RowOf } from '../../../language/schema/row.js';
import { scalarGuard } from '../../../language/schema/scalar-guard.js';
import type { Schema } from '../../../language/schema/schema.js';
import { describeType } from '../../../language/schema/type.js';
import { RowError } from '../../table/row-error.js';
import { define, definedTable, type TableDefinition, type TableOptions } from '../../table/define-table.js';
import { fromSortedRows } from '../../table/sorted-rows.js';
import { runInSlices } from '../../../runtime/run-in-slices.js';
import { eventLoop, yieldToEventLoop } from '../../../runtime/time-slicer.js';
import { createChangeSignal, type ChangeSignal } from './change-signal.js';
import { createFirstRows } from '../scan/first-rows.js';
import { ScanRate } from '../scan/scan-rate.js';
import { QueryError } from '../request/query-error.js';
import type { ParsedQuery } from '../request/query.js';
import { registerSource, type RowSource, type Source, type Work } from './row-source.js';
import { sortInSteps } from '../scan/sort-in-steps.js';
import { orderOfQuery } from './table-source.js';
import type { OrderParts } from '../scan/sort-order.js';

/** Rows: all at once, or one by one as they arrive. */
export type RowsProvider<T> = Iterable<T> | AsyncIterable<T> | Promise<Iterable<T> | AsyncIterable<T>>;

/** Options of `arraySource`. `T` is the row type declared by the schema, `Row` the type of the given rows. */
export interface ArraySourceOptions<T, Row = T> {
  /** The unique key: the name of a string or integer field, or a function that computes a string from the row. */
  readonly key: (keyof T & string) | ((row: Row) => string);
  /** Fields by which lists can be sorted, as in a table. */
  readonly sorts?: readonly FieldName<T>[] | undefined;
  /** Maximum matching rows to sort. Default: 100,000 for rows that arrive one by one, unlimited for arrays. */
  readonly maxSorted?: number | undefined;
  /**
   * Keys of rows that were added, changed or removed, as they occur. Watches then respond at once, in addition to polling. Set
   * `pollIntervalMs` of the list to Infinity if all changes are reported.
   */
  readonly changes?: AsyncIterable<unknown> | undefined;
}

/** A source created by `arraySource`. Its rows are read again for each query. */
export type ArraySource<T> = Source<T>;

/** Default maximum number of sorted rows of an iterable. Prevents endless iterables from filling the memory. */
const defaultMaxSorted = 100_000;

/**
 * Creates a source of the rows of an array, which is read again for each query, or of any iterable that a function returns: its
 * rows may arrive one by one, and are sorted up to a limit.
 *
 * @throws TypeError for an invalid key or sort.
 */
export function arraySource<S extends Schema, Row extends object = RowOf<S> & object>(
  schema: S,
  rows: (() => RowsProvider<Row>) & (() => RowsProvider<InputRowOf<S>>),
  options: ArraySourceOptions<RowOf<S>, Row>,
): ArraySource<Row> {
  checkSchema('arraySource', schema);
  checkOptions<ArraySourceOptions<RowOf<S>, Row>>('arraySource', options, [
    'key',
    'sorts',
    'maxSorted',
    'changes',
  ]);
  if (typeof rows !== 'function') {
    throw new TypeError(`arraySource: rows must be a function that returns them, got ${describe(rows)}`);
  }
  const { key, sorts = [], maxSorted, changes } = options;
  if (maxSorted !== undefined) checkMinimum('arraySource', 'maxSorted', maxSorted, 1);
  const tableOptions = { key, sorts, rows: 'share' } as object as TableOptions<never>;
  const made = createSource(
    definedTable<object>(define('arraySource', schema, tableOptions) as object as TableDefinition<object>),
    rows as never,
    maxSorted,
    changes === undefined ? undefined : createChangeSignal('arraySource', changes),
  );
  return registerSource<Row>({ schema, sorts: sorts as never }, made as object as RowSource<never>);
}

function createSource(
  { schema, sorts, keyOf, keyField, empty }: ReturnType<typeof definedTable<object>>,
  rows: () => RowsProvider<object>,
  maxSorted: number | undefined,
  signal: ChangeSignal | undefined,
): RowSource<object> {
  const requireSafe = safeCheckOf(schema, keyOf);
  const parts: OrderParts<object> = { sorts, listOrder: empty.listed.order };
  return {
    schema,
    sorts,
    // Rows can be found only by a full scan.
    filterIndexes: [],
    keyOf,
    keyField,
    order: empty.listed.order,
    watched: null,
    signal,
    async view(query, work, isWhole = false) {
      const index = signal?.index ?? 1;
      const given = await work.raceWithAbort(Promise.resolve(rows()), work.signal);
      const sorted = { ...orderOfQuery(query, parts, empty.primary.order), partialSort: null };
      const { order, reverse } = sorted;
      const request = { query, keyOf, work, isWhole, order, reverse };
      const inOrder = isAsync(given)
        ? await collect(given, { ...request, maxRows: maxSorted ?? defaultMaxSorted })
        : await select(given, { ...request, maxRows: maxSorted ?? Infinity });
      for (const row of inOrder) requireSafe(row);
      return {
        index,
        history: '',
        selection: { rows: fromSortedRows(order, inOrder), keyPrefix: '', where: null },
        sorted,
      };
    },
  };
}

/** Returns a function that rejects a row with an integer that its type excludes: `t.int({ safe: true })` promises numbers. */
function safeCheckOf({ root }: Schema, keyOf: (row: object) => string): (row: object) => void {
  const checks = [...root.properties.values()].flatMap(({ property, type }) =>
    'safe' in type ? [{ property, type, isValid: scalarGuard(type) }] : [],
  );
  return (row) => {
    for (const { property, type, isValid } of checks) {
      const value = (row as Readonly<Record<string, unknown>>)[property] ?? null;
      if (value === null || isValid(value)) continue;
      const message = `row ${JSON.stringify(keyOf(row))}: ${property} must be a ${describeType(type)}, got ${describe(value)}`;
      throw new RowError(property, message);
    }
  };
}

function isAsync(rows: Iterable<object> | AsyncIterable<object>): rows is AsyncIterable<object> {
  if (typeof rows === 'object' && rows !== null && Symbol.asyncIterator in rows) return true;
  if (typeof rows === 'object' && rows !== null && Symbol.iterator in rows) return false;
  throw new TypeError(`The rows of a list must be iterable, such as an array, got ${describe(rows)}`);
}

interface RowRequest {
  readonly query: ParsedQuery<object>;
  readonly keyOf: (row: object) => string;
  readonly work: Work;
  readonly isWhole: boolean;
  /** Whether to evaluate the filter before rows are in order, although it may fail. */
  readonly isTrial?: boolean;
  readonly maxRows: number;
  readonly order: Order<object>;
  readonly reverse: boolean;
}

/** Collects matching rows as they arrive, and keeps those that the page can need. */
interface Matching {
  readonly look: (row: object) => void;
  /** Processes the rows of an array in a half-open range. */
  readonly lookAt: (rows: readonly object[], from: number, to: number) => void;
  /** Returns the collected rows in order. */
  readonly inOrder: () => Promise<readonly object[]>;
}

function matchRows(request: RowRequest): Matching {
  const { query, keyOf, work, isWhole, isTrial = false, maxRows, order, reverse } = request;
  const { visible, prefix, plan, perPage, nextToken } = query;
  // If no row can make the filter fail, it is evaluated first: rejected rows then need no position in the order.
  const early = isWhole || plan === null || (plan.mayFail && !isTrial) ? null : plan.filter;
  const start = nextToken === '' ? null : parseToken(order, nextToken);
  // A heap of one page is enough if every added row is a match. An invalid position means the beginning.
  const isPaged = !isWhole && perPage > 0 && (plan === null || early !== null) && start?.kind !== 'text';
  const first = isPaged ? createFirstRows({ order, reverse, start, maxRows: perPage + 1 }) : null;
  const all: object[] = [];
  let [count, looked] = [0, 0];

  function add(row: object): void {
    if ((count += 1) > maxRows) {
      throw new QueryError(
        'too-many-rows',
        '',
        `More than ${maxRows} rows would have to be sorted: narrow the filter, or keep the rows in a table`,
      );
    }
    if (first === null) all.push(row);
    else first.add(row);
  }

  function look(row: object): void {
    requireObject(row, looked);
    looked += 1;
    if (visible !== null && !visible(row)) return;
    if (prefix !== '' && !keyOf(row).startsWith(prefix)) return;
    if (early === null || early.test(row)) add(row);
  }

  return {
    look,
    lookAt(rows, from, to) {
      if (early === null || visible !== null || prefix !== '') {
        for (let at = from; at < to; at += 1) look(rows[at] as object); // `to` is at most `rows.length`
        return;
      }
      for (let at = from; at < to; at += 1) requireObject(rows[at], at);
      const found: object[] = [];
      early.scan(rows, found, { from, to });
      for (const row of found) add(row);
    },
    inOrder: async () =>
      first === null ? runInSlices(sorting(all, order), work.pool.slices, work.signal) : first.inOrder(),
  };
}

function requireObject(row: unknown, at: number): void {
  if (typeof row !== 'object' || row === null)
    throw new TypeError(`row ${at} must be an object, got ${describe(row)}`);
}

/** Number of rows processed between two checks of the clock. */
const lookedAtOnce = 64;

async function select(rows: Iterable<object>, request: RowRequest): Promise<readonly object[]> {
  const { isWhole, query, work } = request;
  if (!Array.isArray(rows) || isWhole || query.plan?.mayFail !== true) return evaluate(rows, request);
  try {
    return await evaluate(rows, { ...request, isTrial: true });
  } catch {
    // Which row fails the query, if any, depends on the order.
    work.signal?.throwIfAborted();
    return evaluate(rows, request);
  }
}

async function evaluate(rows: Iterable<object>, request: RowRequest): Promise<readonly object[]> {
  const { look, lookAt, inOrder } = matchRows(request);
  const pace = new ScanRate();
  function* looking(): Generator<void, void, undefined> {
    let count = 0;
    if (Array.isArray(rows)) {
      const listed = rows as readonly object[];
      while (count < listed.length) {
        const from = count;
        count += pace.take(Math.min(lookedAtOnce, listed.length - count));
        lookAt(listed, from, count);
        if (pace.isDue()) yield;
      }
      return;
    }
    for (const row of rows) {
      look(row);
      if ((count += 1) % lookedAtOnce === 0) yield;
    }
  }
  await runInSlices(looking(), request.work.pool.slices, request.work.signal, () => pace.begin());
  return inOrder();
}

async function collect(rows: AsyncIterable<object>, request: RowRequest): Promise<readonly object[]> {
  const { look, inOrder } = matchRows(request);
  const { signal, pool, raceWithAbort } = request.work;
  const { now } = pool.slices;
  const reader = rows[Symbol.asyncIterator]();
  let isLeft = false;
  /** Whether the reader is finished or has failed, so that it need not be closed. */
  let isRead = false;

  async function next(): Promise<IteratorResult<object, unknown>> {
    try {
      return await reader.next();
    } catch (error) {
      isRead = true;
      throw error;
    }
  }

  async function read(): Promise<void> {
    for (let turn = now(); !isLeft;) {
      const step = await next();
      isRead ||= step.done === true;
      if (step.done === true || isLeft) return;
      look(step.value);
      // Available rows all arrive within one turn of the event loop, which would block other work.
      if (now() - turn < pool.limits.sliceBudget) continue;
      await yieldToEventLoop(eventLoop);
      turn = now();
    }
  }

  try {
    await raceWithAbort(read(), signal);
  } catch (error) {
    isLeft = true;
    // Not awaited: a reader's `return()` may never resolve.
    if (!isRead) void (async () => reader.return?.())().catch(() => undefined);
    throw error;
  }
  return inOrder();
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
