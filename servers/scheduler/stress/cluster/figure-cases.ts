import { setTimeout as pause } from 'node:timers/promises';
import { startWaiting } from '../waiting-client.js';
import { send, fetchJson } from './client.js';
import { appliedIndex } from './contents.js';
import { writeJob } from './job.js';
import { percentile } from './noise.js';
import { measureRate, type Rate } from './rates.js';
import type { Region } from './region.js';
import type { ServerProcess, Usage } from './server-process.js';
import type { ClusterCase, Stage } from './stage.js';

/** Number of writing clients, and their required writes per second. */
const writers = [
  [1, 120],
  [32, 900],
  [128, 1_300],
] as const;

function noteProblems(stage: Stage, { problems }: Rate): void {
  for (const [problem, times] of problems) stage.check(false, `${times} calls failed: ${problem}`);
}

/** Writes on the leader and on a follower, so many clients at a time. */
async function measureWrites(stage: Stage, region: Region): Promise<void> {
  const [follower] = await region.followers();
  if (follower === undefined) return;
  const places = [
    ['leader', await region.leader()],
    ['follower', follower],
  ] as const;
  for (const [place, server] of places) {
    for (const [lanes, min] of writers) {
      const write = async (lane: number, at: number): Promise<string> => {
        const id = `${place}-${lanes}-${lane}-${at}`;
        return (await writeJob(server, id, 'x', 0)).problem;
      };
      const measured = await measureRate(lanes, stage.extent.rateTime, write);
      noteProblems(stage, measured);
      const name = `writes a second on the ${place}, ${lanes} clients`;
      stage.figure({ name, value: measured.rate, unit: '/s', ...(place === 'leader' ? { min } : {}) });
      stage.figure({ name: `${name}: p99`, value: measured.p99, unit: 'ms' });
    }
  }
}

const readLanes = 16;
const readRows = 20;

/** Reads per second, and the cost of a read for its server; each compared with a single server. */
async function measureReads(stage: Stage, region: Region): Promise<void> {
  const alone = await stage.open({ servers: 1 });
  const leader = await region.leader();
  const [follower = leader] = await region.followers();
  const [single = leader] = alone.servers;
  for (const server of [leader, single]) {
    for (let at = 0; at < readRows; at += 1) await writeJob(server, `read-${at}`, 'x', 0);
  }
  const reads = [
    ['default on the leader', leader, ''],
    ['default on a follower', follower, ''],
    ['stale on a follower', follower, '?stale'],
    ['stale on one server alone', single, '?stale'],
  ] as const;
  const rates: number[] = [];
  for (const [name, server, query] of reads) {
    const etcdBefore = await etcdRequests(region);
    const before = server.usage();
    const measured = await measureRate(readLanes, stage.extent.rateTime, (lane) => read(server, query, lane));
    noteProblems(stage, measured);
    rates.push(measured.rate);
    const cost = ((server.usage().cpu - before.cpu) / measured.calls) * 1_000;
    stage.figure({ name: `reads a second, ${name}`, value: measured.rate, unit: '/s' });
    stage.figure({ name: `processor for a read, ${name}`, value: cost, unit: 'µs' });
    const requests = ((await etcdRequests(region)) - etcdBefore) / (stage.extent.rateTime / 1_000);
    stage.figure({ name: `requests to etcd a second meanwhile, ${name}`, value: requests, unit: '/s' });
  }
  const [onLeader = NaN, onFollower = NaN] = rates;
  const share = (onFollower / onLeader) * 100;
  stage.figure({
    name: 'default reads of a follower, of those of the leader',
    value: share,
    unit: '%',
    min: 30,
  });
}

async function read(server: ServerProcess, query: string, lane: number): Promise<string> {
  const { status } = await send(server, `/v1/job/read-${lane}${query}`);
  return status === 200 ? '' : `a read on ${server.name} returned ${status}`;
}

/** Calls that etcd has completed since its start, including background calls. */
async function etcdRequests({ etcd }: Region): Promise<number> {
  const texts = await Promise.all(etcd.urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const counted = texts.flatMap((text) => [...text.matchAll(/^grpc_server_handled_total\{.*\} (\S+)$/gm)]);
  return counted.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Milliseconds from the acknowledgement of a write until waiting clients of a follower get a response. */
async function measureWakes(stage: Stage, region: Region): Promise<void> {
  const leader = await region.leader();
  const [follower = leader] = await region.followers();
  for (const [waiters, max] of [
    [1, 50],
    [100, 150],
  ] as const) {
    const late: number[] = [];
    for (let round = 0; round < wakeRounds; round += 1) {
      const { index } = await send(follower, '/v1/namespaces?stale');
      const path = `/v1/namespaces?stale&index=${index}&wait=30s`;
      const clients = await startWaiting(follower.address, Array<string>(waiters).fill(path));
      await pause(20);
      const body = { Name: `wake-${waiters}-${round}` };
      const { status } = await send(leader, '/v1/namespace', { method: 'PUT', body });
      const acknowledged = performance.now();
      stage.check(status === 200, `a write returned ${status}`);
      for (const client of clients) late.push(Math.max(0, (await client.responded) - acknowledged));
      for (const client of clients) client.close();
    }
    const name = `wake of ${waiters} who wait on a follower, after the acknowledgement: p99`;
    stage.figure({ name, value: percentile(late, 0.99), unit: 'ms', max });
  }
}

const wakeRounds = 20;

/** A server is added to one with many rows: the duration, the resources, and the cost for the first one. */
async function measureLoad(stage: Stage, region: Region): Promise<void> {
  const [first, second] = region.servers;
  if (first === undefined || second === undefined) return;
  const started = performance.now();
  await first.start();
  while (!(await isFilled(first))) {
    if (performance.now() - started > fillTimeoutMs)
      throw new Error('the first server does not fill the state');
    await pause(100);
  }
  stage.figure({ name: 'fill by the first server', value: performance.now() - started, unit: 'ms' });
  await region.leader();
  const before = first.usage();
  const since = performance.now();
  await second.start();
  const index = await appliedIndex(first);
  while ((await appliedIndex(second)) < index) await pause(20);
  const max = (60_000 * stage.extent.rows) / 1_000_000 + startTime;
  stage.figure({ name: 'start of the second server', value: performance.now() - since, unit: 'ms', max });
  stage.figure({ name: 'memory of the second server, most', value: mebibytes(second.usage()), unit: 'MiB' });
  stage.figure({
    name: 'processor of the first meanwhile',
    value: first.usage().cpu - before.cpu,
    unit: 'ms',
  });
  stage.figure({ name: 'rows', value: stage.extent.rows, unit: '' });
}

/** Milliseconds that a server takes to start without rows. */
const startTime = 2_000;
const fillTimeoutMs = 300_000;
const largeQuota = 8_589_934_592;

function mebibytes({ peakMemory }: Usage): number {
  return peakMemory / 1_048_576;
}

/** Whether the state has rows; one page, for a list of all would be long. */
async function isFilled(server: ServerProcess): Promise<boolean> {
  return (await fetchJson<readonly object[]>(server, '/v1/nodes?stale&per_page=1')).length > 0;
}

export const figureCases: readonly ClusterCase[] = [
  { number: 25, name: 'figures: writes', needs: {}, play: measureWrites },
  { number: 26, name: 'figures: reads', needs: {}, play: measureReads },
  { number: 27, name: 'figures: wakes', needs: {}, play: measureWakes },
  {
    number: 28,
    name: 'figures: rows that a server loads',
    needs: ({ rows }) => ({ servers: 2, isCold: true, nodes: rows, etcd: { quota: largeQuota } }),
    play: measureLoad,
  },
];
