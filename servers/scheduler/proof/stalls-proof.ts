import { Agent, request as httpRequest } from 'node:http';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hostileRequests, type HostileRequest, type Target } from './hostile-requests.js';
import type { ProbedAgent } from './probed-agent.js';
import type { Progress } from './output.js';

/** What one hostile request did to the others. */
export interface Stall {
  readonly name: string;
  readonly answer: string;
  /** Milliseconds: the longest time in which the agent did nothing else, and of it the longest pause for garbage. */
  readonly longest: number;
  readonly longestGc: number;
  /** Milliseconds until somebody else was answered on a new connection, at worst. */
  readonly newcomer: number;
  /** Megabytes. */
  readonly mostRss: number;
  readonly rss: number;
  /** Milliseconds that it took. */
  readonly took: number;
}

export interface StallsOptions {
  readonly agent: ProbedAgent;
  readonly rows: number;
  /** Only those whose name has this in it. */
  readonly only: string;
  readonly progress: Progress;
  /** Told of each as soon as it is known. */
  readonly found: (stall: Stall) => void;
}

const megabyte = 1_048_576;

/** Runs the hostile requests one by one, with somebody else who asks for a page all the time. */
export async function findStalls(options: StallsOptions): Promise<readonly Stall[]> {
  const stalls: Stall[] = [];
  for (const [round, hostile] of hostileRequests.entries()) {
    if (!hostile.name.includes(options.only)) continue;
    options.progress(hostile.name);
    const target = { origin: options.agent.origin, rows: options.rows, round };
    const stall = await findStall(hostile, target, options);
    stalls.push(stall);
    options.found(stall);
  }
  options.progress('');
  return stalls;
}

async function findStall(hostile: HostileRequest, target: Target, { agent }: StallsOptions): Promise<Stall> {
  await pause(300);
  await agent.observe();
  const newcomers = startNewcomers(agent.origin);
  const start = performance.now();
  const answer = await hostile.run(target).catch((error: unknown) => `failed: ${String(error)}`);
  const took = performance.now() - start;
  await pause(300);
  const waits = await newcomers.stop();
  const { own, max, longestGc, rss, mostRss } = await agent.report();
  return {
    name: hostile.name,
    answer,
    longest: own?.max ?? max,
    longestGc,
    newcomer: Math.max(0, ...waits),
    mostRss: mostRss / megabyte,
    rss: rss / megabyte,
    took,
  };
}

/** What others notice of a long time of mixed load. */
export interface MixedLoad {
  readonly requests: number;
  /** Milliseconds until somebody else is answered on a new connection. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly most: number;
  /** How many of them were not answered at all. */
  readonly unanswered: number;
  /** Megabytes. */
  readonly rssBefore: number;
  readonly rssAfter: number;
  readonly mostRss: number;
}

/** Runs the hostile requests again and again for a while, and measures how somebody else gets on. */
export async function runMixedLoad(
  { agent, rows, only, progress }: Omit<StallsOptions, 'found'>,
  minutes: number,
): Promise<MixedLoad> {
  await agent.observe();
  const { rss: rssBefore } = await agent.report();
  await agent.observe();
  const newcomer = fork(fileURLToPath(new URL('newcomer.ts', import.meta.url)), [agent.origin], {
    execArgv: ['--import', 'tsx'],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  const end = performance.now() + minutes * 60_000;
  const chosen = hostileRequests.filter(({ name }) => name.includes(only));
  for (let round = 0; performance.now() < end; round += 1) {
    const hostile = chosen[round % chosen.length];
    if (hostile === undefined) break;
    progress(hostile.name);
    await hostile.run({ origin: agent.origin, rows, round }).catch(() => undefined);
  }
  newcomer.send('end');
  // Infinity, who was not answered, is null in a message.
  const [waits] = (await once(newcomer, 'message')) as [readonly (number | null)[]];
  await pause(10_000);
  const { rss, mostRss } = await agent.report();
  const sorted = waits.filter((wait) => wait !== null).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
  return {
    requests: waits.length,
    ...{ p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1) },
    unanswered: waits.length - sorted.length,
    ...{ rssBefore: rssBefore / megabyte, rssAfter: rss / megabyte, mostRss: mostRss / megabyte },
  };
}

/** Somebody who opens a connection, asks for a page, and again. */
export function startNewcomers(origin: string): { stop(): Promise<readonly number[]> } {
  const waits: number[] = [];
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      waits.push(await askOnce(origin));
      await pause(5);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await work;
      return waits;
    },
  };
}

async function askOnce(origin: string): Promise<number> {
  const start = performance.now();
  const sent = httpRequest(`${origin}/v1/nodes?per_page=1`, { agent: new Agent() });
  sent.end();
  try {
    const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    answer.resume();
    await once(answer, 'end');
  } catch {
    return Infinity;
  }
  return performance.now() - start;
}
