import { describe, expect, it } from 'vitest';
import { readImport } from '@tamis/scheduler-state/cluster/import.js';
import type { ClusterRows } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { createLastingStorage } from '../../../scheduler-state/test/support/storage-log.js';
import { call, createTestAgent } from '../support/test-agent.js';

async function read(...lines: string[]): Promise<ClusterRows> {
  async function* source(): AsyncGenerator<string> {
    yield* lines;
  }
  return readImport(source(), 'cluster.ndjson');
}

const line = (kind: string, object: object): string => JSON.stringify({ kind, object });

describe('reading an import', () => {
  it('takes all kinds, skips empty lines, fills in what is absent', async () => {
    const rows = await read(
      line('namespace', { Name: 'apps' }),
      '',
      line('node', { ID: 'n', Attributes: { 'os.name': 'debian' } }),
      '  ',
      line('job', { ID: 'a', SubmitTime: 1 }).replace('"SubmitTime":1', '"SubmitTime":1645230445788556000'),
      line('deployment', { ID: 'd', Namespace: 'apps' }),
      line('evaluation', { ID: 'e' }),
      line('allocation', { ID: 'l', Job: { ID: 'a' } }),
    );
    expect(rows.namespaces).toMatchObject([{ Name: 'apps', Description: '' }]);
    expect(rows.nodes).toMatchObject([
      { ID: 'n', Attributes: { 'os.name': 'debian' }, Drivers: null, Status: '' },
    ]);
    expect(rows.jobs).toMatchObject([
      { ID: 'a', Namespace: 'default', SubmitTime: 1645230445788556000n, Priority: 0 },
    ]);
    expect(rows.deployments).toMatchObject([{ ID: 'd', Namespace: 'apps' }]);
    expect(rows.evaluations).toMatchObject([{ ID: 'e', Namespace: 'default' }]);
    expect(rows.allocations).toMatchObject([{ ID: 'l', Job: { ID: 'a', Meta: null } }]);
  });

  it.each<[what: string, lines: string[], message: string | RegExp]>([
    ['no JSON', [line('node', { ID: 'n' }), '{nope'], /^cluster\.ndjson:2: .*JSON/],
    ['no object', ['[]'], 'cluster.ndjson:1: line: expected an object {"kind": ..., "object": {...}}'],
    [
      'an unknown kind',
      ['', line('pod', {})],
      'cluster.ndjson:2: kind: expected namespace, node, job, deployment, evaluation, allocation, found "pod"',
    ],
    [
      'no kind',
      ['{"object":{}}'],
      'cluster.ndjson:1: kind: expected namespace, node, job, deployment, evaluation, allocation, found nothing',
    ],
    ['no object inside', ['{"kind":"node"}'], /^cluster\.ndjson:1: object: expected an object, found /],
    ['no ID', [line('node', {})], 'cluster.ndjson:1: object.ID: is missing'],
    [
      'a field of a wrong kind',
      [line('job', { ID: 'a', TaskGroups: [{ Count: 'x' }] })],
      'cluster.ndjson:1: object.TaskGroups[0].Count: expected an integer of 64 bits, found the string "x"',
    ],
    [
      'an ID with a blank',
      [line('job', { ID: 'a b' })],
      'cluster.ndjson:1: object.ID: must not hold blanks or null characters',
    ],
    [
      'a namespace with a dot',
      [line('job', { ID: 'a', Namespace: 'x.y' })],
      'cluster.ndjson:1: object.Namespace: expected 1 to 128 letters, digits and dashes, found "x.y"',
    ],
    [
      'an index without room above it',
      [`{"kind":"node","object":{"ID":"a","ModifyIndex":18446744073709551615}}`],
      'cluster.ndjson:1: object.ModifyIndex: is too large for an index: 18446744073709551615',
    ],
    [
      'more than can be stored',
      [line('job', { ID: 'a', Meta: { text: 'x'.repeat(1_048_576) } })],
      /^cluster\.ndjson:1: object: takes \d+ bytes in JSON, and at most 1048576 can be stored$/,
    ],
    [
      'a job of an allocation that is more than can be stored',
      [line('allocation', { ID: 'l', Job: { ID: 'a', Meta: { text: 'x'.repeat(1_048_576) } } })],
      /^cluster\.ndjson:1: object\.Job: takes \d+ bytes in JSON, and at most 1048576 can be stored$/,
    ],
    [
      'the same twice',
      [line('job', { ID: 'a' }), line('node', { ID: 'a' }), line('job', { ID: 'a' })],
      'cluster.ndjson:3: job default.a: is already on line 1',
    ],
  ])('refuses %s and names the line', async (_what, lines, message) => {
    await expect(read(...lines)).rejects.toThrow(message);
    await expect(read(...lines)).rejects.toMatchObject({ name: 'ImportError' });
  });

  it('does not mind the same ID in two namespaces or kinds', async () => {
    const rows = await read(
      line('job', { ID: 'a' }),
      line('job', { ID: 'a', Namespace: 'apps' }),
      line('node', { ID: 'a' }),
    );
    expect(rows.jobs).toHaveLength(2);
  });
});

describe('an agent with an import', () => {
  it('keeps the indexes, adds summaries, versions and namespaces, and makes no evaluations', async () => {
    const lines = [
      {
        kind: 'job',
        object: {
          ID: 'a',
          Namespace: 'apps',
          CreateIndex: 30,
          ModifyIndex: 70,
          TaskGroups: [{ Name: 'web' }],
        },
      },
      { kind: 'node', object: { ID: 'n', CreateIndex: 4, ModifyIndex: 90 } },
    ];
    const agent = await createTestAgent({ lines });
    const jobs = await call(agent, '/v1/jobs?namespace=*');
    expect(jobs.headers['x-scheduler-index']).toBe('70');
    expect(jobs.json()).toMatchObject([
      {
        ID: 'a',
        CreateIndex: 30,
        ModifyIndex: 70,
        JobSummary: { Summary: { web: { Running: 0 } }, CreateIndex: 30, ModifyIndex: 70 },
      },
    ]);
    expect((await call(agent, '/v1/nodes')).headers['x-scheduler-index']).toBe('90');
    const { tables, index } = agent.state.snapshot();
    expect(index).toBe(90);
    expect(tables.evaluations.primary.size).toBe(0);
    expect(tables.job_versions.primary.size).toBe(1);
    const put = await call(agent, '/v1/jobs?namespace=apps', {
      method: 'PUT',
      body: { Job: { ID: 'b', TaskGroups: [{ Name: 'g', Tasks: [{ Name: 't', Driver: 'exec' }] }] } },
    });
    expect(put.headers['x-scheduler-index']).toBe('91');
  });

  it('says in the log what has been imported, and that a cluster that is there stays as it is', async () => {
    const reported: string[] = [];
    const logs = createLogHub({ level: 'info', write: (text) => void reported.push(text) });
    const storage = createLastingStorage();
    const lines = [
      { kind: 'job', object: { ID: 'a' } },
      { kind: 'job', object: { ID: 'b' } },
    ];
    for (const message of ['imported', 'not imported: there is a cluster already']) {
      await (await createTestAgent({ lines, logs, storage })).close();
      expect(reported.splice(0).map((text) => JSON.parse(text) as unknown)).toContainEqual(
        expect.objectContaining({ module: 'import', file: 'test.ndjson', msg: message }),
      );
    }
  });
});
