import { beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { jobWith, type Body } from '../../../scheduler-model/test/jobs.js';
import { call, createTestAgent, type TestResponse } from '../support/test-agent.js';

let agent: Agent;
beforeEach(async () => {
  agent = await createTestAgent();
  return () => agent.close();
});

const put = (path: string, body: unknown): Promise<TestResponse> => call(agent, path, { method: 'PUT', body });
const scale = (change: Body): Promise<TestResponse> =>
  put('/v1/job/x/scale', { Target: { Job: 'x', Group: 'g' }, ...change });
const register = async (group: Body = {}): Promise<Body> =>
  (await put('/v1/jobs', { Job: jobWith({ group: { Count: 2, ...group } }) })).json() as Body;
const status = async (): Promise<Body> => (await call(agent, '/v1/job/x/scale')).json() as Body;

describe('scaling a job', () => {
  it('gives a group another count, and keeps who did it, the newest first', async () => {
    const { JobModifyIndex: first } = await register();
    expect(await status()).toEqual({
      ...{
        JobID: 'x',
        Namespace: 'default',
        JobCreateIndex: first,
        JobModifyIndex: first,
        JobStopped: false,
      },
      TaskGroups: { g: { Desired: 2, Placed: 0, Running: 0, Healthy: 0, Unhealthy: 0, Events: null } },
    });
    const response = await scale({ Count: 5, Message: 'more', Meta: { by: 'autoscaler', n: 1 } });
    expect(response.status).toBe(200);
    const written = response.json() as Body;
    expect(response.headers['x-scheduler-index']).toBe(String(written['Index']));
    const evaluation = (await call(agent, `/v1/evaluation/${String(written['EvalID'])}`)).json();
    expect(evaluation).toMatchObject({ TriggeredBy: 'job-scaling', JobID: 'x', Status: 'pending' });
    await scale({ Error: true, Message: 'no metrics' });
    expect(await status()).toMatchObject({
      JobModifyIndex: written['JobModifyIndex'],
      TaskGroups: {
        g: {
          Desired: 5,
          Events: [
            { Count: null, PreviousCount: 5, Error: true, Message: 'no metrics', EvalID: null, Meta: null },
            {
              ...{ Count: 5, PreviousCount: 2, Error: false, Message: 'more', EvalID: written['EvalID'] },
              ...{ Meta: { by: 'autoscaler', n: 1 }, CreateIndex: written['Index'] },
            },
          ],
        },
      },
    });
    expect((await call(agent, '/v1/job/x')).json()).toMatchObject({ Version: 1, TaskGroups: [{ Count: 5 }] });
  });

  it('keeps twenty events of a group, and none of a job that was purged', async () => {
    await register();
    for (let at = 0; at < 23; at += 1) await scale({ Message: String(at) });
    const { TaskGroups } = (await status()) as { TaskGroups: { g: { Events: { Message: string }[] } } };
    const expected = Array.from({ length: 20 }, (_, at) => String(22 - at));
    expect(TaskGroups.g.Events.map(({ Message }) => Message)).toEqual(expected);
    await call(agent, '/v1/job/x?purge=true', { method: 'DELETE' });
    await register();
    expect(await status()).toMatchObject({ TaskGroups: { g: { Events: null } } });
  });

  it.each<[change: Body, message: string]>([
    [{ Target: {}, Count: 1 }, 'missing task group name for scaling action'],
    [{ Target: { Group: 'h' }, Count: 1 }, 'task group "h" specified for scaling does not exist in job'],
    [{ Target: { Group: 'g', Job: 'y' }, Count: 1 }, 'job ID in payload did not match URL'],
    [{ Target: { Group: 'g', Namespace: 'y' }, Count: 1 }, 'namespace in payload did not match header'],
    [{ Count: -1 }, "scaling action count can't be negative"],
    [{ Count: 1, Error: true }, 'scaling action should not contain count if error is true'],
    [{ Count: 2 }, 'group count was less than scaling policy minimum: 2 < 3'],
    [{ Count: 8 }, 'group count was greater than scaling policy maximum: 8 > 7'],
    [{ Count: 4, EnforceIndex: true, JobModifyIndex: 1 }, 'Enforcing job modify index 1: job exists'],
    [{ Message: 'x'.repeat(1_025) }, 'message longer than 1024 characters'],
    [{ Meta: { a: 'x'.repeat(9_000) } }, 'meta longer than'],
    [{ Count: 1.5 }, 'Count: expected an integer'],
  ])('refuses %j, and changes nothing', async (change, message) => {
    await register({ Count: 3, Scaling: { Min: 3, Max: 7, Enabled: true } });
    const before = await status();
    const response = await scale(change);
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(message)]);
    expect(await status()).toEqual(before);
  });

  it('of a job that is not there, or is stopped, is refused', async () => {
    const missing = await scale({ Count: 1 });
    expect([missing.status, missing.text]).toEqual([404, 'job "x" not found']);
    expect((await call(agent, '/v1/job/x/scale')).text).toBe('job not found');
    await register();
    await call(agent, '/v1/job/x', { method: 'DELETE' });
    expect((await scale({ Count: 1 })).text).toContain('is stopped: run it again');
    expect(await status()).toMatchObject({ JobStopped: true });
  });

  it('can be waited for', async () => {
    await register();
    const { headers } = await call(agent, '/v1/job/x/scale');
    const waiting = call(agent, `/v1/job/x/scale?index=${headers['x-scheduler-index']}&wait=60s`);
    await scale({ Message: 'now' });
    expect((await waiting).json()).toMatchObject({ TaskGroups: { g: { Events: [{ Message: 'now' }] } } });
  });
});
