import {
  hostileRow,
  clients,
  type HostileRow,
  type HostileTurn,
  type UntrustedClient,
} from './hostile-clients.js';
import { createRandom, type Random } from '../data/random.js';
import { loadEngine, type Engine } from '../engine.js';
import { digits, duration, type Report } from '../harness/report.js';
import { bytesUsed } from './memory.js';
import { loadRooms, type List, type Rooms, type Table } from './table-rooms.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const columnsHostileScenario: Scenario = {
  name: 'columns-hostile',
  about: 'hostile writes and queries that make columns expensive, compared with a table without columns',
  run: measureUntrustedClients,
};

/** Of each hostile client. */
const turns = Number(process.env['TAMIS_BENCH_TURNS'] ?? 120);

interface Side {
  readonly table: Table;
  readonly list: List;
  /** Duration of all writes and queries, in ms. */
  time: number;
}

async function measureUntrustedClients({ seed, onProgress }: ScenarioContext): Promise<Report> {
  const engine = await loadEngine();
  const rooms = await loadRooms();
  const size = Number(process.env['TAMIS_BENCH_ROWS'] ?? 20_000);
  const body: string[][] = [];
  let worst = 0;
  for (const [at, client] of clients.entries()) {
    onProgress(client.name);
    const figures = await measureUntrustedClient(engine, rooms, client, createRandom(seed + at), size);
    const ratio = figures.on / figures.off;
    worst = Math.max(worst, ratio);
    body.push([
      client.name,
      duration(figures.on),
      duration(figures.off),
      digits(ratio),
      digits(figures.bytes / 2 ** 20),
      digits((figures.budget * size) / 2 ** 20),
    ]);
  }
  return {
    title: `columns-hostile: ${String(size)} rows, ${String(turns)} turns`,
    header: ['client', 'with columns', 'without', 'ratio', 'extra MiB', 'budget'],
    rows: body,
    notes: [
      'Each turn writes and queries a table with columns and one without; both must return equal results.',
      'extra MiB: memory of the table with columns minus memory of the other one. The budget excludes the objects of clauses and columns.',
      `Worst ratio: ${digits(worst)}. The ratio of the counted work is at most two.`,
    ],
  };
}

interface Figures {
  readonly on: number;
  readonly off: number;
  readonly bytes: number;
  readonly budget: number;
}

async function measureUntrustedClient(
  engine: Engine,
  rooms: Rooms,
  { turn, budget = 16 }: UntrustedClient,
  random: Random,
  size: number,
): Promise<Figures> {
  const { defineSchema, t } = engine;
  const schema = defineSchema({
    ...{ ID: t.string, Few: t.string, Name: t.string, Size: t.int, Note: t.string },
    ...{ Labels: t.map(t.string), Tags: t.list(t.string) },
  });
  const rows = Array.from({ length: size }, (_, at) => hostileRow(random, at));
  const open = (columns: object | false): Side => {
    const table = rooms.createTable(schema, { key: 'ID', rows: 'share', columns, cached: { changes: 0 } });
    table.putAll(rows);
    return { table, list: rooms.createList(table), time: 0 };
  };
  const sides: { on: Side | null; off: Side | null } = {
    on: open(rooms.columns('auto', { budget: budget * size })),
    off: open(false),
  };
  const times = await playAll(sides as Sides, rows, turn, random);
  const all = bytesInUse();
  sides.on = null;
  const one = bytesInUse();
  sides.off = null;
  return { ...times, bytes: all - one - (one - bytesInUse()), budget };
}

interface Sides {
  readonly on: Side;
  readonly off: Side;
}

/** Plays all turns; the milliseconds of each side. By itself: what it holds is garbage when it is over. */
async function playAll(
  { on, off }: Sides,
  rows: HostileRow[],
  turn: UntrustedClient['turn'],
  random: Random,
): Promise<{ readonly on: number; readonly off: number }> {
  for (let at = 0; at < turns; at += 1) {
    const drawn = turn(random, at, rows);
    for (const row of drawn.writes) rows[Number(row.ID)] = row;
    const [first, second] = at % 2 === 0 ? [on, off] : [off, on];
    const [found, expected] = [await play(first, drawn), await play(second, drawn)];
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      throw new Error(`${drawn.filters.join('; ')}: ${JSON.stringify([found, expected]).slice(0, 200)}`);
    }
  }
  return { on: on.time, off: off.time };
}

/** Writes and queries; returns the results, without their rows. */
async function play(side: Side, { writes, filters, evaluates }: HostileTurn): Promise<readonly unknown[]> {
  // Budget of lists in each turn of the event loop: no caller starts with another's remainder of it.
  await new Promise((resolve) => setImmediate(resolve));
  const start = performance.now();
  for (const row of writes) side.table.put(row);
  const results = await Promise.all(filters.map((filter) => evaluate(side.list, filter, evaluates)));
  side.time += performance.now() - start;
  return results;
}

async function evaluate(list: List, filter: string, evaluates: HostileTurn['evaluates']): Promise<unknown> {
  if (evaluates === 'count') return list.count({ filter });
  if (evaluates === 'facets') return list.facets({ filter }, ['Few', 'Note']);
  const { items } = await list.page(evaluates === 'page' ? { filter, perPage: 50 } : { filter });
  return [
    items.length,
    (items[0] as HostileRow | undefined)?.ID,
    (items[items.length - 1] as HostileRow | undefined)?.ID,
  ];
}

function bytesInUse(): number {
  return bytesUsed() + process.memoryUsage().arrayBuffers;
}
