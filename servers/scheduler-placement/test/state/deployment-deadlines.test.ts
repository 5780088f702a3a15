import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  groupsOfDeployment,
  type Deployment,
  type DeploymentGroup,
} from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { pauseDeployment, promoteDeployment } from '@tamis/scheduler-state/state/deployment-commands.js';
import { failOverdue } from '@tamis/scheduler-state/state/deployment-failure.js';
import { createCluster, simpleJob, type Cluster } from '../placement/cluster.js';

const minute = 60_000;
const deadline = 10 * minute;

interface RolloutOptions {
  readonly canaries?: number;
  readonly autoPromote?: boolean;
}

/** A cluster with a job of two groups, of which version 0 is out and version 1 is under way. */
function startRollout({ canaries = 1, autoPromote = false }: RolloutOptions = {}): Cluster {
  const cluster = createCluster();
  for (let at = 0; at < 4; at += 1) cluster.node({});
  deploy(cluster, '0', { canaries, autoPromote });
  reportHealth(cluster, () => true);
  deploy(cluster, '1', { canaries, autoPromote });
  return cluster;
}

function deploy(
  cluster: Cluster,
  VALUE: string,
  { canaries = 1, autoPromote = false }: RolloutOptions,
): void {
  const Update = { MaxParallel: 1, Canary: canaries, AutoPromote: autoPromote && canaries > 0 };
  const groups = ['web', 'api'].map((Name) => ({
    ...{ Name, Count: 2, Update },
    Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { VALUE }, Resources: { CPU: 100 } }],
  }));
  cluster.run(cluster.job({ ...simpleJob('a'), TaskGroups: groups }));
}

/** Reports on allocations of the deployment whose health is not known. */
function reportHealth(cluster: Cluster, healthOf: (group: string) => boolean | null): void {
  const { ID: id } = latest(cluster);
  for (const row of cluster.running()) {
    const Healthy = healthOf(row.TaskGroup);
    if (row.DeploymentID !== id || Healthy === null || (row.DeploymentStatus?.Healthy ?? null) !== null)
      continue;
    cluster.report([
      { ID: row.ID, ClientStatus: Healthy ? 'running' : 'failed', DeploymentStatus: { Healthy } },
    ]);
  }
}

function latest(cluster: Cluster): Deployment {
  return cluster.deployments().at(-1)!;
}

/** Lets the time pass; the watcher of deployments looks each minute. */
function pass(cluster: Cluster, minutes: number): void {
  for (let at = 0; at < minutes; at += 1) {
    cluster.now += minute;
    cluster.write((transaction) => failOverdue(transaction, latest(cluster).ID, cluster.now));
  }
}

/** What an operator can read: the groups that must make progress, and the first time by which they must. */
function readableDeadline(deployment: Deployment): number {
  const times = groupsOfDeployment(deployment)
    .filter(([, group]) => needsProgress(group))
    .map(([, { RequireProgressBy }]) => Date.parse(RequireProgressBy ?? '2100-01-01T00:00:00Z'));
  return Math.min(Infinity, ...times);
}

function needsProgress({ DesiredCanaries, DesiredTotal, HealthyAllocs, Promoted }: DeploymentGroup): boolean {
  return Number(HealthyAllocs) < Number(DesiredCanaries > 0 && !Promoted ? DesiredCanaries : DesiredTotal);
}

const promote = (cluster: Cluster, groups: readonly string[] | null = null): unknown =>
  cluster.write((transaction) => promoteDeployment(transaction, latest(cluster).ID, groups));
const pause = (cluster: Cluster, isPaused: boolean): unknown =>
  cluster.write((transaction) => pauseDeployment(transaction, latest(cluster).ID, isPaused));

describe('the progress deadline', () => {
  it('restarts for the promoted groups when canaries are promoted after it', () => {
    const cluster = startRollout();
    reportHealth(cluster, () => true);
    pass(cluster, 30);
    promote(cluster, ['web']);
    pass(cluster, 9);
    expect(latest(cluster).Status).toBe('running');
    pass(cluster, 1);
    expect(latest(cluster).StatusDescription).toBe('Failed due to progress deadline');
  });

  it('restarts when a rollout promotes its canaries itself', () => {
    const cluster = startRollout({ autoPromote: true });
    reportHealth(cluster, (group) => (group === 'web' ? true : null));
    pass(cluster, 9);
    reportHealth(cluster, (group) => (group === 'web' ? null : true));
    pass(cluster, 9);
    expect(latest(cluster).Status).toBe('running');
  });

  it('restarts when a paused deployment is resumed, and only then', () => {
    const cluster = startRollout({ canaries: 0 });
    pass(cluster, 5);
    pause(cluster, true);
    pass(cluster, 30);
    pause(cluster, false);
    pass(cluster, 9);
    pause(cluster, false);
    expect(latest(cluster).Status).toBe('running');
    pass(cluster, 1);
    expect(latest(cluster).Status).toBe('failed');
  });

  it('restarts when a healthy canary is lost that waited for its promotion', () => {
    const cluster = startRollout();
    reportHealth(cluster, () => true);
    pass(cluster, 30);
    const canary = cluster.running().find(({ Job }) => Job?.Version === 1)!;
    cluster.report([{ ID: canary.ID, ClientStatus: 'failed' }]);
    pass(cluster, 9);
    expect(latest(cluster).Status).toBe('running');
    pass(cluster, 1);
    expect(latest(cluster).Status).toBe('failed');
  });

  const group = fc.constantFrom('web', 'api');
  const event = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 15 }) }),
    fc.record({ kind: fc.constantFrom('healthy' as const, 'unhealthy' as const), group }),
    fc.record({ kind: fc.constantFrom('promote' as const, 'promote-all' as const), group }),
    fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'version' as const) }),
    fc.record({ kind: fc.constant('leave' as const), node: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant('place' as const) }),
  );

  it('fails a deployment only for a deadline that could be read, and is a full one after each restart', () => {
    const options = fc.record({ canaries: fc.integer({ min: 0, max: 2 }), autoPromote: fc.boolean() });
    fc.assert(
      fc.property(options, fc.array(event, { maxLength: 16 }), (rollout, events) => {
        const cluster = startRollout(rollout);
        for (const [at, each] of events.entries()) {
          const before = latest(cluster);
          if (!isActiveDeployment(before)) return;
          /** Whether the command was accepted. */
          const attempt = (action: () => unknown): boolean => {
            try {
              action();
              return true;
            } catch {
              return false;
            }
          };
          let isAccepted = true;
          if (each.kind === 'pass') {
            for (let left = each.minutes; left > 0; left -= 1) {
              const readable = latest(cluster);
              pass(cluster, 1);
              if (latest(cluster).Status !== 'failed') continue;
              expect(readable.Status).toBe('running');
              expect(readableDeadline(readable)).toBeLessThanOrEqual(cluster.now);
              return;
            }
          } else if (each.kind === 'healthy')
            reportHealth(cluster, (name) => (name === each.group ? true : null));
          else if (each.kind === 'unhealthy')
            reportHealth(cluster, (name) => (name === each.group ? false : null));
          else if (each.kind === 'promote') isAccepted = attempt(() => promote(cluster, [each.group]));
          else if (each.kind === 'promote-all') isAccepted = attempt(() => promote(cluster));
          else if (each.kind === 'pause' || each.kind === 'resume') pause(cluster, each.kind === 'pause');
          else if (each.kind === 'version') deploy(cluster, `v${at}`, rollout);
          else if (each.kind === 'leave') cluster.leave(each.node);
          else cluster.run(cluster.evaluate('a'));
          const after = latest(cluster);
          // A deadline that lies ahead is never missed by an event.
          if (each.kind !== 'pass') expect(after.Status).not.toBe('failed');
          if (after.ID !== before.ID || after.Status !== 'running') continue;
          for (const [name, state] of groupsOfDeployment(after)) {
            const old = before.TaskGroups?.[name] ?? null;
            const hasResumed = before.Status === 'paused';
            const begins = old === null || !needsProgress(old) || (state.Promoted && !old.Promoted);
            if (!isAccepted || !needsProgress(state) || state.RequireProgressBy === null) continue;
            const due = Date.parse(state.RequireProgressBy);
            if (hasResumed || begins || state.HealthyAllocs > (old?.HealthyAllocs ?? 0)) {
              expect(due).toBe(cluster.now + deadline);
            } else if ((old?.RequireProgressBy ?? null) !== null) {
              expect(due).toBe(Date.parse(old?.RequireProgressBy ?? ''));
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
