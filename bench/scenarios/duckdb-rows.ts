import { mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The same rows in a database of columns. A select fetches the numbers of the rows that it finds, and hands over the rows. */
export interface DuckRows {
  count(condition: string): Promise<number>;
  select(condition: string): Promise<readonly unknown[]>;
  close(): void;
}

/** What is used of the package, which is no dependency: its binaries have 70 MB. */
interface Duck {
  readonly DuckDBInstance: { create(path: string): Promise<Instance> };
}
interface Instance {
  connect(): Promise<Connection>;
  closeSync(): void;
}
interface Connection {
  run(sql: string): Promise<Result>;
  closeSync(): void;
}
interface Result {
  fetchAllChunks(): Promise<readonly Chunk[]>;
}
interface Chunk {
  readonly rowCount: number;
  getColumnVector(at: number): { getItem(at: number): unknown };
}

/** Loads DuckDB from the folder that the SQL tests install it in; this file runs from a cache. */
function loadDuck(): Duck | null {
  const folder = new URL('../extra/sql/package.json', import.meta.resolve('tamis'));
  try {
    return createRequire(folder)('@duckdb/node-api') as Duck;
  } catch {
    return null;
  }
}

/** Null where DuckDB is not installed: `node scripts/setup.mjs --extra extra/sql`. */
export async function openDuckRows(
  rows: readonly object[],
  columns: Readonly<Record<string, string>>,
): Promise<DuckRows | null> {
  const duck = loadDuck();
  if (duck === null) return null;
  const instance = await duck.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const run = (sql: string): Promise<Result> =>
    connection.run(sql).catch((error: unknown) => {
      throw new Error(`DuckDB: ${String(error)}: ${sql}`);
    });
  const names = Object.keys(columns);
  const folder = await mkdtemp(join(tmpdir(), 'tamis-bench-'));
  try {
    const file = join(folder, 'rows.ndjson');
    const lines = function* (): Generator<string> {
      for (const [at, row] of rows.entries()) yield `${JSON.stringify({ ...only(row, names), place: at })}\n`;
    };
    await pipeline(Readable.from(lines()), createWriteStream(file));
    const types = Object.entries({ ...columns, place: 'INTEGER' }).map(
      ([name, type]) => `'${name}': '${type}'`,
    );
    await run(
      `CREATE TABLE list AS SELECT * FROM read_json('${file}', format = 'newline_delimited', columns = {${types.join()}}) ORDER BY place`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  const evaluate = async (what: string, condition: string): Promise<readonly Chunk[]> =>
    (await run(`SELECT ${what} FROM list WHERE ${condition}`)).fetchAllChunks();
  return {
    async count(condition) {
      const [chunk] = await evaluate('count(*)', condition);
      return Number(chunk?.getColumnVector(0).getItem(0));
    },
    async select(condition) {
      const found: unknown[] = [];
      for (const chunk of await evaluate('place', condition)) {
        const places = chunk.getColumnVector(0);
        for (let at = 0; at < chunk.rowCount; at += 1) found.push(rows[places.getItem(at) as number]);
      }
      return found;
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function only(row: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, (row as Readonly<Record<string, unknown>>)[name]]));
}
