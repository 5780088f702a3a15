import type { DriverRow } from './decode.js';
import type { RunSql } from './run-statement.js';
import type { SqlValue } from './sql.js';

/** The part of a pool of node-postgres (`pg.Pool`) that is used. */
export interface PgPool {
  connect(): Promise<PgClient>;
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** The part of a client of such a pool that is used. */
export interface PgClient {
  readonly processID?: number | null | undefined;
  query(text: string, values: SqlValue[]): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
  release(isBroken?: boolean): void;
}

/** Milliseconds between two attempts to cancel a statement: the first may arrive before the server has begun it. */
const cancelInterval = 20;

const ignore = (): void => undefined;

/**
 * Returns a function that runs statements with a pool of node-postgres. It cancels the statement of an aborted request in the
 * server, returns each connection only when its statement has ended, and discards broken connections.
 *
 * @param cancelPool a pool of its own for cancelling, so that it never waits for the statements to be cancelled: `max: 2` suffices
 */
export function poolRun(pool: PgPool, cancelPool: PgPool): RunSql {
  return async (text, values, signal) => {
    const client = await pool.connect();
    let [isSent, isBroken] = [false, false];
    const cancel = () => cancelPool.query('SELECT pg_cancel_backend($1)', [client.processID]);
    const query = () => {
      isSent = true;
      return client.query(text, values);
    };
    // Without a listener, the process would end if the connection is lost.
    client.on('error', ignore);
    try {
      return (await runCancellable(signal, query, cancel)).rows as readonly DriverRow[];
    } catch (error) {
      // After an error of another severity the server ends the connection.
      isBroken = isSent && (error as { severity?: unknown }).severity !== 'ERROR';
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(isBroken);
    }
  };
}

/** Runs a statement. If the signal is aborted, cancels it until it has ended. */
export async function runCancellable<T>(
  signal: AbortSignal | null,
  runStatement: () => Promise<T>,
  cancelOnce: () => Promise<unknown>,
): Promise<T> {
  let isDone = false;
  let cancelled: Promise<void> | undefined;
  const cancel = async (): Promise<void> => {
    while (!isDone) {
      await cancelOnce().catch(ignore);
      await new Promise((resolve) => setTimeout(resolve, cancelInterval));
    }
  };
  const onAbort = (): void => void (cancelled = cancel());
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', onAbort, { once: true });
    return await runStatement();
  } finally {
    isDone = true;
    signal?.removeEventListener('abort', onAbort);
    await cancelled;
  }
}
