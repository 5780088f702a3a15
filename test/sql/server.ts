import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DriverRow } from '../../src/entries/sql.js';
import { requireExtra } from '../support/extra.js';
import { postgresEngine, sqliteEngine, type Engine } from './engines.js';

/** A server of PostgreSQL that runs as long as the proof does, in a folder of its own, and listens there alone. */
export interface Server {
  readonly version: string;
  /** The folder of its socket. */
  readonly host: string;
  stop(): Promise<void>;
}

/** The folder of Debian's programs of the newest version; null without them. */
function programs(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, 'bin'));
  return found.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** Who runs it: the server refuses root. */
function owner(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts a server with a locale-specific collation (ICU, en-US), so that no test passes by luck; null without PostgreSQL. */
export async function startServer(): Promise<Server | null> {
  const bin = programs();
  if (bin === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'tamis-proof-'));
  const who = owner();
  if (who !== null) chownSync(folder, who.uid, who.gid);
  chmodSync(folder, 0o700);
  const options = { ...who, cwd: folder, env: { PATH: `${bin}:/usr/bin:/bin`, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  const locale = ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US', '--locale=C'];
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'tamis', '-A', 'trust', '-N', ...locale], {
    ...options,
    stdio: 'ignore',
  });
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    fsync: 'off',
    max_wal_size: '4GB',
  };
  const given = Object.entries({ ...settings, shared_buffers: '512MB' }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...given], { ...options, stdio: 'ignore' });
  const ended = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (;;) {
      if (server.exitCode !== null) throw new Error('PostgreSQL has ended');
      try {
        const engine = await connect(folder);
        const [row] = await engine.run('SHOW server_version', []);
        await engine.close();
        return { version: String(row?.server_version), host: folder, stop };
      } catch (error) {
        if (!/ENOENT|starting up|ECONNREFUSED/.test(String(error))) throw error;
        await sleep(50);
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How clients come to the server. */
export function addressOf(host: string): { host: string; user: string; database: string } {
  return { host, user: 'tamis', database: 'postgres' };
}

/** A connection by node-postgres. */
export async function connect(host: string): Promise<Engine> {
  const { Client } = requireExtra('extra/sql', 'pg') as {
    Client: new (options: object) => {
      connect(): Promise<unknown>;
      query(text: string, values?: readonly unknown[]): Promise<{ rows: DriverRow[] }>;
      end(): Promise<void>;
    };
  };
  const client = new Client(addressOf(host));
  await client.connect();
  return postgresEngine({
    query: (text, values) => client.query(text, values),
    exec: (text) => client.query(text),
    close: () => client.end(),
  });
}

/** The same, queried by postgres.js. */
export async function connectPostgresJs(host: string): Promise<Engine> {
  const postgres = requireExtra('extra/sql', 'postgres') as (options: object) => {
    unsafe(text: string, values: readonly unknown[]): Promise<DriverRow[]>;
    end(): Promise<void>;
  };
  const [engine, client] = [await connect(host), postgres({ ...addressOf(host), max: 1 })];
  return {
    ...engine,
    run: (text, values) => client.unsafe(text, values),
    close: async () => void (await Promise.all([client.end(), engine.close()])),
  };
}

/** SQLite by better-sqlite3, which only the proof needs; null if it is not installed. */
export function openBetterSqlite(): Engine | null {
  let Database: new (path: string) => {
    prepare(text: string): {
      readonly reader: boolean;
      all(...values: unknown[]): DriverRow[];
      run(...values: unknown[]): unknown;
    };
    exec(text: string): unknown;
    close(): unknown;
  };
  try {
    Database = requireExtra('extra/sql', 'better-sqlite3') as typeof Database;
  } catch {
    return null;
  }
  const db = new Database(':memory:');
  return sqliteEngine({
    all(text, values) {
      const statement = db.prepare(text);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    },
    run: (text, values) => db.prepare(text).run(...values),
    exec: (text) => db.exec(text),
    close: () => db.close(),
  });
}
