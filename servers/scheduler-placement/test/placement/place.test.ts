import { describe, expect, it } from 'vitest';
import { claimOf, portsOfTasks, sharedPorts } from '@tamis/scheduler-model/allocated-resources.js';
import { createFlag, importedKey } from '@tamis/scheduler-model/cluster-flag.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape } from '@tamis/scheduler-model/node.js';
import { capacityOf } from '@tamis/scheduler-model/node-capacity.js';
import { applyPlan } from '@tamis/scheduler-state/state/apply-plan.js';
import { drainNode, takeDrainStep } from '@tamis/scheduler-state/state/node-drain.js';
import { setEligibility, updateNodeStatus, registerNode } from '@tamis/scheduler-state/state/node-status.js';
import { scanRows, fullRange, getRow } from 'tamis/table';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { placing } from '@tamis/scheduler-placement/placement/place.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { createCluster, defaultNode, simpleJob, type Cluster } from './cluster.js';

const second = 1_000_000_000;

function clusterOf(nodes: number): Cluster {
  const cluster = createCluster();
  for (let at = 0; at < nodes; at += 1) cluster.node({});
  return cluster;
}

function namesOf(cluster: Cluster): string[] {
  return cluster
    .running()
    .map(({ Name }) => Name)
    .sort();
}

function setHealth(cluster: Cluster, Healthy: boolean): readonly string[] {
  return cluster.report(
    cluster
      .running()
      .filter(({ DeploymentStatus }) => (DeploymentStatus?.Healthy ?? null) === null)
      .map(({ ID }) => ({ ID, ClientStatus: 'running', DeploymentStatus: { Healthy } })),
  );
}

/** Changes the group of a job that is stored, beyond what can be registered: files may bring anything. */
function changeGroup(cluster: Cluster, ID: string, change: (group: TaskGroup) => TaskGroup): void {
  const job = cluster.jobRow(ID);
  cluster.write((transaction) =>
    transaction.put('jobs', { ...job, TaskGroups: (job.TaskGroups ?? []).map(change) }),
  );
}

function runAll(cluster: Cluster): void {
  for (let round = 0; round < 50; round += 1) {
    const next = cluster
      .evaluations()
      .find(({ Status, WaitUntil }) => Status === 'pending' && WaitUntil === null);
    if (next === undefined) return;
    cluster.run(next);
  }
}

describe('place', () => {
  it('gives each task the ports of its own network, and counts them as taken', () => {
    const cluster = clusterOf(1);
    const Tasks = ['web', 'db'].map((Name) => ({
      Name,
      Driver: 'raw_exec',
      Config: { command: 'x' },
      Resources: { CPU: 10, MemoryMB: 10, Networks: [{ DynamicPorts: [{ Label: 'x' }] }] },
    }));
    const group = { Name: 'g', Count: 2, Networks: [{ DynamicPorts: [{ Label: 'y', To: 80 }] }], Tasks };
    cluster.run(cluster.job({ ID: 'ports', TaskGroups: [group] }));
    const ports = cluster
      .running()
      .flatMap((one) => [...sharedPorts(one), ...[...portsOfTasks(one).values()].flat()]);
    expect(ports.map(({ Label }) => Label)).toEqual(['y', 'x', 'x', 'y', 'x', 'x']);
    expect(new Set(ports.map(({ Value }) => Value)).size).toBe(6);
    expect(cluster.running().flatMap((one) => claimOf(one).ports)).toEqual(ports.map(({ Value }) => Value));
  });

  it('places as many as the count, with numbered names, on nodes that were heard', () => {
    const cluster = clusterOf(2);
    const unheard = {
      ...completeShape(nodeShape, defaultNode(99)),
      SchedulingEligibility: 'eligible',
    };
    cluster.write((transaction) => {
      transaction.put('nodes', unheard);
      transaction.put('marks', createFlag(importedKey, 1));
    });
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 3 })));
    expect(namesOf(cluster)).toEqual(['a.web[0]', 'a.web[1]', 'a.web[2]']);
    expect(cluster.running().map(({ NodeID }) => NodeID)).not.toContain(unheard.ID);
    expect(cluster.running()[0]).toMatchObject({
      DesiredStatus: 'run',
      ClientStatus: 'pending',
      JobID: 'a',
      TaskGroup: 'web',
      AllocatedResources: {
        Tasks: { t: { Cpu: { CpuShares: 500 }, Memory: { MemoryMB: 256 } } },
        Shared: { DiskMB: 300 },
      },
      Metrics: { NodesAvailable: { dc1: 2 }, NodesInPool: 3 },
    });
    expect(cluster.jobRow('a').Status).toBe('running');
  });

  it('reports why nothing was placed, and creates a blocked evaluation with the eligible classes', () => {
    const cluster = clusterOf(2);
    const { failed, queued } = cluster.run(
      cluster.job(
        simpleJob('a', { Constraints: [{ LTarget: '${attr.kernel.name}', Operand: '=', RTarget: 'plan9' }] }),
      ),
    );
    expect(failed.get('web')).toMatchObject({
      NodesEvaluated: 2,
      NodesFiltered: 2,
      ConstraintFiltered: { '${attr.kernel.name} = plan9': 2 },
      CoalescedFailures: 0,
    });
    expect(queued).toEqual({ web: 1 });
    const [first, blocked] = cluster.evaluations();
    expect(first).toMatchObject({
      Status: 'complete',
      BlockedEval: blocked?.ID,
      QueuedAllocations: { web: 1 },
    });
    expect(blocked).toMatchObject({
      Status: 'blocked',
      TriggeredBy: 'queued-allocs',
      PreviousEval: first?.ID,
    });
    expect(Object.values(blocked?.ClassEligibility ?? {})).toEqual([false]);
    expect(cluster.jobRow('a').Status).toBe('pending');
  });

  it('takes a count of a billion for what it is', () => {
    const cluster = clusterOf(1);
    const evaluation = cluster.job(simpleJob('a'));
    changeGroup(cluster, 'a', (group) => ({ ...group, Count: 1e9 }));
    const { failed, queued } = cluster.run(evaluation);
    expect(cluster.running()).toHaveLength(8);
    expect(queued).toEqual({ web: 1e9 - 8 });
    expect(failed.get('web')?.CoalescedFailures).toBe(1e9 - 9);
  });

  it('takes a billion canaries for what they are', () => {
    const cluster = clusterOf(1);
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 2 })));
    const more = {
      Update: { MaxParallel: 1, Canary: 1 },
      Tasks: [{ Name: 't', Driver: 'raw_exec', Resources: { CPU: 500 }, Env: { A: '2' } }],
    };
    const evaluation = cluster.job(simpleJob('a', {}, { Count: 2, ...more }));
    changeGroup(cluster, 'a', ({ Update, ...group }) => ({
      ...group,
      Update: Update === null ? null : { ...Update, Canary: 1e9 },
    }));
    const { queued } = cluster.run(evaluation);
    expect(queued).toEqual({ web: 1e9 - 6 });
  });

  it('pauses while it looks at many', () => {
    const cluster = clusterOf(1);
    const evaluation = cluster.job(simpleJob('a'));
    cluster.run(evaluation);
    const [first] = cluster.running();
    cluster.write((transaction) => {
      for (let at = 0; at < 2_000; at += 1) {
        transaction.put('allocations', { ...first!, ID: `many-${at}`, Name: `a.web[${at}]` });
      }
    });
    const steps = placing(cluster.snapshot.tables, evaluation, cluster.options());
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(step.value.changes).toHaveLength(2_000);
    // Collected, sorted and stopped, 256 at a time.
    expect(pauses).toBeGreaterThan(3 * 7);
  });

  it('counts the dimension that ran out', () => {
    const cluster = clusterOf(1);
    const { failed } = cluster.run(cluster.job(simpleJob('a', {}, { Count: 10 })));
    expect(cluster.running()).toHaveLength(8);
    expect(failed.get('web')).toMatchObject({
      NodesExhausted: 1,
      DimensionExhausted: { cpu: 1 },
      CoalescedFailures: 1,
    });
  });

  it.each([
    ['service', 4, 2],
    ['batch', 4, 2],
  ])('fits a %s to a smaller count', (Type, before, after) => {
    const cluster = clusterOf(2);
    cluster.run(cluster.job(simpleJob('a', { Type }, { Count: before })));
    cluster.run(cluster.job(simpleJob('a', { Type }, { Count: after })));
    expect(namesOf(cluster)).toEqual(['a.web[0]', 'a.web[1]']);
  });

  it('changes in place what may change under running tasks', () => {
    const cluster = clusterOf(2);
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 2 })));
    const before = cluster.running().map(({ ID }) => ID);
    cluster.run(cluster.job(simpleJob('a', { Priority: 70 }, { Count: 2 })));
    expect(cluster.running().map(({ ID }) => ID)).toEqual(before);
    expect(cluster.running().map(({ Job }) => Job?.Version)).toEqual([1, 1]);
  });

  it('leaves the ports and cores to what it changes in place, because its tasks go on using them', () => {
    const cluster = clusterOf(1);
    const group = {
      Networks: [{ DynamicPorts: [{ Label: 'http' }] }],
      Tasks: [{ Name: 't', Driver: 'raw_exec', Resources: { Cores: 1, MemoryMB: 256 } }],
    };
    cluster.run(cluster.job(simpleJob('a', {}, group)));
    cluster.run(cluster.job(simpleJob('b', {}, group)));
    const resourcesOfB = (): unknown =>
      cluster.running().find(({ JobID }) => JobID === 'b')?.AllocatedResources;
    const before = resourcesOfB();
    expect(before).toMatchObject({ Shared: { Ports: [{ Value: 20_001 }] } });
    // Resources that could be assigned again are free again.
    cluster.run(cluster.job(simpleJob('a', {}, { ...group, Count: 0 })));
    cluster.report(
      cluster
        .allocations()
        .flatMap(({ ID, JobID }) => (JobID === 'a' ? [{ ID, ClientStatus: 'complete' }] : [])),
    );
    cluster.run(cluster.job(simpleJob('b', { Priority: 70 }, group)));
    expect(cluster.running().map(({ Job }) => Job?.Version)).toEqual([1]);
    expect(resourcesOfB()).toEqual(before);
  });

  it('rolls a new version out by as many at a time as the update says', () => {
    const cluster = clusterOf(3);
    const update = { Update: { MaxParallel: 2 } };
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 5, ...update })));
    expect(setHealth(cluster, true)).not.toEqual([]);
    runAll(cluster);
    const env = { Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { A: '2' } }] };
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 5, ...update, ...env })));
    const versions = (): number[] =>
      cluster
        .running()
        .map(({ Job }) => Number(Job?.Version))
        .sort();
    expect(versions()).toEqual([0, 0, 0, 1, 1]);
    setHealth(cluster, true);
    runAll(cluster);
    expect(versions()).toEqual([0, 1, 1, 1, 1]);
    setHealth(cluster, true);
    runAll(cluster);
    setHealth(cluster, true);
    expect(versions()).toEqual([1, 1, 1, 1, 1]);
    const deployments = cluster.deployments();
    expect(deployments.map(({ Status, StatusDescription }) => [Status, StatusDescription])).toEqual([
      ['successful', 'Deployment completed successfully'],
      ['successful', 'Deployment completed successfully'],
    ]);
    expect(cluster.jobRow('a').Stable).toBe(true);
  });

  it('stops a rollout at an unhealthy allocation and cancels it for a newer version', () => {
    const cluster = clusterOf(3);
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 3 })));
    setHealth(cluster, true);
    runAll(cluster);
    const withEnv = (A: string): object => ({
      Count: 3,
      Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { A } }],
    });
    cluster.run(cluster.job(simpleJob('a', {}, withEnv('2'))));
    setHealth(cluster, false);
    runAll(cluster);
    expect(cluster.running().filter(({ Job }) => Job?.Version === 1)).toHaveLength(1);
    cluster.run(cluster.job(simpleJob('a', {}, withEnv('3'))));
    const texts = cluster.deployments().map(({ StatusDescription }) => StatusDescription);
    expect(texts).toEqual([
      'Deployment completed successfully',
      'Cancelled due to newer version of job',
      'Deployment is running',
    ]);
  });

  it('runs canaries next to the old version and continues after automatic promotion', () => {
    const cluster = clusterOf(3);
    const update = { Update: { MaxParallel: 1, Canary: 1, AutoPromote: true } };
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 2, ...update })));
    setHealth(cluster, true);
    runAll(cluster);
    const env = { Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { A: '2' } }] };
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 2, ...update, ...env })));
    expect(cluster.running()).toHaveLength(3);
    expect(cluster.running().filter(({ DeploymentStatus }) => DeploymentStatus?.Canary)).toHaveLength(1);
    for (let step = 0; step < 4; step += 1) {
      setHealth(cluster, true);
      runAll(cluster);
    }
    expect(cluster.running().map(({ Job, Name }) => [Name, Job?.Version])).toEqual([
      ['a.web[0]', 1],
      ['a.web[1]', 1],
    ]);
    expect(cluster.deployments().at(-1)?.Status).toBe('successful');
  });

  it('stops what runs for a stopped job', () => {
    const cluster = clusterOf(1);
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 2 })));
    cluster.run(cluster.job(simpleJob('a', { Stop: true }, { Count: 2 })));
    expect(cluster.running()).toEqual([]);
    expect(cluster.jobRow('a').Status).toBe('dead');
    expect(cluster.deployments()[0]).toMatchObject({
      Status: 'cancelled',
      StatusDescription: 'Cancelled because job is stopped',
    });
  });

  it('places elsewhere what was lost with its node', () => {
    const cluster = clusterOf(2);
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 1 })));
    const [lost] = cluster.running();
    const { EvalIDs } = cluster.write((transaction) => updateNodeStatus(transaction, lost!.NodeID, 'down'));
    expect(EvalIDs).toHaveLength(1);
    runAll(cluster);
    const [again] = cluster.running();
    expect(again).toMatchObject({ Name: 'a.web[0]', PreviousAllocation: lost!.ID });
    expect(again!.NodeID).not.toBe(lost!.NodeID);
    expect(cluster.allocations().find(({ ID }) => ID === lost!.ID)).toMatchObject({
      ClientStatus: 'lost',
      DesiredStatus: 'stop',
      DesiredDescription: 'alloc is lost since its node is down',
      NextAllocation: again!.ID,
    });
  });

  it('leaves a draining node as fast as the group may, and all of it when the time is over', () => {
    const cluster = clusterOf(2);
    const [first] = [...scanRows(cluster.snapshot.tables.nodes.primary, fullRange, false)];
    cluster.write((transaction) => setEligibility(transaction, first!.ID, 'ineligible'));
    cluster.run(cluster.job(simpleJob('a', {}, { Count: 3 })));
    setHealth(cluster, true);
    runAll(cluster);
    const [{ NodeID }] = cluster.running() as [Allocation];
    cluster.write((transaction) => setEligibility(transaction, first!.ID, 'eligible'));
    const spec = { deadline: 60_000_000_000, ignoreSystemJobs: false };
    cluster.write((transaction) =>
      drainNode(transaction, NodeID, { spec, markEligible: false, meta: null, accessor: '' }),
    );
    const step = (): void => cluster.write((transaction) => takeDrainStep(transaction, NodeID));
    const left = (): number => cluster.running().filter((row) => row.NodeID === NodeID).length;
    step();
    runAll(cluster);
    expect(left()).toBe(2);
    step();
    runAll(cluster);
    // The one that moved is not up yet.
    expect(left()).toBe(2);
    cluster.report(cluster.running().map(({ ID }) => ({ ID, ClientStatus: 'running' })));
    step();
    runAll(cluster);
    expect(left()).toBe(1);
    cluster.now += 60_000;
    step();
    runAll(cluster);
    expect(left()).toBe(0);
    expect(cluster.running()).toHaveLength(3);
    const ended = cluster.allocations().filter((row) => row.NodeID === NodeID);
    cluster.report(ended.map(({ ID }) => ({ ID, ClientStatus: 'complete' })));
    step();
    expect(getRow(cluster.snapshot.tables.nodes, NodeID)).toMatchObject({
      DrainStrategy: null,
      SchedulingEligibility: 'ineligible',
      LastDrain: { Status: 'complete' },
    });
  });

  it('stops what has to leave a node though there is no other', () => {
    const cluster = clusterOf(1);
    cluster.run(cluster.job(simpleJob('a')));
    const [{ NodeID }] = cluster.running() as [Allocation];
    const spec = { deadline: -1, ignoreSystemJobs: false };
    cluster.write((transaction) => {
      drainNode(transaction, NodeID, { spec, markEligible: false, meta: null, accessor: '' });
      takeDrainStep(transaction, NodeID);
    });
    runAll(cluster);
    expect(cluster.allocations()).toMatchObject([
      { DesiredStatus: 'stop', DesiredDescription: 'alloc is being migrated' },
    ]);
    expect(cluster.evaluations().at(-1)).toMatchObject({ Status: 'blocked' });
  });

  it('waits with what failed as the policy says, and avoids the node', () => {
    const cluster = clusterOf(2);
    const policy = {
      ReschedulePolicy: {
        Attempts: 1,
        Interval: 3_600 * second,
        Delay: 30 * second,
        DelayFunction: 'constant',
      },
    };
    cluster.run(cluster.job(simpleJob('a', { Type: 'batch' }, policy)));
    const [first] = cluster.running();
    cluster.report([{ ID: first!.ID, ClientStatus: 'failed' }]);
    runAll(cluster);
    const followUp = cluster.evaluations().find(({ WaitUntil }) => WaitUntil !== null);
    expect(followUp).toMatchObject({ Status: 'pending', TriggeredBy: 'alloc-failure' });
    expect(Date.parse(followUp!.WaitUntil!) - cluster.now).toBe(30_000);
    expect(cluster.running()).toEqual([]);
    cluster.now += 30_000;
    cluster.run(followUp!);
    const [second_] = cluster.running();
    expect(second_).toMatchObject({ PreviousAllocation: first!.ID, RescheduleTracker: { Events: [{}] } });
    expect(second_!.NodeID).not.toBe(first!.NodeID);
    cluster.report([{ ID: second_!.ID, ClientStatus: 'failed' }]);
    cluster.now += 60_000;
    runAll(cluster);
    expect(cluster.running()).toEqual([]);
    expect(cluster.jobRow('a').Status).toBe('dead');
  });

  it('keeps what a batch has done', () => {
    const cluster = clusterOf(1);
    cluster.run(cluster.job(simpleJob('a', { Type: 'batch' }, { Count: 2 })));
    const [first] = cluster.running();
    cluster.report([{ ID: first!.ID, ClientStatus: 'complete' }]);
    cluster.run(cluster.evaluate('a'));
    expect(cluster.allocations()).toHaveLength(2);
  });

  it('runs a system job on every node that will do, and on those that join', () => {
    const cluster = clusterOf(3);
    cluster.node({ Datacenter: 'dc2' });
    cluster.node({ Drivers: { raw_exec: { Detected: true, Healthy: false } } });
    const { failed } = cluster.run(cluster.job(simpleJob('s', { Type: 'system', Datacenters: ['dc1'] })));
    expect(cluster.running()).toHaveLength(3);
    expect(failed.size).toBe(0);
    cluster.node({});
    runAll(cluster);
    expect(cluster.running()).toHaveLength(4);
    expect(new Set(cluster.running().map(({ NodeID }) => NodeID)).size).toBe(4);
  });

  it('leaves a system job where it runs when a driver fails, until the job changes', () => {
    const cluster = clusterOf(2);
    cluster.run(cluster.job(simpleJob('s', { Type: 'system' })));
    const [first] = cluster.running();
    const node = getRow(cluster.snapshot.tables.nodes, first!.NodeID)!;
    const Drivers = { raw_exec: { ...node.Drivers!['raw_exec']!, Healthy: false } };
    cluster.write((transaction) => registerNode(transaction, { ...node, Drivers }));
    cluster.run(cluster.evaluate('s'));
    expect(cluster.running()).toHaveLength(2);
    const env = { Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { A: '2' } }] };
    cluster.run(cluster.job(simpleJob('s', { Type: 'system', Update: { MaxParallel: 2 } }, env)));
    expect(cluster.running().map(({ NodeID, Job }) => [NodeID === node.ID, Job?.Version])).toEqual([
      [false, 1],
    ]);
  });

  it('updates a system job step by step', () => {
    const cluster = clusterOf(3);
    cluster.run(cluster.job(simpleJob('s', { Type: 'system' })));
    const env = { Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { A: '2' } }] };
    cluster.run(cluster.job(simpleJob('s', { Type: 'system' }, env)));
    expect(cluster.running().filter(({ Job }) => Job?.Version === 1)).toHaveLength(1);
    const next = cluster.evaluations().find(({ TriggeredBy }) => TriggeredBy === 'rolling-update');
    expect(Date.parse(next!.WaitUntil!) - cluster.now).toBe(30_000);
    cluster.run(next!);
    expect(cluster.running().filter(({ Job }) => Job?.Version === 1)).toHaveLength(2);
  });

  it('makes equal plans of equal input, and other ones of other seeds', () => {
    const cluster = clusterOf(50);
    const evaluation = cluster.job(simpleJob('a', {}, { Count: 5 }));
    const nodesOf = (seed: string): string[] =>
      cluster.plan(evaluation, seed).placed.map(({ NodeID }) => NodeID);
    expect(nodesOf('a')).toEqual(nodesOf('a'));
    expect(nodesOf('a')).not.toEqual(nodesOf('b'));
  });

  it('takes fixed ports once a node and dynamic ones from its range', () => {
    const cluster = clusterOf(2);
    const Networks = [
      { ReservedPorts: [{ Label: 'http', Value: 80 }], DynamicPorts: [{ Label: 'rpc', To: -1 }] },
    ];
    const { failed } = cluster.run(cluster.job(simpleJob('a', {}, { Count: 3, Networks })));
    expect(new Set(cluster.running().map(({ NodeID }) => NodeID)).size).toBe(2);
    expect(cluster.running()[0]).toMatchObject({
      AllocatedResources: {
        Shared: {
          Ports: [
            { Label: 'http', Value: 80 },
            { Label: 'rpc', Value: 20_000, To: 20_000 },
          ],
        },
      },
    });
    expect(failed.get('web')?.DimensionExhausted).toEqual({ 'network: reserved port collision http=80': 2 });
  });

  it('takes the ports that a node keeps for itself for what they are, however often it says so', () => {
    const cluster = createCluster();
    const retained = `22, 80-82,${'0-65534,'.repeat(100_000)}9-8,70000,x`;
    const node = cluster.node({ ReservedResources: { Networks: { ReservedHostPorts: retained } } });
    const { reservedPorts } = capacityOf(node);
    expect([reservedPorts.size, reservedPorts.has(0), reservedPorts.has(65_534)]).toEqual([
      65_535,
      true,
      true,
    ]);
    const few = cluster.node({
      ReservedResources: { Networks: { ReservedHostPorts: '22, 80-82,9-8,65535-99999' } },
    });
    expect([...capacityOf(few).reservedPorts]).toEqual([22, 80, 81, 82, 65_535]);
  });

  it('gives no ports that there are not, whatever a node says of its range', () => {
    const cluster = createCluster();
    const resources = defaultNode(1).NodeResources;
    cluster.node({
      NodeResources: { ...resources, MinDynamicPort: -(2 ** 53) + 1, MaxDynamicPort: 2 ** 53 - 1 },
    });
    cluster.run(cluster.job(simpleJob('a', {}, { Networks: [{ DynamicPorts: [{ Label: 'rpc' }] }] })));
    expect(cluster.running()[0]).toMatchObject({
      AllocatedResources: { Shared: { Ports: [{ Label: 'rpc', Value: 1 }] } },
    });
  });

  it('applies nothing beyond the room that is left when the plan is old', () => {
    const cluster = clusterOf(1);
    const [a, b] = ['a', 'b'].map((id) => cluster.job(simpleJob(id, {}, { Count: 8 })));
    const [first, second_] = [cluster.plan(a!), cluster.plan(b!)];
    const run = cluster.run(a!);
    expect([first.placed.length, run.accepted]).toEqual([8, 8]);
    const applied = cluster.write((transaction) => applyPlan(transaction, second_));
    expect(applied).toEqual({ accepted: 0, refused: 8 });
    expect(cluster.running()).toHaveLength(8);
  });
});
