import type { Backoff } from '../base/backoff.js';
import type { Clock } from '../base/clock.js';

/** A connection to another process. */
export interface Connection {
  /** Resolves when either side has closed it. */
  readonly ended: Promise<void>;
  close(): void;
}

/** A connection that is re-established whenever it is lost. */
export interface PersistentConnection<C extends Connection> {
  /** Resolves after the first attempt, even if it fails. Further attempts follow until one succeeds. */
  readonly start: () => Promise<void>;
  /** Returns the connection; null while disconnected. */
  readonly current: () => C | null;
  readonly close: () => Promise<void>;
}

export interface PersistentConnectionOptions<C extends Connection> {
  /** Opens a connection that is ready for use. */
  readonly connect: () => Promise<C>;
  readonly clock: Pick<Clock, 'after'>;
  readonly backoff: Backoff;
  /** Called for each established connection. */
  readonly connected?: (connection: C) => void;
  /** Called for each connection that ended, unless it was closed locally. */
  readonly lost?: () => void;
  /** Called for each failed attempt. @param isFirst whether the previous attempt succeeded. */
  readonly failed: (error: unknown, isFirst: boolean) => void;
}

export function createPersistentConnection<C extends Connection>(
  options: PersistentConnectionOptions<C>,
): PersistentConnection<C> {
  const { backoff, clock, connect, failed } = options;
  let connection: C | null = null;
  let isClosed = false;
  let hasFailed = false;
  let cancelPause = (): void => undefined;

  async function attempt(): Promise<void> {
    try {
      const fresh = await connect();
      if (isClosed) fresh.close();
      else use(fresh);
    } catch (error) {
      if (!isClosed) failed(error, !hasFailed);
      hasFailed = true;
      retry();
    }
  }

  function use(fresh: C): void {
    connection = fresh;
    hasFailed = false;
    backoff.reset();
    options.connected?.(fresh);
    void fresh.ended.then(() => {
      connection = null;
      if (isClosed) return;
      options.lost?.();
      retry();
    });
  }

  function retry(): void {
    if (!isClosed) cancelPause = clock.after(backoff.next(), () => void attempt());
  }

  return {
    start() {
      // Counts the first attempt, although no delay precedes it.
      backoff.next();
      return attempt();
    },
    current: () => connection,
    async close() {
      isClosed = true;
      cancelPause();
      const last = connection;
      last?.close();
      await last?.ended;
    },
  };
}
