import { Agent, request as httpRequest } from 'node:http';
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { HostileRequest, Target } from './hostile-requests.js';
import type { Standstill } from './loop-monitor.js';
import type { ProbedAgent } from './probed-agent.js';
import type { Progress } from '../../http/stress/proof.js';

/** What one hostile request did to the others. */
export interface Stall {
  readonly name: string;
  readonly result: string;
  /** Milliseconds: the longest time in which the agent did nothing else, without the collections of garbage and with them. */
  readonly work: number;
  readonly maxMs: number;
  /** Milliseconds: the longest pause for garbage. */
  readonly maxGcMs: number;
  /** Milliseconds until somebody else was answered on a new connection, at worst. */
  readonly newcomer: number;
  /** Megabytes. */
  readonly peakRss: number;
  readonly rss: number;
  /** Milliseconds that it took. */
  readonly took: number;
}

export interface StallsOptions {
  readonly agent: ProbedAgent;
  readonly rows: number;
  /** What is run, in this order. */
  readonly chosen: readonly HostileRequest[];
  readonly progress: Progress;
  /** Told of each as soon as it is known. */
  readonly found: (stall: Stall) => void;
}

const megabyte = 1_048_576;

/** Runs the hostile requests one by one, with somebody else who asks for a page all the time. */
export async function findStalls(options: StallsOptions): Promise<readonly Stall[]> {
  const stalls: Stall[] = [];
  for (const [round, hostile] of options.chosen.entries()) {
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
  const newcomers = await forkNewcomers(agent.origin);
  const start = performance.now();
  const response = await hostile.run(target).catch((error: unknown) => `failed: ${String(error)}`);
  const took = performance.now() - start;
  await pause(300);
  const waits = await newcomers.stop();
  const { own, work, max, maxGcMs, rss, peakRss } = await agent.report();
  return {
    name: hostile.name,
    result: response,
    work: work ?? max,
    maxMs: own?.max ?? max,
    maxGcMs,
    newcomer: Math.max(0, ...waits.map(({ took }) => took ?? Infinity)),
    peakRss: peakRss / megabyte,
    rss: rss / megabyte,
    took,
  };
}

/** One of somebody else's requests. */
interface Wait {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Milliseconds until the connection stood, and until the answer was there; null for never. */
  readonly connected: number | null;
  readonly took: number | null;
}

/** A request of somebody else, what was running meanwhile, and how long the agent stood still in it at a time. */
export interface SlowRequest extends Wait {
  readonly during: string;
  readonly maxStallMs: number;
  /** Of that, without what the machine had no processor for. */
  readonly own: number;
}

/** What others notice of a long time of mixed load. */
export interface MixedLoad {
  readonly requests: number;
  /** Milliseconds until somebody else is answered on a new connection. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** Those who waited longest, and why. */
  readonly slowest: readonly SlowRequest[];
  /** Connections that the system of the machine has refused because the agent had not accepted those before. */
  readonly overflows: number;
  /** How many of them were not answered at all. */
  readonly unanswered: number;
  /** Megabytes. */
  readonly rssBefore: number;
  readonly rssAfter: number;
  readonly peakRss: number;
}

/** Runs the hostile requests again and again for a while, and measures how somebody else gets on. */
export async function runMixedLoad(
  { agent, rows, chosen, progress }: Omit<StallsOptions, 'found'>,
  minutes: number,
): Promise<MixedLoad> {
  await agent.observe();
  const { rss: rssBefore } = await agent.report();
  await agent.observe();
  const newcomers = await forkNewcomers(agent.origin);
  const end = performance.now() + minutes * 60_000;
  const overflowsBefore = listenOverflows();
  const runs: { readonly name: string; readonly start: number; end: number }[] = [];
  for (let round = 0; performance.now() < end; round += 1) {
    const hostile = chosen[round % chosen.length];
    if (hostile === undefined) break;
    progress(hostile.name);
    const run = { name: hostile.name, start: Date.now(), end: Infinity };
    runs.push(run);
    await hostile.run({ origin: agent.origin, rows, round }).catch(() => undefined);
    run.end = Date.now();
  }
  const waits = await newcomers.stop();
  await pause(10_000);
  const { rss, peakRss, standstills } = await agent.report();
  const sorted = waits
    .map(({ took }) => took)
    .filter((took) => took !== null)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
  return {
    requests: waits.length,
    ...{ p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) },
    slowest: slowestOf(waits, runs, standstills),
    overflows: listenOverflows() - overflowsBefore,
    unanswered: waits.length - sorted.length,
    ...{ rssBefore: rssBefore / megabyte, rssAfter: rss / megabyte, peakRss: peakRss / megabyte },
  };
}

/** How many of the slowest are told. */
const reported = 8;

function slowestOf(
  waits: readonly Wait[],
  runs: readonly { readonly name: string; readonly start: number; readonly end: number }[],
  standstills: readonly Standstill[],
): readonly SlowRequest[] {
  const slowest = waits.toSorted((a, b) => (b.took ?? Infinity) - (a.took ?? Infinity)).slice(0, reported);
  return slowest.map((wait) => {
    const end = wait.start + (wait.took ?? Infinity);
    const during = runs.filter((run) => run.start < end && run.end > wait.start).map(({ name }) => name);
    const within = standstills.filter((one) => one.end > wait.start && one.end - one.length < end);
    return {
      ...wait,
      during: [...new Set(during)].join(', '),
      maxStallMs: Math.max(0, ...within.map(({ length }) => length)),
      own: Math.max(0, ...within.map(({ own }) => own)),
    };
  });
}

/** What this machine has counted since it runs; 0 where it does not tell. */
function listenOverflows(): number {
  try {
    const [names = '', values = ''] = readFileSync('/proc/net/netstat', 'latin1').split('\n');
    return Number(values.split(' ')[names.split(' ').indexOf('ListenOverflows')]);
  } catch {
    return 0;
  }
}

interface Newcomers {
  stop(): Promise<readonly Wait[]>;
}

/** Newcomers in a process of their own: this one has the answers of whole crowds to read, and would wait for itself. */
async function forkNewcomers(origin: string): Promise<Newcomers> {
  const child = fork(fileURLToPath(new URL('newcomer.ts', import.meta.url)), [origin], {
    execArgv: ['--import', 'tsx'],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  await once(child, 'message');
  return {
    async stop() {
      child.send('end');
      const [waits] = (await once(child, 'message')) as [readonly Wait[]];
      return waits;
    },
  };
}

/** Somebody who opens a connection, asks for a page, and again. */
export function startNewcomers(origin: string): Newcomers {
  const waits: Wait[] = [];
  let shouldYield = false;
  const work = (async () => {
    while (!shouldYield) {
      waits.push(await sendOnce(origin));
      await pause(5);
    }
  })();
  return {
    async stop() {
      shouldYield = true;
      await work;
      return waits;
    },
  };
}

async function sendOnce(origin: string): Promise<Wait> {
  const start = Date.now();
  const begin = performance.now();
  let connected: number | null = null;
  const sent = httpRequest(`${origin}/v1/nodes?per_page=1`, { agent: new Agent() });
  sent.once('socket', (socket) => {
    socket.once('connect', () => (connected = performance.now() - begin));
  });
  sent.end();
  try {
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    response.resume();
    await once(response, 'end');
  } catch {
    return { start, connected, took: null };
  }
  return { start, connected, took: performance.now() - begin };
}
