import { randomUUID } from 'node:crypto';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { completeJob, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { nodeShape, type NodeInput, type Node } from '@tamis/scheduler-model/node.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { PlacementOptions } from '@tamis/scheduler-placement/placement/placement-options.js';
import { place } from '@tamis/scheduler-placement/placement/place.js';
import { applyPlan, type AppliedPlan } from '@tamis/scheduler-state/state/apply-plan.js';
import { completeEvaluation } from '@tamis/scheduler-state/state/evaluation-outcome.js';
import { writeEvaluation } from '@tamis/scheduler-state/state/evaluation-writes.js';
import { scanRows, fullRange, getRow } from 'tamis/table';
import type { Plan } from '@tamis/scheduler-state/state/plan.js';
import { updateNodeStatus, registerNode } from '@tamis/scheduler-state/state/node-status.js';
import { registerJob } from '@tamis/scheduler-state/state/register-job.js';
import { emptySnapshot, type Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import {
  openTransaction,
  type RowSources,
  type Transaction,
} from '@tamis/scheduler-state/state/transaction.js';
import { type AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';
import { updateAllocations } from '@tamis/scheduler-state/state/update-allocations.js';
import { writeNamespace } from '@tamis/scheduler-state/state/write-namespace.js';

/** A cluster without storage, clock or workers: each step is called by hand. */
export interface Cluster {
  readonly snapshot: Snapshot;
  /** Milliseconds; move it as you like. */
  now: number;
  readonly sources: RowSources;
  write<R>(action: (transaction: Transaction) => R, sources?: RowSources): R;
  node(given: NodeInput): Node;
  job(given: SubmittedJob): Evaluation;
  evaluate(jobId: string, more?: object): Evaluation;
  options(seed?: string): PlacementOptions;
  plan(evaluation: Evaluation, seed?: string): Plan;
  /** The same with IDs that count up from 1 in each plan. */
  planWithCountedIds(evaluation: Evaluation, seed: string): Plan;
  apply(plan: Plan): AppliedPlan;
  /** The `at`-th node goes down. */
  leave(at: number): void;
  /** Plans, applies and completes, until there is nothing more; returns the last plan. */
  run(evaluation: Evaluation): Plan & AppliedPlan;
  report(updates: readonly AllocationUpdate[]): readonly string[];
  allocations(): Allocation[];
  /** Those that are neither stopped nor over. */
  running(): Allocation[];
  evaluations(): Evaluation[];
  /** Oldest first. */
  deployments(): Deployment[];
  jobRow(id: string): Job;
}

export function createCluster(): Cluster {
  let snapshot = emptySnapshot();
  let count = 0;
  let last = 0n;
  const cluster: Cluster = {
    get snapshot() {
      return snapshot;
    },
    now: 1_700_000_000_000,
    sources: {
      stamp: () => (last = bigger(last, BigInt(cluster.now) * 1_000_000n)),
      uuid: randomUUID,
    },
    write(action, sources = cluster.sources) {
      const { transaction, finish } = openTransaction(snapshot, sources);
      const result = action(transaction);
      snapshot = finish()?.snapshot ?? snapshot;
      return result;
    },
    node(given) {
      const at = (count += 1);
      const node = completeShape(nodeShape, { ...defaultNode(at), ...given });
      cluster.write((transaction) => registerNode(transaction, node));
      return getRow(snapshot.tables.nodes, node.ID)!;
    },
    job(given) {
      const namespace = given.Namespace ?? 'default';
      const job = completeJob(runnable(given), { namespace, region: 'global' });
      const { evalId } = cluster.write((transaction) =>
        registerJob(transaction, { job, enforceIndex: null, evalPriority: null }),
      );
      return getRow(snapshot.tables.evaluations, evalId)!;
    },
    evaluate(jobId, more = {}) {
      const job = cluster.jobRow(jobId);
      const id = cluster.write((transaction) =>
        writeEvaluation(transaction, job, { triggeredBy: 'test', priority: null, more }),
      );
      return getRow(snapshot.tables.evaluations, id)!;
    },
    options: (seed = 'seed') => ({ now: cluster.now, uuid: randomUUID, seed, maxPlacements: 1_000 }),
    plan: (evaluation, seed) => place(snapshot.tables, evaluation, cluster.options(seed)),
    planWithCountedIds(evaluation, seed) {
      let ids = 0;
      return place(snapshot.tables, evaluation, { ...cluster.options(seed), uuid: () => `id-${(ids += 1)}` });
    },
    apply: (plan) => cluster.write((transaction) => applyPlan(transaction, plan)),
    leave(at) {
      const node = [...scanRows(snapshot.tables.nodes.primary, fullRange, false)][at];
      if (node === undefined) return;
      cluster.write((transaction) => updateNodeStatus(transaction, node.ID, 'down'));
    },
    run(evaluation) {
      // Each turn places a thousand, and no cluster here requires more than some of those.
      for (let turn = 0; turn < 1_000; turn += 1) {
        const plan = place(snapshot.tables, evaluation, cluster.options(evaluation.ID));
        const { index } = snapshot;
        const applied = cluster.write((transaction) => {
          const result = applyPlan(transaction, plan);
          if (!plan.hasMore) completeEvaluation(transaction, plan, index);
          return result;
        });
        if (!plan.hasMore) return { ...plan, ...applied };
      }
      throw new Error(`The evaluation ${evaluation.ID} has no end`);
    },
    report(updates) {
      return updates.flatMap((update) => {
        const nodeId = getRow(snapshot.tables.allocations, update.ID ?? '')?.NodeID ?? '';
        return cluster.write((transaction) => updateAllocations(transaction, nodeId, [update])).evalIds;
      });
    },
    allocations: () => [...scanRows(snapshot.tables.allocations.listed, fullRange, false)],
    running: () =>
      cluster
        .allocations()
        .filter(
          ({ DesiredStatus, ClientStatus }) =>
            DesiredStatus === 'run' && (ClientStatus === 'pending' || ClientStatus === 'running'),
        ),
    evaluations: () => [...scanRows(snapshot.tables.evaluations.listed, fullRange, false)],
    deployments: () => [...scanRows(snapshot.tables.deployments.listed, fullRange, false)],
    jobRow: (id) => getRow(snapshot.tables.jobs, `default.${id}`)!,
  };
  cluster.write((transaction) => writeNamespace(transaction, { Name: 'default' }));
  return cluster;
}

function bigger(last: bigint, now: bigint): bigint {
  return now > last ? now : last + 1n;
}

export function defaultNode(at: number): NodeInput {
  return {
    ID: `00000000-0000-4000-9000-${String(at).padStart(12, '0')}`,
    Name: `node-${at}`,
    Datacenter: 'dc1',
    Status: 'ready',
    Attributes: { 'kernel.name': 'linux', 'cpu.arch': 'amd64', 'unique.hostname': `node-${at}` },
    NodeResources: {
      Cpu: { CpuShares: 4_000, TotalCpuCores: 4 },
      Memory: { MemoryMB: 8_192 },
      Disk: { DiskMB: 100_000 },
      MinDynamicPort: 20_000,
      MaxDynamicPort: 20_009,
    },
    Drivers: { raw_exec: { Detected: true, Healthy: true } },
  };
}

/** What tasks run and how much they write is of no matter here, but a job that cannot run is refused. */
function runnable(job: SubmittedJob): SubmittedJob {
  return {
    ...job,
    TaskGroups: (job.TaskGroups ?? []).map((group) => ({
      ...group,
      Tasks: (group.Tasks ?? []).map((task) => ({
        Config: { command: '/bin/true' },
        LogConfig: { MaxFiles: 1, MaxFileSizeMB: 1 },
        ...task,
      })),
    })),
  };
}

export function simpleJob(ID: string, more: SubmittedJob = {}, group: object = {}): SubmittedJob {
  return runnable({
    ID,
    TaskGroups: [
      {
        Name: 'web',
        Count: 1,
        Tasks: [{ Name: 't', Driver: 'raw_exec', Resources: { CPU: 500, MemoryMB: 256 } }],
        ...group,
      },
    ],
    ...more,
  });
}
