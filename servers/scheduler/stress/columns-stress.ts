import { Agent, get } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { quantile, type Metric, type Findings, type Progress } from '../../http/stress/proof.js';
import { drawFilter, seeded, type DrawnFilter } from './drawn-filters.js';
import { rareStatus, variedAt, type Varied } from './large-cluster.js';
import type { MeasuredAgent, MeasuredOptions } from './measured-agent.js';
import { median } from './request.js';

export interface ColumnsStress {
  /** Jobs whose lists, pages and writes are timed, and jobs of which three fields are counted. */
  readonly rows: number;
  readonly counted: number;
  /** Rounds of five filters each: the first half of them makes the columns. */
  readonly rounds: number;
  /** Pages of each kind. */
  readonly pages: number;
  /** Blocks of a hundred writes. */
  readonly blocks: number;
  readonly seed: number;
  readonly start: (jobs: number, what: MeasuredOptions) => Promise<MeasuredAgent>;
  readonly progress: Progress;
}

const perRound = 5;
const perPage = 50;
const perBlock = 100;
/** The share of the rows that pass a filter which is drawn. */
const drawnShare = [0.01, 0.5] as const;

/** One value for the agent with columns, one for the other. */
interface Sides<V> {
  readonly on: V;
  readonly off: V;
}

interface Reply {
  readonly text: string;
  /** Milliseconds. */
  readonly time: number;
}

/** Queries two agents in turn, one with columns and one without, and compares all results with a loop over the rows. */
export async function stressColumns(options: ColumnsStress): Promise<Findings> {
  const figures: Metric[] = [];
  const mistakes: string[] = [];
  const { rows, counted, progress } = options;
  await withAgents(options, rows, figures, mistakes, async (pair) => {
    progress(`${rows} rows: five filters`);
    await timeCounts(pair, 'Status', `filter over ${rows} rows, scanned whole`);
    await timeCounts(pair, 'Status', 'the same of what an index finds', running);
    progress(`${rows} rows: pages`);
    await timePages(pair);
    progress(`${rows} rows: writes`);
    await timeWrites(pair);
    const [on, off] = [await pair.agents.on.memory(), await pair.agents.off.memory()];
    pair.note('memory: heap in use', on.heapUsed / 2 ** 20, off.heapUsed / 2 ** 20, 'MiB');
    pair.note('memory: of the process', on.rss / 2 ** 20, off.rss / 2 ** 20, 'MiB');
  });
  progress(`${rows} rows: callers who see a part`);
  await withAgents(
    options,
    rows,
    figures,
    mistakes,
    async (pair) => {
      await timeCounts(pair, 'Status', 'the same for who sees a part, all namespaces', everywhere);
      await timeCounts(pair, 'Status', 'the same for who sees a part, one namespace');
    },
    true,
  );
  progress(`${counted} rows: three facets`);
  await withAgents(options, counted, figures, mistakes, (pair) =>
    timeCounts(pair, 'Status,Type,Priority', `three facets of ${counted} rows under a filter`),
  );
  progress('');
  return { figures, mistakes };
}

/** Two agents over the same jobs, and those jobs. */
interface Pair {
  readonly options: ColumnsStress;
  readonly agents: Sides<MeasuredAgent>;
  readonly jobs: readonly Varied[];
  /** A filter that was not drawn before, from as many rows as show its share. */
  draw(): DrawnFilter;
  /** Queries both in alternating order, with filters whose results are not cached. */
  send(path: string): Promise<Sides<Reply>>;
  note(name: string, on: number, off: number, unit: string): void;
  require(claim: string, verify: boolean): void;
}

async function withAgents(
  options: ColumnsStress,
  rows: number,
  figures: Metric[],
  mistakes: string[],
  use: (pair: Pair) => Promise<void>,
  seesPart = false,
): Promise<void> {
  options.progress(`${rows} rows: filling the tables of two agents`);
  const start = (hasColumns: boolean): Promise<MeasuredAgent> =>
    options.start(rows, { hasColumns, seesPart });
  const agents = { on: await start(true), off: await start(false) };
  const client = new Agent({ keepAlive: true, maxSockets: 4 });
  const random = seeded(options.seed);
  const jobs = Array.from({ length: rows }, (_, at) => variedAt(at));
  const drawn = new Set<string>();
  let requests = 0;
  try {
    await use({
      ...{ options, agents, jobs },
      draw() {
        for (;;) {
          const filter = drawFilter(random, jobs.slice(0, 1_440), drawnShare);
          if (drawn.has(filter.text)) continue;
          drawn.add(filter.text);
          return filter;
        }
      },
      async send(path) {
        requests += 1;
        const of = ({ origin }: MeasuredAgent): Promise<Reply> =>
          read(`${origin}${path}&asked=${requests}`, client);
        if (requests % 2 === 0) return { on: await of(agents.on), off: await of(agents.off) };
        const off = await of(agents.off);
        return { on: await of(agents.on), off };
      },
      note(name, on, off, unit) {
        figures.push({ name: `${name}: with columns`, value: on, unit });
        figures.push({ name: `${name}: without`, value: off, unit });
        figures.push({ name: `${name}: ratio`, value: on / off, unit: '' });
      },
      require(claim, verify) {
        if (!verify) mistakes.push(claim);
      },
    });
  } finally {
    client.destroy();
    await Promise.all([agents.on.close(), agents.off.close()]);
  }
}

/** @throws Error if the status is not 200 */
function read(url: string, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const sent = get(url, { agent }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        if (response.statusCode !== 200)
          reject(new Error(`${url} is ${String(response.statusCode)}: ${text}`));
        resolve({ text, time: performance.now() - start });
      });
    });
    sent.on('error', reject);
  });
}

function withFilter(filter: string, more: string): string {
  return `/v1/jobs?filter=${encodeURIComponent(filter)}${more}`;
}

/** Parameters in addition to a generated filter. */
interface ExtraParameters {
  readonly filter: (drawn: DrawnFilter) => DrawnFilter;
  /** Parameters. */
  readonly more: string;
}

const nothing: ExtraParameters = { filter: (drawn) => drawn, more: '' };
const everywhere: ExtraParameters = { ...nothing, more: '&namespace=*' };
/** The majority of jobs run, and an index finds them. */
const running: ExtraParameters = {
  ...nothing,
  filter: ({ text, test }) => ({
    text: `Status == "running" and (${text})`,
    test: (job) => job.Status === 'running' && test(job),
  }),
};

/** Counts the values of fields in all that passes filters which are drawn. */
async function timeCounts(pair: Pair, fields: string, name: string, extra = nothing): Promise<void> {
  const { rounds } = pair.options;
  const first: Sides<number[]> = { on: [], off: [] };
  const later: Sides<number[]> = { on: [], off: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < perRound; at += 1) {
      const filter = extra.filter(pair.draw());
      const reported = await pair.send(withFilter(filter.text, `&facets=${fields}${extra.more}`));
      const counts = countByHand(pair.jobs, filter, fields.split(',') as CountedField[]);
      for (const [side, { text }] of Object.entries(reported)) {
        const isRight = isDeepStrictEqual(countsOf(text), counts);
        pair.require(
          `${filter.text} is counted rightly ${side === 'on' ? 'with' : 'without'} columns`,
          isRight,
        );
      }
      const times = round === 0 ? first : round >= rounds >> 1 ? later : null;
      times?.on.push(reported.on.time);
      times?.off.push(reported.off.time);
    }
  }
  pair.note(`${name}, at first: median`, median(first.on), median(first.off), 'ms');
  pair.note(`${name}: median`, median(later.on), median(later.off), 'ms');
  pair.note(`${name}: slowest`, Math.max(...later.on), Math.max(...later.off), 'ms');
}

type CountedField = 'Status' | 'Type' | 'Priority';
type Counts = Readonly<Record<string, number>>;

function countByHand(
  jobs: readonly Varied[],
  { test }: DrawnFilter,
  fields: readonly CountedField[],
): Counts {
  const counts: Record<string, number> = {};
  let all = 0;
  for (const job of jobs) {
    if (!test(job)) continue;
    all += 1;
    for (const field of fields) {
      const name = `${field} ${String(job[field])}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return { all, ...counts };
}

function countsOf(text: string): Counts {
  const { Total, Facets } = JSON.parse(text) as {
    readonly Total: number;
    readonly Facets: Readonly<
      Record<string, { readonly Values: readonly { readonly Value: unknown; readonly Count: number }[] }>
    >;
  };
  const counts = Object.entries(Facets).flatMap(([field, { Values }]) =>
    Values.map(({ Value, Count }) => [`${field} ${String(Value)}`, Count] as const),
  );
  return Object.fromEntries([['all', Total], ...counts]);
}

/** A condition that all jobs of a page meet, the start of the page, and further parameters. */
interface PageKind {
  readonly name: string;
  readonly filter: (at: number) => DrawnFilter | null;
  readonly isFromStart?: boolean;
}

/** Pages of a list: of each kind some with columns and some without, in turn. */
async function timePages(pair: Pair): Promise<void> {
  const { pages } = pair.options;
  const isPending = { text: 'Status == "pending"', test: ({ Status }: Varied) => Status === 'pending' };
  const kinds: readonly PageKind[] = [
    { name: 'no filter', filter: () => null },
    { name: 'indexed field', filter: () => isPending },
    { name: 'filters that are drawn', filter: () => pair.draw() },
    {
      name: 'one row in 10,000',
      isFromStart: true,
      filter: (at) => ({
        text: `not (Status != "${rareStatus}") and Name != "n${at}"`,
        test: ({ Status }) => Status === rareStatus,
      }),
    },
    {
      name: 'a value that nobody has',
      isFromStart: true,
      filter: (at) => ({ text: `Meta.owner == "nobody-${at}"`, test: () => false }),
    },
    {
      name: 'names of which most differ',
      filter: (at) => ({
        text: `Name matches "${at % 10}$"`,
        test: ({ ID }) => ID.endsWith(String(at % 10)),
      }),
    },
  ];
  for (const { name, filter, isFromStart = false } of kinds) {
    const times: Sides<number[]> = { on: [], off: [] };
    for (let at = 0; at < pages; at += 1) {
      const expected = filter(at);
      const from = isFromStart ? 0 : (at * 7_919) % Math.max(1, pair.jobs.length - perPage * 20);
      const token = isFromStart ? '' : `&next_token=default.${variedAt(from).ID}`;
      const more = `&per_page=${perPage}${token}`;
      const reported = await pair.send(
        expected === null ? `/v1/jobs?${more}` : withFilter(expected.text, more),
      );
      const ids = pageByHand(pair.jobs, expected, from);
      for (const { text } of [reported.on, reported.off]) {
        const listed = (JSON.parse(text) as readonly { readonly ID: string }[]).map(({ ID }) => ID);
        pair.require(`a page of ${name} (${expected?.text ?? ''}) is right`, isDeepStrictEqual(listed, ids));
      }
      times.on.push(reported.on.time);
      times.off.push(reported.off.time);
    }
    pair.note(`page, ${name}: median`, median(times.on), median(times.off), 'ms');
    pair.note(`page, ${name}: slowest tenth`, quantile(times.on, 0.9), quantile(times.off, 0.9), 'ms');
  }
}

function pageByHand(jobs: readonly Varied[], filter: DrawnFilter | null, from: number): readonly string[] {
  const ids: string[] = [];
  for (let at = from; at < jobs.length && ids.length < perPage; at += 1) {
    const job = jobs[at];
    if (job !== undefined && (filter === null || filter.test(job))) ids.push(job.ID);
  }
  return ids;
}

/** Separate writes, and the first query after each. */
async function timeWrites(pair: Pair): Promise<void> {
  const { agents, options, jobs } = pair;
  const writes: Sides<number[]> = { on: [], off: [] };
  const queries: Sides<number[]> = { on: [], off: [] };
  for (let block = 0; block < options.blocks; block += 1) {
    const from = (block * 104_729) % Math.max(1, jobs.length - perBlock);
    const sides = block % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
    for (const side of sides) {
      // The garbage of queries must not count as that of writes.
      await agents[side].memory();
      const start = performance.now();
      await agents[side].writeJobs({ from, count: Math.min(perBlock, jobs.length - from) });
      writes[side].push(((performance.now() - start) * 1_000) / perBlock);
    }
    const filter = pair.draw();
    const reported = await pair.send(withFilter(filter.text, '&facets=Status'));
    const counts = countByHand(jobs, filter, ['Status']);
    for (const { text } of [reported.on, reported.off]) {
      pair.require(
        `${filter.text} is counted rightly after writes`,
        isDeepStrictEqual(countsOf(text), counts),
      );
    }
    queries.on.push(reported.on.time);
    queries.off.push(reported.off.time);
  }
  pair.note('write, a hundred in a row: median', median(writes.on), median(writes.off), 'µs');
  pair.note('write, a hundred in a row: slowest', Math.max(...writes.on), Math.max(...writes.off), 'µs');
  pair.note('filter after a hundred writes: median', median(queries.on), median(queries.off), 'ms');
}
