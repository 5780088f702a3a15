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

/** The effect of one hostile request on others. */
export interface Stall {
  readonly name: string;
  readonly result: string;
  /** The longest time in which the agent was blocked, in ms, without and with garbage collections. */
  readonly work: number;
  readonly maxMs: number;
  /** The longest garbage collection pause, in ms. */
  readonly maxGcMs: number;
  /** Maximum time until an independent client got a response on a new connection, in ms. */
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
  /** The requests to run, in this order. */
  readonly chosen: readonly HostileRequest[];
  readonly progress: Progress;
  /** Called with each result as soon as it is known. */
  readonly found: (stall: Stall) => void;
}

const megabyte = 1_048_576;

/** Runs the hostile requests one by one, while an independent client continuously requests a page. */
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

/** One request of the independent client. */
interface Wait {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Milliseconds until the connection was open, and until the response was complete; null for never. */
  readonly connected: number | null;
  readonly took: number | null;
}

/** A request of the independent client, what was running meanwhile, and the longest stall of the agent during it. */
export interface SlowRequest extends Wait {
  readonly during: string;
  readonly maxStallMs: number;
  /** The same, without waiting for a processor. */
  readonly own: number;
}

/** The effect of a long mixed load on other clients. */
export interface MixedLoad {
  readonly requests: number;
  /** Milliseconds until the independent client gets a response on a new connection. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** The slowest requests, and the reasons. */
  readonly slowest: readonly SlowRequest[];
  /** Connections that the system of the machine has refused because the agent had not accepted those before. */
  readonly overflows: number;
  /** The number of requests without a response. */
  readonly unanswered: number;
  /** Megabytes. */
  readonly rssBefore: number;
  readonly rssAfter: number;
  readonly peakRss: number;
}

/** Runs the hostile requests repeatedly for a while, and measures the effect on an independent client. */
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

/** Number of slowest requests shown. */
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

/** A counter of this machine since its start; 0 if it is not available. */
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

/** Independent clients in a separate process: this one reads many responses, and would measure its own delays. */
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

/** A client that repeatedly opens a connection and requests a page. */
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
