import { checkNames, checkOptions, checkSchema, describe } from '../diagnostics/options.js';
import type { Filter } from '../filter.js';
import type { FilterSource } from '../parse.js';
import type { Source } from '../query/row-source.js';
import type { LooseRowOf, RowOf } from '../schema/row.js';
import type { Schema } from '../schema/schema.js';
import { projectionOf, type DriverRow } from './decode.js';
import { readMapping, type TableMapping } from './mapping.js';
import { rowsOf, type RunSql, type SourceOptions } from './rows.js';
import { verifyMapping, type SqlFinding } from './verify.js';
import { textOf, partsOf } from './sql.js';
import { whereOf, type SqlClause, type SqlCondition, type WhereOptions } from './where.js';

/** A table of a database with the schema of its rows. Made by `sqlSource`. */
export interface SqlSource<S extends Schema = Schema> {
  readonly schema: S;
  /**
   * A filter as a condition for a WHERE. @throws FilterError as `compileFilter`; SqlFilterError where all of it is required to be
   * exact and it is not.
   */
  where(filter: FilterSource, options?: WhereOptions): SqlCondition<LooseRowOf<S>>;
  /** What becomes of each clause, and why. */
  explain(filter: FilterSource, options?: WhereOptions): readonly SqlClause[];
  /** What stands behind SELECT, so that `decode` can read the rows: all as texts, because drivers cut microseconds and round integers. */
  readonly select: string;
  /** What stands behind FROM. */
  readonly from: string;
  /** A row of such a SELECT, as the schema says. @throws TypeError where it lacks a column. */
  decode(row: DriverRow): RowOf<S>;
  /**
   * Compares the mapping with the catalogue of the database: types, NOT NULL, collations, constraints and the unique key, each
   * finding with what would mend it. Empty where all is as the mapping says. @throws TypeError for a key that has no column.
   */
  verify(run: RunSql, options?: VerifyOptions<RowOf<S>>): Promise<readonly SqlFinding[]>;
  /**
   * The rows for `createList` of `tamis/query`: pages, tokens, counts and errors are those of an array of the rows. Where the
   * database cannot answer all of a filter rows are fetched, `maxFetched` at most, and then it is a SqlBudgetError.
   */
  source(run: RunSql, options: SourceOptions<RowOf<S>>): Source<RowOf<S> & object>;
}

export interface VerifyOptions<T> {
  /** The property of the key that pages are made of, which must be unique. */
  readonly key?: (keyof T & string) | undefined;
}

const whereOptions = ['now', 'scope', 'require', 'unresolved', 'limits'] as const;

/**
 * Describes the table that the rows of a schema are kept in, and translates filters for it. No driver is needed.
 *
 * ```ts
 * const jobs = sqlSource(schema, { dialect: 'postgres', table: 'jobs', columns: { ID: text('id', { notNull: true }) } });
 * const found = jobs.where('ID starts with "web-"');
 * client.query(`SELECT ${jobs.select} FROM ${jobs.from} WHERE ${found.text('$')}`, found.values);
 * ```
 *
 * @throws TypeError for a mapping that cannot be one.
 */
export function sqlSource<S extends Schema>(schema: S, mapping: TableMapping): SqlSource<S> {
  checkSchema('sqlSource', schema);
  checkNames<TableMapping>('sqlSource', 'option', mapping, ['dialect', 'table', 'alias', 'columns']);
  const read = readMapping('sqlSource', schema, mapping);
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
      throw new TypeError(`${caller}: require is 'exact' or left out, not ${describe(options.require)}`);
    return whereOf(read, filter, options);
  };
  const source: SqlSource<S> = {
    schema,
    where: (filter, options) => {
      const { exact, residual, clauses, text, values, parts, knex } = where('where', filter, options);
      return Object.freeze({
        exact,
        residual: residual as Filter<LooseRowOf<S>> | null,
        clauses: Object.freeze(clauses),
        text,
        values,
        parts,
        knex,
      });
    },
    explain: (filter, options) => where('explain', filter, options).clauses,
    select: textOf(partsOf(columns), '?'),
    from: textOf(partsOf(read.from), '?'),
    decode: (row) => decode(row) as RowOf<S>,
    async verify(run, options = {}) {
      checkNames<VerifyOptions<RowOf<S>>>('verify', 'option', options, ['key']);
      const { key = null } = options;
      if (key !== null && !read.fields.has(key))
        throw new TypeError(`verify: the key ${describe(key)} is in no column of the mapping`);
      return verifyMapping(read, async (text, values) => run(text, values, null), key);
    },
    source: (run, options) => rowsOf<S>(read, projection, run, options),
  };
  return Object.freeze(source);
}
