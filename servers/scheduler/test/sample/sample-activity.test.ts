import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import type { TableName } from '@tamis/scheduler-state/state/tables.js';
import { fullRange, scanRows } from 'tamis/table';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, createTestAgent } from '../support/test-agent.js';

const start = Date.UTC(2026, 6, 1);

async function startSample(clock: FakeClock): Promise<Agent> {
  const agent = await createTestAgent({
    clock,
    config: {
      fill: { kind: 'sample', isStill: false, size: { nodes: 60, jobs: 200 } },
      server: { ...defaultAgentConfig.server, numSchedulers: 1 },
    },
  });
  await settled(agent);
  return agent;
}

/** Lets the workers finish: resolves when the state has not changed for some turns. */
async function settled(agent: Agent): Promise<void> {
  for (let quiet = 0, last = -1; quiet < 5;) {
    await new Promise((resolve) => setImmediate(resolve));
    const { index } = agent.state.snapshot();
    quiet = index === last ? quiet + 1 : 0;
    last = index;
  }
}

async function pass(agent: Agent, clock: FakeClock, milliseconds: number, step = 2_000): Promise<void> {
  for (let left = milliseconds; left > 0; left -= step) {
    clock.advance(step);
    clock.runSoon();
    await settled(agent);
  }
}

const rowsOf = <N extends TableName>(agent: Agent, table: N) =>
  [...scanRows(agent.state.snapshot().tables[table].primary as never, fullRange, false)] as never[];

function sizes(agent: Agent): Record<'jobs' | 'allocations' | 'evaluations' | 'job_versions', number> {
  const { jobs, allocations, evaluations, job_versions: versions } = agent.state.snapshot().tables;
  return {
    jobs: jobs.primary.size,
    allocations: allocations.primary.size,
    evaluations: evaluations.primary.size,
    job_versions: versions.primary.size,
  };
}

describe('the activity of the sample', () => {
  it('changes a few allocations a minute, and leaves one promotion, one failure and one node down', async () => {
    const clock = createFakeClock(start);
    const agent = await startSample(clock);
    const before = rowsOf(agent, 'evaluations').length;
    await pass(agent, clock, 300_000);
    const added = rowsOf(agent, 'evaluations').length - before;
    expect(added).toBeGreaterThan(5);
    expect(added).toBeLessThan(100);
    const jobs = rowsOf(agent, 'jobs') as { readonly Status: string }[];
    expect(jobs.filter(({ Status }) => Status === 'pending')).toHaveLength(3);
    const statuses = (table: 'deployments' | 'nodes') =>
      (rowsOf(agent, table) as { readonly Status: string }[]).map(({ Status }) => Status);
    expect(statuses('deployments').filter((status) => status === 'failed')).toHaveLength(1);
    expect(statuses('deployments')).toContain('running');
    expect(statuses('nodes').filter((status) => status === 'down')).toHaveLength(1);
    await agent.close();
  });

  it('starts what a user registers, and ends it when the user stops it', async () => {
    const clock = createFakeClock(start);
    const agent = await startSample(clock);
    const task = { Name: 'main', Driver: 'docker', Config: { image: 'a:1' } };
    const Job = {
      ...{ ID: 'mine', Name: 'mine', Type: 'service', Datacenters: ['*'] },
      TaskGroups: [{ Name: 'web', Count: 3, Tasks: [task] }],
    };
    const statuses = async (): Promise<readonly string[]> =>
      ((await call(agent, '/v1/job/mine/allocations')).json() as { ClientStatus: string }[]).map(
        ({ ClientStatus }) => ClientStatus,
      );
    expect((await call(agent, '/v1/jobs', { method: 'PUT', body: { Job } })).status).toBe(200);
    await pass(agent, clock, 10_000);
    expect(await statuses()).toEqual(['running', 'running', 'running']);
    await pass(agent, clock, 20_000);
    const [deployment] = (await call(agent, '/v1/job/mine/deployments')).json() as { Status: string }[];
    expect(deployment?.Status).toBe('successful');
    await call(agent, '/v1/job/mine', { method: 'DELETE' });
    await pass(agent, clock, 10_000);
    expect(await statuses()).toEqual(['complete', 'complete', 'complete']);
    await agent.close();
  });

  it('promotes the waiting deployment on request', async () => {
    const clock = createFakeClock(start);
    const agent = await startSample(clock);
    const deployments = rowsOf(agent, 'deployments') as { readonly ID: string; readonly Status: string }[];
    const { ID = '' } = deployments.find(({ Status }) => Status === 'running') ?? {};
    const body = { DeploymentID: ID, All: true };
    expect((await call(agent, `/v1/deployment/promote/${ID}`, { method: 'PUT', body })).status).toBe(200);
    await pass(agent, clock, 180_000);
    expect((await call(agent, `/v1/deployment/${ID}`)).json()).toMatchObject({ Status: 'successful' });
    await agent.close();
  });

  it('stops growing when what has ended is collected', async () => {
    const clock = createFakeClock(start);
    const agent = await startSample(clock);
    const before = sizes(agent);
    await pass(agent, clock, 5 * 3_600_000, 20_000);
    const after = sizes(agent);
    // 900 actions: jobs stay for four hours, allocations and evaluations for one, a few versions of each job.
    expect(after.jobs).toBeGreaterThan(before.jobs + 100);
    expect(after.jobs).toBeLessThan(before.jobs + 300);
    expect(after.allocations).toBeLessThan(before.allocations * 4);
    expect(after.evaluations).toBeLessThan(before.allocations * 2);
    expect(after.job_versions).toBeLessThan(before.jobs * 6);
    await agent.close();
  });
});
