import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createBaseAgent, minimalJob, nodeIds } from '../support/base-cluster.js';
import { call, createTestAgent, idsOf, withQuery, type TestResponse } from '../support/test-agent.js';

const plainText = 'text/plain; charset=utf-8';

const evaluation = { JobID: 'web', Status: 'complete', Type: 'service', TriggeredBy: 'job-register' };
const allocation = {
  JobID: 'web',
  EvalID: 'e2',
  NodeID: nodeIds[0],
  DeploymentID: 'd2',
  TaskGroup: 'web',
  ClientStatus: 'running',
  TaskStates: { t: { State: 'running' } },
  AllocatedResources: { Shared: { DiskMB: 300 } },
};
const job = { ID: 'web', CreateIndex: 20, ModifyIndex: 25, JobModifyIndex: 25, Type: 'service', Version: 1 };

/** Job `web` of index 20, and the remains of it and of an earlier job of the same name. */
const lines = [
  { kind: 'job', object: job },
  { kind: 'job', object: { ...job, Namespace: 'apps' } },
  { kind: 'evaluation', object: { ...evaluation, ID: 'e9', CreateIndex: 21, ModifyIndex: 21 } },
  { kind: 'evaluation', object: { ...evaluation, ID: 'e2', CreateIndex: 25, ModifyIndex: 27 } },
  {
    kind: 'evaluation',
    object: { ...evaluation, ID: 'f1', CreateIndex: 9, ModifyIndex: 9, Status: 'blocked' },
  },
  {
    kind: 'evaluation',
    object: { ...evaluation, ID: 'e3', CreateIndex: 22, ModifyIndex: 22, Namespace: 'apps' },
  },
  {
    kind: 'evaluation',
    object: { ...evaluation, ID: 'e4', CreateIndex: 23, ModifyIndex: 23, JobID: 'web.b' },
  },
  { kind: 'allocation', object: { ...allocation, ID: 'a1', CreateIndex: 30, ModifyIndex: 31, Job: job } },
  {
    kind: 'allocation',
    object: { ...allocation, ID: 'a0', EvalID: 'e9', CreateIndex: 31, ModifyIndex: 33, Job: null },
  },
  {
    kind: 'allocation',
    object: { ...allocation, ID: 'a2', CreateIndex: 10, ModifyIndex: 10, Job: { ...job, CreateIndex: 8 } },
  },
  {
    kind: 'deployment',
    object: { ID: 'd2', JobID: 'web', JobCreateIndex: 20, CreateIndex: 40, ModifyIndex: 45 },
  },
  {
    kind: 'deployment',
    object: { ID: 'd3', JobID: 'web', JobCreateIndex: 20, CreateIndex: 26, ModifyIndex: 27 },
  },
  {
    kind: 'deployment',
    object: { ID: 'd1', JobID: 'web', JobCreateIndex: 8, CreateIndex: 9, ModifyIndex: 9 },
  },
];

let agent: Agent;
beforeAll(async () => {
  agent = await createTestAgent({ lines });
});

function expectRead(response: TestResponse, index: string): void {
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    'x-scheduler-index': index,
    'x-scheduler-lastcontact': '0',
    'x-scheduler-knownleader': 'true',
  });
}

describe('what belongs to something else', () => {
  it.each<[path: string, index: string, ids: string[]]>([
    ['/v1/job/web/evaluations', '27', ['f1', 'e9', 'e2']],
    ['/v1/job/web/evaluations?namespace=apps', '27', ['e3']],
    ['/v1/job/web.b/evaluations', '27', ['e4']],
    ['/v1/job/web/allocations', '33', ['a1', 'a0']],
    ['/v1/job/web/allocations?all=true', '33', ['a2', 'a1', 'a0']],
    ['/v1/job/web/deployments', '45', ['d3', 'd2']],
    ['/v1/job/web/deployments?all=1', '45', ['d1', 'd3', 'd2']],
    ['/v1/job/nope/allocations', '33', []],
    ['/v1/job/nope/evaluations', '27', []],
    ['/v1/job/nope/deployments', '45', []],
    ['/v1/evaluation/e2/allocations', '33', ['a2', 'a1']],
    ['/v1/evaluation/nope/allocations', '33', []],
    [`/v1/node/${nodeIds[0]}/allocations`, '33', ['a2', 'a1', 'a0']],
    ['/v1/node/nope/allocations', '33', []],
    ['/v1/deployment/allocations/d2', '33', ['a2', 'a1', 'a0']],
    ['/v1/deployment/allocations/d1', '33', []],
    ['/v1/evaluations', '27', ['f1', 'e9', 'e4', 'e2']],
    ['/v1/evaluations?namespace=*&reverse=true', '27', ['e2', 'e4', 'e3', 'e9', 'f1']],
    ['/v1/evaluations?prefix=e', '27', ['e2', 'e4', 'e9']],
    ['/v1/evaluations?job=web', '27', ['f1', 'e9', 'e2']],
    ['/v1/evaluations?job=web&status=complete', '27', ['e9', 'e2']],
    ['/v1/evaluations?per_page=1&next_token=21.e9', '27', ['e9']],
    ['/v1/allocations', '33', ['a2', 'a1', 'a0']],
    ['/v1/allocations?prefix=a', '33', ['a0', 'a1', 'a2']],
    ['/v1/allocations?filter=Job.Type==service', '33', ['a2', 'a1']],
    ['/v1/allocations?namespace=apps', '33', []],
  ])('GET %s', async (path, index, ids) => {
    const response = await call(createdAgent(path), path);
    expectRead(response, index);
    expect(idsOf(response)).toEqual(ids);
  });

  /** A row without a job has no type, which is an error unless such rows are passed over. */
  function createdAgent(path: string): Agent {
    return path.includes('filter=') ? lenient : agent;
  }
  let lenient: Agent;
  beforeAll(async () => {
    lenient = await createTestAgent({ lines, config: { unresolved: 'absent' } });
  });

  it('the latest deployment of a job, or null', async () => {
    const response = await call(agent, '/v1/job/web/deployment');
    expectRead(response, '45');
    expect(response.json()).toMatchObject({ ID: 'd2', JobID: 'web' });
    expect((await call(agent, '/v1/job/nope/deployment')).text).toBe('null');
  });

  it('the versions of a job, newest first, in an envelope', async () => {
    const base = await createBaseAgent();
    const Job = minimalJob('alpha', { Meta: { owner: 'ops2' } });
    await call(base, '/v1/jobs', { method: 'PUT', body: { Job } });
    const response = await call(base, '/v1/job/alpha/versions');
    const { Versions, ...envelope } = response.json() as { Versions: { Version: number; Meta: object }[] };
    expect(Versions.map(({ Version, Meta }) => [Version, Meta])).toEqual([
      [1, { owner: 'ops2' }],
      [0, { owner: 'ops' }],
    ]);
    expect(envelope).toEqual({ Diffs: null, Index: 115, LastContact: 0, KnownLeader: true, NextToken: '' });
    expectRead(response, '115');
    const differing = await call(base, '/v1/job/alpha/versions?diffs=true');
    expect(differing.json()).toMatchObject({
      Diffs: [{ Type: 'Edited', ID: 'alpha', Fields: [{ Name: 'Meta[owner]', Old: 'ops', New: 'ops2' }] }],
    });
  });

  it('the summary of a job', async () => {
    const base = await createBaseAgent();
    const response = await call(base, '/v1/job/alpha/summary');
    expectRead(response, '111');
    expect(response.json()).toMatchObject({
      JobID: 'alpha',
      Namespace: 'default',
      Summary: { web: { Queued: 0 } },
    });
  });

  it.each([
    ['/v1/job/nope/versions', 'job versions not found'],
    ['/v1/job/nope/summary', 'job not found'],
    ['/v1/job/web/summary?namespace=nope', 'job not found'],
    ['/v1/evaluation/nope', 'eval not found'],
    ['/v1/allocation/nope', 'alloc not found'],
  ])('GET %s: %s, with the headers of a read', async (path, text) => {
    const response = await call(agent, path);
    expect([response.status, response.text]).toEqual([404, text]);
    expect(response.headers).toMatchObject({ 'content-type': plainText, 'x-scheduler-knownleader': 'true' });
    expect(Number(response.headers['x-scheduler-index'])).toBeGreaterThan(0);
  });

  it('a name with a dot does not reach into another namespace', async () => {
    const one = await createTestAgent({ lines: [{ kind: 'job', object: { ...job, ID: 'x.web' } }] });
    for (const path of ['/v1/job/web', '/v1/job/web/summary', '/v1/job/web/versions']) {
      expect((await call(one, `${path}?namespace=default.x`)).status).toBe(404);
    }
    const deleted = await call(one, '/v1/job/web?namespace=default.x&purge=true', { method: 'DELETE' });
    expect(deleted.json()).toMatchObject({ EvalID: '', JobModifyIndex: 0 });
    expect((await call(one, '/v1/job/x.web')).status).toBe(200);
  });
});

describe('evaluations and allocations', () => {
  it('one of them is shown without its empty fields', async () => {
    const response = await call(agent, '/v1/evaluation/e2');
    expectRead(response, '27');
    expect(response.json()).toEqual({
      ID: 'e2',
      Namespace: 'default',
      JobID: 'web',
      Status: 'complete',
      Type: 'service',
      TriggeredBy: 'job-register',
      CreateIndex: 25,
      ModifyIndex: 27,
    });
    const printed = (await call(agent, '/v1/allocation/a1')).json();
    expect(printed).toMatchObject({ ID: 'a1', Job: { ID: 'web', ParentID: '' } });
    expect(printed).not.toHaveProperty('FollowupEvalID');
  });

  it('one of them shows those it is related to on request, however they hang together', async () => {
    const chain = [
      { ID: 'r1', NextEval: 'r2', CreateIndex: 5, ModifyIndex: 8 },
      { ID: 'r2', PreviousEval: 'r1', BlockedEval: 'r3', CreateIndex: 6, ModifyIndex: 6 },
      { ID: 'r3', PreviousEval: 'r2', NextEval: 'gone', CreateIndex: 7, ModifyIndex: 7 },
      { ID: 'r4', CreateIndex: 8, ModifyIndex: 8 },
    ].map((object) => ({ kind: 'evaluation', object }));
    const related = await createTestAgent({ lines: chain });
    const idsFor = async (path: string): Promise<unknown> => {
      const { RelatedEvals } = (await call(related, path)).json() as { RelatedEvals?: { ID: string }[] };
      return RelatedEvals?.map(({ ID }) => ID);
    };
    expect(await idsFor('/v1/evaluation/r1?related=true')).toEqual(['r2', 'r3']);
    expect(await idsFor('/v1/evaluation/r3?related=1')).toEqual(['r1', 'r2']);
    expect(await idsFor('/v1/evaluation/r4?related=true')).toEqual([]);
    expect(await idsFor('/v1/evaluation/r1')).toBeUndefined();
    expect((await call(related, '/v1/evaluation/r1?related=x')).status).toBe(400);
  });

  it('a list shows type and version of the job, and nulls', async () => {
    const [a2, a1, a0] = (await call(agent, '/v1/allocations')).json() as Record<string, unknown>[];
    expect(a1).toMatchObject({ JobType: 'service', JobVersion: 1, DeploymentStatus: null });
    expect(a1).not.toHaveProperty('Job');
    expect(a1).not.toHaveProperty('AllocatedResources');
    expect(a0).toMatchObject({ JobType: '', JobVersion: 0 });
    expect(a2).toMatchObject({ TaskStates: { t: { State: 'running' } } });
  });

  it.each(['/v1/allocations', '/v1/job/web/allocations', '/v1/evaluation/e2/allocations'])(
    '%s leaves out and adds parts on request',
    async (path) => {
      const more = (await call(agent, `${path}?resources=true&task_states=false`)).json();
      expect((more as object[]).at(-1)).toMatchObject({
        TaskStates: null,
        AllocatedResources: { Shared: { DiskMB: 300 } },
      });
      const bad = await call(agent, `${path}?task_states=maybe&index=99&wait=1m`);
      expect(bad.status).toBe(400);
      expect(bad.text).toContain('Failed to parse value of "task_states" (maybe) as a bool');
    },
  );

  it.each([{ job: 'web' }, { status: 'complete' }, { prefix: 'e' }])(
    'a filter excludes %j',
    async (other) => {
      const response = await call(
        agent,
        withQuery('/v1/evaluations', { filter: 'Status == "complete"', ...other }),
      );
      expect([response.status, response.text]).toEqual([
        400,
        'Filter expression cannot be used with other filter parameters',
      ]);
    },
  );
});
