import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { Deployment, DeploymentGroup } from '@tamis/scheduler-model/deployment.js';
import { isActiveDeployment } from '@tamis/scheduler-model/deployment-status.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import {
  failDeploymentByUser,
  pauseDeployment,
  promoteDeployment,
} from '@tamis/scheduler-state/state/deployment-commands.js';
import { failOverdue } from '@tamis/scheduler-state/state/deployment-failure.js';
import { drainNode, takeDrainStep } from '@tamis/scheduler-state/state/node-drain.js';
import { updateNodeStatus } from '@tamis/scheduler-state/state/node-status.js';
import { scanRows, fullRange, getRow } from 'tamis/table';
import { stableVersion } from '@tamis/scheduler-state/state/stable-version.js';
import { createCluster, simpleJob, type Cluster } from './cluster.js';

const second = 1_000_000_000;

const step = fc.record({
  kind: fc.constantFrom(
    ...['register', 'register', 'healthy', 'healthy', 'unhealthy', 'promote', 'promote', 'fail', 'pause'],
    ...['resume', 'lose', 'lose', 'return', 'drain', 'undrain', 'crash', 'crash', 'evaluate', 'wait', 'late'],
  ),
  pick: fc.nat(1_000),
  text: fc.constantFrom('a', 'b', 'c'),
  count: fc.integer({ min: 1, max: 5 }),
  parallel: fc.integer({ min: 1, max: 2 }),
  canary: fc.constantFrom(0, 0, 1, 2),
  autoRevert: fc.boolean(),
  autoPromote: fc.boolean(),
});
type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) & { readonly kind: string };

function group({ text, count, parallel, canary, autoRevert, autoPromote }: Step): object {
  const Update = { MaxParallel: parallel, Canary: canary, AutoRevert: autoRevert, AutoPromote: autoPromote };
  return {
    Count: count,
    Update: { ...Update, AutoPromote: autoPromote && canary > 0 },
    ReschedulePolicy: { Delay: 5 * second, DelayFunction: 'constant', Unlimited: true },
    Tasks: [{ Name: 't', Driver: 'raw_exec', Env: { TEXT: text }, Resources: { CPU: 1_000, MemoryMB: 256 } }],
  };
}

function nodesOf({ snapshot }: Cluster): string[] {
  return [...scanRows(snapshot.tables.nodes.primary, fullRange, false)].map(({ ID }) => ID);
}

/** Does what workers would do: all that is due, and what waits for room. */
function settle(cluster: Cluster): void {
  for (let round = 0; round < 200; round += 1) {
    const next = cluster
      .evaluations()
      .find(
        ({ Status, WaitUntil }) =>
          Status === 'pending' && (WaitUntil === null || Date.parse(WaitUntil) <= cluster.now),
      );
    if (next === undefined) return;
    cluster.run(next);
  }
  throw new Error('the evaluations of a job never end');
}

function settleAll(cluster: Cluster): void {
  settle(cluster);
  for (const blocked of cluster.evaluations().filter(({ Status }) => Status === 'blocked')) {
    cluster.run(blocked);
  }
  settle(cluster);
}

/** A user request at a bad moment is rejected, and has no other effect. */
function send(cluster: Cluster, action: Parameters<Cluster['write']>[0]): void {
  try {
    cluster.write(action);
  } catch (error) {
    if (!(error instanceof SchedulerError)) throw error;
  }
}

function reportHealth(cluster: Cluster, rows: readonly Allocation[], Healthy: boolean): void {
  cluster.report(
    rows
      .filter(({ DeploymentStatus }) => (DeploymentStatus?.Healthy ?? null) === null)
      .map(({ ID }) => ({ ID, ClientStatus: 'running', DeploymentStatus: { Healthy } })),
  );
}

function take(cluster: Cluster, { kind, pick, ...rest }: Step): void {
  const ids = nodesOf(cluster);
  const node = ids[pick % ids.length] ?? '';
  const running = cluster.running();
  const one = running[pick % Math.max(1, running.length)];
  const deployment = cluster.deployments().at(-1)?.ID ?? '';
  const status = (word: 'down' | 'ready'): void =>
    send(cluster, (transaction) => updateNodeStatus(transaction, node, word));
  const drain = (deadline: number | null): void => {
    const spec = deadline === null ? null : { deadline, ignoreSystemJobs: false };
    const request = { spec, markEligible: true, meta: null, accessor: '' };
    send(cluster, (transaction) => drainNode(transaction, node, request));
    send(cluster, (transaction) => takeDrainStep(transaction, node));
  };
  const actions: Readonly<Record<string, () => void>> = {
    register: () => void cluster.job(simpleJob('a', {}, group({ kind, pick, ...rest }))),
    healthy: () => reportHealth(cluster, pick % 2 === 0 ? running : one === undefined ? [] : [one], true),
    unhealthy: () => reportHealth(cluster, one === undefined ? [] : [one], false),
    promote: () => send(cluster, (transaction) => promoteDeployment(transaction, deployment, null)),
    fail: () => send(cluster, (transaction) => failDeploymentByUser(transaction, deployment)),
    pause: () => send(cluster, (transaction) => pauseDeployment(transaction, deployment, true)),
    resume: () => send(cluster, (transaction) => pauseDeployment(transaction, deployment, false)),
    lose: () => status('down'),
    return: () => status('ready'),
    drain: () => drain(-1),
    undrain: () => drain(null),
    crash: () => void (one !== undefined && cluster.report([{ ID: one.ID, ClientStatus: 'failed' }])),
    evaluate: () => void cluster.evaluate('a'),
    wait: () => void (cluster.now += 10_000),
    late() {
      cluster.now += 600_000;
      send(cluster, (transaction) => failOverdue(transaction, deployment, cluster.now));
    },
  };
  actions[kind]?.();
}

/** What the invariants speak of. */
interface View {
  readonly version: number;
  readonly deployment: Deployment | null;
  readonly state: DeploymentGroup | null;
  readonly count: number;
  readonly canaries: readonly Allocation[];
  /** All that run but canaries that wait. */
  readonly regular: readonly Allocation[];
  /** Those that have failed and are kept as they are. */
  readonly dead: readonly Allocation[];
  readonly retained: 'no' | 'paused' | 'failed' | 'canaries';
}

function viewOf(cluster: Cluster): View {
  const job = cluster.jobRow('a');
  const deployment = cluster.deployments().findLast(({ JobVersion }) => JobVersion === job.Version) ?? null;
  const state = deployment?.TaskGroups?.['web'] ?? null;
  const isWaiting = state !== null && state.DesiredCanaries > 0 && !state.Promoted;
  const canaryIds = new Set(isWaiting ? state.PlacedCanaries : []);
  const canaries = cluster.running().filter(({ ID }) => canaryIds.has(ID));
  const hasFailed =
    deployment !== null && !isActiveDeployment(deployment) && deployment.Status !== 'successful';
  return {
    version: Number(job.Version),
    deployment,
    state,
    count: Number(job.TaskGroups?.[0]?.Count),
    canaries,
    regular: cluster.running().filter(({ ID }) => !canaryIds.has(ID)),
    dead: cluster
      .allocations()
      .filter(
        ({ ID, ClientStatus, DesiredStatus, NextAllocation }) =>
          ClientStatus === 'failed' && DesiredStatus === 'run' && NextAllocation === '' && !canaryIds.has(ID),
      ),
    retained: hasFailed
      ? 'failed'
      : deployment?.Status === 'paused'
        ? 'paused'
        : isWaiting
          ? 'canaries'
          : 'no',
  };
}

function versionOf({ Job }: Allocation): number {
  return Number(Job?.Version);
}

/** What makes a version take the place of another, where others change in place. */
function textOf({ Job }: Allocation): unknown {
  return Job?.TaskGroups?.[0]?.Tasks?.[0]?.Env?.['TEXT'];
}

function expectCounts(cluster: Cluster, view: View): void {
  const { regular, dead, canaries, state, count, retained: paused, version } = view;
  const names = regular.filter((row) => versionOf(row) === version).map(({ Name }) => Name);
  expect(new Set(names).size).toBe(names.length);
  expect(regular.length).toBeLessThanOrEqual(count);
  expect(canaries.length).toBeLessThanOrEqual(Number(state?.DesiredCanaries ?? 0));
  const Queued = Number(getRow(cluster.snapshot.tables.job_summaries, 'default.a')?.Summary?.['web']?.Queued);
  if (paused === 'no' || paused === 'failed') {
    expect(regular.length + dead.length + Queued).toBeGreaterThanOrEqual(count);
  }
  for (const { NodeID } of cluster.running()) {
    expect(getRow(cluster.snapshot.tables.nodes, NodeID)?.Status).toBe('ready');
  }
}

/** Nothing that is not proven is where it was not before. */
function expectVersions(cluster: Cluster, before: View | null, view: View): void {
  const { version, deployment, canaries, regular, retained: paused } = view;
  expect(canaries.every((row) => versionOf(row) === version)).toBe(true);
  if (paused === 'failed') expect(canaries).toEqual([]);
  const count = (rows: readonly Allocation[]): number =>
    rows.filter((row) => versionOf(row) === version).length;
  const isSame = before?.deployment?.ID === deployment?.ID && before?.version === version;
  const wasLocked = before?.retained === paused || (before?.retained === 'canaries' && paused === 'failed');
  const hasOther = stableVersion(cluster.snapshot.tables, cluster.jobRow('a')) !== null;
  if (isSame && wasLocked && (paused === 'canaries' || paused === 'failed') && hasOther) {
    expect(count(regular)).toBeLessThanOrEqual(count(before.regular));
  }
  // The canaries of a new version are all that there is of it.
  if (before?.version !== version && paused === 'canaries' && hasOther) expect(count(regular)).toBe(0);
  const stale = cluster
    .deployments()
    .filter((one) => one.ID !== deployment?.ID)
    .flatMap(({ TaskGroups }) => {
      const state = TaskGroups?.['web'] ?? null;
      return state === null || state.Promoted ? [] : [...(state.PlacedCanaries ?? [])];
    });
  expect(cluster.running().filter(({ ID }) => stale.includes(ID))).toEqual([]);
}

function expectParallel(cluster: Cluster, { deployment, state, version }: View): void {
  if (deployment === null || state === null) return;
  const parallel = Number(cluster.jobRow('a').TaskGroups?.[0]?.Update?.MaxParallel);
  const updating = cluster.running().filter((row) => {
    const previous = getRow(cluster.snapshot.tables.allocations, row.PreviousAllocation);
    const isNew = row.DeploymentID === deployment.ID && (row.DeploymentStatus?.Healthy ?? null) === null;
    const isPlaced = row.CreateIndex >= deployment.CreateIndex;
    return (
      isPlaced && isNew && versionOf(row) === version && previous !== null && textOf(previous) !== textOf(row)
    );
  });
  expect(updating.length).toBeLessThanOrEqual(parallel);
}

function expectBooks(cluster: Cluster): void {
  expect(cluster.deployments().filter(isActiveDeployment).length).toBeLessThanOrEqual(1);
  const blocked = cluster.evaluations().filter(({ Status }) => Status === 'blocked');
  expect(blocked.length).toBeLessThanOrEqual(1);
  for (const { FailedTGAllocs, QueuedAllocations } of blocked) {
    expect(FailedTGAllocs?.['web']).toBeDefined();
    expect(Number(QueuedAllocations?.['web'])).toBeGreaterThan(0);
  }
}

/** Everything goes well from now on, or its time is over: the rollout comes to its end, and all that is wanted runs. */
function expectEnd(cluster: Cluster): void {
  for (let at = 0; at < 4; at += 1) cluster.node({});
  for (let round = 1; round <= 40; round += 1) {
    const deployment = cluster.deployments().at(-1)?.ID ?? '';
    send(cluster, (transaction) => pauseDeployment(transaction, deployment, false));
    settleAll(cluster);
    reportHealth(cluster, cluster.running(), true);
    send(cluster, (transaction) => promoteDeployment(transaction, deployment, null));
    cluster.now += round % 15 === 0 ? 600_000 : 10_000;
    send(cluster, (transaction) => failOverdue(transaction, deployment, cluster.now));
    settleAll(cluster);
  }
  const { regular, dead, deployment, count, retained: paused, version } = viewOf(cluster);
  expect(regular.length).toBeLessThanOrEqual(count);
  expect(regular.length + dead.length).toBeGreaterThanOrEqual(count);
  expect(deployment === null || !isActiveDeployment(deployment)).toBe(true);
  if (paused === 'no') expect(regular.every((row) => versionOf(row) === version)).toBe(true);
}

const rest = { pick: 0, parallel: 1, autoRevert: false, autoPromote: false };
/** A canary that was promoted next to what it replaces, and then a version that takes over what both had. */
const twoOfOneName: Step[] = [
  { ...rest, kind: 'register', text: 'c', count: 5, canary: 1, autoPromote: true },
  { ...rest, kind: 'healthy', text: 'a', count: 1, canary: 0 },
  { ...rest, kind: 'register', text: 'a', count: 2, canary: 0 },
];

describe('a rollout', () => {
  it('keeps counts, canaries and versions apart, whatever happens, and comes to an end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 25 }), (nodes, steps) => {
        const cluster = createCluster();
        for (let at = 0; at < nodes; at += 1) cluster.node({});
        let before: View | null = null;
        for (const one of [{ ...steps[0], ...first }, ...steps] as Step[]) {
          take(cluster, one);
          settleAll(cluster);
          const view = viewOf(cluster);
          expectCounts(cluster, view);
          expectVersions(cluster, before, view);
          expectParallel(cluster, view);
          expectBooks(cluster);
          before = view;
        }
        expectEnd(cluster);
      }),
      { numRuns: 100, examples: [[1, twoOfOneName]] },
    );
  });
});

const first: Step = {
  kind: 'register',
  pick: 0,
  text: 'a',
  count: 3,
  parallel: 1,
  canary: 0,
  autoRevert: false,
  autoPromote: false,
};
