import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import type { EmptyExplanation, ScanExplanation } from '@tamis/scheduler-model/wire/aggregate-bodies.js';
import { createAclCluster } from '../support/acl-cluster.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { call, withQuery, type TestResponse } from '../support/test-agent.js';

let agent: Agent;
beforeAll(async () => {
  agent = await createBaseAgent();
  const secret = minimalJob('secret', {
    Type: 'batch',
    Priority: 20,
    Periodic: { Enabled: true, SpecType: 'cron', Spec: '@daily' },
  });
  const put = await call(agent, '/v1/jobs', { method: 'PUT', body: { Job: secret } });
  expect(put.status, put.text).toBe(200);
});

function emptyOf(response: TestResponse): EmptyExplanation | null {
  expect(response.status, response.text).toBe(200);
  return (response.json() as ScanExplanation).Empty;
}

async function explain(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  return emptyOf(await call(agent, withQuery(path, { explain: 'true', ...query })));
}

describe('an empty list, explained', () => {
  it('reports the clause that excludes all rows, their values there, and a suggestion', async () => {
    expect(await explain('/v1/jobs', { filter: 'Type == "servic" and Priority == 50' })).toEqual({
      Clauses: [
        {
          Filter: 'Type == "servic"',
          Values: [{ Text: '"service"', Count: 2 }],
          HasMoreValues: false,
          Range: null,
          Instead: 'Type == "service"',
        },
      ],
      RowsWithout: 2,
      RowsSampled: 2,
      RowsExamined: 4,
      IsPartial: false,
    });
  });

  it.each<[path: string, query: Record<string, string>, reported: object | null]>([
    ['/v1/jobs', { filter: 'Priority > 90' }, { Clauses: [{ Range: { Least: '20', Greatest: '70' } }] }],
    [
      '/v1/jobs',
      { filter: 'Type == batch and Priority == 50 and Name != x' },
      { Clauses: [{ Filter: 'Type == "batch"' }], RowsWithout: 2 },
    ],
    [
      '/v1/jobs',
      { filter: 'Type == nosuch and Priority == 50 and Status == nosuch' },
      { Clauses: [{ Filter: 'Type == "nosuch"' }, { Filter: 'Status == "nosuch"' }], RowsWithout: 2 },
    ],
    ['/v1/jobs', { filter: 'Type == nosuch', sort: '-Name', per_page: '2' }, { RowsWithout: 4 }],
    ['/v1/jobs', { filter: 'Type == nosuch', namespace: 'nowhere' }, { Clauses: [], RowsExamined: 0 }],
    ['/v1/jobs', { filter: 'Type == service' }, null],
    ['/v1/jobs', { namespace: 'nowhere' }, null],
    ['/v1/jobs', { filter: 'Type == service', next_token: 'default.zzz' }, null],
    [
      '/v1/nodes',
      { filter: 'Attributes["kernel.nam"] == linux' },
      { Clauses: [{ Instead: 'Attributes["kernel.name"] == "linux"' }] },
    ],
    // Who may list jobs may not always read their timetables.
    [
      '/v1/jobs',
      { filter: 'Priority == 20 and Periodic.Spec == "@hourly"' },
      { Clauses: [{ Filter: 'Periodic.Spec == "@hourly"', Values: [], Range: null, Instead: null }] },
    ],
  ])('%s %j', async (path, query, reported) => {
    const empty = await explain(path, query);
    if (reported === null) expect(empty).toBeNull();
    else expect(empty).toMatchObject(reported);
  });

  it('reveals nothing of rows that the caller may not see', async () => {
    const { sendAs } = await createAclCluster();
    const query = { explain: 'true', namespace: '*', filter: 'Name == "delt"' };
    const path = withQuery('/v1/jobs', query);
    expect(emptyOf(await sendAs('mgmt', path))).toMatchObject({
      RowsExamined: 2,
      Clauses: [{ Instead: 'Name == "delta"' }],
    });
    const own = await sendAs('ns_read', path);
    expect(emptyOf(own)).toMatchObject({
      RowsExamined: 1,
      Clauses: [{ Values: [{ Text: '"alpha"', Count: 1 }], Instead: null }],
    });
    expect(own.text).not.toContain('delta');
  });
});
