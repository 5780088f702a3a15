import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aclIds, createAclCluster, type AclCluster } from '../support/acl-cluster.js';
import { idsOf, withQuery } from '../support/test-agent.js';

const rules = {
  default: 'namespace "default" { policy = "read" }',
  apps: 'namespace "apps" { policy = "read" }',
  all: 'namespace "*" { policy = "read" }',
  'all but apps': 'namespace "*" { policy = "read" }\nnamespace "apps" { policy = "deny" }',
  elsewhere: 'namespace "elsewhere" { policy = "read" }',
  node: 'node { policy = "read" }',
  'node and default': 'node { policy = "read" }\nnamespace "default" { policy = "read" }',
  writer: 'namespace "default" { policy = "write" }',
};

/** What is only read; who writes has a cluster of its own. */
let cluster: AclCluster;
beforeAll(async () => {
  cluster = await createAclCluster(rules);
});
afterAll(() => cluster.agent.app.close());

const { evaluations, deployments, allocations, node } = aclIds;
type Caller = keyof typeof rules | 'mgmt';

describe('lists', () => {
  it.each<[path: string, caller: Caller, namespace: string, ids: readonly string[] | null]>([
    ['/v1/jobs', 'mgmt', '*', ['delta', 'alpha']],
    ['/v1/jobs', 'all', '*', ['delta', 'alpha']],
    ['/v1/jobs', 'default', '*', ['alpha']],
    ['/v1/jobs', 'apps', '*', ['delta']],
    ['/v1/jobs', 'all but apps', '*', ['alpha']],
    ['/v1/jobs', 'elsewhere', '*', []],
    ['/v1/jobs', 'node', '*', null],
    ['/v1/jobs', 'default', '', ['alpha']],
    ['/v1/jobs', 'default', 'apps', null],
    ['/v1/jobs', 'all but apps', 'apps', null],
    ['/v1/jobs', 'all', 'no-such-namespace', []],
    ['/v1/jobs', 'default', 'no-such-namespace', null],
    ['/v1/jobs', 'mgmt', 'no-such-namespace', []],
    ['/v1/deployments', 'default', '*', [deployments[0]]],
    ['/v1/deployments', 'apps', '*', [deployments[1]]],
    ['/v1/deployments', 'apps', '', null],
    ['/v1/evaluations', 'default', '*', [evaluations[0]]],
    ['/v1/evaluations', 'all', '*', [...evaluations]],
    ['/v1/evaluations', 'node', '*', null],
    ['/v1/allocations', 'apps', '*', [allocations[1]]],
    ['/v1/allocations', 'apps', 'apps', [allocations[1]]],
    ['/v1/allocations', 'apps', 'default', null],
  ])('%s as %s in %j', async (path, caller, namespace, ids) => {
    const response = await cluster.sendAs(caller, withQuery(path, namespace === '' ? {} : { namespace }));
    if (ids === null) expect([response.status, response.text]).toEqual([403, 'Permission denied']);
    else expect(idsOf(response)).toEqual(ids);
  });

  it('of namespaces leave out those in which nothing is allowed', async () => {
    const names = async (caller: string): Promise<unknown> => {
      const response = await cluster.sendAs(caller, '/v1/namespaces');
      return (response.json() as { Name: string }[]).map(({ Name }) => Name);
    };
    expect(await names('mgmt')).toEqual(['apps', 'default']);
    expect(await names('default')).toEqual(['default']);
    expect(await names('all but apps')).toEqual(['default']);
    expect(await names('node')).toEqual([]);
    expect(await names('')).toEqual([]);
    expect((await cluster.sendAs('default', '/v1/namespace/apps')).status).toBe(403);
    expect((await cluster.sendAs('all', '/v1/namespace/nowhere')).status).toBe(404);
  });

  it('have tokens of rows that can be seen only', async () => {
    const first = await cluster.sendAs('default', '/v1/jobs?namespace=*&per_page=1');
    // delta, of the hidden namespace, would come first.
    expect(idsOf(first)).toEqual(['alpha']);
    expect(first.headers['x-scheduler-nexttoken']).toBeUndefined();
    const all = await cluster.sendAs('all', '/v1/jobs?namespace=*&per_page=1');
    expect(idsOf(all)).toEqual(['delta']);
    expect(all.headers['x-scheduler-nexttoken']).toBe('default.alpha');
    const guessed = await cluster.sendAs('default', '/v1/jobs?namespace=*&next_token=apps.delta');
    expect(idsOf(guessed)).toEqual(['alpha']);
  });

  it('show filters nothing of hidden rows, not even by failing', async () => {
    const probe = withQuery('/v1/allocations', { namespace: '*', filter: 'Namespace == "apps"' });
    expect(idsOf(await cluster.sendAs('default', probe))).toEqual([]);
    expect(idsOf(await cluster.sendAs('all', probe))).toEqual([allocations[1]]);
    // The deployment in apps has no such group, which fails the page of everybody who may see it.
    const failing = withQuery('/v1/deployments', {
      namespace: '*',
      filter: 'TaskGroups.cache.Promoted == false',
    });
    expect(idsOf(await cluster.sendAs('default', failing))).toEqual([deployments[0]]);
    expect((await cluster.sendAs('all', failing)).status).toBe(400);
    const broken = withQuery('/v1/jobs', { namespace: 'apps', filter: 'no filter' });
    expect((await cluster.sendAs('default', broken)).status).toBe(403);
    expect((await cluster.sendAs('apps', broken)).status).toBe(400);
  });

  it('are kept for those with the same rights only', async () => {
    const path = '/v1/jobs?namespace=*';
    for (const [caller, ids] of [
      ['mgmt', ['delta', 'alpha']],
      ['default', ['alpha']],
      ['apps', ['delta']],
      ['all', ['delta', 'alpha']],
      ['elsewhere', []],
      ['default', ['alpha']],
    ] as const) {
      expect(idsOf(await cluster.sendAs(caller, path))).toEqual(ids);
    }
  });
});

describe('reads', () => {
  it.each<[path: string, caller: Caller, status: number]>([
    ['/v1/job/alpha', 'default', 200],
    ['/v1/job/alpha', 'apps', 403],
    ['/v1/job/delta?namespace=apps', 'apps', 200],
    ['/v1/job/delta?namespace=apps', 'default', 403],
    ['/v1/job/unknown', 'default', 404],
    ['/v1/job/unknown', 'apps', 403],
    ['/v1/job/alpha/allocations', 'apps', 403],
    ['/v1/job/alpha/summary', 'apps', 403],
    ['/v1/job/alpha/versions', 'apps', 403],
    ['/v1/job/alpha/evaluations', 'node', 403],
    ['/v1/job/alpha/deployment', 'node', 403],
    [`/v1/allocation/${allocations[0]}`, 'default', 200],
    [`/v1/allocation/${allocations[1]}`, 'default', 404],
    [`/v1/allocation/${allocations[1]}`, 'node', 404],
    [`/v1/evaluation/${evaluations[0]}`, 'default', 200],
    [`/v1/evaluation/${evaluations[1]}`, 'default', 403],
    [`/v1/evaluation/${evaluations[1]}`, 'apps', 200],
    [`/v1/evaluation/${evaluations[1]}?namespace=apps`, 'default', 403],
    [`/v1/evaluation/${node}`, 'default', 404],
    [`/v1/evaluation/${node}`, 'node', 403],
    [`/v1/deployment/${deployments[0]}`, 'default', 200],
    [`/v1/deployment/${deployments[1]}`, 'default', 404],
    [`/v1/deployment/${deployments[1]}`, 'node', 403],
    [`/v1/node/${node}`, 'node', 200],
    [`/v1/node/${node}`, 'default', 403],
    [`/v1/node/${node}/allocations`, 'default', 403],
  ])('%s as %s: %i', async (path, caller, status) => {
    const response = await cluster.sendAs(caller, path);
    expect(response.status).toBe(status);
    if (status === 403) expect(response.text).toBe('Permission denied');
  });

  it('of a hidden allocation or deployment respond as for one that does not exist', async () => {
    for (const [path, hidden] of [
      ['/v1/allocation/', allocations[1]],
      ['/v1/deployment/', deployments[1]],
    ] as const) {
      const [there, nowhere] = await Promise.all(
        [hidden, node].map((id) => cluster.sendAs('default', `${path}${id}`)),
      );
      expect(there?.text).toBe(nowhere?.text);
      expect({ ...there?.headers, date: '' }).toEqual({ ...nowhere?.headers, date: '' });
    }
  });

  it.each<[path: string, caller: Caller, ids: readonly string[]]>([
    [`/v1/node/${node}/allocations`, 'mgmt', [...allocations]],
    [`/v1/node/${node}/allocations`, 'node', []],
    [`/v1/node/${node}/allocations`, 'node and default', [allocations[0]]],
    [`/v1/evaluation/${evaluations[1]}/allocations`, 'apps', [allocations[1]]],
    [`/v1/evaluation/${evaluations[1]}/allocations`, 'default', []],
    [`/v1/deployment/allocations/${deployments[1]}`, 'apps', [allocations[1]]],
    [`/v1/deployment/allocations/${deployments[1]}`, 'default', []],
  ])('%s as %s lists what can be seen', async (path, caller, ids) => {
    expect(idsOf(await cluster.sendAs(caller, path))).toEqual(ids);
  });

  it('of an evaluation leave hidden relatives out', async () => {
    const related = async (caller: string): Promise<unknown> => {
      const response = await cluster.sendAs(caller, `/v1/evaluation/${evaluations[0]}?related=true`);
      return (response.json() as { RelatedEvals: { ID: string }[] }).RelatedEvals.map(({ ID }) => ID);
    };
    expect(await related('all')).toEqual([evaluations[1]]);
    expect(await related('default')).toEqual([]);
  });
});

describe('writes of jobs', () => {
  const groups = [{ Name: 'g', Tasks: [{ Name: 't', Driver: 'exec' }] }];
  let written: AclCluster;
  beforeAll(async () => {
    written = await createAclCluster(rules);
  });
  afterAll(() => written.agent.app.close());
  const put = (caller: string, Job: object) =>
    written.sendAs(caller, '/v1/jobs', { method: 'PUT', body: { Job } });

  it('report mistakes in a job before missing rights', async () => {
    const invalid = { ID: 'x', TaskGroups: [] };
    expect(await put('default', invalid)).toMatchObject({ status: 400 });
    expect((await put('default', invalid)).text).toContain('Missing job task groups');
    expect(await put('default', { ID: 'x', TaskGroups: groups })).toMatchObject({
      status: 403,
      text: 'Permission denied',
    });
    expect(await put('writer', { ID: 'x', TaskGroups: groups })).toMatchObject({ status: 200 });
  });

  it('do not reveal which namespaces exist', async () => {
    for (const Namespace of ['apps', 'nowhere']) {
      expect(await put('writer', { ID: 'x', Namespace, TaskGroups: groups })).toMatchObject({ status: 403 });
      const { text } = await put('writer', { ID: 'x', Namespace, TaskGroups: [] });
      expect(text).not.toContain('namespace');
    }
  });

  it('check the namespace that the job ends up in', async () => {
    const path = '/v1/jobs?namespace=default';
    const Job = { ID: 'y', Namespace: 'apps', TaskGroups: groups };
    expect(await written.sendAs('writer', path, { method: 'PUT', body: { Job } })).toMatchObject({
      status: 200,
    });
    const other = await written.sendAs('writer', '/v1/jobs?namespace=apps', { method: 'PUT', body: { Job } });
    expect(other.status).toBe(403);
    const remove = { method: 'DELETE' };
    expect((await written.sendAs('writer', '/v1/job/delta?namespace=apps', remove)).status).toBe(403);
    expect((await written.sendAs('writer', '/v1/job/y?purge=true', remove)).status).toBe(200);
  });
});
