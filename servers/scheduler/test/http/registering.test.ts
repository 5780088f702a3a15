import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { jobKey } from '@tamis/scheduler-model/job.js';
import { getRow } from 'tamis/table';
import { jobWith, task, type Body } from '../../../scheduler-model/test/jobs.js';
import { validJob } from '../../../scheduler-model/test/valid-job.js';
import { call, createTestAgent, type TestResponse } from '../support/test-agent.js';

let agent: Agent;

beforeEach(async () => {
  agent = await createTestAgent();
  return () => agent.close();
});

function register(Job: unknown, more: Body = {}): Promise<TestResponse> {
  return call(agent, '/v1/jobs', { method: 'PUT', body: { Job, ...more } });
}

const stored = (ID: string): ReturnType<typeof getRow> =>
  getRow(agent.state.snapshot().tables.jobs, jobKey({ Namespace: 'default', ID }));

const batch = { Type: 'batch' };
const periodic = { ...batch, Periodic: { Spec: '@daily' } };
const parameterised = { ...batch, ParameterizedJob: {} };

describe('a job that is registered again', () => {
  it.each<[before: Body, after: Body, text: string]>([
    [{}, batch, 'cannot update job from type "service" to "batch"'],
    [batch, {}, 'cannot update job from type "batch" to "service"'],
    [{ Type: 'system' }, { Type: 'sysbatch' }, 'cannot update job from type "system" to "sysbatch"'],
    [periodic, {}, 'cannot update job from type "batch" to "service"'],
    [batch, periodic, 'cannot update non-periodic job to being periodic'],
    [periodic, batch, 'cannot update periodic job to being non-periodic'],
    [batch, parameterised, 'cannot update non-parameterized job to being parameterized'],
    [parameterised, batch, 'cannot update parameterized job to being non-parameterized'],
    [periodic, parameterised, 'cannot update periodic job to being non-periodic'],
  ])('cannot go from %j to %j', async (before, after, text) => {
    expect((await register(jobWith({ job: before }))).status).toBe(200);
    const retained = stored('x');
    expect(await register(jobWith({ job: after }))).toMatchObject({ status: 400, text });
    expect(stored('x')).toBe(retained);
    // A stopped job is what it was; one that is forgotten may become anything.
    await call(agent, '/v1/job/x', { method: 'DELETE' });
    expect(await register(jobWith({ job: after }))).toMatchObject({ status: 400, text });
    await call(agent, '/v1/job/x?purge=true', { method: 'DELETE' });
    expect((await register(jobWith({ job: after }))).status).toBe(200);
  });

  it('cannot take the place of one that was dispatched', async () => {
    await register(jobWith({ job: parameterised }));
    const started = await call(agent, '/v1/job/x/dispatch', { method: 'PUT', body: {} });
    const { DispatchedJobID: ID } = started.json() as { DispatchedJobID: string };
    const child = (await call(agent, `/v1/job/${ID}`, {})).json() as Body;
    expect(await register(jobWith({ job: { ...batch, ID } }))).toMatchObject({
      status: 400,
      text: "field 'Dispatched' is read-only",
    });
    expect(await register(child)).toMatchObject({
      status: 400,
      text: 'cannot update non-parameterized job to being parameterized',
    });
  });

  it('is checked by itself first, then against its condition, then against its previous version', async () => {
    await register(jobWith({}));
    const condition = { EnforceIndex: true, JobModifyIndex: 1 };
    const wrong = await register(jobWith({ job: { ...batch, Priority: 0 } }), condition);
    expect(wrong.text).toContain('job priority must be between [1, 100]');
    const other = await register(jobWith({ job: batch }), condition);
    expect(other.text).toContain('Enforcing job modify index 1');
  });

  it('may be changed in everything else, started again and written back as it was read', async () => {
    await register(jobWith({}));
    const changed = jobWith({ job: { Priority: 70, Meta: { a: 'b' } }, group: { Count: 3 } });
    expect((await register(changed)).status).toBe(200);
    await call(agent, '/v1/job/x', { method: 'DELETE' });
    expect((await register(changed)).status).toBe(200);
    const job = (await call(agent, '/v1/job/x', {})).json();
    expect((await register(job)).json()).toMatchObject({ Warnings: '' });
    expect(stored('x')).toMatchObject({ Version: 3 });
  });
});

describe('warnings', () => {
  it('come in the form of the real scheduler, and the job is kept as it is', async () => {
    const group = { Services: [{ Name: 'web', Checks: [{ Type: 'tcp', PortLabel: 'http' }] }] };
    const response = await register(jobWith({ job: { Tpye: 'batch' }, group }), { EnforceIndx: true });
    expect(response.json()).toMatchObject({
      Warnings: `3 warning(s):

* Job.Tpye: there is no such field, it is ignored: did you mean Type?
* EnforceIndx: there is no such field, it is ignored: did you mean EnforceIndex?
* Job.TaskGroups[0].Services: services are not registered and checks are not run, health follows the states of the tasks`,
    });
    expect(stored('x')).toMatchObject({ TaskGroups: [group] });
  });

  it('are empty for what real clients send: null for nothing requested, switches that are off', async () => {
    const nothing = { Services: null, Templates: null, Vault: null, Whatever: null };
    const more = {
      PolicyOverride: false,
      PreserveCounts: false,
      Submission: null,
      Region: 'global',
      SecretID: '',
    };
    const response = await register(jobWith({ job: { VaultToken: '' }, task: nothing }), more);
    expect(response.json()).toMatchObject({ Warnings: '' });
  });

  it('never keep the secrets of others', async () => {
    await register(jobWith({ job: { VaultToken: 'hvs.secret', ConsulToken: 'secret' } }));
    expect((await call(agent, '/v1/job/x', {})).text).not.toContain('secret');
  });
});

describe('blocks that are kept as they are', () => {
  it('are read in any case, and by their kinds', async () => {
    const Networks = [{ reservedports: [{ LABEL: 'a', value: 80 }] }];
    await register(jobWith({ group: { Networks } }));
    expect(stored('x')).toMatchObject({
      TaskGroups: [{ Networks: [{ ReservedPorts: [{ Label: 'a', Value: 80 }] }] }],
    });
    const wrong = jobWith({ group: { Networks: [{ ReservedPorts: [{ Label: 'a', Value: 'x' }] }] } });
    expect(await register(wrong)).toMatchObject({
      status: 400,
      text: 'Job.TaskGroups[0].Networks[0].ReservedPorts[0].Value: expected an integer of 64 bits, found the string "x"',
    });
  });
});

/** Places in a body, each the way to a value of it. */
function waysInto(value: unknown, way: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [way];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [way, ...entries.flatMap(([key, item]) => waysInto(item, [...way, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (at === key ? replaceAt(item, rest, by) : item));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaceAt(record[key], rest, by) };
}

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'x', '\0', '${', -1, 0, 1.5, 1e300, [], {}, [null], [[]], [{}], {
    '': null,
  }),
  fc.constantFrom<unknown>(2 ** 53, -(2 ** 62), '9'.repeat(500), 'SIGTERM', '*/5 * * * *', 65_536),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map((integer) => Number(integer)),
  fc.string(),
  fc.jsonValue(),
);

describe('a job that was right before something in it changed', () => {
  it('is taken or refused with a reason, and never anything else', async () => {
    await fc.assert(
      fc.asyncProperty(
        validJob,
        fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 3 }),
        async (job, changes) => {
          const changed = changes.reduce<unknown>((body, [at, by]) => {
            const ways = waysInto(body);
            return replaceAt(body, ways[at % ways.length] ?? [], by);
          }, job);
          const { status, text } = await register(changed);
          expect([200, 400], text).toContain(status);
          if (status === 400)
            expect(text).toMatch(/^(Job\b|job\b|[1-9]\d* errors? occurred:\n\t\* \S|cannot update )/);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is rejected with the position if the value there has another kind', async () => {
    for (const way of [['TaskGroups'], ['TaskGroups', 0], ['TaskGroups', 0, 'Tasks', 0, 'Config']]) {
      const body = replaceAt(jobWith({ task }), way, 5);
      const path = way.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
      expect(await register(body)).toMatchObject({
        status: 400,
        text: expect.stringMatching(`^Job${path.replaceAll(/[[\]]/g, '\\$&')}: expected `) as string,
      });
    }
  });
});

describe('a response', () => {
  const long = 'x'.repeat(100_000);

  it.each<[refused: Body]>([[{ NodePool: long }], [{ Namespace: long }], [{ Type: long }]])(
    'does not repeat all that it refuses',
    async (job) => {
      const { status, text } = await register(jobWith({ job }));
      expect(status).toBe(400);
      expect(text).toContain('xxx…');
      expect(text.length).toBeLessThan(1_000);
    },
  );
});

describe('a job for another region', () => {
  it('is one line of the log, without the place in the code', async () => {
    const lines: string[] = [];
    const logs = createLogHub({ level: 'info', write: (line) => lines.push(line) });
    const other = await createTestAgent({ logs });
    const response = await call(other, '/v1/jobs', {
      method: 'PUT',
      body: { Job: jobWith({ job: { Region: 'nowhere' } }) },
    });
    await other.close();
    expect(response).toMatchObject({ status: 500, text: 'No path to region' });
    const failed = lines.filter((line) => line.includes('request failed'));
    expect(failed.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 40, path: '/v1/jobs', code: 500, reason: 'No path to region' },
    ]);
    expect(failed.join()).not.toContain('stack');
  });
});
