import fc from 'fast-check';
import { compileFilter } from 'tamis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { jobStub, jobStubFields } from '@tamis/scheduler-model/job-stub.js';
import { jobs } from '@tamis/scheduler-model/jobs.js';
import { scanRows, fullRange } from 'tamis/table';
import { createAclCluster } from '../support/acl-cluster.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { call, createTestAgent, withQuery, type TestResponse } from '../support/test-agent.js';

type Query = Readonly<Record<string, string>>;

let agent: Agent;
let sample: Agent;
beforeAll(async () => {
  agent = await createBaseAgent();
  sample = await createTestAgent({ config: { fill: { kind: 'sample', isStill: true } } });
});
afterAll(() => sample.close());

interface Counts {
  readonly Total: number;
  readonly Facets: Readonly<
    Record<
      string,
      {
        readonly Values: readonly { readonly Value: unknown; readonly Count: number }[];
        readonly Others: number;
      }
    >
  >;
}

function countsOf(response: TestResponse): Counts {
  expect(response.status, response.text).toBe(200);
  return response.json() as Counts;
}

describe('facets', () => {
  it.each<[path: string, query: Query, counts: object]>([
    [
      '/v1/jobs',
      { facets: 'Type,Priority' },
      {
        Total: 3,
        Facets: {
          Type: {
            Values: [
              { Value: 'service', Count: 2 },
              { Value: 'batch', Count: 1 },
            ],
            Others: 0,
          },
          Priority: {
            Values: [
              { Value: 50, Count: 2 },
              { Value: 70, Count: 1 },
            ],
            Others: 0,
          },
        },
      },
    ],
    [
      '/v1/jobs',
      { facets: 'Datacenters,Stop', filter: 'Type == batch', namespace: '*' },
      {
        Total: 1,
        Facets: {
          Datacenters: {
            Values: [
              { Value: 'dc1', Count: 1 },
              { Value: 'dc2', Count: 1 },
            ],
            Others: 0,
          },
          Stop: { Values: [{ Value: false, Count: 1 }], Others: 0 },
        },
      },
    ],
    [
      '/v1/jobs',
      { facets: 'Namespace', namespace: '*' },
      {
        Total: 4,
        Facets: {
          Namespace: {
            Values: [
              { Value: 'default', Count: 3 },
              { Value: 'apps', Count: 1 },
            ],
            Others: 0,
          },
        },
      },
    ],
    ['/v1/jobs', { facets: 'Status', prefix: 'b' }, { Total: 1 }],
    [
      '/v1/jobs',
      { facets: 'Status', filter: 'Status == nosuch' },
      { Total: 0, Facets: { Status: { Values: [], Others: 0 } } },
    ],
    ['/v1/nodes', { facets: 'Status,Datacenter' }, { Total: 2 }],
    ['/v1/evaluations', { facets: 'JobID', job: 'alpha' }, { Total: 1 }],
  ])('%s %j', async (path, query, counts) => {
    const response = await call(agent, withQuery(path, query));
    expect(countsOf(response)).toMatchObject(counts);
    expect(response.headers['x-scheduler-index']).toBeDefined();
    expect(response.headers).not.toHaveProperty('x-scheduler-nexttoken');
  });

  it.each<[query: Query, refusal: string]>([
    [
      { facets: 'Statu' },
      'Unknown facet "Statu": did you mean Status? The facets of this list are Stop, Namespace, ',
    ],
    // Who may list jobs may not always read them.
    [{ facets: 'Payload' }, 'Unknown facet "Payload": '],
    [{ facets: 'Meta' }, 'Unknown facet "Meta": '],
    [{ facets: 'Status,' }, 'Unknown facet "": '],
    [{ facets: 'Status, Typ' }, 'Unknown facet "Typ": '],
    [{ facets: 'Status', sort: 'Name' }, '`facets` counts all matching rows once: remove `sort`'],
    [{ facets: 'Status', index: '4' }, 'remove `index`'],
    [{ facets: 'Status', watch: 'result' }, 'remove `watch`'],
    [{ facets: 'Status', explain: 'true' }, 'remove `explain`'],
    [{ facets: 'Status', per_page: '4' }, 'remove `per_page`'],
    [
      { facets: 'Stop,Namespace,ID,ParentID,Name,Type,Priority,NodePool,Status,CreateIndex,ModifyIndex' },
      '`facets` takes at most 10 fields',
    ],
    [{ facets: 'Status', filter: 'Statu == x' }, 'there is no such field'],
    [{ facets: 'Status', filter: 'Periodic.Enabled == true' }, 'Periodic'],
    [{ facets: 'Status', filter: 'Type == batch', prefix: 'b' }, 'cannot be used with other filter'],
  ])('%j is refused', async (query, refusal) => {
    const response = await call(agent, withQuery('/v1/jobs', query));
    expect(response.status).toBe(400);
    expect(response.text).toContain(refusal);
  });

  it('reveal nothing of hidden fields', async () => {
    for (const [path, name] of [
      ['/v1/nodes', 'SecretID'],
      ['/v1/acl/tokens', 'SecretHash'],
    ] as const) {
      const response = await call(agent, withQuery(path, { facets: name }));
      expect(response.status).toBe(400);
    }
  });

  it('are of fields that the list of jobs shows as they are', () => {
    for (const job of scanRows(sample.state.snapshot().tables.jobs.primary, fullRange, false)) {
      const stub = jobStub(job, null, true);
      for (const [name, value] of Object.entries(stub)) {
        if (jobStubFields.has(name)) expect(value).toBe(job[name as keyof Job]);
      }
    }
  });

  it('are those of a count by hand, by groups and by rows', async () => {
    const all: readonly Job[] = [...scanRows(sample.state.snapshot().tables.jobs.primary, fullRange, false)];
    const fields = ['Status', 'Type', 'Priority', 'Datacenters', 'Name', 'Stop'] as const;
    const filters = ['', 'Status == "running"', 'Priority >= 50 and Type == batch', 'ParentID is not empty'];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...fields), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...filters),
        fc.constantFrom('*', '', 'payments'),
        async (requests, filter, namespace) => {
          const matches = filter === '' ? null : compileFilter<Job>(filter, { schema: jobs.schema });
          const rows = all.filter(
            (job) =>
              (namespace === '*' || job.Namespace === (namespace || 'default')) &&
              (matches === null || matches.test(job)),
          );
          const query = { facets: requests.join(), filter, namespace };
          const reported = countsOf(await call(sample, withQuery('/v1/jobs', query)));
          expect(reported.Total).toBe(rows.length);
          expect(Object.keys(reported.Facets)).toEqual(requests);
          for (const field of requests) {
            const counts = new Map<unknown, number>();
            for (const job of rows) {
              for (const value of [job[field]].flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
            }
            const { Values = [], Others = 0 } = reported.Facets[field] ?? {};
            for (const { Value, Count } of Values) expect(Count).toBe(counts.get(Value));
            expect(Values).toHaveLength(Math.min(100, counts.size));
            const sizes = [...counts.values()].sort((a, b) => b - a);
            expect(Values.map(({ Count }) => Count)).toEqual(sizes.slice(0, 100));
            expect(Others).toBe(sizes.slice(100).reduce((sum, size) => sum + size, 0));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('count no row that the caller may not see', async () => {
    const { sendAs } = await createAclCluster();
    const path = '/v1/jobs?facets=Namespace,Name&namespace=*';
    expect(countsOf(await sendAs('mgmt', path)).Total).toBe(2);
    const own = await sendAs('ns_read', path);
    expect(countsOf(own)).toEqual({
      Total: 1,
      Facets: {
        Namespace: { Values: [{ Value: 'default', Count: 1 }], Others: 0 },
        Name: { Values: [{ Value: 'alpha', Count: 1 }], Others: 0 },
      },
    });
    expect(own.text).not.toMatch(/apps|delta/);
    expect((await sendAs('ns_read', '/v1/jobs?facets=Name&namespace=apps')).status).toBe(403);
    expect((await sendAs('ns_read', '/v1/nodes?facets=Name')).status).toBe(403);
    expect((await sendAs('node_read', '/v1/jobs?facets=Name')).status).toBe(403);
  });

  it('follow every write', async () => {
    const own = await createTestAgent();
    const put = (ID: string, Priority: number): Promise<unknown> =>
      call(own, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob(ID, { Priority }) } });
    const total = async (): Promise<number> =>
      countsOf(await call(own, '/v1/jobs?namespace=*&facets=Priority')).Total;
    expect(await total()).toBe(0);
    await put('a', 10);
    expect(await total()).toBe(1);
    await put('b', 10);
    expect(await total()).toBe(2);
  });
});
