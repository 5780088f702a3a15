import type { PgPool } from '../../src/entries/sql.js';
import { requireExtra } from '../support/extra.js';
import { addressOf } from './server.js';

/** The part of a pool of node-postgres that tests use. */
export interface Pool extends PgPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

export function openPool(host: string, max: number, options: object = {}): Pool {
  const { Pool: Made } = requireExtra('extra/sql', 'pg') as { Pool: new (options: object) => Pool };
  const pool = new Made({ ...addressOf(host), max, ...options });
  // Idle connections that are lost; without a listener the process would end.
  pool.on('error', () => undefined);
  return pool;
}
