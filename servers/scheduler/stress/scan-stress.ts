import { Agent } from 'node:http';
import { rareStatus } from './large-cluster.js';
import type { LoopReport } from './loop-monitor.js';
import type { MeasuredAgent } from './measured-agent.js';
import type { Metric, Progress } from '../../http/stress/proof.js';
import { load, median, request, type Reply } from './request.js';

export interface ScanOptions {
  /** Rows of the tables on which pages are timed; on the last, whole lists are read too. */
  readonly sizes: readonly number[];
  /** How many pages are timed, and how many full scans. */
  readonly repeats: number;
  /** Full scans that run at the same time while the event loop is watched, and how often each is repeated. */
  readonly scanners: number;
  readonly rounds: number;
  /** Milliseconds of each measurement of requests a second; 0 for none. */
  readonly loadTime: number;
  readonly start: (jobs: number) => Promise<MeasuredAgent>;
  readonly progress: Progress;
}

export interface ScanResult {
  readonly figures: readonly Metric[];
  /** Violated requirements, which must hold on any machine. */
  readonly mistakes: readonly string[];
}

const perPage = 50;

function withFilter(filter: string, more = ''): string {
  return `/v1/jobs?filter=${encodeURIComponent(filter)}${more}`;
}

/** A filter that matches nothing and uses no index. Each has a different source, so that no result is cached. */
function fullScan(at: number): string {
  return withFilter(`Meta.owner == "nobody-${at}"`);
}

/** A page somewhere in the table. */
function pageFrom(at: number, rows: number): string {
  const place = (at * 7_919) % Math.max(1, rows - perPage * 10);
  return `&per_page=${perPage}&next_token=default.job-${String(place).padStart(8, '0')}`;
}

/** Times pages and full scans, watches the event loop meanwhile, and reads whole lists. */
export async function stressScans(options: ScanOptions): Promise<ScanResult> {
  const figures: Metric[] = [];
  const mistakes: string[] = [];
  const run: Run = {
    options,
    client: new Agent({ keepAlive: true, maxSockets: 256 }),
    note: (name, value, unit) => void figures.push({ name, value, unit }),
    require: (claim, verify) => {
      if (!verify) mistakes.push(claim);
    },
  };
  for (const [at, rows] of options.sizes.entries()) {
    options.progress(`${rows} rows: filling the tables`);
    const agent = await options.start(rows);
    try {
      await timePages(run, agent, rows);
      if (at === options.sizes.length - 1) {
        await watchScans(run, agent, rows);
        for (const gzip of [false, true]) await readAll(run, agent, rows, gzip);
      }
    } finally {
      await agent.close();
    }
  }
  if (options.loadTime > 0) await countRequests(run);
  run.client.destroy();
  options.progress('');
  return { figures, mistakes };
}

interface Run {
  readonly options: ScanOptions;
  readonly client: Agent;
  note(name: string, value: number, unit: string): void;
  require(claim: string, verify: boolean): void;
}

async function timePages(run: Run, { origin, memory }: MeasuredAgent, rows: number): Promise<void> {
  const { options, client, note } = run;
  const { rss, heapUsed } = await memory();
  note(`${rows} rows: memory of the agent`, rss / 2 ** 20, 'MiB');
  note(`${rows} rows: heap in use`, heapUsed / 2 ** 20, 'MiB');
  const time = async (path: (at: number) => string, check: (reply: Reply) => boolean): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < options.repeats; at += 1) {
      const reply = await request(origin, path(at), client);
      run.require(`${path(at)} of ${rows} rows has the right response`, reply.status === 200 && check(reply));
      times.push(reply.total);
    }
    return median(times);
  };
  options.progress(`${rows} rows: pages of ${perPage}`);
  const isFull = (reply: Reply): boolean => reply.rows === Math.min(perPage, rows);
  const rare = Math.floor((rows + 5_000) / 10_000);
  const isRare = (reply: Reply): boolean => reply.rows === Math.min(perPage, rare);
  const indexed = (at: number): string => withFilter('Status == "pending"', pageFrom(at, rows));
  note(
    `${rows} rows: page, no filter`,
    await time((at) => `/v1/jobs?x=1${pageFrom(at, rows)}`, isFull),
    'ms',
  );
  note(`${rows} rows: page, indexed field`, await time(indexed, isFull), 'ms');
  const rarely = (at: number): string =>
    withFilter(`Status == "${rareStatus}"`, `&per_page=${perPage}&x=${at}`);
  note(`${rows} rows: page, 1 row in 10,000, by index`, await time(rarely, isRare), 'ms');
  const unindexed = (at: number): string =>
    withFilter(`not Status != "${rareStatus}"`, `&per_page=${perPage}&x=${at}`);
  note(`${rows} rows: page, 1 row in 10,000, by scan`, await time(unindexed, isRare), 'ms');
  options.progress(`${rows} rows: full scans`);
  note(`${rows} rows: full scan`, await time(fullScan, ({ rows: found }) => found === 0), 'ms');
}

/** Concurrent full scans, and a client that only requests the leader. */
async function watchScans(run: Run, agent: MeasuredAgent, rows: number): Promise<void> {
  const { scanners, rounds, progress } = run.options;
  if (run.options.loadTime > 0) {
    progress('the machine by itself');
    noteLoop(run, 'for comparison, turns of 5 ms of plain work', await agent.baseline());
  }
  progress(`${rows} rows: ${scanners} full scans at a time`);
  let shouldYield = false;
  const others: number[] = [];
  const bystander = async (): Promise<void> => {
    while (!shouldYield) others.push((await request(agent.origin, '/v1/status/leader', run.client)).total);
  };
  await agent.observe();
  const waiting = bystander();
  const scan = async (_: unknown, scanner: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const reply = await request(agent.origin, fullScan(1_000 + scanner * rounds + round), run.client);
      run.require('a full scan next to others finds nothing', reply.status === 200 && reply.rows === 0);
    }
  };
  await Promise.all(Array.from({ length: scanners }, scan));
  shouldYield = true;
  await waiting;
  const report = await agent.report();
  noteLoop(run, `${rows} rows, ${scanners} full scans at a time`, report);
  const sorted = others.toSorted((a, b) => a - b);
  run.note(`${rows} rows, meanwhile: another request, median`, median(others), 'ms');
  run.note(`${rows} rows, meanwhile: another request, slowest`, sorted.at(-1) ?? NaN, 'ms');
}

async function readAll(run: Run, agent: MeasuredAgent, rows: number, gzip: boolean): Promise<void> {
  const name = `${rows} rows, the whole list${gzip ? ' with gzip' : ''}`;
  run.options.progress(name);
  await agent.observe();
  const reply = await request(agent.origin, '/v1/jobs', run.client, gzip);
  const report = await agent.report();
  run.require(`${name} is complete: ${reply.rows} rows`, reply.status === 200 && reply.rows === rows);
  run.note(`${name}: first byte`, reply.first, 'ms');
  run.note(`${name}: last byte`, reply.total, 'ms');
  run.note(`${name}: length`, reply.bytes / 2 ** 20, 'MiB');
  noteLoop(run, name, report);
}

function noteLoop({ note }: Run, name: string, report: LoopReport): void {
  note(`${name}: delay of the event loop, p99`, report.p99, 'ms');
  note(`${name}: delay of the event loop, p99.9`, report.p999, 'ms');
  note(`${name}: delay of the event loop, longest`, report.max, 'ms');
  if (report.own !== null) {
    note(`${name}: without waiting for a processor, p99`, report.own.p99, 'ms');
    note(`${name}: without waiting for a processor, p99.9`, report.own.p999, 'ms');
    note(`${name}: without waiting for a processor, longest`, report.own.max, 'ms');
  }
  note(`${name}: longest pause for garbage`, report.maxGcMs, 'ms');
}

/** Requests a second on many connections, over ten thousand jobs. */
async function countRequests({ options, client, note }: Run): Promise<void> {
  const rows = 10_000;
  const agent = await options.start(rows);
  const kinds: readonly (readonly [name: string, path: (at: number) => string])[] = [
    ['pages without a filter', (at) => `/v1/jobs?x=1${pageFrom(at, rows)}`],
    ['pages by an indexed field', (at) => withFilter('Status == "pending"', pageFrom(at, rows))],
    ['pages by another field', (at) => withFilter('Meta.owner == "core"', pageFrom(at, rows))],
    ['one page without a filter, asked again', () => `/v1/jobs?per_page=${perPage}`],
    ['one page with a filter, asked again', () => withFilter('Meta.owner == "core"', `&per_page=${perPage}`)],
  ];
  const once = { connections: 32, milliseconds: options.loadTime };
  // A first round warms the code up.
  for (const [, path] of kinds) await load(agent.origin, path, client, { ...once, milliseconds: 300 });
  for (const [name, path] of kinds) {
    options.progress(`${rows} rows: ${name}`);
    note(`${rows} rows: ${name}`, await load(agent.origin, path, client, once), 'requests/s');
  }
  await agent.close();
}
