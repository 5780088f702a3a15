import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { createIntern } from '../src/model/intern.js';
import { restoreCluster } from '../src/cluster/cluster-rows.js';
import { defaultAgentConfig } from '../src/agent-config.js';
import type { Storage } from '../src/storage/storage.js';
import { createTestAgent } from '../test/support/test-agent.js';
import { largeCluster } from './large-cluster.js';
import { systemClock } from '../src/system-clock.js';

/** How the event loop of an agent did for a while. Milliseconds. */
export interface LoopReport {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** The same without the time in which the machine had no processor for it; null where the system does not tell. */
  readonly own: { readonly p99: number; readonly p999: number; readonly max: number } | null;
  /** The longest pause for garbage, in which nothing could run. */
  readonly longestGc: number;
  readonly gcCount: number;
  /** Time of the processor that the process has used meanwhile. */
  readonly cpu: number;
}

export interface MemoryReport {
  /** Bytes. */
  readonly rss: number;
  readonly heapUsed: number;
}

/** An agent with many rows that tells how it does. */
export interface MeasuredAgent {
  readonly origin: string;
  /** Begins a report on the event loop. */
  observe(): Promise<void>;
  report(): Promise<LoopReport>;
  /** How the loop does when every turn works for five milliseconds and nothing else is asked: the part of the machine. */
  baseline(): Promise<LoopReport>;
  /** What it holds, after the garbage is collected where that can be asked for. */
  memory(): Promise<MemoryReport>;
  /** How many clients wait. */
  waiting(): Promise<number>;
  /** Writes a row to a table; returns the index. */
  write(table: 'jobs' | 'namespaces'): Promise<number>;
  close(): Promise<void>;
}

/** Keeps nothing: the proofs are about reading. */
const noStorage: Storage = {
  load: () =>
    Promise.resolve({
      index: 0,
      tableIndexes: {},

      rows: (async function* () {})(),
    }),
  commit: () => Promise.resolve(),
  probe: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const nanosecondsPerMillisecond = 1_000_000;
/** Milliseconds between two looks of the monitor; what it tells counts from look to look. */
const resolution = 1;

/** Milliseconds. */
const baselineTime = 3_000;
const baselineTurn = 5;

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Starts an agent with this many jobs, in this process. */
export async function startMeasuredAgent(jobs: number, maxWaiters: number): Promise<MeasuredAgent> {
  const { http } = defaultAgentConfig;
  const agent = await createTestAgent({
    clock: systemClock,
    storage: noStorage,
    config: { maxWaiters, http: { ...http, maxConnectionsPerClient: 0 } },
  });
  const intern = createIntern();
  await agent.state.write((transaction) => restoreCluster(transaction, largeCluster(jobs, intern), intern));
  const origin = await agent.listen();
  const loop = createLoopMonitor();
  return {
    origin,
    observe: () => Promise.resolve(loop.start()),
    report: () => Promise.resolve(loop.stop()),
    async baseline() {
      loop.start();
      const end = performance.now() + baselineTime;
      while (performance.now() < end) {
        spin(baselineTurn);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return loop.stop();
    },
    memory() {
      globalThis.gc?.();
      const { rss, heapUsed } = process.memoryUsage();
      return Promise.resolve({ rss, heapUsed });
    },
    waiting: () => Promise.resolve(agent.blocking.waiting),
    write: (table) =>
      agent.state.write((transaction) => {
        const { index, tables } = transaction;
        const [row] = tables[table].primary.pages[0]?.[0] ?? [];
        if (row === undefined) throw new Error(`There is nothing in ${table}`);
        transaction.put(table, { ...row, ModifyIndex: index } as never);
        return index;
      }),
    async close() {
      loop.stop();
      await agent.close();
    },
  };
}

/** Milliseconds that this thread has been ready to run and had to wait for a processor; null where nobody tells. */
function waitedForProcessor(): number | null {
  try {
    const [, waited] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
    return Number(waited) / nanosecondsPerMillisecond;
  } catch {
    return null;
  }
}

/** Looks every millisecond how late it is, and how much of that was the machine. */
function createOwnDelays(): { start(): void; stop(): LoopReport['own'] } {
  let delays: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      delays = [];
      let last = performance.now();
      let lastWaited = waitedForProcessor();
      if (lastWaited === null) return;
      timer = setInterval(() => {
        const now = performance.now();
        const waited = waitedForProcessor() ?? 0;
        delays.push(Math.max(0, now - last - resolution - (waited - (lastWaited ?? 0))));
        last = now;
        lastWaited = waited;
      }, resolution);
    },
    stop() {
      clearInterval(timer);
      if (delays.length === 0) return null;
      const sorted = delays.toSorted((a, b) => a - b);
      const at = (share: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return { p99: at(0.99), p999: at(0.999), max: at(1) };
    },
  };
}

function createLoopMonitor(): { start(): void; stop(): LoopReport } {
  const delay = monitorEventLoopDelay({ resolution });
  const own = createOwnDelays();
  let pauses: number[] = [];
  let cpuBefore = process.cpuUsage();
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pauses.push(duration);
  });
  return {
    start() {
      pauses = [];
      observer.observe({ entryTypes: ['gc'] });
      cpuBefore = process.cpuUsage();
      delay.reset();
      delay.enable();
      own.start();
    },
    stop() {
      delay.disable();
      observer.disconnect();
      const { user, system } = process.cpuUsage(cpuBefore);
      const at = (percent: number): number =>
        Math.max(0, delay.percentile(percent) / nanosecondsPerMillisecond - resolution);
      return {
        p50: at(50),
        p99: at(99),
        p999: at(99.9),
        max: at(100),
        own: own.stop(),
        longestGc: Math.max(0, ...pauses),
        gcCount: pauses.length,
        cpu: (user + system) / 1_000,
      };
    },
  };
}
