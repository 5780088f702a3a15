import { setTimeout as pause } from 'node:timers/promises';
import type { Operation, WriteOperation } from './history.js';
import { readJob, writeJob } from './job.js';
import type { ServerProcess } from './server-process.js';

export interface WorkloadOptions {
  /** The servers to call; looked up before each operation. */
  readonly servers: () => readonly ServerProcess[];
  readonly clients: number;
  readonly jobs: number;
  /** Of all operations, the shares of default and of stale reads; the others are writes. */
  readonly reads: number;
  readonly staleReads: number;
}

/** Reads and writes of several clients at a time, all of them recorded. */
export interface Workload {
  readonly history: readonly Operation[];
  /** Writes that were acknowledged. */
  readonly acknowledged: number;
  /** How often each problem was met. */
  readonly problems: ReadonlyMap<string, number>;
  start(): void;
  /** Resolves when every client has its last response. */
  stop(): Promise<void>;
  /** Resolves when so many operations are recorded. */
  reach(operations: number): Promise<void>;
  /** Reads every job on each of these servers, so that all that was acknowledged is looked for. */
  readAll(servers: readonly ServerProcess[]): Promise<void>;
  /** Milliseconds from a time until a write sent after it was acknowledged; NaN if there is none. */
  gapAfter(time: number): number;
}

/** Milliseconds that a client waits after a failure, so that it does not fail all the time. */
const failurePause = 10;
const lookInterval = 50;
let workloads = 0;

export function createWorkload({ servers, clients, jobs, reads, staleReads }: WorkloadOptions): Workload {
  workloads += 1;
  const prefix = `load${workloads}`;
  const history: Operation[] = [];
  const problems = new Map<string, number>();
  /** The latest index of each job that a client has seen. */
  const known = new Map<string, number>();
  let acknowledged = 0;
  let values = 0;
  let isStopped = false;
  let running: readonly Promise<void>[] = [];

  function learn(job: string, index: number): void {
    known.set(job, Math.max(index, known.get(job) ?? 0));
  }

  async function read(server: ServerProcess, job: string, kind: 'read' | 'stale'): Promise<boolean> {
    const start = performance.now();
    const { state, problem } = await readJob(server, job, kind === 'stale');
    if (state === null) return tally(kind, problem);
    history.push({ kind, job, server: server.name, start, end: performance.now(), state });
    learn(job, state.index);
    return true;
  }

  async function write(server: ServerProcess, job: string): Promise<boolean> {
    values += 1;
    const base = known.get(job) ?? 0;
    const value = `${prefix}-${values}`;
    const start = performance.now();
    const { outcome, index, problem } = await writeJob(server, job, value, base);
    const end = performance.now();
    const operation: WriteOperation = {
      ...{ kind: 'write', job, server: server.name, start, end },
      ...{ base, value, outcome, index },
    };
    history.push(operation);
    if (index !== null) {
      acknowledged += 1;
      learn(job, index);
    }
    if (problem !== '') tally('write', problem);
    if (outcome !== 'written') await read(server, job, 'read');
    return problem === '';
  }

  function tally(kind: string, problem: string): boolean {
    const text = `${kind}: ${problem}`;
    problems.set(text, (problems.get(text) ?? 0) + 1);
    return false;
  }

  async function step(): Promise<void> {
    const live = servers();
    const server = live[Math.floor(Math.random() * live.length)];
    const job = `${prefix}-job-${Math.floor(Math.random() * jobs)}`;
    const kind = Math.random();
    if (server === undefined) await pause(failurePause);
    else if (kind < reads) await settle(read(server, job, 'read'));
    else if (kind < reads + staleReads) await settle(read(server, job, 'stale'));
    else await settle(write(server, job));
  }

  async function settle(operation: Promise<boolean>): Promise<void> {
    if (!(await operation)) await pause(failurePause);
  }

  async function run(): Promise<void> {
    while (!isStopped) await step();
  }

  return {
    history,
    problems,
    get acknowledged() {
      return acknowledged;
    },
    start() {
      isStopped = false;
      running = Array.from({ length: clients }, run);
    },
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
    async reach(operations) {
      while (history.length < operations) await pause(lookInterval);
    },
    async readAll(live) {
      for (const job of new Set(history.map((each) => each.job))) {
        await Promise.all(live.flatMap((server) => [read(server, job, 'read'), read(server, job, 'stale')]));
      }
    },
    gapAfter(time) {
      const first = history.reduce(
        (min, each) =>
          each.kind === 'write' && each.outcome === 'written' && each.start >= time
            ? Math.min(min, each.end)
            : min,
        Infinity,
      );
      return first === Infinity ? NaN : first - time;
    },
  };
}
