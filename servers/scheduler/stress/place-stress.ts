import { createTimeSlicer, eventLoop, systemClock } from '@tamis/http';
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { noRows, restoreCluster } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { claimOf } from '@tamis/scheduler-model/allocated-resources.js';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { completeJob, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { capacityOf, lacking, take, usageOf } from '@tamis/scheduler-model/node-capacity.js';
import { nodeShape, type NodeInput } from '@tamis/scheduler-model/node.js';
import { createSampleRandom, type SampleRandom } from '../src/agent/sample/random.js';
import { updateNodeStatus, registerNode } from '@tamis/scheduler-state/state/node-status.js';
import { scanRows, fullRange } from 'tamis/table';
import { registerJob } from '@tamis/scheduler-state/state/register-job.js';
import { allocationsOnNode } from '@tamis/scheduler-state/state/lookups.js';
import { openState, type State } from '@tamis/scheduler-state/state/state.js';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createScheduling, type Scheduling } from '@tamis/scheduler-placement/workers/scheduling.js';
import type { Metric, Progress } from '../../http/stress/proof.js';

export interface PlaceStressOptions {
  readonly nodes: number;
  readonly jobs: number;
  readonly workers: number;
  /** Nodes that fail when everything has been placed. */
  readonly failing: number;
  readonly progress: Progress;
}

export interface PlaceStress {
  readonly figures: readonly Metric[];
  /** Violated requirements. */
  readonly mistakes: readonly string[];
}

/** A cluster whose workers work as those of an agent do. */
interface Cluster {
  readonly state: State;
  readonly scheduling: Scheduling;
  readonly mistakes: string[];
}

/** Places jobs on nodes, lets some nodes fail, and checks after each step that everything is as it has to be. */
export async function stressPlacement(options: PlaceStressOptions): Promise<PlaceStress> {
  const cluster = await createCluster(options.workers);
  const { state, scheduling, mistakes } = cluster;
  const random = createSampleRandom(4_646);
  await addNodes(cluster, random, options.nodes);
  scheduling.start();
  const figures = await measure(cluster, 'placing', options, () => addJobs(cluster, random, options.jobs));
  checkRoom(state.snapshot().tables, mistakes);
  checkCounts(state.snapshot().tables, mistakes);
  const failure = await measure(cluster, 'losing nodes', options, () => failNodes(cluster, options.failing));
  checkRoom(state.snapshot().tables, mistakes);
  checkCounts(state.snapshot().tables, mistakes);
  await scheduling.close();
  await state.close();
  return { figures: [...figures, ...failure], mistakes };
}

async function createCluster(workers: number): Promise<Cluster> {
  const state = await openState({ storage: createMemoryStorage(), clock: systemClock });
  await state.write((transaction) => restoreCluster(transaction, noRows()));
  const mistakes: string[] = [];
  const scheduling = createScheduling({
    uuid: randomUUID,
    serverId: 'stress',
    config: {
      numSchedulers: workers,
      enabledSchedulers: ['service', 'batch', 'system', 'sysbatch', '_core'],
    },
    state,
    clock: systemClock,
    slices: createTimeSlicer(eventLoop),
    random: Math.random,
    leadsOthers: () => false,
    warn: (message, details) => void mistakes.push(`${message}: ${String(details['err'])}`),
  });
  return { state, scheduling, mistakes };
}

async function addNodes({ state }: Cluster, random: SampleRandom, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const node = completeShape(nodeShape, givenNode(random, at));
    await state.write((transaction) => registerNode(transaction, node));
  }
}

function givenNode(random: SampleRandom, at: number): NodeInput {
  const cores = random.pick([4, 8, 16]);
  return {
    ID: random.uuid(),
    Name: `node-${at}`,
    Datacenter: random.pick(['dc1', 'dc2', 'dc3']),
    Status: 'ready',
    Attributes: {
      'cpu.arch': random.chance(0.3) ? 'arm64' : 'amd64',
      'kernel.version': random.pick(['5.15', '6.1']),
    },
    Meta: { rack: `r${random.int(1, 20)}` },
    NodeResources: {
      Cpu: { CpuShares: cores * 2_600, TotalCpuCores: cores },
      Memory: { MemoryMB: cores * 2_048 },
      Disk: { DiskMB: 200_000 },
    },
    ReservedResources: { Cpu: { CpuShares: 200 }, Memory: { MemoryMB: 512 } },
    Drivers: { docker: { Detected: true, Healthy: random.chance(0.98) } },
  };
}

async function addJobs({ state }: Cluster, random: SampleRandom, count: number): Promise<void> {
  const writes: Promise<unknown>[] = [];
  for (let at = 0; at < count; at += 1) {
    const place = { namespace: 'default', region: 'global' };
    const job = completeJob(submittedJob(random, at), place);
    const registration = { job, enforceIndex: null, evalPriority: null };
    writes.push(state.write((transaction) => registerJob(transaction, registration)));
    if (at % 50 === 49) await Promise.all(writes.splice(0));
  }
  await Promise.all(writes);
}

function submittedJob(random: SampleRandom, at: number): SubmittedJob {
  const Type = random.weighted([
    ['service', 60],
    ['batch', 38],
    ['system', 2],
  ] as const);
  return {
    ID: `job-${at}`,
    Type,
    Priority: random.pick([30, 50, 70]),
    Datacenters: random.pick([['*'], ['dc1', 'dc2'], ['dc*']]),
    Constraints: [
      ...(random.chance(0.3) ? [{ LTarget: '${attr.cpu.arch}', Operand: '=', RTarget: 'amd64' }] : []),
      ...(random.chance(0.2)
        ? [{ LTarget: '${attr.kernel.version}', Operand: 'version', RTarget: '>= 6.0' }]
        : []),
      ...(random.chance(0.1) ? [{ Operand: 'distinct_hosts' }] : []),
    ],
    // A system job runs everywhere, so it may not have one.
    ...(Type !== 'system' && random.chance(0.1)
      ? { Spreads: [{ Attribute: '${node.datacenter}', Weight: 100 }] }
      : {}),
    TaskGroups: [
      {
        Name: 'main',
        Count: Type === 'system' ? 1 : random.int(1, 8),
        Tasks: [
          {
            Name: 'main',
            Driver: 'docker',
            Resources:
              Type === 'system'
                ? { CPU: 50, MemoryMB: 32 }
                : { CPU: random.pick([100, 250, 500, 1_000]), MemoryMB: random.pick([128, 256, 512, 1_024]) },
          },
        ],
      },
    ],
  };
}

async function failNodes({ state }: Cluster, count: number): Promise<void> {
  const nodes = [...scanRows(state.snapshot().tables.nodes.primary, fullRange, false)].slice(0, count);
  for (const { ID } of nodes) {
    await state.write((transaction) => updateNodeStatus(transaction, ID, 'down'));
  }
}

/** Times an action until nothing is left to process, and watches the workers meanwhile. */
async function measure(
  cluster: Cluster,
  name: string,
  { progress }: PlaceStressOptions,
  action: () => Promise<void>,
): Promise<Metric[]> {
  const { state, scheduling, mistakes } = cluster;
  const before = statsOf(state.snapshot().tables);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const cpu = process.cpuUsage();
  let isFinished = false;
  const finished = action().finally(() => (isFinished = true));
  // Looked at below: a step that fails ends the proof.
  finished.catch(() => undefined);
  let looks = 0;
  for (let quiet = 0; quiet < 3;) {
    await new Promise((resolve) => setImmediate(resolve));
    looks += 1;
    checkIdle(scheduling, mistakes);
    const { ready, outstanding, queued: lag } = scheduling.counts;
    quiet = isFinished && ready + outstanding + lag === 0 ? quiet + 1 : 0;
    if (looks % 50 === 0) progress(`${name}: ${ready + outstanding} evaluations left`);
  }
  await finished;
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  const after = statsOf(state.snapshot().tables);
  const evaluations = after.evaluations - before.evaluations;
  const allocations = after.allocations - before.allocations;
  return [
    { name: `${name}: evaluations`, value: evaluations, unit: '' },
    { name: `${name}: evaluations a second`, value: evaluations / seconds, unit: '/s' },
    { name: `${name}: processor time each`, value: (user + system) / 1000 / evaluations, unit: 'ms' },
    { name: `${name}: allocations`, value: allocations, unit: '' },
    { name: `${name}: allocations a second`, value: allocations / seconds, unit: '/s' },
    { name: `${name}: event loop p99`, value: delay.percentile(99) / 1e6, unit: 'ms' },
    { name: `${name}: event loop longest`, value: delay.max / 1e6, unit: 'ms' },
    { name: `${name}: looks at the workers`, value: looks, unit: '' },
  ];
}

function statsOf({ evaluations, allocations }: Tables): { evaluations: number; allocations: number } {
  let done = 0;
  for (const { Status } of scanRows(evaluations.primary, fullRange, false)) {
    if (Status !== 'pending') done += 1;
  }
  return { evaluations: done, allocations: allocations.primary.size };
}

/** No worker waits while there is work to take. */
function checkIdle({ pool, counts }: Scheduling, mistakes: string[]): void {
  if (counts.ready === 0) return;
  const idle = pool.workers().filter(({ workloadStatus }) => workloadStatus === 'WaitingToDequeue');
  if (idle.length > 0)
    mistakes.push(`${idle.length} workers wait while ${counts.ready} evaluations are ready`);
}

/** Nothing is promised twice. */
function checkRoom(tables: Tables, mistakes: string[]): void {
  for (const node of scanRows(tables.nodes.primary, fullRange, false)) {
    const usage = usageOf([]);
    for (const row of allocationsOnNode(tables, node.ID)) {
      if (isTerminal(row)) continue;
      const dimension = lacking(capacityOf(node), usage, claimOf(row));
      if (dimension !== null) mistakes.push(`${node.Name} has too little ${dimension} for ${row.Name}`);
      take(usage, claimOf(row));
    }
  }
}

/** Each job has its desired count running, or the rest waits in a blocked evaluation; nothing else remains. */
function checkCounts(tables: Tables, mistakes: string[]): void {
  const counts = new Map<string, number>();
  for (const row of scanRows(tables.allocations.primary, fullRange, false)) {
    if (!isTerminal(row)) counts.set(row.JobID, (counts.get(row.JobID) ?? 0) + 1);
  }
  const queued = new Map<string, number>();
  for (const { JobID, Status } of scanRows(tables.evaluations.primary, fullRange, false)) {
    if (Status === 'pending') mistakes.push(`an evaluation of ${JobID} is pending`);
    if (Status === 'blocked') queued.set(JobID, (queued.get(JobID) ?? 0) + 1);
  }
  for (const job of scanRows(tables.jobs.primary, fullRange, false)) {
    if (job.Type === 'system') continue;
    const expected = (job.TaskGroups ?? []).reduce((sum, { Count }) => sum + Number(Count), 0);
    const placed = counts.get(job.ID) ?? 0;
    const waits = queued.get(job.ID) ?? 0;
    if (placed > expected) mistakes.push(`${job.ID} runs ${placed} times, not ${expected}`);
    if (placed < expected !== (waits === 1))
      mistakes.push(`${job.ID} runs ${placed} of ${expected}, ${waits} wait`);
  }
}
