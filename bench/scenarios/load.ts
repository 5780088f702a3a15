import { makeServed, schemaOfServed, servedIndexes, servedKey, servedSorts } from '../cases/served.js';
import type { ServedRow } from '../cases/served.js';
import { createRandom, type Random } from '../data/random.js';
import { loadEngine } from '../engine.js';
import { digits, duration, type Report } from '../harness/report.js';
import { median } from '../harness/stats.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const loadScenario: Scenario = {
  name: 'load',
  about:
    'rows into a table, up to the first one by key, and single puts, next to a Map and SQLite; TAMIS_BENCH_ROWS',
  run: measureLoading,
};

const putCount = 5_000;

interface Table {
  put(row: unknown): void;
  putAll(rows: readonly unknown[]): void;
  rows(): Iterable<unknown>;
}
type CreateTable = (schema: object, options: object) => Table;

async function measureLoading({ rounds, seed, onProgress }: ScenarioContext): Promise<Report> {
  const subpath = 'table';
  const { createTable } = (await import(`tamis/${subpath}`)) as { createTable: CreateTable };
  const schema = schemaOfServed(await loadEngine());
  const size = Number(process.env['TAMIS_BENCH_ROWS'] ?? 100_000);
  const random = createRandom(seed);
  const rows = makeServed(random, size, 100, 100);
  const shuffled = shuffle(random, rows);
  const declared = { indexes: servedIndexes, sorts: servedSorts };
  const table = (all: readonly ServedRow[], options: object) => (): Table => {
    const loaded = createTable(schema, { key: servedKey, ...options });
    loaded.putAll(all);
    for (const first of loaded.rows()) if (first !== undefined) break;
    return loaded;
  };
  const mapOf = (all: readonly ServedRow[]) => (): Map<string, ServedRow> =>
    new Map(all.map((row) => [row[servedKey], { ...row }]));
  const loads: Record<string, () => unknown> = {
    'Map of copies': mapOf(rows),
    'checked, in key order': table(rows, {}),
    'shared, in key order': table(rows, { rows: 'share' }),
    'checked, shuffled': table(shuffled, {}),
    'shared, two indexes and a sort': table(rows, { rows: 'share', ...declared }),
  };
  const sqlite = await sqliteLoad(rows);
  if (sqlite !== null) loads['SQLite, one transaction'] = sqlite;
  const times = await timesOf(loads, rounds, onProgress);
  const map = mapOf(rows)();
  const puts: Record<string, () => unknown> = {};
  const change = (put: (row: ServedRow) => unknown) => (): void => {
    for (let at = 0; at < putCount; at += 1)
      put({ ...random.pick(rows), [servedSorts[0] as string]: random.int(100) });
  };
  puts['Map.set of a copy'] = change((row) => map.set(row[servedKey], row));
  for (const [name, mode] of [
    ['put, checked', 'copy'],
    ['put, shared', 'share'],
  ] as const) {
    const loaded = table(rows, { rows: mode })();
    puts[name] = change((row) => loaded.put(row));
  }
  const putTimes = await timesOf(puts, rounds, onProgress);
  const lines = (all: ReadonlyMap<string, number[]>, base: string, each: number): string[][] =>
    [...all].map(([name, found]) => [
      name,
      duration(median(found) / each),
      digits(median(found.map((time, at) => time / (all.get(base)?.[at] ?? NaN)))),
    ]);
  return {
    title: `load: ${size.toLocaleString('en')} rows into a table, and single puts`,
    header: ['load', 'time', 'ratio to the Map'],
    rows: [...lines(times, 'Map of copies', 1), ...lines(putTimes, 'Map.set of a copy', putCount)],
    notes: [
      'Each load includes the first row by key. The ratios are medians of those of the rounds.',
      ...(sqlite === null ? ['This Node.js has no SQLite.'] : []),
    ],
  };
}

function shuffle(random: Random, rows: readonly ServedRow[]): ServedRow[] {
  const all = [...rows];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = random.int(at + 1);
    [all[at], all[other]] = [all[other] as ServedRow, all[at] as ServedRow]; // Both are below the length
  }
  return all;
}

async function timesOf(
  tasks: Readonly<Record<string, () => unknown>>,
  rounds: number,
  onProgress: (text: string) => void,
): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map(Object.keys(tasks).map((name) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(tasks)) {
      onProgress(name);
      globalThis.gc?.();
      const start = performance.now();
      run();
      if (round >= 0) times.get(name)?.push(performance.now() - start);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return times;
}

/** Inserts all rows into a table of SQLite in memory; null if this Node.js has none. */
async function sqliteLoad(rows: readonly ServedRow[]): Promise<(() => unknown) | null> {
  const name = 'node:sqlite';
  const module = (await import(name).catch(() => null)) as {
    readonly DatabaseSync: new (path: string) => {
      exec(sql: string): void;
      prepare(sql: string): { run(...values: unknown[]): void; get(): unknown };
      close(): void;
    };
  } | null;
  if (module === null) return null;
  const fields = Object.keys(rows[0] ?? {});
  return () => {
    const database = new module.DatabaseSync(':memory:');
    const columns = fields.map((field) => `"${field}"${field === servedKey ? ' PRIMARY KEY' : ''}`);
    database.exec(`CREATE TABLE list (${columns.join()}) WITHOUT ROWID; BEGIN`);
    const insert = database.prepare(`INSERT INTO list VALUES (${fields.map(() => '?').join()})`);
    for (const row of rows) insert.run(...Object.values(row as object as Record<string, unknown>));
    database.exec('COMMIT');
    const first = database.prepare(`SELECT * FROM list ORDER BY "${servedKey}" LIMIT 1`).get();
    database.close();
    return first;
  };
}
