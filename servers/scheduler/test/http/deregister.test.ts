import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { call, idsOf, type TestResponse } from '../support/test-agent.js';

async function stop(agent: Agent, rest: string): Promise<TestResponse> {
  return call(agent, `/v1/job/${rest}`, { method: 'DELETE' });
}

async function read(agent: Agent, path: string): Promise<Record<string, unknown>> {
  return (await call(agent, path)).json() as Record<string, unknown>;
}

/** The response to a write at this index. */
const written = (index: number): object => ({
  EvalID: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  EvalCreateIndex: index,
  JobModifyIndex: index,
  VolumeEvalID: '',
  VolumeEvalIndex: 0,
  Index: index,
  LastContact: 0,
  KnownLeader: false,
  NextToken: '',
});

describe('stopping a job', () => {
  it('makes a new version of it that is dead and stays listed', async () => {
    const agent = await createBaseAgent();
    const response = await stop(agent, 'alpha');
    expect(response.status).toBe(200);
    expect(response.headers['x-scheduler-index']).toBe('115');
    expect(response.headers).not.toHaveProperty('x-scheduler-knownleader');
    expect(response.json()).toEqual(written(115));
    expect(await read(agent, '/v1/job/alpha')).toMatchObject({
      Stop: true,
      Status: 'dead',
      Version: 1,
      ModifyIndex: 115,
      JobModifyIndex: 115,
    });
    expect(idsOf(await call(agent, '/v1/jobs'))).toContain('alpha');
    const { EvalID } = response.json() as { EvalID: string };
    expect(await read(agent, `/v1/evaluation/${EvalID}`)).toMatchObject({
      TriggeredBy: 'job-deregister',
      JobID: 'alpha',
      Priority: 50,
    });
  });

  it('twice makes no second version, only another evaluation', async () => {
    const agent = await createBaseAgent();
    await stop(agent, 'alpha');
    expect((await stop(agent, 'alpha')).json()).toMatchObject({ EvalCreateIndex: 116, JobModifyIndex: 115 });
    expect(await read(agent, '/v1/job/alpha')).toMatchObject({ Version: 1 });
  });

  it('is undone by registering it again', async () => {
    const agent = await createBaseAgent();
    await stop(agent, 'alpha');
    const Job = minimalJob('alpha', { Meta: { owner: 'ops' } });
    await call(agent, '/v1/jobs', { method: 'PUT', body: { Job } });
    expect(await read(agent, '/v1/job/alpha')).toMatchObject({ Stop: false, Status: 'pending', Version: 2 });
  });

  it('of another namespace needs its name', async () => {
    const agent = await createBaseAgent();
    expect((await stop(agent, 'delta')).json()).toMatchObject({ EvalID: '', JobModifyIndex: 0 });
    expect((await stop(agent, 'delta?namespace=apps')).json()).toEqual(written(115));
  });

  it('that is periodic makes no evaluation', async () => {
    const agent = await createBaseAgent();
    const Job = minimalJob('cron', { Type: 'batch', Periodic: { Spec: '@daily' } });
    await call(agent, '/v1/jobs', { method: 'PUT', body: { Job } });
    const response = await stop(agent, 'cron');
    expect(response.json()).toEqual({ ...written(116), EvalID: '', EvalCreateIndex: 0 });
    expect((await stop(agent, 'cron')).json()).toMatchObject({ EvalID: '', Index: 116 });
  });

  it('gives the evaluation the requested priority', async () => {
    const agent = await createBaseAgent();
    const { EvalID } = (await stop(agent, 'alpha?eval_priority=80')).json() as { EvalID: string };
    expect(await read(agent, `/v1/evaluation/${EvalID}`)).toMatchObject({ Priority: 80 });
  });

  it('that does not exist is no mistake: zeros, and nothing is written', async () => {
    const agent = await createBaseAgent();
    const response = await stop(agent, 'nope');
    expect([response.status, response.json()]).toEqual([200, { ...written(0), EvalID: '' }]);
    expect(agent.state.snapshot().index).toBe(114);
  });

  it.each([
    ['alpha?purge=maybe', 'Failed to parse value of "purge" (maybe) as a bool'],
    ['alpha?global=maybe', 'Failed to parse value of "global" (maybe) as a bool'],
    ['alpha?no_shutdown_delay=2', 'Failed to parse value of "no_shutdown_delay" (2) as a bool'],
    ['alpha?eval_priority=101', 'Eval priority must be between 1 and 100 inclusively'],
    ['alpha?eval_priority=-1', 'Eval priority must be between 1 and 100 inclusively'],
    ['alpha?eval_priority=x', 'Eval priority must be between 1 and 100 inclusively'],
  ])('%s is refused', async (rest, text) => {
    const agent = await createBaseAgent();
    const response = await stop(agent, rest);
    expect(response.status).toBe(400);
    expect(response.text).toContain(text);
    expect(agent.state.snapshot().index).toBe(114);
  });

  it('in another region has no path', async () => {
    const response = await stop(await createBaseAgent(), 'alpha?region=nope');
    expect([response.status, response.text]).toEqual([500, 'No path to region']);
  });
});

describe('purging a job', () => {
  it('removes it with its versions and its summary, and leaves the index high', async () => {
    const agent = await createBaseAgent();
    expect((await stop(agent, 'alpha?purge=true')).json()).toEqual(written(115));
    const { tables } = agent.state.snapshot();
    expect(
      [tables.jobs, tables.job_versions, tables.job_summaries].map(({ primary }) => primary.size),
    ).toEqual([3, 3, 3]);
    for (const part of ['', '/summary', '/versions']) {
      const response = await call(agent, `/v1/job/alpha${part}`);
      expect([response.status, response.headers['x-scheduler-index']]).toEqual([404, '115']);
    }
    const list = await call(agent, '/v1/jobs');
    expect(idsOf(list)).toEqual(['bravo', 'charlie']);
    expect(list.headers['x-scheduler-index']).toBe('115');
  });

  it('leaves its evaluations, and a new job of the same name starts afresh', async () => {
    const agent = await createBaseAgent();
    await stop(agent, 'alpha?purge=1');
    expect((await call(agent, '/v1/job/alpha/evaluations')).json()).toHaveLength(2);
    await call(agent, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob('alpha') } });
    expect(await read(agent, '/v1/job/alpha')).toMatchObject({ Version: 0, CreateIndex: 116 });
  });
});
