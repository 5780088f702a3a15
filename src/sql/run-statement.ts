import { describe } from '../language/diagnostics/options.js';
import { QueryError } from '../lists/query/request/query-error.js';
import type { Work } from '../lists/query/source/row-source.js';
import { isErrorOf } from '../runtime/shared-identity.js';
import type { DriverRow } from './decode.js';
import type { SqlDialect } from './dialect.js';
import { partsOf, sqlTextOf, type Sql, type SqlValue } from './sql.js';

/**
 * Runs a query: receives a statement with placeholders (`$1`; `?` in SQLite and DuckDB) and its values. Returns the rows as
 * objects by column name. Should cancel the statement if the signal is aborted.
 */
export type RunSql = (
  text: string,
  values: SqlValue[],
  signal: AbortSignal | null,
) => PromiseLike<readonly unknown[]> | readonly unknown[];

/**
 * Thrown if the database does not return the result of a statement. Its code is `unavailable` if a connection is lost or a timeout
 * expires, and `invalid-mapping` if the statement does not fit the table. `cause` is the driver's error. Over HTTP it is a 503 or a
 * 500, which do not contain the cause.
 */
export class SqlRunError extends QueryError {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      isErrorOf(this, SqlRunError, value, 'ListError', ['QueryError']) &&
      ['unavailable', 'invalid-mapping'].includes((value as SqlRunError).code)
    );
  }

  constructor(override readonly cause: unknown) {
    const message = String(Object(cause).message ?? cause);
    const help = '. Compare the mapping with the table: verifyMapping(mapping, run)';
    const isWrong = isMismatch(cause, message);
    super(
      isWrong ? 'invalid-mapping' : 'unavailable',
      '',
      `The database did not return the rows: ${message}${isWrong ? help : ''}`,
    );
  }
}

/** Whether the error says that a statement does not fit the table: by SQLSTATE, or by the messages of engines without it. */
function isMismatch(cause: unknown, message: string): boolean {
  const { code, sqlState = code, type } = Object(cause) as Readonly<Record<string, unknown>>;
  return (
    /^(22|42)[0-9A-Z]{3}$/.test(String(sqlState)) ||
    /no such (table|column)|^(Binder|Catalog|Conversion) Error|Illegal mix of collations/.test(message) ||
    /UNKNOWN_(IDENTIFIER|TABLE|DATABASE)|ILLEGAL_TYPE_OF_ARGUMENT|NO_COMMON_TYPE/.test(
      `${message} ${String(type)}`,
    )
  );
}

/** Returns a function that runs statements. It rejects with the reason of the signal, or with a SqlRunError. */
export function createRunner(
  run: RunSql,
  { placeholder }: Pick<SqlDialect, 'placeholder'>,
): (statement: Sql, work: Pick<Work, 'signal' | 'raceWithAbort'>) => Promise<readonly DriverRow[]> {
  return async (statement, { signal, raceWithAbort }) => {
    signal?.throwIfAborted();
    const parts = partsOf(statement);
    const started = Promise.resolve().then(() => run(sqlTextOf(parts, placeholder), parts.values, signal));
    const settled = started.catch((cause: unknown): never => {
      signal?.throwIfAborted();
      throw cause instanceof QueryError ? cause : new SqlRunError(cause);
    });
    const rows: unknown = await raceWithAbort(settled, signal);
    if (Array.isArray(rows)) return rows as readonly DriverRow[];
    const help = Array.isArray(Object(rows).rows) ? '; return result.rows' : '';
    throw new TypeError(`sqlListSource: run must return an array of rows, got ${describe(rows)}${help}`);
  };
}
