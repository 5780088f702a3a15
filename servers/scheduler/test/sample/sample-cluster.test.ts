import { compileFilter } from 'tamis';
import { describe, expect, it } from 'vitest';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { examineJob } from '@tamis/scheduler-model/job-validation.js';
import { claimOf } from '@tamis/scheduler-model/allocated-resources.js';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import { capacityOf, usageOf } from '@tamis/scheduler-model/node-capacity.js';
import { jobOfRow } from '@tamis/scheduler-model/row-orders.js';
import { isStartedLater } from '@tamis/scheduler-model/started-later.js';
import { fullRange, scanRows } from 'tamis/table';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { createTestAgent } from '../support/test-agent.js';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { readObject } from '@tamis/scheduler-model/read-shape.js';
import { resourceOf, resources, tableNames } from '@tamis/scheduler-model/resources.js';
import { defaultSampleSize, sampleCluster } from '../../src/agent/sample/sample-cluster.js';

const now = Date.UTC(2026, 5, 1, 8);
const cluster = sampleCluster(now);

const countBy = <T>(rows: readonly T[], keyOf: (row: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[keyOf(row)] = (counts[keyOf(row)] ?? 0) + 1;
  return counts;
};
const isRecent = (stamp: number | bigint): boolean => BigInt(stamp) >= BigInt(now - 3_600_000) * 1_000_000n;

describe('the sample cluster', () => {
  it('is the same for the same time and seed, and differs for another seed', () => {
    const small = { nodes: 60, jobs: 200 };
    expect(sampleCluster(now, small)).toEqual(sampleCluster(now, small));
    expect(sampleCluster(now, small, 1)).not.toEqual(sampleCluster(now, small, 2));
  });

  it('has the requested size, and unique keys', () => {
    expect(cluster.nodes).toHaveLength(defaultSampleSize.nodes);
    expect(cluster.jobs).toHaveLength(defaultSampleSize.jobs);
    expect(cluster.allocations.length).toBeGreaterThan(4_000);
    for (const name of tableNames) {
      const { key } = resourceOf(name);
      expect(new Set(cluster[name].map((row) => key(row))).size, name).toBe(cluster[name].length);
    }
  });

  it('has a job, an evaluation and a node for each allocation, and successors that exist', () => {
    const ids = new Set(
      [...cluster.evaluations, ...cluster.nodes, ...cluster.allocations].map(({ ID }) => ID),
    );
    const jobs = new Set(cluster.jobs.map(jobKey));
    const deployments = new Set(['', ...cluster.deployments.map(({ ID }) => ID)]);
    for (const row of cluster.allocations) {
      expect(ids.has(row.EvalID) && ids.has(row.NodeID) && deployments.has(row.DeploymentID)).toBe(true);
      expect(jobs.has(jobOfRow(row))).toBe(true);
      for (const other of [row.PreviousAllocation, row.NextAllocation])
        expect(other === '' || ids.has(other)).toBe(true);
    }
  });

  it('runs as many allocations of a running job as the job wants', () => {
    const running = countBy(
      cluster.allocations.filter(({ ClientStatus }) => ClientStatus === 'running'),
      (row) => `${jobOfRow(row)} ${row.TaskGroup} ${row.Job?.Version}`,
    );
    const alone = new Set(cluster.deployments.filter(({ Status }) => Status !== 'successful').map(jobOfRow));
    for (const job of cluster.jobs) {
      for (const { Name, Count } of job.TaskGroups ?? []) {
        const count = running[`${jobKey(job)} ${Name} ${job.Version}`] ?? 0;
        if (job.Status !== 'running' || isStartedLater(job)) expect(count).toBe(0);
        else if (job.Type === 'service' && !alone.has(jobKey(job))) expect(count).toBe(Number(Count));
        else if (job.Type !== 'service') expect(count).toBeGreaterThan(0);
      }
    }
  });

  it('summarises its jobs as its allocations are', async () => {
    const agent = await createTestAgent({
      clock: createFakeClock(now),
      config: { fill: { kind: 'sample', isStill: true } },
    });
    const { tables } = agent.state.snapshot();
    const sum = { Queued: 0, Complete: 0, Failed: 0, Running: 0, Starting: 0, Lost: 0 };
    for (const { Summary } of scanRows(tables.job_summaries.primary, fullRange, false))
      for (const group of Object.values(Summary ?? {}))
        for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += Number(group?.[name] ?? 0);
    const { Queued, ...placed } = sum;
    const { complete, failed, running, lost } = countBy(cluster.allocations, (row) => row.ClientStatus);
    expect(placed).toEqual({ Complete: complete, Failed: failed, Running: running, Starting: 0, Lost: lost });
    expect(Queued).toBeGreaterThan(0);
    await agent.close();
  });

  it('never promises more of a node than it has, and uses a part of most of them', () => {
    const usages = cluster.nodes.map((node) => {
      const on = cluster.allocations.filter((row) => row.NodeID === node.ID && !isTerminal(row));
      const { cpu, memory, ports } = usageOf(on.map(claimOf));
      expect(ports.size).toBe(on.flatMap((row) => claimOf(row).ports).length);
      return [cpu / capacityOf(node).cpu, memory / capacityOf(node).memory];
    });
    for (const used of usages.flat()) expect(used).toBeLessThanOrEqual(1);
    expect(usages.filter(([cpu = 0, memory = 0]) => cpu > 0.2 && memory > 0.2).length).toBeGreaterThan(150);
  });

  it('has a node down, a failed deployment and one that waits for its promotion', () => {
    expect(cluster.nodes.filter(({ Status }) => Status === 'down')).toHaveLength(1);
    expect(cluster.deployments.filter(({ Status }) => Status === 'failed')).toHaveLength(1);
    const [waiting, ...others] = cluster.deployments.filter(({ Status }) => Status === 'running');
    expect(others).toEqual([]);
    expect(waiting?.StatusDescription).toBe('Deployment is running but requires manual promotion');
    const placed = new Map(cluster.allocations.map((row) => [row.ID, row]));
    for (const group of Object.values(waiting?.TaskGroups ?? {}))
      for (const id of group?.PlacedCanaries ?? [])
        expect(placed.get(id)).toMatchObject({ ClientStatus: 'running', DeploymentStatus: { Canary: true } });
    expect(cluster.evaluations.filter(({ Status }) => Status === 'blocked').length).toBeGreaterThan(0);
  });

  it('has evaluations and allocations of the last hour, and nothing of the future', () => {
    expect(cluster.evaluations.filter(({ CreateTime }) => isRecent(CreateTime)).length).toBeGreaterThan(50);
    expect(cluster.allocations.filter(({ ModifyTime }) => isRecent(ModifyTime)).length).toBeGreaterThan(100);
    for (const { ModifyTime } of [...cluster.allocations, ...cluster.deployments, ...cluster.evaluations])
      expect(BigInt(ModifyTime) <= BigInt(now) * 1_000_000n).toBe(true);
  });

  it('holds rows like those that clients write', () => {
    for (const job of cluster.jobs) {
      expect(examineJob(job, Date.UTC(2026, 0, 1)).errors).toEqual([]);
      expect(typeof job.SubmitTime).toBe('bigint');
    }
    for (const name of tableNames) {
      const { shape, key } = resourceOf(name);
      for (const row of cluster[name]) {
        const given = readObject(shape, row, name);
        expect(completeObject(shape, given)).toEqual(row);
        expect(key(row)).not.toBe('');
      }
    }
  });

  it.each<[kind: 'jobs' | 'nodes' | 'deployments' | 'allocations', filter: string, min: number, max: number]>(
    [
      ['jobs', 'Type == service and Status == running', 1_000, 1_400],
      ['jobs', 'Type == batch', 400, 800],
      ['jobs', 'Type == system', 5, 20],
      ['jobs', 'Meta["cost.center"] == "cc-107"', 20, 120],
      ['jobs', 'Meta is nil', 150, 500],
      ['jobs', 'Periodic is not nil', 100, 400],
      ['jobs', 'ParameterizedJob is not nil', 40, 200],
      ['jobs', 'Multiregion is not nil', 10, 80],
      ['jobs', 'ParentID is not empty', 30, 60],
      ['jobs', 'Namespace == payments', 250, 600],
      ['jobs', 'Stop == true', 40, 160],
      ['nodes', 'Attributes["cpu.arch"] == arm64', 40, 120],
      ['nodes', 'Attributes["driver.docker.version"] matches "^26"', 60, 180],
      ['nodes', 'Status == ready', 290, 299],
      ['nodes', 'DrainStrategy is not nil', 2, 5],
      ['nodes', 'NodePool == gpu', 5, 40],
      ['deployments', 'any TaskGroups as _, g { g.PlacedCanaries is not empty }', 1, 1],
      ['allocations', 'ClientStatus == running and Job.Type == batch', 100, 1_000],
      ['allocations', 'ClientStatus == lost', 1, 40],
    ],
  )('%s has some of each: %s', (kind, filter, min, max) => {
    const { schema } = resources[kind];
    const { length } = compileFilter(filter, { schema }).select(cluster[kind] as Iterable<never>);
    expect(length).toBeGreaterThanOrEqual(min);
    expect(length).toBeLessThanOrEqual(max);
  });
});
