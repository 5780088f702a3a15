import { beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { nodeShape } from '@tamis/scheduler-model/node.js';
import { registerNode } from '@tamis/scheduler-state/state/node-status.js';
import { jobWith, type Body, type Place } from '../../../scheduler-model/test/jobs.js';
import { defaultNode } from '../../../scheduler-placement/test/placement/cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, createTestAgent, type TestResponse } from '../support/test-agent.js';

const task: Body = { Name: 't', Driver: 'raw_exec', Config: { command: '/bin/sleep', args: ['9'] } };
const spec = (change: Place = {}): Body => jobWith({ ...change, task: { ...task, ...change.task } });
const put = (path: string, body: unknown): Promise<TestResponse> =>
  call(agent, path, { method: 'PUT', body });
const register = async (Job: Body): Promise<Body> => (await put('/v1/jobs', { Job })).json() as Body;
const read = async (path: string): Promise<Body> => (await call(agent, path)).json() as Body;
const index = (): number => agent.state.snapshot().index;

let agent: Agent;
beforeEach(async () => {
  agent = await createTestAgent({ clock: createFakeClock(Date.UTC(2026, 0, 1, 12)) });
  const freeBytes = { Cpu: { CpuShares: 1e5 }, Memory: { MemoryMB: 1e5 }, Disk: { DiskMB: 1e6 } };
  const node = completeShape(nodeShape, { ...defaultNode(1), NodeResources: freeBytes });
  await agent.state.write((transaction) => registerNode(transaction, node));
  return () => agent.close();
});

describe('what is only looked at', () => {
  it('lacks an ID among other mistakes', async () => {
    for (const ID of [null, undefined, '']) {
      const response = await put('/v1/validate/job', { Job: { ...spec(), ID, Priority: 500 } });
      expect([response.status, response.json()]).toMatchObject([
        200,
        { ValidationErrors: expect.arrayContaining(['Missing job ID']) as unknown },
      ]);
    }
    expect((await put('/v1/jobs', { Job: { ...spec(), ID: null } })).status).toBe(400);
  });
});

describe('a plan', () => {
  it('returns the evaluation that would wait for capacity', async () => {
    const full = spec({ group: { Count: 12 }, task: { Resources: { CPU: 10_000, MemoryMB: 10 } } });
    const before = index();
    expect((await put('/v1/job/x/plan', { Job: full })).json()).toMatchObject({
      CreatedEvals: [
        { JobID: 'x', Status: 'blocked', TriggeredBy: 'queued-allocs', FailedTGAllocs: { g: {} } },
      ],
    });
    expect((await put('/v1/job/x/plan', { Job: spec() })).json()).toMatchObject({ CreatedEvals: null });
    expect(index()).toBe(before);
  });

  it('returns what would be placed, what not and why, and changes nothing', async () => {
    const before = index();
    const response = await put('/v1/job/x/plan', {
      Job: spec({ group: { Count: 12 }, task: { Resources: { CPU: 10_000, MemoryMB: 10 } } }),
      Diff: true,
    });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      Annotations: { DesiredTGUpdates: { g: { Place: 12, Stop: 0, Ignore: 0 } }, PreemptedAllocs: null },
      FailedTGAllocs: { g: { NodesEvaluated: 1, NodesExhausted: 1, CoalescedFailures: 1 } },
      JobModifyIndex: 0,
      Diff: {
        Type: 'Added',
        ID: 'x',
        TaskGroups: [
          { Type: 'Added', Name: 'g', Updates: { create: 12 }, Tasks: [{ Annotations: ['forces create'] }] },
        ],
      },
      NextPeriodicLaunch: '0001-01-01T00:00:00Z',
      Index: before,
    });
    expect(index()).toBe(before);
    expect((await call(agent, '/v1/job/x')).status).toBe(404);
  });

  it('returns the differences from the stored job, and its index', async () => {
    const { JobModifyIndex } = await register(spec());
    const changed = spec({ job: { Priority: 70 }, task: { Env: { A: 'b' } } });
    expect((await put('/v1/job/x/plan', { Job: changed, Diff: true })).json()).toMatchObject({
      JobModifyIndex,
      Diff: {
        Type: 'Edited',
        Fields: [{ Name: 'Priority', Old: '50', New: '70' }],
        TaskGroups: [{ Type: 'Edited', Updates: { create: 1 } }],
      },
    });
    expect((await put('/v1/job/x/plan', { Job: changed })).json()).toMatchObject({ Diff: null });
    expect((await put('/v1/job/x/plan', { Job: spec(), Diff: true })).json()).toMatchObject({
      Diff: { Type: 'None', Fields: null, TaskGroups: null },
    });
  });

  it('returns when a periodic job would start, and places nothing of it', async () => {
    const Job = spec({ job: { Type: 'batch', Periodic: { Spec: '0 3 * * *' } } });
    expect((await put('/v1/job/x/plan', { Job })).json()).toMatchObject({
      Annotations: { DesiredTGUpdates: {} },
      NextPeriodicLaunch: '2026-01-02T03:00:00.000Z',
    });
  });

  it.each<[what: string, body: unknown, status: number, text: string]>([
    ['no job', {}, 400, 'Job must be specified'],
    ['another job', { Job: spec({ job: { ID: 'y' } }) }, 400, 'Job ID does not match name'],
    ['a wrong job', { Job: spec({ job: { Priority: 0 } }) }, 400, 'job priority must be between [1, 100]'],
    ['another type', { Job: spec({ job: { Type: 'batch' } }) }, 400, 'cannot update job from type'],
    ['a wrong switch', { Job: spec(), Diff: 'yes' }, 400, 'Diff'],
    ['no JSON', 'x', 400, ''],
  ])('of %s is refused', async (_, body, status, text) => {
    await register(spec());
    const before = index();
    const response = await put('/v1/job/x/plan', body);
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(text)]);
    expect(index()).toBe(before);
  });

  it('says that it was broken off where a count is beyond all measure', async () => {
    const task = { Resources: { CPU: 1, MemoryMB: 10 }, LogConfig: { MaxFiles: 1, MaxFileSizeMB: 1 } };
    const Job = spec({ group: { Count: 100_000, EphemeralDisk: { SizeMB: 10 } }, task });
    const { Annotations, Warnings } = (await put('/v1/job/x/plan', { Job })).json() as Body;
    expect(Annotations).toMatchObject({ DesiredTGUpdates: { g: { Place: 100_000 } } });
    expect(Warnings).toContain('Only the first 1000 placements were tried');
  });
});

describe('a job that is only looked at', () => {
  it('returns its mistakes and warnings', async () => {
    const elsewhere = await put('/v1/validate/job?namespace=nope', {
      Job: spec({ job: { NodePool: 'gone' } }),
    });
    expect(elsewhere.json()).toMatchObject({
      ValidationErrors: [
        expect.stringContaining('in nonexistent namespace "nope"'),
        expect.stringContaining('in nonexistent node pool "gone"'),
      ],
    });
    await put('/v1/jobs', { Job: spec({ job: { ID: 'kept', Name: 'kept' } }) });
    const other = await put('/v1/validate/job', {
      Job: spec({ job: { ID: 'kept', Name: 'kept', Type: 'batch' } }),
    });
    expect(other.json()).toMatchObject({
      ValidationErrors: ['cannot update job from type "service" to "batch"'],
    });
    const good = await put('/v1/validate/job', { Job: spec() });
    expect(good.json()).toMatchObject({ DriverConfigValidated: true, ValidationErrors: null, Error: '' });
    const bad = await put('/v1/validate/job', { Job: spec({ job: { Priority: 0, Unknown: 1 } }) });
    expect(bad.status).toBe(200);
    expect(bad.json()).toMatchObject({
      ValidationErrors: ['job priority must be between [1, 100]'],
      Error: expect.stringContaining('1 error occurred') as string,
      Warnings: expect.stringContaining('Unknown') as string,
    });
  });
});

describe('a job that returns to a version', () => {
  beforeEach(async () => {
    for (const Priority of [10, 20, 30]) await register(spec({ job: { Priority } }));
  });

  it('is registered as it was, as a version of its own', async () => {
    const response = await put('/v1/job/x/revert', { JobID: 'x', JobVersion: 0, EnforcePriorVersion: 2 });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      JobModifyIndex: index(),
      EvalCreateIndex: index(),
      Warnings: '',
    });
    expect(await read('/v1/job/x')).toMatchObject({ Priority: 10, Version: 3, Stop: false });
  });

  it.each<[what: string, body: object, status: number, text: string]>([
    ['the one that it has', { JobVersion: 2 }, 400, "can't revert to current version"],
    [
      'one that there is not',
      { JobVersion: 9 },
      404,
      'job "x" in namespace "default" at version 9 not found',
    ],
    ['one under a wrong condition', { JobVersion: 0, EnforcePriorVersion: 1 }, 400, 'enforcing version 1'],
    ['none', {}, 400, 'JobVersion'],
    ['a negative one', { JobVersion: -1 }, 400, 'JobVersion'],
    ['another job', { JobID: 'y', JobVersion: 0 }, 400, 'Job ID does not match name'],
  ])('does not return to %s', async (_, body, status, text) => {
    const before = index();
    const response = await put('/v1/job/x/revert', body);
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(text)]);
    expect(index()).toBe(before);
  });

  it('has to be there', async () => {
    expect((await put('/v1/job/unknown/revert', { JobVersion: 0 })).status).toBe(404);
    expect((await put('/v1/job/unknown/stable', { JobVersion: 0, Stable: true })).status).toBe(404);
    expect((await put('/v1/job/x/revert?namespace=other', { JobVersion: 0 })).status).toBe(404);
  });

  it('reports the versions to which it can return', async () => {
    const response = await put('/v1/job/x/stable', { JobID: 'x', JobVersion: 1, Stable: true });
    expect([response.status, response.json()]).toEqual([
      200,
      { JobModifyIndex: index() - 2, Index: index() },
    ]);
    const stable = async (): Promise<unknown> =>
      ((await read('/v1/job/x/versions'))['Versions'] as readonly Body[]).map(({ Stable }) => Stable);
    expect(await stable()).toEqual([false, true, false]);
    await put('/v1/job/x/stable', { JobVersion: 2, Stable: true });
    expect(await read('/v1/job/x')).toMatchObject({ Stable: true, Version: 2 });
    const before = index();
    await put('/v1/job/x/stable', { JobVersion: 2, Stable: true });
    expect(index()).toBe(before);
    await put('/v1/job/x/stable', { JobVersion: 1, Stable: false });
    expect(await stable()).toEqual([true, false, false]);
  });
});
