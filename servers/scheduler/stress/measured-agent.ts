import { setTimeout as pause } from 'node:timers/promises';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { defaultNamespace } from '@tamis/scheduler-model/namespace.js';
import { noRows, restoreCluster, type ClusterRows } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { defaultAgentConfig } from '../src/agent/settings/agent-config.js';
import { jobs as jobResource } from '@tamis/scheduler-model/jobs.js';
import { anonymousPolicy } from '@tamis/scheduler-model/acl-policy.js';
import type { State } from '@tamis/scheduler-state/state/state.js';
import { columns } from 'tamis/columns';
import { scanRows, fullRange } from 'tamis/table';
import { createLogFeed } from '@tamis/scheduler-state/storage/log-feed.js';
import type { Storage } from '@tamis/scheduler-state/storage/storage.js';
import { createTestAgent } from '../test/support/test-agent.js';
import { preciseNow, stampOf } from './event-reader.js';
import { jobIdAt, largeCluster } from './large-cluster.js';
import { createLoopMonitor, type LoopReport } from './loop-monitor.js';
import { systemClock } from '@tamis/http';

export interface MemoryReport {
  /** Bytes. */
  readonly rss: number;
  readonly heapUsed: number;
}

/** Writes a second, and for how long. */
export interface WritePace {
  readonly perSecond: number;
  readonly milliseconds: number;
}

/** An agent with many rows that reports its measurements. */
export interface MeasuredAgent {
  readonly origin: string;
  /** Begins a report on the event loop. */
  observe(): Promise<void>;
  report(): Promise<LoopReport>;
  /** The loop figures when every turn works for five milliseconds without other requests: the influence of the machine. */
  baseline(): Promise<LoopReport>;
  /** Its memory use, after a garbage collection if that can be triggered. */
  memory(): Promise<MemoryReport>;
  /** How many clients wait. */
  waiting(): Promise<number>;
  /** Writes a row to a table; returns the index. */
  write(table: 'jobs' | 'namespaces'): Promise<number>;
  /** Writes jobs from this place in the order of their IDs on, each by itself; returns the last index. */
  writeJobs(stretch: JobStretch): Promise<number>;
  /** Writes the jobs in turn, each with the time at which it is written; returns how many writes there were. */
  writeSteadily(pace: WritePace): Promise<number>;
  close(): Promise<void>;
}

/** A stretch of the jobs of an agent. */
export interface JobStretch {
  readonly from: number;
  readonly count: number;
}

/** A log that passes batches on and keeps no rows: the stress tests are about reading. */
function createPassingStorage(): Storage {
  const feed = createLogFeed(() => ({ id: '', index: 0, tableIndexes: {}, rows: (async function* () {})() }));
  return {
    async append({ id, batch }) {
      feed.publish(id, batch);
      return { kind: 'committed' };
    },
    subscribe: () => feed.subscribe(),
    probe: async () => undefined,
    close: async () => feed.close(),
  };
}

/** Options that differ from the defaults of an agent. */
export interface MeasuredOptions {
  /** Whether caches are kept for the rows of jobs. */
  readonly hasColumns?: boolean;
  /** Whether the caller sees all jobs except those of a second namespace, which has every tenth job. */
  readonly seesPart?: boolean;
}

/** Has clients without a token see the one namespace. */
async function hideJobs(state: State, all: ClusterRows): Promise<void> {
  const others = all.jobs.filter((_, at) => at % 10 === 0).map((job) => ({ ...job, Namespace: 'hidden' }));
  await state.write((transaction) => {
    restoreCluster(transaction, { ...noRows(), jobs: others });
    transaction.put('acl_policies', {
      ...{ Name: anonymousPolicy, Description: '', Hash: '' },
      Rules: `namespace "${defaultNamespace}" { policy = "read" }`,
      ...{ CreateIndex: transaction.index, ModifyIndex: transaction.index },
    });
  });
}

/** Milliseconds. */
const baselineTime = 3_000;
const baselineTurn = 5;

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Starts an agent with this many jobs, in this process. */
export async function startMeasuredAgent(
  jobs: number,
  maxWaiters: number,
  { hasColumns = true, seesPart = false }: MeasuredOptions = {},
): Promise<MeasuredAgent> {
  const { http } = defaultAgentConfig;
  const agent = await createTestAgent({
    clock: systemClock,
    storage: createPassingStorage(),
    config: {
      ...{ maxWaiters, maxEventStreams: maxWaiters, http: { ...http, maxConnectionsPerClient: 0 } },
      acl: { ...defaultAgentConfig.acl, enabled: seesPart },
    },
  });
  const all = largeCluster(jobs);
  await agent.state.write((transaction) => restoreCluster(transaction, all));
  if (seesPart) await hideJobs(agent.state, all);
  if (!hasColumns) {
    const { order } = agent.state.snapshot().tables.jobs.listed;
    columns('auto', { budget: 0 }).attach(jobResource.schema, order);
  }
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
    async writeJobs({ from, count }) {
      for (let at = from; at < from + count; at += 1) {
        await agent.state.write((transaction) => {
          const job = transaction.get('jobs', jobKey({ Namespace: defaultNamespace, ID: jobIdAt(at) }));
          if (job === null) throw new Error(`There is no job ${at}`);
          transaction.put('jobs', { ...job, ModifyIndex: transaction.index });
        });
      }
      return agent.state.snapshot().index;
    },
    writeSteadily: (pace) => writeSteadily(agent.state, pace),
    async close() {
      loop.stop();
      await agent.close();
    },
  };
}

/** Milliseconds between two lots of writes. */
const writePause = 10;

async function writeSteadily(state: State, { perSecond, milliseconds }: WritePace): Promise<number> {
  const jobs = [...scanRows(state.snapshot().tables.jobs.primary, fullRange, false)];
  const total = Math.round((perSecond * milliseconds) / 1_000);
  const start = performance.now();
  const writes: Promise<void>[] = [];
  while (writes.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - start) * perSecond) / 1_000));
    while (writes.length < due) {
      const job = jobs[writes.length % jobs.length];
      if (job === undefined) throw new Error('There are no jobs');
      const StatusDescription = stampOf(preciseNow());
      const write = state.write((transaction) =>
        transaction.put('jobs', { ...job, StatusDescription, ModifyIndex: transaction.index }),
      );
      writes.push(write);
    }
    await pause(writePause);
  }
  await Promise.all(writes);
  return total;
}
