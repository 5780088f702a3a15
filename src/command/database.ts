import type { RunSql } from '../entries/sql.js';
import { UsageError, type Io } from './io.js';

/** A connection to a database, by a driver of the user's project. */
interface Connection {
  readonly run: RunSql;
  close(): unknown;
}

/** A driver. Its types are not known here. */
// oxlint-disable-next-line typescript/no-explicit-any
type Driver = any;

async function openPostgres({ Client }: Driver, connectionString: string): Promise<Connection> {
  const client = new Client({ connectionString });
  await client.connect();
  const run: RunSql = async (text, values) => (await client.query(text, values)).rows;
  return { run, close: () => client.end() };
}

async function openDuck({ DuckDBInstance }: Driver, path: string): Promise<Connection> {
  const connection = await (await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })).connect();
  const run: RunSql = async (text, values) =>
    (await connection.runAndReadAll(text, values)).getRowObjectsJS();
  return { run, close: () => connection.closeSync() };
}

async function openSqlite(Database: Driver, path: string): Promise<Connection> {
  const db = await new Database(path, { readonly: true, fileMustExist: true });
  return { run: (text, values) => db.prepare(text).all(...values), close: () => db.close() };
}

/** Opens a database: a URL of PostgreSQL, a file that ends in `.duckdb`, or a file of SQLite. @throws UsageError */
export async function openDatabase(address: string, io: Io): Promise<Connection> {
  const isUrl = /^postgres(ql)?:/.test(address);
  const [name, open] = isUrl
    ? (['pg', openPostgres] as const)
    : address.endsWith('.duckdb')
      ? (['@duckdb/node-api', openDuck] as const)
      : (['better-sqlite3', openSqlite] as const);
  let driver: Driver;
  try {
    driver = io.loadPackage(name);
  } catch {
    throw new UsageError(`the package ${name} is not installed here`, `npm install ${name}`);
  }
  try {
    return await open(driver, address);
  } catch (error) {
    throw new UsageError(`the database cannot be opened: ${(error as Error).message}`);
  }
}
