import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { fullRange, scanRows } from 'tamis/table';
import { interfaceRoutes } from '../../src/api/routes.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { call, createTestAgent, withQuery, type TestResponse } from '../support/test-agent.js';

const plainText = 'text/plain; charset=utf-8';

async function put(agent: Agent, body: unknown, path = '/v1/jobs', method = 'PUT'): Promise<TestResponse> {
  return call(agent, path, { method, body });
}

async function jobOf(agent: Agent, path: string): Promise<Record<string, unknown>> {
  return (await call(agent, path)).json() as Record<string, unknown>;
}

interface Registered {
  readonly EvalID: string;
  readonly EvalCreateIndex: number;
  readonly JobModifyIndex: number;
  readonly Index: number;
}

async function register(agent: Agent, Job: object, more: object = {}): Promise<Registered> {
  const response = await put(agent, { Job, ...more });
  expect(response.text).toMatch(/^\{"EvalID"/);
  return response.json() as Registered;
}

/** How many rows each table holds, and the index of the state. */
function countsOf(agent: Agent): object {
  const { tables, index } = agent.state.snapshot();
  const counts = Object.entries(tables).map(([name, table]) => [name, table.primary.size] as const);
  return { index, ...Object.fromEntries(counts) };
}

describe('registering a job', () => {
  it.each(['PUT', 'POST'])('by %s returns the evaluation and the index', async (method) => {
    const agent = await createTestAgent();
    const response = await put(agent, { Job: minimalJob('echo') }, '/v1/jobs', method);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['x-scheduler-index']).toBe('2');
    expect(response.headers).not.toHaveProperty('x-scheduler-knownleader');
    expect(response.json()).toEqual({
      EvalID: '00000000-0000-4000-8000-000000000001',
      EvalCreateIndex: 2,
      JobModifyIndex: 2,
      Warnings: '',
      Index: 2,
      LastContact: 0,
      KnownLeader: false,
      NextToken: '',
    });
    expect(countsOf(agent)).toMatchObject({
      index: 2,
      jobs: 1,
      job_versions: 1,
      job_summaries: 1,
      evaluations: 1,
    });
  });

  it('makes a pending evaluation of it', async () => {
    const agent = await createTestAgent();
    await register(agent, minimalJob('echo', { Priority: 70 }), { EvalPriority: 9 });
    const [evaluation] = scanRows(agent.state.snapshot().tables.evaluations.primary, fullRange, false);
    expect(evaluation).toMatchObject({
      JobID: 'echo',
      Namespace: 'default',
      Type: 'service',
      TriggeredBy: 'job-register',
      Status: 'pending',
      Priority: 9,
      CreateIndex: 2,
    });
  });

  it('takes null for not given, names in any case, unknown names, trailing text and any content type', async () => {
    const agent = await createTestAgent();
    const body = {
      Submission: null,
      Region: '',
      Namespace: '',
      SecretID: '',
      Bogus: 1,
      job: {
        Region: 'global',
        Namespace: null,
        ID: 'rc1',
        Name: 'rc1',
        Priority: null,
        Datacenters: ['*'],
        Constraints: null,
        Periodic: null,
        ParameterizedJob: null,
        Meta: null,
        Version: null,
        SubmitTime: null,
        taskgroups: [
          {
            Name: 'web',
            Count: null,
            RestartPolicy: null,
            Tasks: [{ Name: 't', Driver: 'exec', Resources: null, KillTimeout: null }],
          },
        ],
      },
    };
    const response = await call(agent, '/v1/jobs', {
      method: 'PUT',
      body: `${JSON.stringify(body)} trailing`,
      headers: { 'content-type': 'not/a/type;;' },
    });
    expect(response.status).toBe(200);
    expect(await jobOf(agent, '/v1/job/rc1')).toMatchObject({
      Priority: 50,
      Namespace: 'default',
      Version: 0,
      Periodic: null,
    });
  });

  it.each<[what: string, body: unknown, text: string | RegExp]>([
    ['nothing', '', 'Request body is empty'],
    ['blanks', ' \n', 'Request body is empty'],
    ['no JSON', '{nope', /JSON/],
    ['a list', [], 'Request body: expected an object, found a list'],
    ['no job', {}, 'Job must be specified'],
    ['a null job', { Job: null }, 'Job must be specified'],
    ['a job without ID', { Job: {} }, "Job ID hasn't been provided"],
    ['a job with a null ID', { Job: { ID: null } }, "Job ID hasn't been provided"],
    ['an ID that is a number', { Job: { ID: 5 } }, 'Job.ID: expected a string, found the number 5'],
    [
      'a count that is text',
      { Job: { ID: 'x', TaskGroups: [{ Count: 'two' }] } },
      'Job.TaskGroups[0].Count: expected an integer of 64 bits, found the string "two"',
    ],
    [
      'eval priority 101',
      { Job: minimalJob('x'), EvalPriority: 101 },
      'Eval priority must be between 1 and 100 inclusively',
    ],
    [
      'eval priority -1',
      { Job: minimalJob('x'), EvalPriority: -1 },
      'Eval priority must be between 1 and 100 inclusively',
    ],
    [
      'an empty ID',
      { Job: { ID: '', TaskGroups: [] } },
      '3 errors occurred:\n\t* Missing job ID\n\t* Missing job name\n\t* Missing job task groups\n\n',
    ],
    [
      'an unknown namespace',
      { Job: minimalJob('x'), Namespace: 'nope' },
      '1 error occurred:\n\t* job "x" is in nonexistent namespace "nope"\n\n',
    ],
    [
      'an unknown node pool',
      { Job: minimalJob('x', { NodePool: 'gpu' }) },
      '1 error occurred:\n\t* job "x" is in nonexistent node pool "gpu"\n\n',
    ],
    [
      'a missing driver',
      { Job: { ID: 'x', TaskGroups: [{ Name: 'g', Tasks: [{ Name: 't' }] }] } },
      /^1 error occurred:\n\t\* Task group g validation failed: 1 error occurred:\n\t\* Task t validation failed: 1 error occurred:\n\t\* Missing task driver\n\n\n\n\n\n$/,
    ],
    [
      'a body nested without end',
      `{"Job":{"ID":"x","TaskGroups":[{"Tasks":[{"Config":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}]}]}}`,
      'Job.TaskGroups[0].Tasks[0].Config["a"]: nested deeper than 64 levels',
    ],
  ])('refuses %s and changes nothing', async (_what, body, text) => {
    const agent = await createTestAgent();
    const before = countsOf(agent);
    const response = await put(agent, body);
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe(plainText);
    expect(response.headers).not.toHaveProperty('x-scheduler-index');
    if (typeof text === 'string') expect(response.text).toBe(text);
    else expect(response.text).toMatch(text);
    expect(countsOf(agent)).toEqual(before);
  });

  it('refuses a body that is too large', async () => {
    const agent = await createTestAgent();
    const response = await put(agent, ' '.repeat(5_000_000));
    expect(response.status).toBe(413);
    expect(response.text).toBe('Request body is too large');
  });

  it.each<[what: string, path: string, body: object, namespace: string]>([
    ['the query', '/v1/jobs?namespace=a', { Namespace: 'b', Job: minimalJob('x', { Namespace: 'c' }) }, 'a'],
    ['then the body', '/v1/jobs', { Namespace: 'b', Job: minimalJob('x', { Namespace: 'c' }) }, 'b'],
    ['then the job', '/v1/jobs', { Job: minimalJob('x', { Namespace: 'c' }) }, 'c'],
    ['then the default', '/v1/jobs', { Job: minimalJob('x') }, 'default'],
  ])('takes the namespace from %s', async (_what, path, body, namespace) => {
    const lines = ['a', 'b', 'c'].map((Name) => ({ kind: 'namespace', object: { Name } }));
    const agent = await createTestAgent({ lines });
    expect((await put(agent, body, path)).status).toBe(200);
    expect(await jobOf(agent, `/v1/job/x?namespace=${namespace}`)).toMatchObject({ Namespace: namespace });
  });

  it.each<[what: string, path: string, body: object, status: number]>([
    ['global in the job', '/v1/jobs', { Job: minimalJob('x', { Region: 'global' }) }, 200],
    ['its own in the job', '/v1/jobs', { Job: minimalJob('x', { Region: 'west' }) }, 200],
    ['another one in the job', '/v1/jobs', { Job: minimalJob('x', { Region: 'east' }) }, 500],
    [
      'global in the body, another in the query',
      '/v1/jobs?region=east',
      { Region: 'global', Job: minimalJob('x') },
      200,
    ],
    ['another one in the query', '/v1/jobs?region=east', { Job: minimalJob('x') }, 500],
  ])('in region west with %s', async (_what, path, body, status) => {
    const agent = await createTestAgent({ config: { region: 'west' } });
    const response = await put(agent, body, path);
    expect(response.status).toBe(status);
    if (status === 500) expect(response.text).toBe('No path to region');
    else expect(await jobOf(agent, '/v1/job/x')).toMatchObject({ Region: 'west' });
  });

  it('of the same specification again makes only an evaluation', async () => {
    const agent = await createTestAgent();
    const first = await register(agent, minimalJob('echo'));
    const before = await call(agent, '/v1/job/echo');
    const again = await register(agent, minimalJob('echo', { Priority: 50, Constraints: [] }));
    expect(again.EvalID).not.toBe(first.EvalID);
    expect(again).toMatchObject({ JobModifyIndex: first.JobModifyIndex, EvalCreateIndex: 3, Index: 3 });
    const after = await call(agent, '/v1/job/echo');
    expect(after.text).toBe(before.text);
    expect(after.headers['x-scheduler-index']).toBe('2');
    expect(countsOf(agent)).toMatchObject({ evaluations: 2, job_versions: 1 });
  });

  it('of a changed specification makes a version', async () => {
    const agent = await createTestAgent();
    await register(agent, minimalJob('echo'));
    await register(agent, minimalJob('echo', { Meta: { a: '1' } }));
    expect(await jobOf(agent, '/v1/job/echo')).toMatchObject({
      Version: 1,
      CreateIndex: 2,
      ModifyIndex: 3,
      JobModifyIndex: 3,
    });
    expect(countsOf(agent)).toMatchObject({ jobs: 1, job_versions: 2, job_summaries: 1 });
  });

  it('keeps the last six versions', async () => {
    const agent = await createTestAgent();
    await register(agent, minimalJob('echo.a', { Meta: { other: 'job' } }));
    for (let at = 0; at < 12; at += 1)
      await register(agent, minimalJob('echo', { Meta: { at: String(at) } }));
    const versions = scanRows(agent.state.snapshot().tables.job_versions.primary, fullRange, false);
    expect([...versions].map(({ ID, Version }) => `${ID} ${Version}`)).toEqual([
      ...[6, 7, 8, 9, 10, 11].map((version) => `echo ${version}`),
      'echo.a 0',
    ]);
  });

  it('stamps every version with a later nanosecond, even if the clock stops', async () => {
    const agent = await createTestAgent();
    const stamps: bigint[] = [];
    for (let at = 0; at < 5; at += 1) {
      await register(agent, minimalJob('echo', { Meta: { at: String(at) } }));
      const { text } = await call(agent, '/v1/job/echo');
      stamps.push(BigInt(/"SubmitTime":(\d+)/.exec(text)?.[1] ?? '0'));
    }
    expect(stamps[0]).toBe(1_700_000_000_000_000_000n);
    for (const [at, stamp] of stamps.entries())
      if (at > 0) expect(stamp).toBeGreaterThan(stamps[at - 1] ?? 0n);
  });

  it('keeps what the summary counted, and adds new groups to it', async () => {
    const agent = await createTestAgent();
    const group = (Name: string): object => ({ Name, Tasks: [{ Name: 't', Driver: 'exec' }] });
    await register(agent, minimalJob('echo', { TaskGroups: [group('web')] }));
    await register(agent, minimalJob('echo', { TaskGroups: [group('db')] }));
    const [stub] = (await call(agent, '/v1/jobs')).json() as [
      { JobSummary: { Summary: object; CreateIndex: number } },
    ];
    expect(Object.keys(stub.JobSummary.Summary)).toEqual(['web', 'db']);
    expect(stub.JobSummary).toMatchObject({ CreateIndex: 2, ModifyIndex: 3 });
  });

  it.each<[what: string, job: object, status: string]>([
    ['a service', {}, 'pending'],
    ['a system job', { Type: 'system' }, 'running'],
    ['a periodic job', { Type: 'batch', Periodic: { Spec: '@daily' } }, 'running'],
    ['a parameterised job', { Type: 'batch', ParameterizedJob: {} }, 'running'],
    ['a stopped job', { Stop: true }, 'dead'],
  ])('%s begins as it must', async (_what, job, status) => {
    const agent = await createTestAgent();
    await register(agent, minimalJob('x', job));
    expect(await jobOf(agent, '/v1/job/x')).toMatchObject({ Status: status });
  });

  it('of jobs that others start makes no evaluation', async () => {
    const agent = await createTestAgent();
    const cron = minimalJob('cron', { Type: 'batch', Periodic: { Spec: '*/15 * * * *', SpecType: 'cron' } });
    expect(await register(agent, cron)).toMatchObject({
      EvalID: '',
      EvalCreateIndex: 0,
      JobModifyIndex: 2,
      Index: 2,
    });
    expect(await register(agent, cron)).toMatchObject({ EvalID: '', JobModifyIndex: 2, Index: 2 });
    expect(countsOf(agent)).toMatchObject({ index: 2, evaluations: 0 });
  });

  it.each<[what: string, job: object, index: number | string, text: string | null]>([
    ['0 for a job that exists', minimalJob('alpha'), 0, 'Enforcing job modify index 0: job already exists'],
    [
      'the wrong index',
      minimalJob('alpha'),
      999_999,
      'Enforcing job modify index 999999: job exists with conflicting job modify index: 111',
    ],
    [
      'an index for a job that does not exist',
      minimalJob('echo'),
      7,
      'Enforcing job modify index 7: job does not exist',
    ],
    ['the right index', minimalJob('alpha', { Meta: { owner: 'ops2' } }), 111, null],
    ['0 for a new job', minimalJob('echo'), 0, null],
  ])('under the condition of %s', async (_what, Job, JobModifyIndex, text) => {
    const agent = await createBaseAgent();
    const before = countsOf(agent);
    const response = await put(agent, { Job, EnforceIndex: true, JobModifyIndex });
    if (text === null) {
      expect(response.status).toBe(200);
    } else {
      expect([response.status, response.text]).toEqual([400, text]);
      expect(countsOf(agent)).toEqual(before);
    }
  });

  it('without a condition ignores the index', async () => {
    const agent = await createBaseAgent();
    await register(agent, minimalJob('alpha'), { JobModifyIndex: 5 });
  });

  it('under its own path wants the same ID there and in the body', async () => {
    const agent = await createTestAgent();
    const refused = await put(agent, { Job: minimalJob('echo') }, '/v1/job/other');
    expect([refused.status, refused.text]).toEqual([400, 'Job ID does not match name']);
    expect((await put(agent, { Job: minimalJob('a/b') }, '/v1/job/a%2Fb')).status).toBe(200);
    expect((await put(agent, { Job: minimalJob('a/b') }, '/v1/job/a/b')).status).toBe(200);
  });

  it('reads, evaluates, stops and purges jobs whose IDs end in the word of a sub-route', async () => {
    const agent = await createTestAgent();
    const words = interfaceRoutes.flatMap(({ path }) => path.split('/v1/job/{job_id}/')[1] ?? []);
    expect(words.length).toBeGreaterThan(10);
    for (const word of new Set([...words, 'services', 'versions/x/tag', ''])) {
      const ID = `team/${word}`;
      const path = `/v1/job/${encodeURIComponent(ID)}`;
      expect((await put(agent, { Job: minimalJob(ID) })).status).toBe(200);
      expect((await call(agent, path)).json()).toMatchObject({ ID, Stop: false });
      expect((await call(agent, `${path}/summary`)).json()).toMatchObject({ JobID: ID });
      expect((await put(agent, {}, `${path}/evaluate`)).status).toBe(200);
      expect((await call(agent, `${path}?purge=true`, { method: 'DELETE' })).status).toBe(200);
      expect((await call(agent, path)).status).toBe(404);
    }
  });

  it.each(['evaluate', 'dispatch', 'scale', 'stable', 'revert', 'periodic/force'])(
    'refuses %s without a job ID',
    async (word) => {
      const response = await put(await createTestAgent(), {}, `/v1/job//${word}`);
      expect([response.status, response.text]).toEqual([400, 'Missing job ID']);
    },
  );

  it('pretty returns indented JSON', async () => {
    const response = await put(await createTestAgent(), { Job: minimalJob('x') }, '/v1/jobs?pretty');
    expect(response.text).toMatch(/^\{\n {4}"EvalID": "/);
  });
});

describe('reading one object', () => {
  it.each<[path: string, index: string, part: object]>([
    ['/v1/job/alpha', '111', { ID: 'alpha', Meta: { owner: 'ops' }, Version: 0 }],
    ['/v1/job/delta?namespace=apps', '114', { ID: 'delta', Namespace: 'apps' }],
    ['/v1/node/1a2b3c4d-0000-4000-8000-000000000001', '9', { Name: 'n1', SecretID: '', Drain: false }],
    ['/v1/deployment/58fd0616-ce64-414b-a917-03d0ab5af67e', '110', { Status: 'cancelled' }],
  ])('%s', async (path, index, part) => {
    const response = await call(await createBaseAgent(), path);
    expect(response.status).toBe(200);
    expect(response.headers['x-scheduler-index']).toBe(index);
    expect(response.headers['x-scheduler-knownleader']).toBe('true');
    expect(response.json()).toMatchObject(part);
  });

  it.each<[path: string, index: string, text: string]>([
    ['/v1/job/nope', '114', 'job not found'],
    ['/v1/job/delta', '114', 'job not found'],
    ['/v1/job/', '114', 'job not found'],
    ['/v1/node/1a2b', '20', 'node not found'],
    ['/v1/deployment/58fd0616', '110', 'deployment not found'],
  ])('%s is missing, at the index of the table', async (path, index, text) => {
    const response = await call(await createBaseAgent(), path);
    expect(response.status).toBe(404);
    expect(response.headers['content-type']).toBe(plainText);
    expect(response.headers['x-scheduler-index']).toBe(index);
    expect(response.headers['x-scheduler-lastcontact']).toBe('0');
    expect(response.text).toBe(text);
  });

  it.each([
    'a/b',
    'a b'.replace(' ', '+'),
    'job-id/with\troublesome:characters\n?&字',
    '100%',
    '\u{1f600}\uff01',
  ])('finds the job %j by its path, and pages past it', async (ID) => {
    const agent = await createTestAgent();
    await register(agent, minimalJob(ID));
    await register(agent, minimalJob('~'));
    expect(await jobOf(agent, `/v1/job/${encodeURIComponent(ID)}`)).toMatchObject({ ID });
    const read: string[] = [];
    for (let token: unknown = ''; token !== undefined;) {
      const response = await call(agent, withQuery('/v1/jobs', { per_page: '1', next_token: String(token) }));
      read.push(...(response.json() as { ID: string }[]).map((job) => job.ID));
      token = response.headers['x-scheduler-nexttoken'];
    }
    expect(read.toSorted()).toEqual([ID, '~'].toSorted());
  });
});
