import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import {
  makeServed,
  schemaOfServed,
  servedCases,
  servedIndexes,
  servedKey,
  servedSorts,
  type ServedCase,
  type ServedRow,
} from '../cases/served.js';
import { createRandom, type Random } from '../data/random.js';
import { loadEngine, type Engine } from '../engine.js';
import { digits, duration, type Report } from '../harness/report.js';
import { quantile } from '../harness/stats.js';
import { bytesUsed } from './memory.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const servedScenario: Scenario = {
  name: 'served',
  about:
    'pages of 50 of a list over HTTP, with indexes and without, compared with filter().sort().slice(); TAMIS_BENCH_ROWS',
  run: measureServed,
};

const perPage = 50;
const regions = 1_000;
const levels = 100;

interface Table {
  putAll(rows: readonly unknown[]): void;
}
interface Rooms {
  readonly createTable: (schema: object, options: object) => Table;
  readonly arraySource: (schema: object, rows: () => readonly unknown[], options: object) => object;
  readonly listEndpoint: (of: object) => { readonly fastify: never; close(): void };
}

async function loadRooms(): Promise<Rooms> {
  const of = async (room: string): Promise<object> => (await import(`tamis/${room}`)) as object;
  return Object.assign({}, await of('table'), await of('query'), await of('http')) as Rooms;
}

/** The lists that are served, each of the same rows. */
interface Lists {
  readonly endpoints: ReadonlyMap<string, ReturnType<Rooms['listEndpoint']>>;
  /** Memory per row of a table in addition to the row itself, in bytes. */
  readonly memory: readonly (readonly [string, number])[];
}

function openLists(
  engine: Engine,
  { createTable, arraySource, listEndpoint }: Rooms,
  rows: readonly ServedRow[],
): Lists {
  const schema = schemaOfServed(engine);
  const memory: [string, number][] = [];
  const table = (name: string, indexes: readonly string[], sorts: readonly string[]): Table => {
    const before = bytesUsed();
    const made = createTable(schema, { key: servedKey, indexes, sorts, rows: 'share' });
    made.putAll(rows);
    memory.push([name, (bytesUsed() - before) / rows.length]);
    return made;
  };
  const bare = table('the key', [], []);
  const sorted = table('the key and a sort', [], servedSorts);
  const indexed = table('the key, a sort and two indexes', servedIndexes, servedSorts);
  void bare;
  const array = arraySource(schema, () => rows, { key: servedKey, sorts: servedSorts });
  return {
    memory,
    endpoints: new Map([
      ['indexed', listEndpoint(indexed)],
      ['sorted', listEndpoint(sorted)],
      ['array', listEndpoint(array)],
    ]),
  };
}

async function measureServed({ rounds, seed, onProgress }: ScenarioContext): Promise<Report> {
  const rooms = await loadRooms();
  const engine = await loadEngine();
  const size = Number(process.env['TAMIS_BENCH_ROWS'] ?? 100_000);
  const random = createRandom(seed);
  onProgress(`making ${String(size)} rows`);
  const rows = makeServed(random, size, regions, levels);
  const { endpoints, memory } = openLists(engine, rooms, rows);
  let evaluated: ReturnType<ServedCase['draw']> | null = null;
  const app = fastify();
  for (const [name, endpoint] of endpoints) app.get(`/${name}`, endpoint.fastify);
  app.get('/by-hand', () => evaluated?.byHand(rows).slice(0, perPage));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${String((app.server.address() as AddressInfo).port)}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body: string[][] = [];
  try {
    for (const each of servedCases(regions, levels)) {
      onProgress(each.id);
      const times = await measureCase(each, [...endpoints.keys()], random, rounds * 10);
      for (const [name, taken] of times) {
        body.push([each.id, name, ...[0.5, 0.99].map((share) => duration(quantile(taken, share)))]);
      }
    }
  } finally {
    agent.destroy();
    for (const endpoint of endpoints.values()) endpoint.close();
    await app.close();
  }
  return {
    title: `served: pages of ${String(perPage)} of ${String(size)} rows, Fastify, one connection`,
    header: ['question', 'list', 'p50', 'p99'],
    rows: body,
    notes: [
      'indexed: a table with indexes and a sort. sorted: one with the sort alone. array: an array. by-hand: filter().sort().slice() of it in a route.',
      'Each answer is compared with that by hand. Literals are drawn for each request, so that none is an answer that is kept.',
      `Bytes per row in addition to the row: ${memory.map(([name, bytes]) => `${name} ${digits(bytes)}`).join(', ')}.`,
    ],
  };

  async function measureCase(
    { id, draw }: ServedCase,
    names: readonly string[],
    from: Random,
    times: number,
  ): Promise<ReadonlyMap<string, number[]>> {
    const found = new Map<string, number[]>();
    for (let round = -5; round < times; round += 1) {
      evaluated = draw(from);
      const query = new URLSearchParams({ filter: evaluated.filter, per_page: String(perPage) });
      if (evaluated.sort !== '') query.set('sort', evaluated.sort);
      const texts = new Map<string, string>();
      for (const name of [...names, 'by-hand']) {
        const start = performance.now();
        texts.set(name, await fetchText(`${origin}/${name}?${query.toString()}`));
        if (round < 0) continue;
        const taken = found.get(name) ?? [];
        taken.push(performance.now() - start);
        found.set(name, taken);
      }
      const expected = texts.get('by-hand');
      for (const [name, text] of texts) {
        if (text !== expected)
          throw new Error(`${id}, ${name}: another page than by hand\n${evaluated.filter}`);
      }
    }
    return found;
  }

  function fetchText(url: string): Promise<string> {
    return new Promise((resolve, reject) => {
      get(url, { agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(text)
            : reject(new Error(`${String(response.statusCode)}: ${text}`)),
        );
        response.on('error', reject);
      }).on('error', reject);
    });
  }
}
