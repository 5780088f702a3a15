import type { Backoff } from '../base/backoff.js';
import type { Clock } from '../base/clock.js';

/** A connection to another process. */
export interface Connection {
  /** Resolves when it has ended, from either side. */
  readonly ended: Promise<void>;
  close(): void;
}

/** A connection that is made again whenever it is lost. */
export interface PersistentConnection<C extends Connection> {
  /** Resolves after the first attempt, which decides nothing: others follow until one works. */
  readonly start: () => Promise<void>;
  /** Null while not connected. */
  readonly current: () => C | null;
  readonly close: () => Promise<void>;
}

export interface PersistentConnectionOptions<C extends Connection> {
  /** Makes a connection that is ready for use. */
  readonly connect: () => Promise<C>;
  readonly clock: Pick<Clock, 'after'>;
  readonly backoff: Backoff;
  /** Called for each established connection. */
  readonly connected?: (connection: C) => void;
  /** Called for each that has ended, unless it was closed here. */
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
      // The first attempt counts too, though there is no pause before it.
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
