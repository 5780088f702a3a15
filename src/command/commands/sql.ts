import { defaultMapping, mapTable, sqlMapping, type DialectName, type RunSql } from '../../entries/sql.js';
import { print } from '../../index.js';
import type { Arguments, OptionTable } from '../arguments.js';
import type { Command } from '../command.js';
import { clockOptions, readExpression, readNow, readSchema, unresolvedOption } from '../filter-options.js';
import { UsageError, type ExitCode, type Io } from '../io.js';

const options: OptionTable = {
  schema: { value: 'FILE', help: 'the kinds of the fields, as JSON' },
  dialect: {
    value: 'NAME',
    choices: ['postgres', 'sqlite', 'duckdb'],
    help: 'postgres (default), sqlite or duckdb',
  },
  table: { value: 'NAME', help: 'the table of the rows: rows' },
  'from-table': { value: 'NAME', help: 'print the schema and the mapping of an existing table' },
  database: {
    value: 'URL',
    help: 'for --from-table: postgres://.., a file of SQLite or a .duckdb file; $DATABASE_URL',
  },
  ...clockOptions,
  unresolved: unresolvedOption,
  json: { help: 'the statement, its values and what becomes of each clause as JSON' },
};

export const sqlCommand: Command = {
  name: 'sql',
  summary: 'Prints a filter as a condition for a database.',
  usage: "tamis sql 'EXPRESSION' --schema FILE",
  options,
  notes: `
Each field is mapped to a nullable column of the same name. The part that the database cannot evaluate is the residual:
apply it to the rows that are found.

--from-table reads the catalogue of a database and prints a TypeScript module, or with --json the schema. The driver is
that of your project: pg, better-sqlite3 or @duckdb/node-api.

Examples:
  tamis sql 'Status == "running"' --schema schema.json
  tamis sql 'Name matches "^web-[0-9]+$"' --schema schema.json --dialect sqlite --unresolved absent
  tamis sql --from-table public.jobs --database postgres://localhost/app > jobs.ts

Exit status: 0; 2 if the filter is invalid for the schema.`,
  run: runSql,
};

async function printTable(name: string, args: Arguments, io: Io): Promise<ExitCode> {
  const address = args.value('database') ?? io.env.DATABASE_URL;
  if (address === undefined) throw new UsageError('--from-table needs --database URL, or $DATABASE_URL');
  if (args.positionals.length > 0) throw new UsageError('--from-table takes no expression');
  const { run, close } = await openDatabase(address, io);
  try {
    const { source, schema } = await mapTable(run, name.split('.'));
    await io.stdout.write(args.has('json') ? `${JSON.stringify(schema)}\n` : source);
    return 0;
  } catch (error) {
    throw new UsageError((error as Error).message);
  } finally {
    await close();
  }
}

async function runSql(args: Arguments, io: Io): Promise<ExitCode> {
  const table = args.value('from-table');
  if (table !== null) return printTable(table, args, io);
  const schema = await readSchema(args, io);
  if (schema === null)
    throw new UsageError(
      'sql needs --schema FILE',
      'what a filter means to a database depends on the fields',
    );
  // Both are among their choices.
  const dialect = (args.value('dialect') ?? 'postgres') as DialectName;
  const unresolved = (args.value('unresolved') ?? 'error') as 'error' | 'absent';
  const filter = await readExpression(args, io);
  const source = sqlMapping(schema, defaultMapping(schema, dialect, args.value('table') ?? 'rows'));
  const {
    toSQL: text,
    values,
    clauses,
    residual,
    exact,
  } = source.where(filter, {
    unresolved,
    now: readNow(args) ?? io.clock(),
  });
  const condition = text(dialect === 'postgres' ? '$' : '?');
  const left = residual === null ? null : print(residual.ast);
  await io.stdout.write(
    args.has('json')
      ? `${JSON.stringify({ condition, values: values.map(plain), exact, residual: left, clauses })}\n`
      : [
          condition,
          ...values.map((value, at) => `-- ${at + 1}: ${JSON.stringify(plain(value))}`),
          ...(left === null ? [] : [`-- residual: ${oneLine(left)}`]),
          ...clauses.flatMap(({ filter: clause, why }) =>
            why === null ? [] : [`--   ${oneLine(clause)}: ${why}`],
          ),
          '',
        ].join('\n'),
  );
  return 0;
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

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
async function openDatabase(address: string, io: Io): Promise<Connection> {
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
