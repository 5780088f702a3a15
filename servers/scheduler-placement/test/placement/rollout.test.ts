import { describe, expect, it } from 'vitest';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { failDeploymentByUser, promoteDeployment } from '@tamis/scheduler-state/state/deployment-commands.js';
import { failOverdue } from '@tamis/scheduler-state/state/deployment-failure.js';
import { deregisterJob } from '@tamis/scheduler-state/state/deregister-job.js';
import { drainNode, takeDrainStep } from '@tamis/scheduler-state/state/node-drain.js';
import { updateNodeStatus } from '@tamis/scheduler-state/state/node-status.js';
import { createCluster, simpleJob, type Cluster } from './cluster.js';

const second = 1_000_000_000;

/** A version of job `a`: another text in the environment is another version that takes the place of the old one. */
function version(text: string, update: object = {}, more: object = {}): object {
  return {
    Count: 3,
    Update: { MaxParallel: 1, ...update },
    ReschedulePolicy: { Delay: 5 * second, DelayFunction: 'constant', Unlimited: true },
    Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { TEXT: text }, Resources: { CPU: 500, MemoryMB: 256 } }],
    ...more,
  };
}

function register(cluster: Cluster, group: object): void {
  cluster.run(cluster.job(simpleJob('a', {}, group)));
}

function runAll(cluster: Cluster): void {
  for (let round = 0; round < 50; round += 1) {
    const next = cluster
      .evaluations()
      .find(
        ({ Status, WaitUntil }) =>
          Status === 'pending' && (WaitUntil === null || Date.parse(WaitUntil) <= cluster.now),
      );
    if (next === undefined) return;
    cluster.run(next);
  }
}

function reportHealth(cluster: Cluster, Healthy: boolean): void {
  cluster.report(
    cluster
      .running()
      .filter(({ DeploymentStatus }) => (DeploymentStatus?.Healthy ?? null) === null)
      .map(({ ID }) => ({ ID, ClientStatus: 'running', DeploymentStatus: { Healthy } })),
  );
  runAll(cluster);
}

/** A cluster of five nodes on which version 0 has gone out well. */
function stable(update: object = {}, more: object = {}): Cluster {
  const cluster = createCluster();
  for (let at = 0; at < 5; at += 1) cluster.node({});
  register(cluster, version('0', update, more));
  reportHealth(cluster, true);
  expect(cluster.deployments().at(-1)?.Status).toBe('successful');
  return cluster;
}

/** The same, with a canary of version 1 that waits to be promoted. */
function canaryWaits(): Cluster {
  const cluster = stable({ Canary: 1 });
  register(cluster, version('1', { Canary: 1 }));
  reportHealth(cluster, true);
  expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [1] });
  return cluster;
}

function isCanary({ DeploymentStatus }: Allocation): boolean {
  return DeploymentStatus?.Canary === true;
}

function versions(cluster: Cluster): { regular: number[]; canaries: number[] } {
  const of = (rows: readonly Allocation[]): number[] => rows.map(({ Job }) => Number(Job?.Version)).sort();
  const running = cluster.running();
  return { regular: of(running.filter((row) => !isCanary(row))), canaries: of(running.filter(isCanary)) };
}

function lastDeployment(cluster: Cluster): string {
  return cluster.deployments().at(-1)?.ID ?? '';
}

function fail(cluster: Cluster): void {
  cluster.write((transaction) => failDeploymentByUser(transaction, lastDeployment(cluster)));
  runAll(cluster);
}

/** An allocation that runs, of a version. */
function one(cluster: Cluster, of: number, canary = false): Allocation {
  const found = cluster.running().find((row) => Number(row.Job?.Version) === of && isCanary(row) === canary);
  if (found === undefined) throw new Error(`no allocation of version ${of} runs`);
  return found;
}

/** The ways in which an allocation loses its place. */
const losses: Readonly<Record<string, (cluster: Cluster, row: Allocation) => void>> = {
  lost(cluster, { NodeID }) {
    cluster.write((transaction) => updateNodeStatus(transaction, NodeID, 'down'));
    runAll(cluster);
  },
  failed(cluster, { ID }) {
    cluster.report([{ ID, ClientStatus: 'failed' }]);
    runAll(cluster);
    cluster.now += 60_000;
    runAll(cluster);
  },
  drained(cluster, { NodeID }) {
    const spec = { deadline: -1, ignoreSystemJobs: false };
    cluster.write((transaction) => {
      drainNode(transaction, NodeID, { spec, markEligible: false, meta: null, accessor: '' });
      takeDrainStep(transaction, NodeID);
    });
    runAll(cluster);
  },
};

describe('a version whose canaries wait', () => {
  it.each(Object.entries(losses))('does not take the place of an old allocation that is %s', (_how, lose) => {
    const cluster = canaryWaits();
    lose(cluster, one(cluster, 0));
    expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [1] });
    const replacement = cluster.allocations().at(-1);
    expect(replacement).toMatchObject({ Job: { Version: 0 }, DeploymentStatus: null });
    expect(cluster.deployments().map(({ ID }) => ID)[0]).toBe(replacement?.DeploymentID);
  });

  it.each(Object.entries(losses))('gets another canary for one that is %s, and no more', (_how, lose) => {
    const cluster = canaryWaits();
    lose(cluster, one(cluster, 1, true));
    expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [1] });
  });

  it('keeps its canaries and the old version apart when both are lost at once', () => {
    const cluster = canaryWaits();
    for (const { NodeID } of [one(cluster, 0), one(cluster, 1, true)]) {
      cluster.write((transaction) => updateNodeStatus(transaction, NodeID, 'down'));
    }
    runAll(cluster);
    expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [1] });
  });

  it('begins with canaries though all of the old version is lost by then', () => {
    const cluster = stable({ Canary: 1 });
    const evaluation = cluster.job(simpleJob('a', {}, version('1', { Canary: 1 })));
    for (const { NodeID } of cluster.running()) {
      cluster.write((transaction) => updateNodeStatus(transaction, NodeID, 'down'));
    }
    for (let at = 0; at < 2; at += 1) cluster.node({});
    cluster.run(evaluation);
    runAll(cluster);
    expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [1] });
  });

  it('waits with a larger count for the promotion', () => {
    const cluster = stable({ Canary: 1 });
    register(cluster, version('1', { Canary: 1 }, { Count: 5 }));
    reportHealth(cluster, true);
    expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [1] });
    cluster.write((transaction) => promoteDeployment(transaction, lastDeployment(cluster), null));
    runAll(cluster);
    for (let step = 0; step < 6; step += 1) reportHealth(cluster, true);
    expect(cluster.running().map(({ Job }) => Job?.Version)).toEqual([1, 1, 1, 1, 1]);
    expect(cluster.deployments().at(-1)?.Status).toBe('successful');
  });

  it('has no name twice when its count is larger', () => {
    const cluster = stable({ Canary: 1 });
    register(cluster, version('1', { Canary: 1, AutoPromote: true }, { Count: 4 }));
    for (let round = 0; round < 6; round += 1) reportHealth(cluster, true);
    const names = cluster.running().map(({ Name }) => Name);
    expect(names.sort()).toEqual(['a.web[0]', 'a.web[1]', 'a.web[2]', 'a.web[3]']);
  });

  it('has its own way when it promotes itself, though nothing else is left to do', () => {
    const cluster = stable();
    register(cluster, version('1', { Canary: 1, AutoPromote: true }, { Count: 1 }));
    reportHealth(cluster, true);
    expect(cluster.deployments().at(-1)?.Status).toBe('successful');
    expect(cluster.running().map(({ Job }) => Job?.Version)).toEqual([1]);
  });

  it('comes to nothing when it fails: no canaries are left, and what is lost comes back as it was', () => {
    const cluster = canaryWaits();
    fail(cluster);
    expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [] });
    losses['lost']?.(cluster, one(cluster, 0));
    expect(versions(cluster)).toEqual({ regular: [0, 0, 0], canaries: [] });
  });
});

describe('a version that has failed', () => {
  it.each(Object.entries(losses))('takes no place of what is %s after it', (_how, lose) => {
    const cluster = stable();
    register(cluster, version('1'));
    fail(cluster);
    expect(versions(cluster).regular).toEqual([0, 0, 1]);
    lose(cluster, one(cluster, 0));
    expect(versions(cluster).regular).toEqual([0, 0, 1]);
  });

  it('gives what it has to the stable one when it is lost', () => {
    const cluster = stable();
    register(cluster, version('1'));
    fail(cluster);
    losses['lost']?.(cluster, one(cluster, 1));
    expect(versions(cluster).regular).toEqual([0, 0, 0]);
  });

  it('is what is left to run when there is no other', () => {
    const cluster = createCluster();
    for (let at = 0; at < 3; at += 1) cluster.node({});
    register(cluster, version('0'));
    fail(cluster);
    losses['lost']?.(cluster, one(cluster, 0));
    expect(versions(cluster).regular).toEqual([0, 0, 0]);
  });

  it('leaves what waits for a place waiting for it', () => {
    const cluster = createCluster();
    cluster.node({
      NodeResources: { Cpu: { CpuShares: 1_000 }, Memory: { MemoryMB: 8_192 }, Disk: { DiskMB: 9_000 } },
    });
    register(cluster, version('0'));
    cluster.now += 600_000;
    cluster.write((transaction) => failOverdue(transaction, lastDeployment(cluster), cluster.now));
    runAll(cluster);
    expect(cluster.deployments().at(-1)?.Status).toBe('failed');
    const waiting = cluster.evaluations().filter(({ Status }) => Status === 'blocked');
    expect(waiting).toMatchObject([{ QueuedAllocations: { web: 1 } }]);
    cluster.node({});
    cluster.run(waiting[0]!);
    expect(versions(cluster).regular).toEqual([0, 0, 0]);
  });
});

describe('a rollout without canaries', () => {
  it('replaces no more at a time than it may, however much of the old version is lost', () => {
    const cluster = stable({}, { Count: 5 });
    register(cluster, version('1', {}, { Count: 5 }));
    const lost = cluster
      .running()
      .filter(({ Job }) => Job?.Version === 0)
      .slice(0, 3);
    for (const { NodeID } of lost) {
      cluster.write((transaction) => updateNodeStatus(transaction, NodeID, 'down'));
    }
    cluster.node({});
    runAll(cluster);
    expect(versions(cluster).regular).toEqual([0, 0, 0, 0, 1]);
    for (let step = 0; step < 8; step += 1) reportHealth(cluster, true);
    expect(versions(cluster).regular).toEqual([1, 1, 1, 1, 1]);
    expect(cluster.deployments().at(-1)?.Status).toBe('successful');
  });

  it('takes the places of what is lost first', () => {
    const cluster = stable();
    const evaluation = cluster.job(simpleJob('a', {}, version('1')));
    const [, lost] = cluster.running();
    cluster.write((transaction) => updateNodeStatus(transaction, lost!.NodeID, 'down'));
    cluster.run(evaluation);
    runAll(cluster);
    expect(versions(cluster).regular).toEqual([0, 0, 1]);
    expect(one(cluster, 1).PreviousAllocation).toBe(lost!.ID);
  });

  it('lets a larger count succeed, and rolls nothing back', () => {
    const cluster = stable({ AutoRevert: true }, { Count: 2 });
    register(cluster, version('0', { AutoRevert: true }, { Count: 3 }));
    expect(versions(cluster).regular).toEqual([1, 1, 1]);
    reportHealth(cluster, true);
    expect(cluster.deployments().at(-1)).toMatchObject({ Status: 'successful', JobVersion: 1 });
    expect(cluster.jobRow('a')).toMatchObject({ Version: 1, Stable: true });
  });
});

describe('an automatic return to a stable version', () => {
  it('waits for no promotion: that version went out well before', () => {
    const cluster = stable({ Canary: 1, AutoRevert: true });
    register(cluster, version('1', { AutoRevert: true }));
    fail(cluster);
    for (let round = 0; round < 4; round += 1) reportHealth(cluster, true);
    expect(versions(cluster)).toEqual({ regular: [2, 2, 2], canaries: [] });
    expect(cluster.deployments().at(-1)).toMatchObject({ Status: 'successful', JobVersion: 2 });
  });

  it('is not one to a version that stopped the job', () => {
    const cluster = stable({ AutoRevert: true });
    const job = { Namespace: 'default', ID: 'a' };
    cluster.write((transaction) => deregisterJob(transaction, { job, purge: false, evalPriority: null }));
    runAll(cluster);
    register(cluster, version('2', { AutoRevert: true }));
    fail(cluster);
    expect(cluster.jobRow('a').Stop).toBe(false);
  });
});

describe('an evaluation that leaves something waiting', () => {
  it('reports immediately, and in the waiting one, its reason', () => {
    const cluster = createCluster();
    cluster.node({});
    register(cluster, version('0', {}, { Count: 10 }));
    const [first, blocked] = cluster.evaluations();
    expect(first).toMatchObject({ BlockedEval: blocked?.ID, QueuedAllocations: { web: 2 } });
    expect(blocked?.FailedTGAllocs).toEqual(first?.FailedTGAllocs);
    expect(blocked).toMatchObject({
      Status: 'blocked',
      QueuedAllocations: { web: 2 },
      FailedTGAllocs: { web: { DimensionExhausted: { cpu: 1 }, CoalescedFailures: 1 } },
    });
  });
});
