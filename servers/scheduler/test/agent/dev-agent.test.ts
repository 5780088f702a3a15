import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { createMachine } from '@tamis/scheduler-model/host/machine.js';
import { createMemoryStorage } from '@tamis/scheduler-state/storage/memory.js';
import { createTestAgent } from '../support/test-agent.js';
import { systemClock } from '@tamis/http';

let directory = '';
let agent: Agent;
let origin = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dev-agent-'));
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
  origin = await agent.listen();
});
afterEach(async () => {
  await agent.close();
  await rm(directory, { recursive: true, force: true });
});

/** Polls repeatedly, each time with a blocking query for a newer index. */
async function blockUntil<T>(path: string, accept: (body: T) => boolean): Promise<T> {
  let index = 0;
  for (let round = 0; round < 1_000; round += 1) {
    const separator = path.includes('?') ? '&' : '?';
    const response = await fetch(`${origin}${path}${separator}index=${index}&wait=20s`);
    const body = (response.status === 200 ? await response.json() : (await response.text(), null)) as T;
    if (response.status === 200 && accept(body)) return body;
    index = Number(response.headers.get('x-scheduler-index'));
  }
  throw new Error(`A thousand changes of ${path}, and none is the one that is waited for`);
}

interface Deployment {
  readonly JobVersion: number;
  readonly Status: string;
  readonly StatusDescription: string;
}

async function register(version: string, minHealthyTime: number): Promise<void> {
  const task = {
    Name: 'sleeper',
    Driver: 'raw_exec',
    Config: { command: '/bin/sh', args: ['-c', `echo ${version}; while :; do sleep 0.1; done`] },
    Resources: { CPU: 10, MemoryMB: 10 },
    KillSignal: 'SIGKILL',
  };
  const Job = {
    ID: 'web',
    Datacenters: ['dc1'],
    Update: {
      MinHealthyTime: minHealthyTime,
      HealthyDeadline: 2 * never,
      ProgressDeadline: 3 * never,
      MaxParallel: 2,
    },
    TaskGroups: [{ Name: 'g', Count: 2, Tasks: [task] }],
  };
  const response = await fetch(`${origin}/v1/jobs`, { method: 'PUT', body: JSON.stringify({ Job }) });
  expect(response.status).toBe(200);
}

/** Nanoseconds. */
const atOnce = 1_000_000;
const never = 3_600_000_000_000;

describe('an agent that is a server and a client', () => {
  it('runs a job from its registration to its end, and blocked queries see each step', async () => {
    await register('one', atOnce);
    const running = await blockUntil<{ Summary: { g: { Running: number } } }>(
      '/v1/job/web/summary',
      ({ Summary }) => Summary.g.Running === 2,
    );
    expect(running.Summary.g).toMatchObject({ Queued: 0, Starting: 0, Failed: 0 });
    await blockUntil<{ Status: string }>('/v1/job/web', ({ Status }) => Status === 'running');
    const first = await blockUntil<Deployment[]>(
      '/v1/job/web/deployments',
      ([one]) => one?.Status === 'successful',
    );
    expect(first).toMatchObject([{ JobVersion: 0, StatusDescription: 'Deployment completed successfully' }]);

    await register('two', never);
    await blockUntil<Deployment[]>('/v1/job/web/deployments', (all) =>
      all.some(({ JobVersion, Status }) => JobVersion === 1 && Status === 'running'),
    );
    await register('three', atOnce);
    const all = await blockUntil<Deployment[]>('/v1/job/web/deployments', (list) =>
      list.some(({ JobVersion, Status }) => JobVersion === 2 && Status === 'successful'),
    );
    expect(all.find(({ JobVersion }) => JobVersion === 1)).toMatchObject({
      Status: 'cancelled',
      StatusDescription: 'Cancelled due to newer version of job',
    });

    await fetch(`${origin}/v1/job/web`, { method: 'DELETE' });
    await blockUntil<{ Status: string }>('/v1/job/web', ({ Status }) => Status === 'dead');
    const ended = await blockUntil<{ ClientStatus: string; DesiredStatus: string }[]>(
      '/v1/job/web/allocations?all=true',
      (list) => list.every(({ ClientStatus }) => ClientStatus === 'complete'),
    );
    expect(ended.length).toBeGreaterThanOrEqual(4);
  });
});
