import { describe, expect, it } from 'vitest';
import { stopAllocation } from '@tamis/scheduler-state/state/stop-allocation.js';
import { getRow } from 'tamis/table';
import { createCluster, simpleJob, type Cluster } from '../placement/cluster.js';

function stop(cluster: Cluster, id: string): void {
  const { evalId } = cluster.write((transaction) => stopAllocation(transaction, id));
  const evaluation = getRow(cluster.snapshot.tables.evaluations, evalId)!;
  expect(evaluation).toMatchObject({ TriggeredBy: 'alloc-stop', Status: 'pending' });
  cluster.run(evaluation);
}

describe.each(['service', 'batch', 'system'])('an allocation of a %s that a user stops', (Type) => {
  it('ends, and another one takes its place', () => {
    const cluster = createCluster();
    for (let at = 0; at < 3; at += 1) cluster.node({});
    cluster.run(cluster.job(simpleJob('x', { Type })));
    const [first, ...others] = cluster.running();
    stop(cluster, first!.ID);
    const now = cluster.running();
    expect(now).toHaveLength(others.length + 1);
    expect(now.map(({ ID }) => ID)).not.toContain(first!.ID);
    expect(getRow(cluster.snapshot.tables.allocations, first!.ID)).toMatchObject({
      DesiredStatus: 'stop',
      DesiredTransition: { Migrate: true },
    });
  });
});

it('one that is not there, or whose job is gone, is not found', () => {
  const cluster = createCluster();
  cluster.node({});
  cluster.run(cluster.job(simpleJob('x')));
  const ID = cluster.running()[0]!.ID;
  expect(() => stop(cluster, 'unknown')).toThrow('alloc not found');
  cluster.write((transaction) => transaction.delete('jobs', 'default.x'));
  expect(() => stop(cluster, ID)).toThrow('job not found');
});

it('keeps how it was to be stopped', () => {
  const cluster = createCluster();
  cluster.node({});
  cluster.run(cluster.job(simpleJob('x', {})));
  const [first] = cluster.running();
  const wishes = { NoShutdownDelay: true, Reschedule: true };
  cluster.write((transaction) => stopAllocation(transaction, first!.ID, wishes));
  expect(getRow(cluster.snapshot.tables.allocations, first!.ID)).toMatchObject({
    DesiredTransition: { Migrate: true, Reschedule: true, NoShutdownDelay: true, ForceReschedule: null },
  });
});
