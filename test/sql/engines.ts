import type { DialectName, DriverRow } from '../../src/entries/sql.js';
import { requireExtra } from '../support/extra.js';
import { asStored, jsonProperties, type TestMapping, type TestDialect } from './test-mapping.js';
import { namedValues, type ChdbSession } from '../../src/entries/clickhouse.js';

/** An engine in this process, with a table of rows. */
export interface Engine {
  readonly dialect: TestDialect;
  readonly run: (
    text: string,
    values: readonly unknown[],
  ) => Promise<readonly DriverRow[]> | readonly DriverRow[];
  /** Recreates the test table with these rows. */
  fill(
    mapping: TestMapping,
    table: string,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void>;
  close(): Promise<void>;
}

/** A value as JSON, integers with all digits, and numbers that JSON lacks as texts. */
export function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? JSON.stringify(value) : JSON.stringify(String(value));
  if (Array.isArray(value)) return `[${value.map(jsonOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}:${jsonOf(each)}`)
    .join()}}`;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** An instant as the column has it: microseconds in UTC. */
function instantOf(text: string, digits: number): string {
  const found = /^(.{19})(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i.exec(text);
  if (found === null) return text;
  const [, seconds = '', fraction = '', zone = ''] = found;
  const whole = new Date(`${seconds}${zone}`).toISOString().slice(0, 19);
  return `${whole}.${fraction.padEnd(9, '0').slice(0, digits)}Z`;
}

function valuesOf(mapping: TestMapping, row: Readonly<Record<string, unknown>>): unknown[] {
  return mapping.ddl.map(([name]) => {
    const property = name.replace('"?', '');
    const value = row[property] ?? null;
    if (typeof value !== 'string') return value;
    if (property === 'at' || property === 'maybeAt') return instantOf(value, 6);
    return property === 'stamp' ? instantOf(value, 3) : value;
  });
}

/** A connection to PostgreSQL. */
export interface PostgresConnection {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: DriverRow[] }>;
  /** Several statements. */
  exec(text: string): Promise<unknown>;
  close(): Promise<void>;
}

export function postgresEngine(db: PostgresConnection): Engine {
  return {
    dialect: 'postgres',
    run: async (text, values) => (await db.query(text, values)).rows,
    async fill(mapping, table, rows) {
      const columns = mapping.ddl.map(([name, type]) => `${quote(name)} ${type}`).join();
      await db.exec(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${columns})`);
      const objects = rows.map((row) => {
        const values = valuesOf(mapping, row);
        return Object.fromEntries(mapping.ddl.map(([name], at) => [name, values[at]]));
      });
      await db.query(
        `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
        [jsonOf(objects)],
      );
    },
    close: () => db.close(),
  };
}

export function openPglite(): Promise<PostgresConnection> {
  const { PGlite } = requireExtra('extra/sql', '@electric-sql/pglite') as {
    PGlite: { create(options: object): Promise<PostgresConnection> };
  };
  const { citext } = requireExtra('extra/sql', '@electric-sql/pglite/contrib/citext') as { citext: object };
  return PGlite.create({ extensions: { citext } });
}

async function openPostgres(): Promise<Engine> {
  return postgresEngine(await openPglite());
}

/** A connection of mysql2, and what the tests use of it. */
export interface MysqlConnection {
  readonly threadId: number;
  execute(text: string, values?: readonly unknown[]): Promise<[DriverRow[], unknown]>;
  query(text: string): Promise<[DriverRow[], unknown]>;
  end(): Promise<void>;
}

export function mysqlEngine(connection: MysqlConnection): Engine {
  const run = async (text: string, values: readonly unknown[]): Promise<DriverRow[]> =>
    (await connection.execute(text, values))[0];
  return {
    dialect: 'mysql',
    run,
    async fill(mapping, table, rows) {
      const named = (name: string): string => `\`${name}\``;
      await run(`DROP TABLE IF EXISTS ${table}`, []);
      await run(
        `CREATE TABLE ${table} (${mapping.ddl.map(([name, type]) => `${named(name)} ${type}`).join()}, UNIQUE (\`id"?\`))`,
        [],
      );
      const values = rows.map((row) =>
        valuesOf(mapping, row).map((value, at) => {
          if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return null;
          if (typeof value === 'object') return jsonOf(value);
          if (typeof value === 'boolean') return String(Number(value));
          const isInstant = mapping.ddl[at]?.[1].startsWith('DATETIME') === true;
          return isInstant ? String(value).replace('Z', '') : String(value);
        }),
      );
      const marks = values.map((row) => `(${row.map(() => '?').join()})`).join();
      await run(`INSERT INTO ${table} VALUES ${marks}`, values.flat());
    },
    close: () => connection.end(),
  };
}

/** A session of chdb, and what the tests use of it. */
export interface ChdbConnection extends ChdbSession {
  query(text: string, format?: string): string;
  cleanup(): void;
}

/** Quotes a string for ClickHouse. */
function quotedText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

/** Writes a value of a row as ClickHouse reads it. */
function literalOf(value: unknown): string {
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? Object.is(value, -0)
        ? '-0.'
        : String(value)
      : Number.isNaN(value)
        ? 'nan'
        : value > 0
          ? 'inf'
          : '-inf';
  if (Array.isArray(value)) return `[${value.map(literalOf).join()}]`;
  if (value instanceof Map) return `{${[...value].map((each) => each.map(literalOf).join(':')).join()}}`;
  if (typeof value !== 'object' || value === null) return String(value ?? 'NULL');
  return `(${Object.values(value).map(literalOf).join()})`;
}

/** The text of a JSON column, valid or not. */
export class JsonText {
  constructor(readonly text: string) {}
}

export function chdbEngine(
  session: ChdbConnection,
  dialect: 'clickhouse' | 'clickhouse-json' = 'clickhouse',
): Engine {
  session.query('SET mutations_sync = 1');
  const json = new Set(jsonProperties(dialect));
  return {
    dialect,
    run: (text, values) =>
      session
        .queryBind(text, namedValues(values as never[]), 'JSONEachRow')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as DriverRow])),
    fill(mapping, table, rows) {
      session.query(`DROP TABLE IF EXISTS ${table}`);
      const columns = mapping.ddl.map(([name, type]) => `\`${name}\` ${type}`).join();
      session.query(`CREATE TABLE ${table} (${columns}) ENGINE = MergeTree ORDER BY \`id"?\``);
      const values = rows.map((row) =>
        valuesOf(mapping, asStored(dialect, row)).map((value, at) => {
          const [name = '', type = ''] = mapping.ddl[at] ?? [];
          if (value === null) return 'NULL';
          if (json.has(name.replace('"?', '')))
            return quotedText(value instanceof JsonText ? value.text : jsonOf(value));
          if (type.includes('DateTime64') && typeof value === 'string') {
            const micros = BigInt(Date.parse(value.slice(0, 19) + 'Z')) * 1000n + BigInt(value.slice(20, 26));
            return `fromUnixTimestamp64Micro(toInt64('${micros}'), 'UTC')`;
          }
          return literalOf(type.startsWith('Map') ? new Map(Object.entries(value as object)) : value);
        }),
      );
      session.query(`INSERT INTO ${table} VALUES ${values.map((row) => `(${row.join()})`).join()}`);
      return Promise.resolve();
    },
    close() {
      session.cleanup();
      return Promise.resolve();
    },
  };
}

/** A connection to SQLite. */
export interface SqliteConnection {
  all(text: string, values: readonly unknown[]): DriverRow[];
  run(text: string, values: readonly unknown[]): unknown;
  exec(text: string): unknown;
  close(): unknown;
}

export function sqliteEngine(db: SqliteConnection): Engine {
  return {
    dialect: 'sqlite',
    run: (text, values) => db.all(text, [...values]),
    fill(mapping, table, rows) {
      const columns = mapping.ddl.map(([name, type]) => `${quote(name)} ${type}`).join();
      db.exec(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (${columns}) STRICT; BEGIN`);
      for (const row of rows) {
        const values = valuesOf(mapping, row).map((value) =>
          typeof value === 'boolean'
            ? Number(value)
            : typeof value === 'object' && value !== null
              ? jsonOf(value)
              : value,
        );
        db.run(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`, values);
      }
      db.exec('COMMIT');
      return Promise.resolve();
    },
    close() {
      db.close();
      return Promise.resolve();
    },
  };
}

function openSqlite(): Promise<Engine> {
  const { Database } = requireExtra('extra/sql', 'node-sqlite3-wasm') as {
    Database: new () => SqliteConnection;
  };
  return Promise.resolve(sqliteEngine(new Database()));
}

async function openDuck(): Promise<Engine> {
  const { DuckDBInstance } = requireExtra('extra/sql', '@duckdb/node-api') as {
    DuckDBInstance: {
      create(
        path: string,
        options: object,
      ): Promise<{
        connect(): Promise<{
          runAndReadAll(
            text: string,
            values?: readonly unknown[],
          ): Promise<{ getRowObjectsJS(): DriverRow[] }>;
          closeSync(): void;
        }>;
        closeSync(): void;
      }>;
    };
  };
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const run = async (text: string, values: readonly unknown[] = []): Promise<DriverRow[]> =>
    (await connection.runAndReadAll(text, values)).getRowObjectsJS();
  return {
    dialect: 'duckdb',
    run,
    async fill(mapping, table, rows) {
      const columns = mapping.ddl.map(([name, type]) => `${quote(name)} ${type}`).join();
      await run(`DROP TABLE IF EXISTS ${table}`);
      await run(`CREATE TABLE ${table} (${columns})`);
      const structure = `[{${mapping.ddl.map(([name, type]) => `${JSON.stringify(name)}:${JSON.stringify(type.replace(' NOT NULL', ''))}`).join()}}]`;
      const objects = rows.map((row) => {
        const values = valuesOf(mapping, row);
        return Object.fromEntries(mapping.ddl.map(([name], at) => [name, values[at]]));
      });
      await run(
        `INSERT INTO ${table} SELECT s.* FROM (SELECT unnest(from_json(CAST(? AS JSON), '${structure.replaceAll("'", "''")}')) AS s)`,
        [jsonOf(objects)],
      );
    },
    close() {
      connection.closeSync();
      instance.closeSync();
      return Promise.resolve();
    },
  };
}

const openers: Readonly<Record<DialectName, () => Promise<Engine>>> = {
  postgres: openPostgres,
  sqlite: openSqlite,
  duckdb: openDuck,
};

export const dialects = Object.keys(openers) as readonly DialectName[];

/** An engine; null, with a word, where there is no binary of it for this machine. */
export async function openEngine(dialect: DialectName): Promise<Engine | null> {
  try {
    return await openers[dialect]();
  } catch (error) {
    process.stderr.write(`no ${dialect} here, its tests are skipped: ${String(error)}\n`);
    return null;
  }
}

const shared = new Map<DialectName, Promise<Engine | null>>();

/** The engine of all tests of this process: starting one takes seconds. Each file has tables of its own in it. */
export function sharedEngine(dialect: DialectName): Promise<Engine | null> {
  const known = shared.get(dialect) ?? openEngine(dialect);
  shared.set(dialect, known);
  return known;
}
