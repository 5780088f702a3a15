import { describe, expect, it } from 'vitest';
import type { Job } from '@tamis/scheduler-model/job.js';
import { examiningJob } from '@tamis/scheduler-model/job-validation.js';
import { completeJob, type SubmittedJob } from '@tamis/scheduler-model/job-defaults.js';
import { placing } from '@tamis/scheduler-placement/placement/place.js';
import { drainNode, takeDrainStep } from '@tamis/scheduler-state/state/node-drain.js';
import {
  examiningRegistration,
  registerJob,
  type Registration,
} from '@tamis/scheduler-state/state/register-job.js';
import { createCluster, type Cluster } from './placement/cluster.js';
import { createWork, measureSteps, type Work } from '../../scheduler-model/test/support/work.js';

/** Work is counted and not timed: these fail where it becomes one block again, and under no load. */

const groupCount = 300;

const Tasks = [
  {
    Name: 't',
    Driver: 'raw_exec',
    Config: { command: '/bin/true' },
    Resources: { CPU: 1, MemoryMB: 10 },
    LogConfig: { MaxFiles: 1, MaxFileSizeMB: 1 },
  },
];

/** A job of many small groups, which is what makes most of a small body. */
function manyGroups(ID: string, more: object = {}): SubmittedJob {
  const group = (at: number): object => ({
    Name: `g${at}`,
    Count: 2,
    EphemeralDisk: { SizeMB: 10 },
    Tasks,
    ...more,
  });
  return { ID, TaskGroups: Array.from({ length: groupCount }, (_, at) => group(at)) };
}

function completed(job: SubmittedJob): Job {
  return completeJob(job, { namespace: 'default', region: 'global' });
}

/** A cluster of one node on which all of such a job runs. */
function fullCluster(): Cluster {
  const cluster = createCluster();
  cluster.node({});
  cluster.node({});
  cluster.run(cluster.job(manyGroups('many')));
  expect(cluster.running()).toHaveLength(2 * groupCount);
  return cluster;
}

/** Has the reading of all that placing looks at counted. */
function watchCluster(cluster: Cluster, work: Work): void {
  cluster.write((transaction) => {
    transaction.put('jobs', work.watch(cluster.jobRow('many')));
    for (const row of cluster.allocations()) transaction.put('allocations', work.watch(row));
    for (const row of cluster.deployments()) transaction.put('deployments', work.watch(row));
  });
}

describe('no step of it is long', () => {
  it('when a job of many groups is looked at', () => {
    const work = createWork();
    const job = work.watch(completed(manyGroups('many')));
    const { result, total, max } = measureSteps(examiningJob(job, 0), work);
    expect(result.errors).toEqual([]);
    expect(total).toBeGreaterThan(50 * groupCount);
    expect(max).toBeLessThan(total / 10);
  });

  it('when many tasks of one group are', () => {
    const work = createWork();
    const tasks = Array.from({ length: 500 }, (_, at) => ({ ...Tasks[0], Name: `t${at}` }));
    const job = work.watch(completed({ ID: 'many', TaskGroups: [{ Name: 'g', Tasks: tasks }] }));
    const { total, max } = measureSteps(examiningJob(job, 0), work);
    expect(total).toBeGreaterThan(20 * tasks.length);
    expect(max).toBeLessThan(total / 10);
  });

  it('when a node is left by many', () => {
    const cluster = fullCluster();
    const work = createWork();
    watchCluster(cluster, work);
    const [node] = cluster.running();
    const spec = { deadline: -1, ignoreSystemJobs: false };
    const request = { spec, markEligible: false, meta: null, accessor: '' };
    cluster.write((transaction) => drainNode(transaction, node?.NodeID ?? '', request));
    const before = work.done;
    cluster.write((transaction) => takeDrainStep(transaction, node?.NodeID ?? ''));
    // Each of the job is looked at a few times, and a hundred of them are written.
    expect(work.done - before).toBeLessThan(60_000);
    const evaluation = cluster.evaluations().find(({ TriggeredBy }) => TriggeredBy === 'node-drain');
    if (evaluation === undefined) throw new Error('nothing is to be placed');
    const options = { ...cluster.options(), maxPlacements: 50 };
    const steps = placing(cluster.snapshot.tables, evaluation, options);
    const { result, total, max } = measureSteps(steps, work);
    expect(result.placed.length).toBeGreaterThan(0);
    expect(max).toBeLessThan(total / 3);
  });
});

describe('a registration that has been looked at', () => {
  const registrationOf = (job: Job, counts = false): Registration => ({
    job,
    enforceIndex: null,
    evalPriority: null,
    preserved: { counts, resources: false },
  });

  it('is not looked at again in its write', () => {
    const cluster = createCluster();
    cluster.node({});
    const work = createWork();
    const registration = registrationOf(work.watch(completed(manyGroups('many'))));
    const examining = examiningRegistration(cluster.snapshot.tables, registration, cluster.now);
    const { result: examined, total } = measureSteps(examining, work);
    const before = work.done;
    cluster.write((transaction) => registerJob(transaction, registration, examined));
    expect(work.done - before).toBeLessThan(total / 10);
    expect(cluster.jobRow('many').TaskGroups).toHaveLength(groupCount);
  });

  it('is looked at again when the job was changed meanwhile of which it preserves something', () => {
    const cluster = createCluster();
    cluster.node({});
    cluster.job(manyGroups('many', { Count: 3 }));
    const registration = registrationOf(
      completed(manyGroups('many', { Scaling: { Min: 1, Max: 5, Enabled: true } })),
      true,
    );
    const write = (): unknown => {
      const { result } = measureSteps(
        examiningRegistration(cluster.snapshot.tables, registration, cluster.now),
        createWork(),
      );
      cluster.job(manyGroups('many', { Count: 9 }));
      return cluster.write((transaction) => registerJob(transaction, registration, result));
    };
    expect(write).toThrow(/count/i);
  });
});
