import { describe, expect, it } from 'vitest';
import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { failOverdue, progressDeadline } from '@tamis/scheduler-state/state/deployment-failure.js';
import { pauseDeployment } from '@tamis/scheduler-state/state/deployment-commands.js';
import { scaleJob } from '@tamis/scheduler-state/state/scale-job.js';
import { createCluster, simpleJob, type Cluster } from '../placement/cluster.js';

function withEnv(value: string, update: object): object {
  return {
    Update: { MaxParallel: 1, ...update },
    Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { VALUE: value }, Resources: { CPU: 100 } }],
  };
}

/** A cluster in which version 0 of job `a` has gone out well, or not, and version 1 is under way. */
function underWay(update: object, isStable: boolean): Cluster {
  const cluster = createCluster();
  cluster.node({});
  cluster.run(cluster.job(simpleJob('a', {}, withEnv('0', update))));
  if (isStable) report(cluster, true);
  cluster.run(cluster.job(simpleJob('a', {}, withEnv('1', update))));
  return cluster;
}

/** More of the one group of job `a`. */
const scaled = {
  job: { Namespace: 'default', ID: 'a' },
  group: 'web',
  count: 2,
  message: '',
  isError: false,
  meta: null,
  enforceIndex: null,
};

function report(cluster: Cluster, Healthy: boolean): void {
  cluster.report(
    cluster.running().map(({ ID }) => ({ ID, ClientStatus: 'running', DeploymentStatus: { Healthy } })),
  );
}

function latest(cluster: Cluster): Deployment {
  return cluster.deployments().at(-1)!;
}

function overdue(cluster: Cluster, milliseconds: number): readonly string[] {
  const now = cluster.now + milliseconds;
  return cluster.write((transaction) => failOverdue(transaction, latest(cluster).ID, now));
}

describe('a deployment without progress', () => {
  it('fails when the time is over, and not before', () => {
    const cluster = underWay({}, true);
    expect(progressDeadline(latest(cluster))).toBe(cluster.now + 600_000);
    expect(overdue(cluster, 599_999)).toEqual([]);
    expect(overdue(cluster, 600_000)).toHaveLength(1);
    expect(latest(cluster)).toMatchObject({
      Status: 'failed',
      StatusDescription: 'Failed due to progress deadline',
    });
    expect(overdue(cluster, 700_000)).toEqual([]);
    expect(cluster.jobRow('a').Version).toBe(1);
  });

  it('fails though as many canaries are well as there are to be allocations', () => {
    const cluster = underWay({ Canary: 2 }, true);
    const canaries = cluster.running().filter(({ Job }) => Job?.Version === 1);
    expect(canaries).toHaveLength(2);
    const { now } = cluster;
    cluster.report(
      canaries.map(({ ID }, at) => ({
        ID,
        ClientStatus: 'running',
        DeploymentStatus: { Healthy: at === 0 },
      })),
    );
    expect(latest(cluster).TaskGroups?.['web']).toMatchObject({ DesiredTotal: 1, HealthyAllocs: 1 });
    expect(progressDeadline(latest(cluster))).toBe(now + 600_000);
    expect(overdue(cluster, 600_000)).toHaveLength(1);
    expect(latest(cluster).Status).toBe('failed');
  });

  it('has all the time while it is paused', () => {
    const cluster = underWay({}, true);
    cluster.write((transaction) => pauseDeployment(transaction, latest(cluster).ID, true));
    expect(overdue(cluster, 700_000)).toEqual([]);
    cluster.run(cluster.evaluate('a'));
    expect(cluster.running().map(({ Job }) => Job?.Version)).toEqual([1]);
  });

  it('returns to the last stable version', () => {
    const cluster = underWay({ AutoRevert: true }, true);
    overdue(cluster, 600_000);
    expect(latest(cluster).StatusDescription).toBe(
      'Failed due to progress deadline - rolling back to job version 0',
    );
    const job = cluster.jobRow('a');
    expect(job.Version).toBe(2);
    expect(job.TaskGroups?.[0]?.Tasks?.[0]?.Env).toEqual({ VALUE: '0' });
    cluster.run(cluster.evaluate('a'));
    expect(cluster.running().map(({ Job }) => Job?.Version)).toEqual([2]);
    expect(latest(cluster)).toMatchObject({ Status: 'running', JobVersion: 2 });
  });

  it('leaves no version to return to, though it was a stable one that was only scaled', () => {
    const cluster = underWay({}, true);
    report(cluster, true);
    cluster.write((transaction) => scaleJob(transaction, scaled));
    cluster.run(cluster.evaluate('a'));
    expect(latest(cluster)).toMatchObject({ Status: 'running', JobVersion: 2 });
    overdue(cluster, 600_000);
    expect(cluster.jobRow('a')).toMatchObject({ Version: 2, Stable: false });
    cluster.run(cluster.job(simpleJob('a', {}, withEnv('3', { AutoRevert: true }))));
    overdue(cluster, 600_000);
    expect(latest(cluster).StatusDescription).toBe(
      'Failed due to progress deadline - rolling back to job version 1',
    );
  });

  it('says so when there is no stable version', () => {
    const cluster = underWay({ AutoRevert: true }, false);
    overdue(cluster, 600_000);
    expect(latest(cluster).StatusDescription).toBe(
      'Failed due to progress deadline - no stable job version to auto revert to',
    );
    expect(cluster.jobRow('a').Version).toBe(1);
  });

  it('fails with its first unhealthy allocation when it has no deadline', () => {
    const cluster = underWay({ ProgressDeadline: 0 }, true);
    report(cluster, false);
    expect(latest(cluster)).toMatchObject({
      Status: 'failed',
      StatusDescription: 'Failed due to unhealthy allocations',
    });
  });
});
