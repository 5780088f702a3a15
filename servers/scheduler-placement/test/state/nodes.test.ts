import { describe, expect, it } from 'vitest';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape, type NodeInput, type Node } from '@tamis/scheduler-model/node.js';
import {
  setEligibility,
  purgeNode,
  recordHeartbeat,
  updateNodeStatus,
  registerNode,
} from '@tamis/scheduler-state/state/node-status.js';
import { hasRegistered, heartbeatChanges, type NodeWritten } from '@tamis/scheduler-state/state/node-rows.js';
import { getRow } from 'tamis/table';
import { createCluster, defaultNode, simpleJob, type Cluster } from '../placement/cluster.js';

const id = defaultNode(1).ID ?? '';

function complete(more: NodeInput = {}): Node {
  return completeShape(nodeShape, { ...defaultNode(1), ...more });
}

function register(cluster: Cluster, more: NodeInput = {}): NodeWritten {
  return cluster.write((transaction) => registerNode(transaction, complete(more)));
}

function stored(cluster: Cluster): Node | null {
  return getRow(cluster.snapshot.tables.nodes, id);
}

describe('a node', () => {
  it('that registers is eligible, heard and of a class of its own making', () => {
    const cluster = createCluster();
    register(cluster, { ComputedClass: 'forged', SchedulingEligibility: 'ineligible', NodePool: '' });
    expect(stored(cluster)).toMatchObject({
      Status: 'ready',
      SchedulingEligibility: 'eligible',
      NodePool: 'default',
      ComputedClass: expect.stringMatching(/^v1:[0-9a-f]{20}$/) as unknown,
      Events: [{ Message: 'Node registered', Subsystem: 'Cluster' }],
    });
    expect(hasRegistered(cluster.snapshot.tables, id)).toBe(true);
  });

  it('that registers again keeps what the cluster has decided about it', () => {
    const cluster = createCluster();
    register(cluster);
    cluster.write((transaction) => setEligibility(transaction, id, 'ineligible'));
    const before = stored(cluster);
    register(cluster, { Name: 'renamed' });
    expect(stored(cluster)).toMatchObject({
      Name: 'renamed',
      SchedulingEligibility: 'ineligible',
      CreateIndex: before?.CreateIndex,
      Events: [{}, {}],
    });
  });

  it('is of one class with those that differ only in what is their own', () => {
    const cluster = createCluster();
    const classOf = (Attributes: Record<string, string>): unknown => {
      register(cluster, { Attributes });
      return stored(cluster)?.ComputedClass;
    };
    const first = classOf({ os: 'linux', 'unique.hostname': 'a' });
    expect(classOf({ 'unique.hostname': 'b', os: 'linux' })).toBe(first);
    expect(classOf({ os: 'plan9' })).not.toBe(first);
  });

  it('costs a write with its first heartbeat and when it comes back, not in between', () => {
    const cluster = createCluster();
    const imported = { ...complete(), SchedulingEligibility: 'eligible', CreateIndex: 5 };
    cluster.write((transaction) => transaction.put('nodes', imported));
    expect(heartbeatChanges(cluster.snapshot.tables, id)).toBe(true);
    const beat = (): NodeWritten => cluster.write((transaction) => recordHeartbeat(transaction, id));
    beat();
    expect(heartbeatChanges(cluster.snapshot.tables, id)).toBe(false);
    const { index } = cluster.snapshot;
    beat();
    expect(cluster.snapshot.index).toBe(index);
    cluster.write((transaction) => updateNodeStatus(transaction, id, 'down'));
    expect(stored(cluster)).toMatchObject({ Status: 'down', LastMissedHeartbeatIndex: index + 1 });
    expect(heartbeatChanges(cluster.snapshot.tables, id)).toBe(true);
    beat();
    expect(stored(cluster)).toMatchObject({
      Status: 'ready',
      Events: [{ Message: 'Node heartbeat missed' }, { Message: 'Node reregistered by heartbeat' }],
    });
  });

  it('that flaps keeps ten events', () => {
    const cluster = createCluster();
    register(cluster);
    for (let at = 0; at < 12; at += 1) {
      for (const status of ['down', 'ready'] as const) {
        cluster.write((transaction) => updateNodeStatus(transaction, id, status));
      }
    }
    expect(stored(cluster)?.Events).toHaveLength(10);
  });

  it('that is purged loses what it ran, and is unheard of if it comes back from a file', () => {
    const cluster = createCluster();
    register(cluster);
    cluster.run(cluster.job(simpleJob('a')));
    const { EvalIDs } = cluster.write((transaction) => purgeNode(transaction, id));
    expect(EvalIDs).toHaveLength(1);
    expect(hasRegistered(cluster.snapshot.tables, id)).toBe(false);
    cluster.run(getRow(cluster.snapshot.tables.evaluations, EvalIDs?.[0] ?? '')!);
    expect(cluster.allocations()).toMatchObject([{ ClientStatus: 'lost', DesiredStatus: 'stop' }]);
  });
});

describe('a report of allocations', () => {
  it('changes nothing when it says the same again, and nothing of what has ended', () => {
    const cluster = createCluster();
    register(cluster);
    cluster.run(cluster.job(simpleJob('a', { Type: 'batch' })));
    const ID = cluster.running()[0]?.ID ?? '';
    const TaskStates = { t: { State: 'running', StartedAt: '2026-01-01T00:00:00Z' } };
    cluster.report([{ ID, ClientStatus: 'running', TaskStates }]);
    const { index } = cluster.snapshot;
    cluster.report([{ ID, ClientStatus: 'running', TaskStates }]);
    expect(cluster.snapshot.index).toBe(index);
    cluster.report([{ ID, ClientStatus: 'complete' }]);
    cluster.report([{ ID, ClientStatus: 'running' }]);
    expect(cluster.allocations()[0]?.ClientStatus).toBe('complete');
    expect(cluster.jobRow('a').Status).toBe('dead');
    const summary = getRow(cluster.snapshot.tables.job_summaries, 'default.a');
    expect(summary?.Summary).toEqual({
      web: { Queued: 0, Complete: 1, Failed: 0, Running: 0, Starting: 0, Lost: 0 },
    });
  });

  it('ignores the health in a deployment that is newer than the report', () => {
    const cluster = createCluster();
    register(cluster);
    cluster.run(cluster.job(simpleJob('a')));
    const [first] = cluster.running();
    cluster.run(cluster.job(simpleJob('a', { Priority: 60 })));
    const healthIn = (DeploymentID: string | undefined): unknown => {
      const DeploymentStatus = { Healthy: true };
      const deployment = DeploymentID === undefined ? {} : { DeploymentID };
      cluster.report([{ ID: first!.ID, ClientStatus: 'running', ...deployment, DeploymentStatus }]);
      return cluster.running()[0]?.DeploymentStatus?.Healthy ?? null;
    };
    const second = cluster.running()[0]?.DeploymentID;
    expect(second).not.toBe(first!.DeploymentID);
    expect(healthIn(first!.DeploymentID)).toBeNull();
    expect(healthIn(second)).toBe(true);
  });
});
