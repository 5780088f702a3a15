import { sharedWeakMap } from '../runtime/shared-identity.js';
import { checkNames, checkOptions, checkSchema, describe } from '../language/diagnostics/options.js';
import type { Filter } from '../filter/filter.js';
import type { FilterSource } from '../language/parse.js';
import type { InputRowOf, RowOf } from '../language/schema/row.js';
import type { Schema } from '../language/schema/schema.js';
import { projectionOf, type DriverRow, type Projection } from './decode.js';
import { cockroach, dialects, isDialectName, type SqlDialect } from './dialect.js';
import { readMapping, type Mapping, type SqlTable, type TableMapping } from './mapping.js';
import { sqlTextOf, partsOf } from './sql.js';
import { whereOf, type SqlClause, type SqlCondition, type WhereOptions } from './where.js';

/**
 * A database table with the schema of its rows. Created by `sqlMapping`. `sqlListSource` creates lists of it, and `verifyMapping`
 * compares it with the catalogue; they are separate functions, so that bundles that only translate filters do not include them.
 */
export interface SqlMapping<S extends Schema = Schema> {
  readonly schema: S;
  /**
   * Translates a filter to a condition for WHERE. @throws FilterError as `compileFilter`; SqlFilterError if the whole filter must
   * be exact and is not.
   */
  where(filter: FilterSource, options?: WhereOptions): SqlCondition<InputRowOf<S>>;
  /** Returns how each clause is translated, and why. */
  explain(filter: FilterSource, options?: WhereOptions): readonly SqlClause[];
  /**
   * The SELECT list, from which `decode` can read rows: all as strings, because drivers truncate microseconds and round integers.
   */
  readonly select: string;
  /** The table for the FROM clause. */
  readonly from: string;
  /** Converts a row of such a SELECT to the types of the schema. @throws TypeError if it lacks a column. */
  decode(row: DriverRow): RowOf<S>;
}

/** Internals of a source for the functions that use it. */
export interface RegisteredTable {
  readonly mapping: Mapping;
  readonly projection: Projection;
}

const registered = sharedWeakMap<object, RegisteredTable>('mappings');

/** Lets functions that take a mapping also take a list source of its table. */
export function registerTable(source: object, table: RegisteredTable): void {
  registered.set(source, table);
}

/** Returns the table of a mapping or of a list source. @throws TypeError if the value was not created by `sqlMapping`. */
export function tableOf(caller: string, source: unknown): RegisteredTable {
  const table = typeof source === 'object' && source !== null ? registered.get(source) : undefined;
  if (table === undefined)
    throw new TypeError(`${caller}: the table must be created with sqlMapping(), got ${describe(source)}`);
  return table;
}

const whereOptions = ['now', 'scope', 'require', 'access', 'unresolved', 'limits'] as const;

/**
 * Returns a mapping from a schema to the columns of a table, which translates filters to SQL. No driver is needed.
 *
 * ```ts
 * const jobs = sqlMapping(schema, { dialect: 'postgres', table: 'jobs', columns: { ID: text('id', { notNull: true }) } });
 * const found = jobs.where('ID starts with "web-"');
 * client.query(`SELECT ${jobs.select} FROM ${jobs.from} WHERE ${found.toSQL('$')}`, found.values);
 * ```
 *
 * @throws TypeError for a mapping that cannot be one.
 */
export function sqlMapping<S extends Schema>(schema: S, mapping: TableMapping): SqlMapping<S> {
  checkSchema('sqlMapping', schema);
  checkNames<TableMapping>('sqlMapping', 'option', mapping, [...tableOptions, 'server']);
  const { dialect, server } = mapping;
  if (!isDialectName(dialect))
    throw new TypeError(
      `sqlMapping: dialect must be 'postgres', 'sqlite' or 'duckdb', got ${describe(dialect)}`,
    );
  if (server !== undefined && (dialect !== 'postgres' || (server as unknown) !== 'cockroach'))
    throw new TypeError(`sqlMapping: server must be 'cockroach' or undefined, got ${describe(server)}`);
  return createMapping(schema, mapping, server === undefined ? dialects[dialect] : cockroach);
}

/** The names of the options that mappings of all dialects have. */
export const tableOptions = ['dialect', 'table', 'alias', 'columns'] as const;

/** Returns a mapping in a dialect. @throws TypeError for a mapping that cannot be one. */
export function createMapping<S extends Schema>(
  schema: S,
  columnsOf: SqlTable,
  dialect: SqlDialect,
): SqlMapping<S> {
  const read = readMapping('sqlMapping', schema, columnsOf, dialect);
  const projection = projectionOf(read);
  const { columns, decode } = projection;
  const where = (caller: string, filter: FilterSource, options: WhereOptions = {}) => {
    checkNames<WhereOptions>(caller, 'option', options, whereOptions);
    const { unresolved, limits } = options;
    checkOptions<WhereOptions>(
      caller,
      { unresolved, ...(limits === undefined ? {} : { limits }) },
      whereOptions,
    );
    if (options.require !== undefined && (options.require as unknown) !== 'exact')
      throw new TypeError(
        `${caller}: require must be 'exact' or undefined, got ${describe(options.require)}`,
      );
    return whereOf(read, filter, options);
  };
  const source: SqlMapping<S> = {
    schema,
    where: (filter, options) => {
      const { exact, residual, clauses, toSQL: text, values, parts, knex } = where('where', filter, options);
      return Object.freeze({
        exact,
        residual: residual as Filter<InputRowOf<S>> | null,
        clauses: Object.freeze(clauses),
        toSQL: text,
        values,
        parts,
        knex,
      });
    },
    explain: (filter, options) => where('explain', filter, options).clauses,
    select: sqlTextOf(partsOf(columns), '?'),
    from: sqlTextOf(partsOf(read.from), '?'),
    decode: (row) => decode(row) as RowOf<S>,
  };
  registered.set(source, { mapping: read, projection });
  return Object.freeze(source);
}
