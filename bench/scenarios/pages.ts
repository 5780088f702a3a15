import {
  drawLiveQuery,
  liveFields,
  drawWrite,
  makeServed,
  schemaOfServed,
  servedIndexes,
  servedKey,
  servedSorts,
} from '../cases/served.js';
import type { LiveQuery, ServedRow } from '../cases/served.js';
import { createRandom, seedOf, type Random } from '../data/random.js';
import { loadEngine } from '../engine.js';
import { digits, type Report } from '../harness/report.js';
import { median } from '../harness/stats.js';
import { bytesUsed } from './memory.js';
import type { Scenario, ScenarioContext } from './scenario.js';

export const pagesScenario: Scenario = {
  name: 'pages',
  about:
    'live pages of 50 rows: processor time per write and per start, memory; TAMIS_BENCH_ROWS, TAMIS_BENCH_PAGES',
  run: measurePages,
};

const perPage = 50;
const regions = 100;
const levels = 100;
/** Number of live pages. */
const sizes = [1, 100, 1_000, 10_000];
/** Maximum number of pages with TanStack DB, of which some writes to a hundred pages take seconds. */
const maxPeerPages = Number(process.env['TAMIS_BENCH_PEER_PAGES'] ?? 100);

/** Pages that stay current, in one library. */
interface LivePages {
  /** Starts a page. Resolves with its first rows. */
  readonly start: (query: LiveQuery) => Promise<void>;
  readonly put: (row: ServedRow) => void;
  readonly remove: (row: ServedRow) => void;
  /** The current rows of the page that was started first. */
  readonly first: () => readonly ServedRow[];
  readonly close: () => void;
}

type Open = (rows: readonly ServedRow[]) => Promise<LivePages>;

interface PagesFigures {
  readonly name: string;
  readonly pages: number;
  readonly perWrite: number;
  readonly alone: number;
  readonly perStart: number;
  readonly bytes: number;
}

async function measurePages({ rounds, seed, onProgress }: ScenarioContext): Promise<Report> {
  const size = Number(process.env['TAMIS_BENCH_ROWS'] ?? 100_000);
  const pageCounts = process.env['TAMIS_BENCH_PAGES']?.split(',').map(Number) ?? sizes;
  const libraries: readonly (readonly [string, Open | null])[] = [
    ['tamis', await tamisPages()],
    ['TanStack DB', await tanstackPages()],
  ];
  const figures: PagesFigures[] = [];
  for (const [turn, pages] of pageCounts.entries()) {
    for (const [name, open] of libraries) {
      if (open === null || (name !== 'tamis' && pages > maxPeerPages)) continue;
      onProgress(`${pages} pages, ${name}`);
      const effort = name === 'tamis' ? { rounds, writes: 200 } : { rounds: 3, writes: 100 };
      const random = createRandom(seedOf(seed, turn));
      figures.push(await measure(name, open, { size, pages, random, ...effort }));
    }
  }
  return {
    title: `pages: live pages of ${perPage} of ${size.toLocaleString('en')} rows (milliseconds of the processor)`,
    header: ['library', 'pages', 'write', 'write alone', 'start of a page', 'kB per page'],
    rows: figures.map((each) => [
      each.name,
      each.pages.toLocaleString('en'),
      digits(each.perWrite),
      digits(each.alone),
      digits(each.perStart),
      digits(each.bytes / 1_000),
    ]),
    notes: [
      'write: one row put or deleted, until all pages have been reported. write alone: the same without pages.',
      'The first page is compared with the page by hand after the writes.',
    ],
    figures: Object.fromEntries(
      figures
        .filter(({ name }) => name === 'tamis')
        .map(({ pages, perWrite }) => [`pages ${pages}`, perWrite]),
    ),
  };
}

interface Measured {
  readonly size: number;
  readonly pages: number;
  readonly rounds: number;
  /** Number of writes in a round. */
  readonly writes: number;
  readonly random: Random;
}

async function measure(
  name: string,
  open: Open,
  { size, pages, rounds, writes: perRound, random }: Measured,
): Promise<PagesFigures> {
  const rows = makeServed(random, size, regions, levels);
  const table = await open(rows);
  const current = new Map(rows.map((row) => [row[servedKey], row]));
  const writes = async (): Promise<number> => {
    const start = process.cpuUsage();
    for (let at = 0; at < perRound; at += 1) {
      const { row, isRemoval } = drawWrite(random, rows, regions, levels);
      if (isRemoval && current.delete(row[servedKey])) table.remove(row);
      else {
        current.set(row[servedKey], row);
        table.put(row);
      }
      await turn();
    }
    return millisecondsSince(start) / perRound;
  };
  await writes();
  const alone = median(await timesOf(rounds, writes));
  const before = bytesUsed();
  const begin = process.cpuUsage();
  const queries = Array.from({ length: pages }, () => drawLiveQuery(random, regions, levels));
  for (const query of queries) await table.start(query);
  const perStart = millisecondsSince(begin) / pages;
  const bytes = (bytesUsed() - before) / pages;
  await writes();
  const perWrite = median(await timesOf(rounds, writes));
  await turn();
  const [first] = queries;
  const expected = first?.byHand([...current.values()]).slice(0, perPage);
  if (JSON.stringify(table.first()) !== JSON.stringify(expected))
    throw new Error(`${name}: the first page differs`);
  table.close();
  return { name, pages, perWrite, alone, perStart, bytes };
}

async function timesOf(rounds: number, run: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await run());
  return times;
}

function millisecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Resolves after the callbacks of this and the next turn of the event loop. */
async function turn(): Promise<void> {
  for (let each = 0; each < 2; each += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface Table {
  put(row: unknown): void;
  putAll(rows: readonly unknown[]): void;
  delete(key: string): boolean;
}
type Change =
  | { readonly kind: 'page'; readonly page: { readonly items: readonly ServedRow[] } }
  | {
      readonly kind: 'changes';
      readonly entered: readonly ServedRow[];
      readonly left: readonly ServedRow[];
      readonly changed: readonly ServedRow[];
    };
interface Subpaths {
  readonly createTable: (schema: object, options: object) => Table;
  readonly createList: (of: object) => {
    watch(query: object): AsyncIterable<Change>;
    close(): void;
  };
}

async function tamisPages(): Promise<Open> {
  const load = async (subpath: string): Promise<object> => (await import(`tamis/${subpath}`)) as object;
  const { createTable, createList } = Object.assign({}, await load('table'), await load('query')) as Subpaths;
  const schema = schemaOfServed(await loadEngine());
  return async (rows) => {
    const table = createTable(schema, {
      key: servedKey,
      indexes: servedIndexes,
      sorts: servedSorts,
      rows: 'share',
    });
    table.putAll(rows);
    const list = createList(table);
    let first: LiveQuery | null = null;
    let items: readonly ServedRow[] = [];
    return {
      async start(query) {
        const isFirst = first === null;
        first ??= query;
        const changes = list
          .watch({ filter: query.filter, sort: query.sort, perPage })
          [Symbol.asyncIterator]();
        const { value } = await changes.next();
        if (isFirst && value?.kind === 'page') ({ items } = value.page);
        const follow = async (): Promise<void> => {
          for (let next = await changes.next(); next.done !== true; next = await changes.next()) {
            if (isFirst)
              items = next.value.kind === 'page' ? next.value.page.items : apply(query, items, next.value);
          }
        };
        follow().catch(() => undefined);
      },
      put: (row) => table.put(row),
      remove: (row) => void table.delete(row[servedKey]),
      first: () => items,
      close: () => list.close(),
    };
  };
}

/** The rows after a change, in the order of the query. */
function apply(
  query: LiveQuery,
  items: readonly ServedRow[],
  change: Change & { kind: 'changes' },
): ServedRow[] {
  const now = new Map(items.map((row) => [row[servedKey], row]));
  for (const row of change.left) now.delete(row[servedKey]);
  for (const row of [...change.entered, ...change.changed]) now.set(row[servedKey], row);
  return [...query.byHand([...now.values()])];
}

/** The parts of TanStack DB that are used. Loaded by name: the types of the package need a newer TypeScript library. */
interface TanStack {
  readonly createCollection: (options: object) => Collection;
  readonly createLiveQueryCollection: (options: object) => Collection;
  readonly BTreeIndex: unknown;
  readonly and: (...operands: unknown[]) => unknown;
  readonly eq: (a: unknown, b: unknown) => unknown;
  readonly lt: (a: unknown, b: unknown) => unknown;
  readonly not: (operand: unknown) => unknown;
}
interface Collection {
  preload(): Promise<void>;
  subscribeChanges(listener: () => void): unknown;
  readonly toArray: readonly ServedRow[];
}
interface Sync {
  readonly begin: () => void;
  readonly write: (change: { type: string; value: ServedRow }) => void;
  readonly commit: () => void;
  readonly markReady: () => void;
}

async function tanstackPages(): Promise<Open> {
  const name = '@tanstack/db';
  const { createCollection, createLiveQueryCollection, BTreeIndex, and, eq, lt, not } = (await import(
    name
  )) as TanStack;
  return async (rows) => {
    let sync: Sync | null = null;
    const collection = createCollection({
      getKey: (row: ServedRow) => row[servedKey],
      ...{ startSync: true, autoIndex: 'eager', defaultIndexType: BTreeIndex },
      sync: {
        sync(opened: Sync) {
          sync = opened;
          opened.begin();
          for (const value of rows) opened.write({ type: 'insert', value });
          opened.commit();
          opened.markReady();
        },
      },
    });
    await collection.preload();
    const known = new Set(rows.map((row) => row[servedKey]));
    const pages: Collection[] = [];
    const write = (type: string, value: ServedRow): void => {
      sync?.begin();
      sync?.write({ type, value });
      sync?.commit();
    };
    const { region, status, priority } = liveFields;
    return {
      async start(query) {
        const page = createLiveQueryCollection({
          startSync: true,
          // oxlint-disable-next-line typescript/no-explicit-any -- the builder is a chain of generic types
          query: (builder: any) =>
            builder
              .from({ job: collection })
              .where(({ job }: { job: Record<string, unknown> }) =>
                query.status === null
                  ? and(eq(job[region], query.region), lt(job[priority], query.below))
                  : and(
                      eq(job[status], query.status),
                      lt(job[priority], query.below),
                      not(eq(job[region], query.region)),
                    ),
              )
              .orderBy(({ job }: { job: Record<string, unknown> }) => job[priority], 'desc')
              .orderBy(({ job }: { job: Record<string, unknown> }) => job[servedKey], 'desc')
              .limit(perPage),
        });
        await page.preload();
        page.subscribeChanges(() => undefined);
        pages.push(page);
      },
      put(row) {
        write(known.has(row[servedKey]) ? 'update' : 'insert', row);
        known.add(row[servedKey]);
      },
      remove(row) {
        write('delete', row);
        known.delete(row[servedKey]);
      },
      first: () =>
        (pages[0]?.toArray ?? []).map((row) =>
          Object.fromEntries(Object.entries(row).filter(([field]) => !field.startsWith('$'))),
        ) as unknown as ServedRow[],
      close: () => undefined,
    };
  };
}
