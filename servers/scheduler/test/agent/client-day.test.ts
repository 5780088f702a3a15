import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { createMachine } from '@tamis/scheduler-model/host/machine.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { systemClock } from '@tamis/http';
import { createApiClient, type ApiClient } from '../support/api-client.js';
import { createTestAgent } from '../support/test-agent.js';

let directory = '';
let agent: Agent;
let api: ApiClient;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'client-day-'));
  agent = await createTestAgent({
    clock: systemClock,
    random: Math.random,
    machine: createMachine({ environment: { PATH: '/usr/bin:/bin' }, runtimeVersion: 'v20' }),
    storage: createMemoryStorage(),
    config: {
      dataDir: directory,
      enableDebug: true,
      server: { ...defaultAgentConfig.server, numSchedulers: 2, pauseEvalBroker: false },
      client: { ...defaultAgentConfig.client, enabled: true, rawExec: true },
    },
  });
  api = createApiClient(await agent.listen());
});
afterEach(async () => {
  await agent.close();
  await rm(directory, { recursive: true, force: true });
});

interface Deployment {
  readonly ID: string;
  readonly JobVersion: number;
  readonly Status: string;
  readonly StatusDescription: string;
  readonly TaskGroups: {
    readonly web: { readonly HealthyAllocs: number; readonly PlacedCanaries: string[] };
  };
}

interface Allocation {
  readonly ID: string;
  readonly JobVersion: number;
  readonly ClientStatus: string;
  readonly DesiredStatus: string;
  readonly DeploymentStatus: { readonly Healthy: boolean | null; readonly Canary: boolean } | null;
}

interface Evaluation {
  readonly ID: string;
  readonly Status: string;
  readonly BlockedEval: string;
  readonly FailedTGAllocs: Readonly<Record<string, object>> | null;
  readonly QueuedAllocations: Readonly<Record<string, number>> | null;
}

const millisecond = 1_000_000;
const second = 1_000 * millisecond;
const forEver = 'while :; do sleep 0.1; done';

function task(script: string, more: object = {}): object {
  return {
    Name: 'main',
    Driver: 'raw_exec',
    Config: { command: '/bin/sh', args: ['-c', script] },
    Resources: { CPU: 10, MemoryMB: 10 },
    KillSignal: 'SIGKILL',
    ...more,
  };
}

/** A service as its owners keep it in a file, with times that are short. */
function web(script: string, Count: number, Canary = 0): object {
  return {
    ID: 'web',
    Datacenters: ['dc1'],
    Update: {
      MaxParallel: 1,
      Canary,
      AutoRevert: true,
      MinHealthyTime: 100 * millisecond,
      HealthyDeadline: 600 * second,
      ProgressDeadline: 1_200 * second,
    },
    TaskGroups: [
      {
        Name: 'web',
        Count,
        RestartPolicy: { Attempts: 0, Mode: 'fail' },

        Tasks: [task(script)],
      },
    ],
  };
}

function deploymentOf(version: number, status: string): Promise<Deployment> {
  const isIt = (one: Deployment): boolean => one.JobVersion === version && one.Status === status;
  return api
    .until<Deployment[]>('/v1/job/web/deployments', (all) => all.some(isIt))
    .then((all) => all.find(isIt) as Deployment);
}

/** The allocations that are wanted, once they are of these versions and all run. */
async function running(versions: readonly number[]): Promise<Allocation[]> {
  const expected = (all: Allocation[]): Allocation[] => all.filter((one) => one.DesiredStatus === 'run');
  const all = await api.until<Allocation[]>('/v1/job/web/allocations', (list) => {
    const found = expected(list);
    const isUp = found.every(({ ClientStatus }) => ClientStatus === 'running');
    return isUp && String(found.map((one) => one.JobVersion).sort()) === String(versions);
  });
  return expected(all);
}

async function scaleAndUpdate(): Promise<void> {
  await api.put('/v1/jobs', { Job: web(forEver, 2) });
  await deploymentOf(0, 'successful');
  const before = await running([0, 0]);

  await api.put('/v1/jobs', { Job: web(forEver, 3) });
  const scaled = await deploymentOf(1, 'successful');
  expect(scaled.TaskGroups.web.HealthyAllocs).toBe(3);
  const after = await running([1, 1, 1]);
  expect(after.map(({ ID }) => ID)).toEqual(expect.arrayContaining(before.map(({ ID }) => ID)));
  expect(await api.get('/v1/job/web')).toMatchObject({ Version: 1, Stable: true });
}

async function promoteCanary(): Promise<void> {
  await api.put('/v1/jobs', { Job: web(`echo two; ${forEver}`, 3, 1) });
  const isReady = ({ JobVersion, TaskGroups }: Deployment): boolean =>
    JobVersion === 2 && TaskGroups.web.HealthyAllocs === 1;
  const all = await api.until<Deployment[]>('/v1/job/web/deployments', (list) => list.some(isReady));
  const { ID, StatusDescription, TaskGroups } = all.find(isReady) as Deployment;
  expect(StatusDescription).toBe('Deployment is running but requires manual promotion');
  const canaries = (await running([1, 1, 1, 2])).filter((one) => one.DeploymentStatus?.Canary === true);
  expect(canaries.map((one) => one.ID)).toEqual(TaskGroups.web.PlacedCanaries);
  await api.put(`/v1/deployment/promote/${ID}`, { DeploymentID: ID, All: true });
  await deploymentOf(2, 'successful');
  await running([2, 2, 2]);
}

async function failAndRevert(): Promise<void> {
  await api.put('/v1/jobs', { Job: web('exit 1', 3) });
  const isBad = (one: Deployment): boolean => one.JobVersion === 3;
  const all = await api.until<Deployment[]>('/v1/job/web/deployments', (list) => list.some(isBad));
  await api.until<Allocation[]>('/v1/job/web/allocations', (list) =>
    list.some((one) => one.JobVersion === 3 && one.ClientStatus === 'failed'),
  );
  const { ID } = all.find(isBad) as Deployment;
  const response = await api.put<{ RevertedJobVersion: number }>(`/v1/deployment/fail/${ID}`, {});
  expect(response.RevertedJobVersion).toBe(4);
  await deploymentOf(3, 'failed');
  await deploymentOf(4, 'successful');
  await running([4, 4, 4]);
}

interface Node {
  readonly ID: string;
  readonly Drain: boolean;
  readonly LastDrain: { readonly StartedAt: string; readonly Status: string };
}

/** Drains the only node there is, which takes until the deadline, and lets the work come back. */
async function drainOnce(nodeId: string): Promise<Node['LastDrain']> {
  await api.put(`/v1/node/${nodeId}/drain`, { DrainSpec: { Deadline: second } });
  const { LastDrain } = await api.until<Node>(`/v1/node/${nodeId}`, ({ Drain }) => !Drain);
  expect(LastDrain.Status).toBe('complete');
  await running([]);
  const evaluations = await api.until<Evaluation[]>('/v1/job/web/evaluations', (list) =>
    list.some(({ Status }) => Status === 'blocked'),
  );
  const [blocked, ...others] = evaluations.filter(({ Status }) => Status === 'blocked');
  expect(others).toEqual([]);
  expect(blocked).toMatchObject({ QueuedAllocations: { web: 3 }, FailedTGAllocs: { web: {} } });
  expect(evaluations.map(({ BlockedEval }) => BlockedEval)).toContain(blocked?.ID);
  await api.put(`/v1/node/${nodeId}/eligibility`, { Eligibility: 'eligible' });
  await running([4, 4, 4]);
  return LastDrain;
}

async function drainTwice(): Promise<void> {
  const [node] = await api.get<Node[]>('/v1/nodes');
  const first = await drainOnce(node?.ID ?? '');
  const other = await drainOnce(node?.ID ?? '');
  expect(Date.parse(other.StartedAt)).toBeGreaterThan(Date.parse(first.StartedAt));
}

async function runBatches(): Promise<void> {
  const batch = (ID: string, more: object): object => ({
    ID,
    Type: 'batch',
    Datacenters: ['dc1'],
    TaskGroups: [{ Name: 'g', Tasks: [task('exit 0')] }],
    ...more,
  });
  const isDone = (list: Allocation[]): boolean => list.length === 1 && list[0]?.ClientStatus === 'complete';
  await api.put('/v1/jobs', { Job: batch('mail', { ParameterizedJob: { MetaRequired: ['to'] } }) });
  const { DispatchedJobID } = await api.put<{ DispatchedJobID: string }>('/v1/job/mail/dispatch', {
    Meta: { to: 'ops' },
  });
  await api.until<Allocation[]>(`/v1/job/${encodeURIComponent(DispatchedJobID)}/allocations`, isDone);
  const Periodic = { Spec: '0 0 1 1 *', ProhibitOverlap: true };
  await api.put('/v1/jobs', { Job: batch('nightly', { Periodic }) });
  await api.put('/v1/job/nightly/periodic/force', {});
  const children = await api.until<{ ID: string; Status: string }[]>(
    '/v1/jobs?prefix=nightly/periodic-',
    (list) => list.length === 1 && list[0]?.Status === 'dead',
  );
  const child = encodeURIComponent(children[0]?.ID ?? '');
  expect(isDone(await api.get(`/v1/job/${child}/allocations`))).toBe(true);
  await api.until<{ Children: { Dead: number } }>(
    '/v1/job/nightly/summary',
    ({ Children }) => Children.Dead === 1,
  );
}

describe('the day of a client', () => {
  it('goes as it expects, from the first registration to the last drain', async () => {
    await scaleAndUpdate();
    await promoteCanary();
    await failAndRevert();
    await drainTwice();
    await runBatches();
    await api.delete('/v1/job/web');
    await running([]);
  });
});
