import { runCancellable } from '../pool-run.js';
import type { RunSql } from '../run-statement.js';
import type { SqlValue } from '../sql.js';

/** The part of a pool of `mysql2/promise` or `mariadb` that is used. */
export interface MysqlPool {
  getConnection(): Promise<MysqlConnection>;
}

/** The part of a connection of such a pool that is used. */
export interface MysqlConnection {
  readonly threadId: number | null;
  execute(text: string, values: SqlValue[]): Promise<unknown>;
  release(): unknown;
  destroy(): unknown;
}

/**
 * Returns a function that runs statements with a pool of `mysql2/promise` or `mariadb`, as prepared statements: `query` of mysql2
 * writes values into the statement, which is unsafe under NO_BACKSLASH_ESCAPES. It cancels the statement of an aborted request in
 * the server, returns each connection only when its statement has ended, and discards broken connections.
 *
 * @param cancelPool a pool of its own for cancelling, so that it never waits for the statements to be cancelled
 */
export function mysqlRun(pool: MysqlPool, cancelPool: MysqlPool): RunSql {
  return async (text, values, signal) => {
    const connection = await pool.getConnection();
    const cancel = async (): Promise<void> => {
      const other = await cancelPool.getConnection();
      try {
        await other.execute(`KILL QUERY ${Number(connection.threadId)}`, []);
      } finally {
        other.release();
      }
    };
    let isBroken = false;
    try {
      const found = await runCancellable(signal, async () => connection.execute(text, values), cancel);
      // mysql2 returns the rows and the descriptions of columns.
      const [first] = found as readonly unknown[];
      return (Array.isArray(first) ? first : found) as readonly unknown[];
    } catch (error) {
      isBroken = (error as { fatal?: unknown }).fatal === true;
      throw error;
    } finally {
      if (isBroken) connection.destroy();
      else connection.release();
    }
  };
}
