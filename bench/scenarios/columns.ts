import {
  columnCases,
  commonExpression,
  disjointExpression,
  emptyExpression,
  keyOfRow,
  newQuery,
  sqlColumns,
  touched,
  type BenchRequest,
  type ColumnCase,
} from '../cases/columns.js';
import type { Job } from '../data/job.js';
import { createRandom, type Random } from '../data/random.js';
import { loadRows, type RowKind } from '../data/rows.js';
import { createSchemas } from '../data/schemas.js';
import { loadEngine, type Engine } from '../engine.js';
import { digits, duration, type Report } from '../harness/report.js';
import { median } from '../harness/stats.js';
import { openDuckRows, type DuckRows } from './duckdb-rows.js';
import type { Scenario, ScenarioContext } from './scenario.js';
import { loadRooms, type List, type Rooms, type Table } from './table-rooms.js';

export const columnsScenario: Scenario = {
  name: 'columns',
  about:
    'counts, lists and pages of tables with columns, compared with hand-written loops; TAMIS_BENCH_ROWS, TAMIS_BENCH_SHAPES',
  run: measureColumns,
};

interface Subject {
  readonly rows: never;
  readonly list: List;
  readonly table: Table;
  readonly bare: Table;
  readonly bareList: List;
  /** Null where it is not installed. */
  readonly duck: DuckRows | null;
}

const bytesOfRow = Number(process.env['TAMIS_BENCH_BYTES'] ?? 32);

async function openTables(
  engine: Engine,
  rooms: Rooms,
  kind: RowKind,
  rows: readonly object[],
): Promise<Subject> {
  const schema = createSchemas(engine)[kind];
  const made = (columns: object | false): Table => {
    const table = rooms.createTable(schema, {
      key: keyOfRow,
      rows: 'share',
      columns,
      cached: { changes: 0 },
    });
    table.putAll(rows);
    return table;
  };
  const table = made(rooms.columns('auto', { budget: bytesOfRow * rows.length }));
  const bare = made(false);
  return {
    rows: rows as never,
    table,
    bare,
    list: rooms.createList(table),
    bareList: rooms.createList(bare),
    duck: await openDuckRows(rows, sqlColumns[kind]),
  };
}

async function measureColumns({ rounds, seed, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const rooms = await loadRooms();
  const size = Number(process.env['TAMIS_BENCH_ROWS'] ?? 100_000);
  const shapes = process.env['TAMIS_BENCH_SHAPES'] === 'poly' ? 'poly' : 'mono';
  const random = createRandom(seed);
  const body: string[][] = [];
  const means = { count: [] as number[], select: [] as number[], wide: [] as number[] };
  for (const kind of ['nodes', 'jobs'] as const) {
    if (kind === 'nodes' && size > 200_000) continue;
    onProgress(`making ${kind}`);
    const rows = loadRows(shapes, size, [kind], true)[kind];
    const subject = await openTables(engine, rooms, kind, rows);
    for (const columnCase of columnCases.filter((each) => each.kind === kind)) {
      onProgress(columnCase.id);
      const figures = await measureCase(columnCase, subject, random, rounds);
      body.push([columnCase.id, ...figures.map(digits)]);
      const [count = 0, select = 0] = figures;
      if (columnCase.isColumn) {
        means.count.push(count);
        means.select.push(select);
      } else means.wide.push(count, select);
    }
    if (kind === 'jobs') body.push(...(await measureRest(subject, random, rounds, rows as readonly Job[])));
    subject.duck?.close();
  }
  const reported = (values: readonly number[]): string =>
    `mean ${digits(values.reduce((sum, each) => sum + each, 0) / values.length)}, worst ${digits(Math.max(...values))}`;
  return {
    title: `columns: ${size} rows, ${shapes}, ${bytesOfRow} bytes a row`,
    header: [
      'question',
      'count',
      'select',
      'count again',
      'select again',
      'count, cold',
      'count without',
      'DuckDB count',
      'DuckDB select',
    ],
    rows: body,
    notes: [
      `Ratios to the loop by hand of the same round and the same literals, which are drawn: of ${inARow} questions in a row, each with its own, the middle one. Again: the same question once more.`,
      'Cold: the first of a row, behind loops that leave nothing of the engine in the caches of the processor. Without: the same table with no columns.',
      'DuckDB: the same rows in a table of its own in memory, with its own settings; a select fetches the number of each row. To have it: node scripts/setup.mjs --extra extra/sql.',
      `Count, of columns: ${reported(means.count)}. Select, of columns: ${reported(means.select)}. Texts that are all distinct: ${reported(means.wide)}.`,
    ],
  };
}

async function timed<R>(run: () => R | Promise<R>): Promise<Timed<R>> {
  // Budget of lists in each turn of the event loop: no caller starts with another's remainder of it.
  await new Promise((resolve) => setImmediate(resolve));
  const start = performance.now();
  const result = await run();
  return { ms: performance.now() - start, result };
}

/** The least of some runs: what is repeated is the same work. */
async function min<R>(run: () => R | Promise<R>, times = 3): Promise<Timed<R>> {
  let best = await timed(run);
  for (let count = 1; count < times; count += 1) {
    const next = await timed(run);
    if (next.ms < best.ms) best = next;
  }
  return best;
}

function requireEqual(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} rows in place of ${String(expected)}`);
}

/** Whether two lists have the same rows in the same order. */
function requireSame(what: string, found: readonly unknown[], expected: readonly unknown[]): void {
  requireEqual(what, found.length, expected.length);
  if (!expected.every((row, at) => row === found[at])) throw new Error(`${what}: other rows`);
}

/** Whether two lists have the same rows: a database guarantees no order without ORDER BY. */
function requireSameInAnyOrder(what: string, found: readonly unknown[], expected: readonly unknown[]): void {
  requireEqual(what, found.length, expected.length);
  const all = new Set(found);
  if (!expected.every((row) => all.has(row))) throw new Error(`${what}: other rows`);
}

/** Consecutive queries, each with literals of its own. */
const inARow = 3;

async function measureCase(
  { id, draw }: ColumnCase,
  { rows, list, bareList, duck }: Subject,
  random: Random,
  rounds: number,
): Promise<readonly number[]> {
  const ratios: number[][] = Array.from({ length: 8 }, () => []);
  // Until all is made that is worth it.
  for (let warm = 0; warm < 30; warm += 1) {
    const { expression: filter, count, select } = draw(random);
    requireEqual(id, await list.count({ filter }), count(rows));
    if (warm % 5 === 0) requireSame(id, (await list.page({ filter })).items, select(rows));
  }
  const some = (): readonly BenchRequest[] => Array.from({ length: inARow }, () => draw(random));
  for (let round = 0; round < rounds; round += 1) {
    const [counts, pages] = [some(), some()];
    const countsByHand = await eachOf(counts, ({ count }) => count(rows));
    const counted = await eachOf(counts, ({ expression }) => list.count({ filter: expression }));
    for (const [at, { result }] of counted.entries())
      requireEqual(id, result, countsByHand[at]?.result ?? -1);
    const pagesByHand = await eachOf(pages, ({ select }) => select(rows));
    const paged = await eachOf(pages, ({ expression }) => list.page({ filter: expression }));
    for (const [at, { result }] of paged.entries())
      requireSame(id, result.items, pagesByHand[at]?.result ?? []);
    const { expression: filter, sql, count, select } = draw(random);
    const [countByHand, pageByHand] = [await min(() => count(rows)), await min(() => select(rows))];
    await list.count({ filter });
    await list.page({ filter });
    const again = await min(() => list.count({ filter }));
    const pageAgain = await min(() => list.page({ filter }));
    const without = await min(() => bareList.count({ filter }));
    for (const { result } of [again, without]) requireEqual(id, result, countByHand.result);
    requireSame(id, pageAgain.result.items, pageByHand.result);
    const duckCount = duck === null ? null : await min(() => duck.count(sql), 1);
    const duckSelect = duck === null ? null : await min(() => duck.select(sql), 1);
    if (duckCount !== null) requireEqual(`${id}, DuckDB`, duckCount.result, countByHand.result);
    if (duckSelect !== null) requireSameInAnyOrder(`${id}, DuckDB`, duckSelect.result, pageByHand.result);
    for (const [at, ratio] of [
      middle(counted) / middle(countsByHand),
      middle(paged) / middle(pagesByHand),
      again.ms / countByHand.ms,
      pageAgain.ms / pageByHand.ms,
      (counted[0]?.ms ?? NaN) / (countsByHand[0]?.ms ?? NaN),
      without.ms / countByHand.ms,
      (duckCount?.ms ?? NaN) / countByHand.ms,
      (duckSelect?.ms ?? NaN) / pageByHand.ms,
    ].entries()) {
      ratios[at]?.push(ratio);
    }
  }
  return ratios.map(median);
}

interface Timed<R> {
  readonly ms: number;
  readonly result: R;
}

async function eachOf<R>(
  evaluated: readonly BenchRequest[],
  run: (each: BenchRequest) => R | Promise<R>,
): Promise<readonly Timed<R>[]> {
  const times: Timed<R>[] = [];
  for (const each of evaluated) times.push(await timed(() => run(each)));
  return times;
}

const middle = (times: readonly Timed<unknown>[]): number => median(times.map(({ ms }) => ms));

async function measureRest(
  { list, table, bare }: Subject,
  random: Random,
  rounds: number,
  rows: readonly Job[],
): Promise<string[][]> {
  const found: string[][] = [];
  const pages: readonly (readonly [string, () => string])[] = [
    ['page of 50, hits are common', () => commonExpression],
    ['page of 50, nothing has the value', () => emptyExpression(random)],
    ['page of 50, nothing has both', () => disjointExpression(random)],
  ];
  for (const [name, draw] of pages) {
    const times: number[] = [];
    for (let round = 0; round < rounds * 4; round += 1) {
      const filter = draw();
      // The filter is compiled before: its page is what is measured.
      await list.page({ filter, perPage: 1 });
      const { ms, result } = await timed(() => list.page({ filter, perPage: 50 }));
      if (name.includes('nothing')) requireEqual(name, result.items.length, 0);
      if (round >= rounds) times.push(ms);
    }
    found.push([name, duration(median(times))]);
  }
  const compiled: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds * 2; round += 1) {
    const { expression: filter, count } = newQuery(random);
    const byHand = await timed(() => count(rows as never));
    const { ms, result } = await timed(() => list.count({ filter }));
    requireEqual(filter, result, byHand.result);
    compiled.push(ms);
    ratios.push(ms / byHand.ms);
  }
  found.push(['a new filter of three clauses, compiled and counted', digits(median(ratios))]);
  found.push(['the same, in time', duration(median(compiled))]);
  const puts: Record<string, number[]> = { table: [], bare: [], after: [] };
  for (let round = 0; round < 200; round += 1) {
    const job = rows[random.int(rows.length)] as Job;
    const [a, b] = [touched(job, round), touched(job, round + 1)];
    puts['bare']?.push((await timed(() => bare.put(b))).ms);
    puts['table']?.push((await timed(() => table.put(a))).ms);
    puts['after']?.push((await timed(() => list.count({ filter: commonExpression }))).ms);
  }
  for (const [name, times] of Object.entries(puts)) {
    const what =
      { table: 'put, with columns', bare: 'put, without', after: 'count after a put' }[name] ?? name;
    found.push([what, duration(median(times))]);
  }
  return found;
}
