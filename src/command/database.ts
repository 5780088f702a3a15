import type { RunSql } from '../entries/sql.js';
import { UsageError, type Io } from './io.js';

/** A connection to a database, by a driver that the user has installed. */
interface Connection {
  readonly run: RunSql;
  close(): unknown;
}

/** A driver's class or function, whose types are not known here. */
type Driver = Readonly<Record<string, object>>;

interface Opener {
  readonly driver: string;
  open(driver: Driver, address: string): Promise<Connection> | Connection;
}

const postgres: Opener = {
  driver: 'pg',
  async open({ Client }, connectionString) {
    const client: {
      connect(): Promise<void>;
      query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
      end(): Promise<void>;
    } = new (Client as new (options: object) => never)({ connectionString });
    await client.connect();
    return {
      run: async (text, values) => (await client.query(text, values)).rows,
      close: () => client.end(),
    };
  },
};

const duckdb: Opener = {
  driver: '@duckdb/node-api',
  async open({ DuckDBInstance }, path) {
    const { create } = DuckDBInstance as {
      create(path: string, options: object): Promise<{ connect(): Promise<never> }>;
    };
    const instance = await create.call(DuckDBInstance, path, { access_mode: 'READ_ONLY' });
    const connection: {
      runAndReadAll(text: string, values: unknown[]): Promise<{ getRowObjectsJS(): unknown[] }>;
      closeSync(): void;
    } = await instance.connect();
    return {
      run: async (text, values) => (await connection.runAndReadAll(text, values)).getRowObjectsJS(),
      close: () => connection.closeSync(),
    };
  },
};

const sqlite: Opener = {
  driver: 'better-sqlite3',
  open(driver, path) {
    const db: { prepare(text: string): { all(...values: unknown[]): unknown[] }; close(): void } = new (
      driver as object as new (path: string, options: object) => never
    )(path, { readonly: true, fileMustExist: true });
    return { run: (text, values) => db.prepare(text).all(...values), close: () => db.close() };
  },
};

/** Opens a database: a URL of PostgreSQL, a file that ends in `.duckdb`, or a file of SQLite. @throws UsageError */
export async function openDatabase(address: string, io: Io): Promise<Connection> {
  const isUrl = /^postgres(ql)?:/.test(address);
  const { driver, open } = isUrl ? postgres : address.endsWith('.duckdb') ? duckdb : sqlite;
  let loaded: Driver;
  try {
    loaded = io.loadPackage(driver) as Driver;
  } catch {
    throw new UsageError(`the package ${driver} is not installed here`, `npm install ${driver}`);
  }
  try {
    return await open(loaded, address);
  } catch (error) {
    // The address may contain a password.
    throw new UsageError(`the database cannot be opened: ${(error as Error).message}`);
  }
}
