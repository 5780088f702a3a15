import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fullRange, scanRows } from 'tamis/table';
import type { JobSummary } from '@tamis/scheduler-model/job-summary.js';
import { noRows, restoreCluster } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { forcePeriodic } from '@tamis/scheduler-state/state/periodic-launch.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { createCluster, simpleJob, type Cluster } from '../placement/cluster.js';

const event = fc.oneof(
  fc.record({
    kind: fc.constantFrom('job' as const, 'batch' as const),
    id: fc.constantFrom('a', 'b'),
    count: fc.integer({ min: 0, max: 9 }),
    cpu: fc.constantFrom(100, 900),
  }),
  fc.record({ kind: fc.constant('periodic' as const), launches: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('node' as const) }),
  fc.record({ kind: fc.constant('leave' as const), at: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: fc.constant('report' as const),
    at: fc.integer({ min: 0, max: 20 }),
    status: fc.constantFrom('running', 'complete', 'failed'),
  }),
);

function apply(cluster: Cluster, each: typeof event extends fc.Arbitrary<infer E> ? E : never): void {
  const running = cluster.running();
  if (each.kind === 'node') cluster.node({});
  else if (each.kind === 'leave') cluster.leave(each.at);
  else if (each.kind === 'report') {
    const row = running[each.at % Math.max(1, running.length)];
    if (row !== undefined) cluster.report([{ ID: row.ID, ClientStatus: each.status }]);
  } else if (each.kind === 'periodic') {
    const Periodic = { Enabled: true, Spec: '@daily', SpecType: 'cron' };
    cluster.job(simpleJob('p', { Type: 'batch', Periodic }));
    for (let at = 0; at < each.launches; at += 1) {
      cluster.write((transaction) => forcePeriodic(transaction, { Namespace: 'default', ID: 'p' }));
    }
  } else {
    const Tasks = [{ Name: 't', Driver: 'raw_exec', Resources: { CPU: each.cpu } }];
    const type = each.kind === 'batch' ? { Type: 'batch' } : {};
    cluster.job(simpleJob(`${each.kind}-${each.id}`, type, { Count: each.count, Tasks }));
  }
  for (const evaluation of cluster.evaluations()) {
    if (evaluation.Status === 'pending' || evaluation.Status === 'blocked') cluster.run(evaluation);
  }
}

function summariesOf({ tables }: Snapshot): Pick<JobSummary, 'JobID' | 'Summary' | 'Children'>[] {
  return [...scanRows(tables.job_summaries.primary, fullRange, false)].map(
    ({ JobID, Summary, Children }) => ({
      ...{ JobID, Summary, Children },
    }),
  );
}

it('counts the summaries of imported jobs as the cluster that was exported has counted them', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const cluster = createCluster();
      cluster.node({});
      for (const each of events) apply(cluster, each);
      const { tables } = cluster.snapshot;
      const imported = createCluster();
      imported.write((transaction) =>
        restoreCluster(transaction, {
          ...noRows(),
          jobs: [...scanRows(tables.jobs.primary, fullRange, false)],
          evaluations: [...scanRows(tables.evaluations.primary, fullRange, false)],
          allocations: [...scanRows(tables.allocations.primary, fullRange, false)],
        }),
      );
      expect(summariesOf(imported.snapshot)).toEqual(summariesOf(cluster.snapshot));
    }),
    { numRuns: 60 },
  );
});
