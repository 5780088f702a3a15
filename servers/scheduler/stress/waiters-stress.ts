import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredAgent } from './measured-agent.js';
import type { Metric, Progress } from '../../http/stress/proof.js';
import { median } from './request.js';
import { startWaiting, type WaitingClient } from './waiting-client.js';

export interface WaitersOptions {
  readonly count: number;
  readonly jobs: number;
  readonly start: (jobs: number, maxWaiters: number) => Promise<MeasuredAgent>;
  readonly progress: Progress;
}

export interface WaitersResult {
  readonly figures: readonly Metric[];
  /** Violated requirements, which must hold on any machine. */
  readonly mistakes: readonly string[];
}

/** The requests of the clients in a round. */
interface Round {
  readonly name: string;
  readonly path: (at: number, index: number) => string;
}

const rounds: readonly Round[] = [
  { name: 'one query', path: (_at, index) => `/v1/jobs?per_page=10&wait=10m&index=${index}` },
  {
    name: 'each its own filter',
    path(at, index) {
      const filter = encodeURIComponent(`Name != "waiter-${at}" and Status == "running"`);
      return `/v1/jobs?per_page=10&wait=10m&index=${index}&filter=${filter}`;
    },
  },
];

/** Lets many clients wait, wakes none of them by a write to another table, and all of them by one to their own. */
export async function stressWaiters(options: WaitersOptions): Promise<WaitersResult> {
  const { count, jobs, start, progress } = options;
  const figures: Metric[] = [];
  const mistakes: string[] = [];
  progress(`an agent with ${jobs} jobs`);
  const agent = await start(jobs, count + 10);
  try {
    for (const round of rounds) await proveRound(round, agent, options, figures, mistakes);
  } finally {
    await agent.close();
  }
  progress('');
  return { figures, mistakes };
}

async function proveRound(
  { name, path }: Round,
  agent: MeasuredAgent,
  { count, progress }: WaitersOptions,
  figures: Metric[],
  mistakes: string[],
): Promise<void> {
  const note = (what: string, value: number, unit: string): void =>
    void figures.push({ name: `${count} waiters, ${name}: ${what}`, value, unit });
  const require = (claim: string, verify: boolean): void => {
    if (!verify) mistakes.push(`${name}: ${claim}`);
  };
  const before = await agent.memory();
  const index = await agent.write('jobs');
  progress(`${count} waiters, ${name}: connecting`);
  const paths = Array.from({ length: count }, (_, at) => path(at, index));
  const clients = await startWaiting(agent.origin, paths);
  while ((await agent.waiting()) < count) await pause(20);
  const after = await agent.memory();
  note('memory for each', (after.rss - before.rss) / count / 1_024, 'KiB');
  note('heap for each', (after.heapUsed - before.heapUsed) / count / 1_024, 'KiB');

  progress(`${count} waiters, ${name}: a write to another table`);
  note('processor for a write to another table', await costOfOtherWrite(agent), 'ms');
  require('a write to another table wakes nobody', (await agent.waiting()) === count);
  require('a write to another table ends no wait', clients.every((each) => !each.hasResponse()));

  progress(`${count} waiters, ${name}: a write to their table`);
  await agent.observe();
  const start = performance.now();
  await agent.write('jobs');
  const times = await resultsOf(clients, require);
  const busy = await agent.report();
  const delays = times.map((time) => time - start).toSorted((a, b) => a - b);
  note('first response after the write', delays[0] ?? NaN, 'ms');
  note('median response', median(delays), 'ms');
  note('last response', delays.at(-1) ?? NaN, 'ms');
  note('processor meanwhile', busy.cpu, 'ms');
  note('delay of the event loop, p99', busy.p99, 'ms');
  note('delay of the event loop, longest', busy.max, 'ms');
  note('longest pause for garbage', busy.maxGcMs, 'ms');
  require('nobody waits any more', (await agent.waiting()) === 0);
  for (const client of clients) client.close();
}

/** Milliseconds, and how often the processor is looked at. */
const lookTime = 300;
const looks = 5;

/**
 * Processor time in ms of a write that wakes no client: the minimum of several, less the minimum without a write. The monitor
 * itself takes about 25 of 300 ms, and garbage of the connections is collected meanwhile.
 */
async function costOfOtherWrite(agent: MeasuredAgent): Promise<number> {
  const costs = { idle: Infinity, write: Infinity };
  for (let look = 0; look < looks; look += 1) {
    for (const what of ['idle', 'write'] as const) {
      await agent.observe();
      if (what === 'write') await agent.write('namespaces');
      await pause(lookTime);
      costs[what] = Math.min(costs[what], (await agent.report()).cpu);
    }
  }
  return Math.max(0, costs.write - costs.idle);
}

async function resultsOf(
  clients: readonly WaitingClient[],
  require: (claim: string, verify: boolean) => void,
): Promise<readonly number[]> {
  const responses = await Promise.allSettled(clients.map(({ responded: served }) => served));
  const times = responses.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  require(`all have a response: ${times.length} have`, times.length === clients.length);
  return times;
}
