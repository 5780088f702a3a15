import { isErrorOf } from '../runtime/shared-identity.js';
import { checkNames, describe } from '../language/diagnostics/options.js';
import { createPager } from '../lists/list/pager.js';
import type { FacetCounts } from '../lists/query/scan/count-facets.js';
import { QueryError } from '../lists/query/request/query-error.js';
import type { ParsedQuery } from '../lists/query/request/query.js';
import {
  registerSource,
  type ListView,
  type RowSource,
  type Source,
  type Work,
} from '../lists/query/source/row-source.js';
import { sortedToken } from '../lists/query/request/sort-query.js';
import type { OrderParts } from '../lists/query/scan/sort-order.js';
import type { FieldName } from '../language/schema/field-path.js';
import type { RowOf } from '../language/schema/row.js';
import type { Schema } from '../language/schema/schema.js';
import {
  define,
  definedTable,
  type TableDefinition,
  type TableOptions,
} from '../lists/table/define-table.js';
import { sortField } from '../lists/table/sort-field.js';
import { fromSortedRows } from '../lists/table/sorted-rows.js';
import { createChangeSignal } from '../lists/query/source/change-signal.js';
import { countInDatabase } from './count.js';
import { orderBy } from './keyset-cursor.js';
import {
  afterRow,
  fromToken,
  orderedColumn,
  orderOf,
  tokenOfRow,
  withPrefix,
  type RowOrder,
} from './row-order.js';
import { createRunner, type RunSql } from './run-statement.js';
import { registerTable, tableOf, type SqlMapping } from './sql-mapping.js';
import {
  always,
  and,
  never,
  ofParts,
  parameter,
  partsOf,
  sql,
  sqlTextOf,
  type Sql,
  type SqlParts,
} from './sql.js';
import { accessCondition, whereOf, type SqlClause } from './where.js';

export interface SqlListSourceOptions<T> {
  /** The property of the unique key: a string or an integer, in a NOT NULL column with a unique index. */
  readonly key: unknown extends T ? string : keyof T & string;
  /**
   * Properties by which lists can be sorted, in columns of their own whose order is that of the values. Columns that are declared
   * NOT NULL are faster.
   */
  readonly sorts?: readonly (unknown extends T ? string : FieldName<T>)[] | undefined;
  /**
   * Maximum number of rows that one query fetches. Default: 10,000. Prevents a filter that the database cannot evaluate from
   * reading a whole table.
   */
  readonly maxFetched?: number | undefined;
  /**
   * Keys of rows that were added, changed or removed, as they occur, for example from LISTEN and NOTIFY. Watches then respond at
   * once, in addition to polling.
   */
  readonly changes?: AsyncIterable<unknown> | undefined;
  /** A condition added to all statements. The source excludes all other rows. */
  readonly scope?: SqlParts | undefined;
}

/**
 * Thrown if a query would fetch more rows than allowed. Its token starts a page at the last examined row that is visible to the
 * caller; null if none exists, or if no page was requested.
 */
export class SqlBudgetError extends QueryError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      isErrorOf(this, SqlBudgetError, value, 'ListError', ['QueryError']) && 'clauses' in (value as object)
    );
  }

  /** The clauses that the database does not evaluate. */
  readonly clauses: readonly SqlClause[];

  constructor(
    maxFetched: number,
    clauses: readonly SqlClause[],
    nextToken: string | null,
    visible: ((row: never) => unknown) | null = null,
  ) {
    const named = clauses.map(({ filter, why }) => `${filter} (${why ?? ''})`).join('; ');
    const blame =
      clauses.length > 0
        ? `the database cannot evaluate ${named.length > 300 ? `${named.slice(0, 299)}…` : named}${adviceOf(clauses)}`
        : visible === null
          ? 'request a page of them'
          : 'visible() is evaluated in process; put its condition into scope';
    super(
      'too-many-rows',
      'filter',
      `More than ${maxFetched} rows would have to be fetched: ${blame}`,
      nextToken,
    );
    this.clauses = clauses;
  }
}

/** Returns what makes the database evaluate clauses; empty if nothing does. */
function adviceOf(clauses: readonly SqlClause[]): string {
  const has = (reason: RegExp): boolean => clauses.some(({ why }) => reason.test(why ?? ''));
  if (has(/fails? for a row/)) return ". Set unresolved: 'absent', or map the columns with notNull";
  if (has(/no column/)) return '. Map the field to a column';
  if (has(/as a duration/)) return '. Map an int() column of a duration in a unit';
  return has(/as a time/) ? '. Map a timestamptz() or timeText() column' : '';
}

/** Maximum number of rows fetched at once. */
const maxAtOnce = 2_000;

/**
 * Creates a source of table rows for `createList` of `tamis/query` and `listEndpoint` of `tamis/http`: pages, tokens, counts and
 * errors are those of an array of the rows. If the database cannot evaluate all of a filter, up to `maxFetched` rows are fetched
 * and filtered in process; beyond that a SqlBudgetError is thrown.
 *
 * ```ts
 * const list = createList(sqlListSource(jobs, run, { key: 'ID', sorts: ['Priority'] }));
 * ```
 *
 * @throws TypeError if the mapping does not support lists.
 */
export function sqlListSource<S extends Schema>(
  table: SqlMapping<S>,
  run: RunSql,
  options: SqlListSourceOptions<RowOf<S>>,
): Source<RowOf<S> & object> {
  const caller = 'sqlListSource';
  const { mapping, projection } = tableOf(caller, table);
  checkNames<SqlListSourceOptions<RowOf<S>>>(caller, 'option', options, [
    'key',
    'sorts',
    'maxFetched',
    'changes',
    'scope',
  ]);
  const {
    key,
    sorts = [],
    maxFetched = 10_000,
    changes,
    scope,
  } = options as object as SqlListSourceOptions<Record<string, unknown>>;
  if (typeof run !== 'function')
    throw new TypeError(`${caller}: run must be a function that queries the database, got ${describe(run)}`);
  if (typeof maxFetched !== 'number' || !(maxFetched >= 1))
    throw new TypeError(`${caller}: maxFetched must be a number of at least 1, got ${describe(maxFetched)}`);
  const { schema, dialect } = mapping;
  const tableOptions = { key, sorts, rows: 'share' } as object as TableOptions<never>;
  const definition = definedTable<object>(
    define(caller, schema, tableOptions) as object as TableDefinition<object>,
  );
  for (const [property, { hidden }] of schema.root.properties) {
    if (!hidden && !mapping.fields.has(property))
      throw new TypeError(
        `${caller}: ${property} has no column, but rows must be complete: map it or hide it`,
      );
  }
  const keyField = sortField<object>(definition.keyField ?? key, {
    ...{ schema, listField: null, listOrder: null, values: [] },
  });
  const keyColumn = orderedColumn(caller, mapping, keyField);
  if (keyColumn.isNullable)
    throw new TypeError(`${caller}: the column of key must be NOT NULL; set notNull if it is`);
  const columns = new Map(
    [...definition.sorts.values()].map((field) => [field.name, orderedColumn(caller, mapping, field)]),
  );
  const listOrder = definition.empty.listed.order;
  const reports = changes === undefined ? undefined : createChangeSignal(caller, changes);
  const parts: OrderParts<object> = { sorts: definition.sorts, listOrder };
  const own = scope === undefined ? always : sql`(${ofParts(scope)})`;
  const conditions = new WeakMap<object, RowRequest>();

  interface RowRequest {
    readonly condition: Sql;
    readonly clauses: readonly SqlClause[];
  }

  /**
   * Returns the conditions for all rows that a query may see. `isPublic`: without that of the access filter, which callers must
   * not see.
   */
  function scopeOf(
    { access, instant = new Date(), prefix }: ParsedQuery<object>,
    isPublic = false,
  ): readonly Sql[] {
    const granted = access === undefined || isPublic ? always : accessCondition(mapping, access, instant);
    return [own, granted, withPrefix(keyColumn, prefix)];
  }

  function conditionOf({ plan, instant }: ParsedQuery<object>, unresolved: 'error' | 'absent'): RowRequest {
    if (plan === null) return { condition: always, clauses: [] };
    const stored = conditions.get(plan);
    if (stored !== undefined) return stored;
    const made = whereOf(mapping, plan.filter.source, { now: instant, unresolved });
    const found = { condition: made.sql, clauses: made.clauses };
    conditions.set(plan, found);
    return found;
  }

  const runStatement = createRunner(run, dialect);

  function select(
    query: ParsedQuery<object>,
    { condition }: RowRequest,
    order: RowOrder,
    from: Sql,
    max: number,
    isPublic = false,
  ): Sql {
    const where = and([...scopeOf(query, isPublic), condition, from]);
    const limit = max === Infinity ? [] : sql` LIMIT ${dialect.limit?.(max) ?? parameter(max)}`;
    return sql`SELECT ${projection.columns} FROM ${mapping.from} WHERE ${where} ORDER BY ${orderBy(order.columns, dialect)}${limit}`;
  }

  /** Fetches the rows that a page can need, in order. If the filter fails for a row, fetches the rows up to and including it. */
  async function fetch(
    query: ParsedQuery<object>,
    requestedRows: RowRequest,
    order: RowOrder,
    work: Work,
  ): Promise<readonly object[]> {
    const { plan, visible, perPage, nextToken, sort } = query;
    const { sorted } = order;
    const pager = createPager<object>({
      ...{ order: sorted.order, reverse: sorted.reverse, perPage, nextToken },
      filter: plan?.filter,
    });
    const rows: object[] = [];
    let lastSeen: object | null = null;
    let ranges = fromToken(order, nextToken);
    let max = perPage === 0 ? maxAtOnce : Math.min(perPage + 1, maxAtOnce);
    for (;;) {
      const batch: object[] = [];
      for (const range of ranges) {
        if (batch.length >= max) break;
        const statement = select(query, requestedRows, order, range, max - batch.length);
        batch.push(...(await runStatement(statement, work)).map(projection.decode));
      }
      rows.push(...batch);
      const last = batch.at(-1);
      if (last === undefined) return rows;
      const seen = visible === null ? batch : batch.filter((row) => visible(row));
      lastSeen = seen.at(-1) ?? lastSeen;
      try {
        if (pager.addAll(seen)) return rows;
      } catch {
        // The list evaluates the same row and reports its error.
        return rows;
      }
      if (batch.length < max) return rows;
      if (rows.length >= maxFetched) {
        const open = requestedRows.clauses.filter(({ by }) => by !== 'exact');
        const hasToken = perPage > 0 && !query.isBackward;
        const access = hasToken && lastSeen !== null ? tokenOfRow(order, lastSeen) : null;
        throw new SqlBudgetError(maxFetched, open, sortedToken(sort, access, definition.sorts), visible);
      }
      ranges = afterRow(order, last);
      max = Math.min(max * 2, maxAtOnce, maxFetched + 1 - rows.length);
    }
  }

  const sourceFor = (unresolved: 'error' | 'absent'): RowSource<object> => {
    const isExact = ({ clauses }: RowRequest): boolean => clauses.every(({ by }) => by === 'exact');
    return {
      schema,
      enforcesAccess: true,
      sorts: definition.sorts,
      filterIndexes: [],
      keyOf: definition.keyOf,
      keyField: definition.keyField,
      order: listOrder,
      watched: null,
      signal: reports,
      bind: (list) => sourceFor(list.unresolved),
      async view(query: ParsedQuery<object>, work: Work): Promise<ListView<object>> {
        const index = reports?.index ?? 1;
        const order = orderOf(query, parts, columns, keyColumn, dialect);
        const rows = await fetch(query, conditionOf(query, unresolved), order, work);
        const { sorted } = order;
        const inOrder = sorted.reverse ? [...rows].reverse() : rows;
        return {
          index,
          history: '',
          selection: { rows: fromSortedRows(sorted.order, inOrder), keyPrefix: '', where: null },
          sorted,
        };
      },
      async facets(query, fields, work, limit): Promise<FacetCounts | null> {
        const found = conditionOf(query, unresolved);
        if (query.visible !== null || !isExact(found)) return null;
        const where = and([...scopeOf(query), found.condition]);
        return countInDatabase(mapping, where, fields, (each) => runStatement(each, work), limit);
      },
      statementOf(query) {
        const found = conditionOf(query, unresolved);
        const order = orderOf(query, parts, columns, keyColumn, dialect);
        const [from = never] = fromToken(order, query.nextToken);
        const max = query.perPage === 0 ? maxAtOnce : Math.min(query.perPage + 1, maxAtOnce);
        return {
          text: sqlTextOf(partsOf(select(query, found, order, from, max, true)), dialect.placeholder),
          clauses: found.clauses.flatMap(({ by }, at) => (by === 'exact' ? [at] : [])),
        };
      },
    };
  };
  const rows = sourceFor('error') as object as RowSource<never>;
  const source = registerSource<RowOf<S> & object>({ schema, sorts: sorts as never }, rows);
  registerTable(source, { mapping, projection });
  return source;
}
