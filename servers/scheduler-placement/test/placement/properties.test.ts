import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOf } from '@tamis/scheduler-model/allocated-resources.js';
import type { SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { capacityOf, lacking, usageOf } from '@tamis/scheduler-model/node-capacity.js';
import type { NodeInput } from '@tamis/scheduler-model/node.js';
import { getRow } from 'tamis/table';
import { createCluster, type Cluster } from './cluster.js';

const nodes = fc.array(
  fc.record({
    Datacenter: fc.constantFrom('dc1', 'dc2', 'eu-1'),
    cpu: fc.integer({ min: 100, max: 3_000 }),
    memory: fc.integer({ min: 64, max: 2_048 }),
    arch: fc.constantFrom('amd64', 'arm64'),
    healthy: fc.boolean(),
    reserved: fc.integer({ min: 0, max: 200 }),
  }),
  { minLength: 0, maxLength: 8 },
);

const jobs = fc.array(
  fc.record({
    type: fc.constantFrom('service', 'batch', 'system', 'sysbatch'),
    count: fc.integer({ min: 0, max: 6 }),
    cpu: fc.integer({ min: 1, max: 900 }),
    memory: fc.integer({ min: 10, max: 700 }),
    datacenters: fc.constantFrom(['*'], ['dc1'], ['dc*'], ['eu-1', 'dc2']),
    arch: fc.constantFrom(null, 'amd64', 'arm64'),
    distinct: fc.boolean(),
    port: fc.constantFrom(0, 80, 81),
    choosy: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

type NodeCase = (typeof nodes extends fc.Arbitrary<infer T> ? T : never)[number];
type JobCase = (typeof jobs extends fc.Arbitrary<infer T> ? T : never)[number];

function givenNode(one: NodeCase): NodeInput {
  return {
    Datacenter: one.Datacenter,
    Attributes: { 'cpu.arch': one.arch },
    NodeResources: {
      Cpu: { CpuShares: one.cpu, TotalCpuCores: 2 },
      Memory: { MemoryMB: one.memory },
      Disk: { DiskMB: 2_000 },
    },
    ReservedResources: { Cpu: { CpuShares: one.reserved }, Networks: { ReservedHostPorts: '22,81' } },
    Drivers: { raw_exec: { Detected: true, Healthy: one.healthy } },
  };
}

function givenJob(ID: string, one: JobCase): SubmittedJob {
  const isOnNodes = one.type === 'system' || one.type === 'sysbatch';
  return {
    ID,
    Type: one.type,
    Datacenters: one.datacenters,
    Constraints: [
      ...(one.arch === null ? [] : [{ LTarget: '${attr.cpu.arch}', Operand: '=', RTarget: one.arch }]),
      ...(one.distinct ? [{ Operand: 'distinct_hosts' }] : []),
    ],
    ...(one.choosy && !isOnNodes ? { Spreads: [{ Attribute: '${node.datacenter}', Weight: 50 }] } : {}),
    TaskGroups: [
      {
        Name: 'g',
        Count: isOnNodes ? 1 : one.count,
        EphemeralDisk: { SizeMB: 100 },
        ...(one.port === 0 ? {} : { Networks: [{ ReservedPorts: [{ Label: 'p', Value: one.port }] }] }),
        Tasks: [{ Name: 't', Driver: 'raw_exec', Resources: { CPU: one.cpu, MemoryMB: one.memory } }],
      },
    ],
  };
}

/** Nothing is promised twice, whatever was placed, changed and lost. */
function expectRoomForAll(cluster: Cluster): void {
  const byNode = new Map<string, ReturnType<typeof claimOf>[]>();
  for (const row of cluster.running()) {
    byNode.set(row.NodeID, [...(byNode.get(row.NodeID) ?? []), claimOf(row)]);
  }
  for (const [nodeId, claims] of byNode) {
    const capacity = capacityOf(getRow(cluster.snapshot.tables.nodes, nodeId)!);
    const usage = usageOf([]);
    for (const claim of claims) {
      expect(lacking(capacity, usage, claim)).toBeNull();
      const sum = usageOf([claim]);
      usage.cpu += sum.cpu;
      usage.memory += sum.memory;
      usage.disk += sum.disk;
      for (const port of sum.ports) usage.ports.add(port);
    }
  }
}

function expectConstraintsMet(cluster: Cluster, id: string, one: JobCase): void {
  const own = cluster.running().filter(({ JobID }) => JobID === id);
  for (const { NodeID } of own) {
    const node = getRow(cluster.snapshot.tables.nodes, NodeID)!;
    expect(node.Drivers?.['raw_exec']?.Healthy).toBe(true);
    if (one.arch !== null) expect(node.Attributes?.['cpu.arch']).toBe(one.arch);
    const required = one.datacenters.some((pattern) =>
      pattern.endsWith('*') ? node.Datacenter.startsWith(pattern.slice(0, -1)) : pattern === node.Datacenter,
    );
    expect(required).toBe(true);
  }
  const isOnNodes = one.type === 'system' || one.type === 'sysbatch';
  if (one.distinct || isOnNodes) expect(new Set(own.map(({ NodeID }) => NodeID)).size).toBe(own.length);
}

function expectCounts(cluster: Cluster, id: string, one: JobCase, queued: number): void {
  const own = cluster.running().filter(({ JobID }) => JobID === id);
  if (one.type === 'service' || one.type === 'batch') expect(own.length + queued).toBe(one.count);
  const names = own.map(({ Name, NodeID }) => (one.type.startsWith('sys') ? NodeID : Name));
  expect(new Set(names).size).toBe(names.length);
}

describe('placement', () => {
  it('never promises more than there is, meets every constraint and counts right', () => {
    fc.assert(
      fc.property(nodes, jobs, (nodeCases, jobCases) => {
        const cluster = createCluster();
        for (const one of nodeCases) cluster.node(givenNode(one));
        for (const [at, one] of jobCases.entries()) {
          const plan = cluster.run(cluster.job(givenJob(`j${at}`, one)));
          expect(plan.refused).toBe(0);
          expectCounts(cluster, `j${at}`, one, plan.queued['g'] ?? 0);
          expectConstraintsMet(cluster, `j${at}`, one);
        }
        expectRoomForAll(cluster);
      }),
      { numRuns: 150 },
    );
  });

  it('holds that while jobs change, nodes leave and plans are old', () => {
    const steps = fc.array(
      fc.record({
        kind: fc.constantFrom('change', 'leave', 'fail', 'stale'),
        pick: fc.nat(100),
        count: fc.integer({ min: 0, max: 6 }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(nodes, jobs, steps, (nodeCases, jobCases, moves) => {
        const cluster = createCluster();
        for (const one of nodeCases) cluster.node(givenNode(one));
        const specs = jobCases.map((one, at) => givenJob(`j${at}`, one));
        for (const spec of specs) cluster.run(cluster.job(spec));
        for (const { kind, pick, count } of moves) {
          const at = pick % specs.length;
          const one = jobCases[at]!;
          if (kind === 'change') {
            cluster.run(cluster.job(givenJob(`j${at}`, { ...one, count, memory: one.memory + 1 })));
          } else if (kind === 'fail') {
            const running = cluster.running();
            const row = running[pick % Math.max(1, running.length)];
            if (row !== undefined) cluster.report([{ ID: row.ID, ClientStatus: 'failed' }]);
            cluster.run(cluster.evaluate(`j${at}`));
          } else if (kind === 'leave' && nodeCases.length > 0) {
            cluster.leave(pick % nodeCases.length);
            cluster.run(cluster.evaluate(`j${at}`));
          } else {
            const old = cluster.plan(cluster.evaluate(`j${at}`));
            for (const spec of specs) cluster.run(cluster.job(spec));
            cluster.apply(old);
          }
          expectRoomForAll(cluster);
        }
      }),
      { numRuns: 80 },
    );
  });

  it('is a function: the same tables and options, the same plan', () => {
    fc.assert(
      fc.property(nodes, jobs, fc.string(), (nodeCases, jobCases, seed) => {
        const cluster = createCluster();
        for (const one of nodeCases) cluster.node(givenNode(one));
        const evaluations = jobCases.map((one, at) => cluster.job(givenJob(`j${at}`, one)));
        for (const evaluation of evaluations) {
          const twice = [0, 1].map(() => cluster.planWithCountedIds(evaluation, seed));
          expect(twice[0]).toEqual(twice[1]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
