import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { jobs } from '@tamis/scheduler-model/jobs.js';
import { scanRows, fullRange } from 'tamis/table';
import { createAclCluster } from '../support/acl-cluster.js';
import { createBaseAgent, minimalJob, nodeIds } from '../support/base-cluster.js';
import { call, createTestAgent, idsOf, withQuery, type TestResponse } from '../support/test-agent.js';
import { until } from '../../../scheduler-model/test/support/until.js';

type Query = Readonly<Record<string, string>>;

let agent: Agent;
beforeAll(async () => {
  agent = await createBaseAgent();
});

const tokenOf = ({ headers }: TestResponse): string => String(headers['x-scheduler-nexttoken'] ?? '');

describe('sort', () => {
  it.each<[path: string, query: Query, ids: string[]]>([
    ['/v1/jobs', { sort: 'Priority' }, ['alpha', 'charlie', 'bravo']],
    ['/v1/jobs', { sort: '-Priority' }, ['bravo', 'charlie', 'alpha']],
    ['/v1/jobs', { sort: 'Priority', namespace: '*' }, ['delta', 'alpha', 'charlie', 'bravo']],
    ['/v1/jobs', { sort: 'Name', namespace: '*' }, ['alpha', 'bravo', 'charlie', 'delta']],
    ['/v1/jobs', { sort: '-Name', namespace: '*' }, ['delta', 'charlie', 'bravo', 'alpha']],
    ['/v1/jobs', { sort: '-ModifyIndex' }, ['charlie', 'bravo', 'alpha']],
    ['/v1/jobs', { sort: 'Type' }, ['bravo', 'alpha', 'charlie']],
    ['/v1/jobs', { sort: '-Type', filter: 'Priority == 50' }, ['charlie', 'alpha']],
    ['/v1/jobs', { sort: '-Priority', filter: 'Priority > 40 and Priority < 70' }, ['charlie', 'alpha']],
    ['/v1/jobs', { sort: 'SubmitTime', prefix: 'b' }, ['bravo']],
    ['/v1/jobs', { sort: '-Name', prefix: 'd', namespace: '*' }, ['delta']],
    ['/v1/jobs', { sort: 'Name', namespace: 'nowhere' }, []],
    ['/v1/jobs', { sort: '' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/nodes', { sort: '-Name' }, [nodeIds[1], nodeIds[0]]],
    ['/v1/nodes', { sort: 'Status' }, [nodeIds[1], nodeIds[0]]],
    ['/v1/nodes', { sort: '-ID' }, [nodeIds[1], nodeIds[0]]],
    ['/v1/nodes', { sort: '-ModifyIndex', filter: 'Datacenter == dc1' }, [nodeIds[0]]],
  ])('%s %j', async (path, query, ids) => {
    const response = await call(agent, withQuery(path, query));
    expect(response.status, response.text).toBe(200);
    expect(idsOf(response)).toEqual(ids);
  });

  it.each<[query: Query, refusal: string]>([
    [
      { sort: 'Prioriti' },
      'Cannot sort by "Prioriti": did you mean Priority? The sorts of this list are Name, Namespace, Type, Status, NodePool, Priority, SubmitTime, CreateIndex, ModifyIndex, with - for descending order',
    ],
    [{ sort: '-name' }, 'Cannot sort by "name": did you mean -Name? '],
    [{ sort: 'TaskGroups' }, 'Cannot sort by "TaskGroups": The sorts of this list are '],
    [{ sort: '-' }, 'Cannot sort by "": '],
    [{ sort: 'Priority,Name' }, 'A list is sorted by one field'],
    [{ sort: 'Priority', reverse: 'true' }, '`reverse` cannot be combined with `sort`; use sort=-Priority'],
    [{ sort: '-Priority', reverse: 'true' }, '`reverse` cannot be combined with `sort`; use sort=Priority'],
    [
      { sort: 'Priority', next_token: 'default.alpha' },
      'The `next_token` belongs to a list without `sort`: use a token of a list with sort=Priority',
    ],
    [
      { sort: 'Priority', next_token: '-Priority:50.default.alpha' },
      'The `next_token` belongs to a list with sort=-Priority',
    ],
    [{ next_token: 'Priority:50.default.alpha' }, 'The `next_token` belongs to a list with sort=Priority'],
    [{ sort: 'Priority', next_token: 'Priority:' }, 'is malformed or belongs to another list'],
    [{ sort: 'Priority', next_token: 'Priority:default.alpha' }, 'is malformed or belongs to another list'],
    [{ sort: 'Name', next_token: 'Name:50.default.alpha' }, 'is malformed or belongs to another list'],
  ])('%j is refused', async (query, refusal) => {
    const response = await call(agent, withQuery('/v1/jobs', query));
    expect(response.status).toBe(400);
    expect(response.text).toContain(refusal);
  });

  it('takes one field and no second', async () => {
    const response = await call(agent, '/v1/jobs?sort=Priority&sort=Name');
    expect([response.status, response.text.slice(0, 30)]).toEqual([400, 'A list is sorted by one field:']);
  });

  it('names rows in page tokens by what sorts them', async () => {
    const first = await call(agent, withQuery('/v1/jobs', { sort: 'Priority', per_page: '1' }));
    expect(tokenOf(first)).toBe('Priority:50.default.charlie');
    const byText = await call(agent, withQuery('/v1/jobs', { sort: '-Type', per_page: '2' }));
    expect(tokenOf(byText)).toBe('-Type:batch%00%00default.bravo');
    const next = await call(
      agent,
      withQuery('/v1/jobs', { sort: '-Type', per_page: '2', next_token: tokenOf(byText) }),
    );
    expect([idsOf(next), tokenOf(next)]).toEqual([['bravo'], '']);
  });

  it('hands tokens out and takes them back over a socket, whatever the text that sorts', async () => {
    // An import accepts names that cannot be registered.
    const names = ['', 'a\0b', 'a\0', 'a', '%00', 'ü b', 'Priority:5.x'];
    const own = await createTestAgent({
      lines: names.map((Name, at) => ({ kind: 'job', object: { ID: `j${at}`, Name, NodePool: Name } })),
    });
    const origin = await own.listen();
    try {
      for (const sort of ['Name', '-Name', 'NodePool', '-NodePool']) {
        const found: string[] = [];
        let next_token = '';
        do {
          const page = await fetch(`${origin}${withQuery('/v1/jobs', { sort, per_page: '1', next_token })}`);
          expect(page.status).toBe(200);
          found.push(...((await page.json()) as readonly { ID: string }[]).map(({ ID }) => ID));
          next_token = page.headers.get('x-scheduler-nexttoken') ?? '';
        } while (next_token !== '');
        const whole = await fetch(`${origin}${withQuery('/v1/jobs', { sort })}`);
        expect(found).toEqual(((await whole.json()) as readonly { ID: string }[]).map(({ ID }) => ID));
        expect(found).toHaveLength(names.length);
      }
    } finally {
      await own.close();
    }
  });

  it('reports how the order was produced', async () => {
    const reported = async (query: Query): Promise<unknown> =>
      (await call(agent, withQuery('/v1/jobs', { explain: 'true', ...query }))).json();
    expect(await reported({ sort: '-Priority' })).toMatchObject({
      Index: null,
      Sort: { Field: 'Priority', Descending: true, By: 'rows' },
    });
    expect(await reported({ sort: 'Priority', namespace: '*', filter: 'Priority > 60' })).toMatchObject({
      Index: { Field: 'Priority', Range: 'Priority > 60' },
      Sort: { Field: 'Priority', Descending: false },
      RowsExamined: 1,
    });
    expect(await reported({ sort: 'Name', namespace: '*', filter: 'Name != x' })).toMatchObject({
      Sort: { By: 'index' },
    });
    expect(await reported({})).toMatchObject({ Sort: null });
  });

  it('pages of all lists of a sample, joined, are the whole', async () => {
    const sample = await createTestAgent({ config: { fill: { kind: 'sample', isStill: true } } });
    const cases = [
      ['/v1/jobs', '-SubmitTime', ''],
      ['/v1/jobs', 'Priority', 'Status == "running"'],
      ['/v1/jobs', '-Name', 'Type == "batch"'],
      ['/v1/nodes', 'Datacenter', 'Status == ready'],
      ['/v1/deployments', '-Status', ''],
      ['/v1/deployments', 'ModifyIndex', 'Status == running'],
    ] as const;
    for (const [path, sort, filter] of cases) {
      const query = { sort, filter, namespace: '*' };
      const whole = idsOf(await call(sample, withQuery(path, query)));
      const pages: string[] = [];
      let next_token = '';
      do {
        const page = await call(sample, withQuery(path, { ...query, next_token, per_page: '97' }));
        expect(page.status, page.text).toBe(200);
        pages.push(...idsOf(page));
        next_token = tokenOf(page);
      } while (next_token !== '');
      expect(pages).toEqual(whole);
      const unsorted = idsOf(await call(sample, withQuery(path, { filter, namespace: '*' })));
      expect(whole.toSorted()).toEqual(unsorted.toSorted());
    }
    const { primary } = sample.state.snapshot().tables.jobs;
    const naive = [...scanRows(primary, fullRange, false)]
      .map((job, at) => ({ at, ID: job.ID, time: BigInt(job.SubmitTime) }))
      .sort((a, b) => (a.time === b.time ? b.at - a.at : a.time < b.time ? 1 : -1));
    const newest = await call(sample, withQuery('/v1/jobs', { namespace: '*', sort: '-SubmitTime' }));
    expect(idsOf(newest)).toEqual(naive.map(({ ID }) => ID));
    await sample.close();
  });

  it('goes on where a page ended, though rows have moved', async () => {
    const own = await createTestAgent();
    const put = (ID: string, Priority: number): Promise<unknown> =>
      call(own, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob(ID, { Priority }) } });
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) await put(id, 10 * (at + 1));
    const page = (next_token: string): Promise<TestResponse> =>
      call(own, withQuery('/v1/jobs', { sort: 'Priority', per_page: '2', next_token }));
    const first = await page('');
    expect(idsOf(first)).toEqual(['a', 'b']);
    // The row of the token moves later, as does one of the first page, and one of the next moves before.
    await put('c', 55);
    await put('a', 45);
    await put('d', 5);
    const second = await page(tokenOf(first));
    expect(idsOf(second)).toEqual(['a', 'e']);
    expect(idsOf(await page(tokenOf(second)))).toEqual(['c', 'f']);
  });

  it('counts as a parameter of the list for those who wait', async () => {
    const own = await createBaseAgent();
    const query = { sort: '-Priority', per_page: '1', watch: 'result' };
    const first = await call(own, withQuery('/v1/jobs', query));
    expect(idsOf(first)).toEqual(['bravo']);
    const index = String(first.headers['x-scheduler-index']);
    let response: TestResponse | null = null;
    void call(own, withQuery('/v1/jobs', { ...query, index, changes: 'true' })).then(
      (got) => (response = got),
    );
    await call(own, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob('aaa', { Priority: 10 }) } });
    expect(response).toBeNull();
    await call(own, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob('zzz', { Priority: 90 }) } });
    await until(() => response !== null);
    const reported = response as unknown as TestResponse;
    expect(reported.json()).toMatchObject({ Entered: [{ ID: 'zzz' }], Left: [{ ID: 'bravo' }], Changed: [] });
    expect(tokenOf(reported)).toBe('-Priority:70.default.bravo');
    await own.close();
  });

  it('shows each what they may see', async () => {
    const { sendAs } = await createAclCluster();
    const path = '/v1/jobs?sort=-Name&namespace=*';
    expect(idsOf(await sendAs('mgmt', path))).toEqual(['delta', 'alpha']);
    expect(idsOf(await sendAs('ns_read', path))).toEqual(['alpha']);
  });

  it('is documented, with the fields of each list', async () => {
    const document = (await call(agent, '/v1/openapi.json')).json() as {
      paths: Record<string, { get: { parameters: { name?: string; schema?: { enum: string[] } }[] } }>;
    };
    const sorts = (path: string): string[] =>
      document.paths[path]?.get.parameters.find(({ name }) => name === 'sort')?.schema?.enum ?? [];
    expect(sorts('/v1/jobs')).toEqual([...jobs.sorts.keys()].flatMap((name) => [name, `-${name}`]));
    expect(sorts('/v1/allocations')).toContain('-ModifyIndex');
    expect(sorts('/v1/job/{job_id}/allocations')).toEqual([]);
  });
});
