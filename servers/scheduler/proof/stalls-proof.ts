import { Agent, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
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
