import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { call, createTestAgent, withQuery, type TestResponse } from '../support/test-agent.js';

async function put(agent: Agent, path: string, body: unknown, method = 'PUT'): Promise<TestResponse> {
  return call(agent, path, { method, body });
}

async function namesOf(agent: Agent, query: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const rows = (await call(agent, withQuery('/v1/namespaces', query))).json() as { Name: string }[];
  return rows.map(({ Name }) => Name);
}

describe('namespaces', () => {
  it('are listed by name, default always among them', async () => {
    const agent = await createTestAgent();
    const response = await call(agent, '/v1/namespaces');
    expect(response.headers).toMatchObject({ 'x-scheduler-index': '1', 'x-scheduler-knownleader': 'true' });
    expect(response.json()).toEqual([
      {
        Name: 'default',
        Description: 'Default shared namespace',
        Quota: '',
        Capabilities: null,
        NodePoolConfiguration: null,
        VaultConfiguration: null,
        ConsulConfiguration: null,
        Meta: null,
        Hash: null,
        CreateIndex: 1,
        ModifyIndex: 1,
      },
    ]);
    for (const Name of ['b', 'a', 'd-1']) await put(agent, '/v1/namespace', { Name });
    expect(await namesOf(agent)).toEqual(['a', 'b', 'd-1', 'default']);
    expect(await namesOf(agent, { prefix: 'd' })).toEqual(['d-1', 'default']);
    expect(await namesOf(agent, { filter: 'Name == a' })).toEqual(['a']);
    expect(await namesOf(agent, { per_page: '1', next_token: 'b' })).toEqual(['b']);
  });

  it.each([
    ['PUT', '/v1/namespace/apps', {}],
    ['POST', '/v1/namespace/apps', { Name: 'apps' }],
    ['PUT', '/v1/namespace', { Name: 'apps' }],
    ['POST', '/v1/namespace', { name: 'apps' }],
  ])('%s %s %j creates one and returns the index', async (method, path, body) => {
    const agent = await createTestAgent();
    const response = await put(agent, path, { ...body, Description: 'Shops', Meta: { a: 'b' } }, method);
    expect([response.status, response.text, response.headers['x-scheduler-index']]).toEqual([200, '', '2']);
    expect(response.headers).not.toHaveProperty('content-type');
    const read = await call(agent, '/v1/namespace/apps');
    expect(read.headers['x-scheduler-index']).toBe('2');
    expect(read.json()).toMatchObject({
      Name: 'apps',
      Description: 'Shops',
      Meta: { a: 'b' },
      CreateIndex: 2,
    });
  });

  it('are changed by writing them again', async () => {
    const agent = await createTestAgent();
    await put(agent, '/v1/namespace', { Name: 'apps' });
    await put(agent, '/v1/namespace', { Name: 'apps', Description: 'x' });
    expect((await call(agent, '/v1/namespace/apps')).json()).toMatchObject({
      Description: 'x',
      CreateIndex: 2,
      ModifyIndex: 3,
    });
  });

  it('take jobs as soon as they exist', async () => {
    const agent = await createTestAgent();
    const Job = minimalJob('web', { Namespace: 'apps' });
    expect((await put(agent, '/v1/jobs', { Job })).text).toContain('is in nonexistent namespace "apps"');
    await put(agent, '/v1/namespace', { Name: 'apps' });
    expect((await put(agent, '/v1/jobs', { Job })).status).toBe(200);
  });

  it.each<[path: string, body: unknown, text: string]>([
    ...['', 'a.b', '*', 'a b', 'x'.repeat(129)].map((Name): [path: string, body: unknown, text: string] => [
      '/v1/namespace',
      { Name },
      `Invalid namespace "${Name}": 1 error occurred:\n\t* invalid name "${Name}". Must match regex ^[a-zA-Z0-9-]{1,128}$\n\n`,
    ]),
    [
      '/v1/namespace/a/b',
      {},
      'Invalid namespace "a/b": 1 error occurred:\n\t* invalid name "a/b". Must match regex ^[a-zA-Z0-9-]{1,128}$\n\n',
    ],
    ['/v1/namespace/a', { Name: 'b' }, 'Namespace name does not match request path'],
    [
      '/v1/namespace',
      { Name: 'a', Description: 'x'.repeat(257) },
      'Invalid namespace "a": 1 error occurred:\n\t* description longer than 256\n\n',
    ],
    ['/v1/namespace', { Name: 5 }, 'Name: expected a string, found the number 5'],
    ['/v1/namespace', '', 'Request body is empty'],
  ])('PUT %s %j is refused', async (path, body, text) => {
    const agent = await createTestAgent();
    const response = await put(agent, path, body);
    expect([response.status, response.text]).toEqual([400, text]);
    expect(await namesOf(agent)).toEqual(['default']);
  });

  it('are deleted when no job in them is left to run', async () => {
    const agent = await createBaseAgent();
    const remove = (name: string): Promise<TestResponse> =>
      call(agent, `/v1/namespace/${name}`, { method: 'DELETE' });
    const used = await remove('apps');
    expect([used.status, used.text]).toEqual([
      400,
      'namespace "apps" has a job that is not dead: "delta". Stop its jobs first',
    ]);
    await call(agent, '/v1/job/delta?namespace=apps', { method: 'DELETE' });
    const gone = await remove('apps');
    expect([gone.status, gone.text, gone.headers['x-scheduler-index']]).toEqual([200, '', '116']);
    expect(await namesOf(agent)).toEqual(['default']);
    const unknown = await remove('apps');
    expect([unknown.status, unknown.text]).toEqual([404, 'Namespace not found']);
    const retained = await remove('default');
    expect([retained.status, retained.text]).toEqual([400, 'namespace "default" can not be deleted']);
  });

  it('that are not there are 404 with the headers of a read', async () => {
    const response = await call(await createTestAgent(), '/v1/namespace/nope');
    expect([response.status, response.text, response.headers['x-scheduler-index']]).toEqual([
      404,
      'Namespace not found',
      '1',
    ]);
  });

  it('of another region have no path', async () => {
    const response = await put(await createTestAgent(), '/v1/namespace/a?region=nope', {});
    expect([response.status, response.text]).toEqual([500, 'No path to region']);
  });
});
