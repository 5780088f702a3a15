import { compileFilter } from 'tamis';
import { describe, expect, it } from 'vitest';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { examineJob } from '@tamis/scheduler-model/job-validation.js';
import { completeObject } from '@tamis/scheduler-model/complete-shape.js';
import { readObject } from '@tamis/scheduler-model/read-shape.js';
import { resourceOf, resources, tableNames } from '@tamis/scheduler-model/resources.js';
import { defaultSampleSize, sampleCluster } from '../../src/agent/sample/sample-cluster.js';

const cluster = sampleCluster();

describe('the sample cluster', () => {
  it('is the same every time, and another one for another seed', () => {
    const small = { nodes: 20, jobs: 100, deployments: 20 };
    expect(sampleCluster(small)).toEqual(sampleCluster(small));
    expect(sampleCluster(small, 1)).not.toEqual(sampleCluster(small, 2));
  });

  it('has the requested size, and unique keys', () => {
    expect(cluster.nodes).toHaveLength(defaultSampleSize.nodes);
    expect(cluster.jobs).toHaveLength(defaultSampleSize.jobs);
    expect(cluster.deployments).toHaveLength(defaultSampleSize.deployments);
    expect(new Set(cluster.jobs.map(jobKey)).size).toBe(cluster.jobs.length);
    expect(new Set([...cluster.nodes, ...cluster.deployments].map(({ ID }) => ID)).size).toBe(1_200);
    expect(new Set(cluster.jobs.map(({ CreateIndex }) => CreateIndex)).size).toBe(cluster.jobs.length);
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

  it.each<[kind: 'jobs' | 'nodes' | 'deployments', filter: string, min: number, max: number]>([
    ['jobs', 'Type == service and Status == running', 2_000, 3_500],
    ['jobs', 'Type == batch', 800, 2_000],
    ['jobs', 'Type == system', 100, 600],
    ['jobs', 'Meta["cost.center"] == "cc-107"', 50, 300],
    ['jobs', 'Meta is nil', 300, 1_200],
    ['jobs', 'Periodic is not nil', 300, 1_000],
    ['jobs', 'ParameterizedJob is not nil', 100, 500],
    ['jobs', 'Multiregion is not nil', 20, 150],
    ['jobs', 'ParentID is not empty', 50, 200],
    ['jobs', 'Namespace == payments', 700, 1_300],
    ['jobs', 'Stop == true', 80, 400],
    ['nodes', 'Attributes["cpu.arch"] == arm64', 60, 160],
    ['nodes', 'Attributes["driver.docker.version"] matches "^26"', 60, 220],
    ['nodes', 'Status == ready', 340, 399],
    ['nodes', 'DrainStrategy is not nil', 3, 50],
    ['nodes', 'NodePool == gpu', 5, 60],
    ['deployments', 'Status == running', 30, 150],
    ['deployments', 'any TaskGroups as _, g { g.PlacedCanaries is not empty }', 3, 80],
  ])('%s has some of each: %s', (kind, filter, min, max) => {
    const { schema } = resources[kind];
    const { length } = compileFilter(filter, { schema }).select(cluster[kind] as Iterable<never>);
    expect(length).toBeGreaterThanOrEqual(min);
    expect(length).toBeLessThanOrEqual(max);
  });
});
