import { describe, expect, it } from 'vitest';
import type { ScanExplanation } from '@tamis/scheduler-model/wire/aggregate-bodies.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, createTestAgent, idsOf, withQuery } from '../support/test-agent.js';

const agent = await createBaseAgent();

async function explain(path: string, query: Readonly<Record<string, string>>): Promise<ScanExplanation> {
  const response = await call(agent, withQuery(path, { explain: 'true', ...query }));
  expect(response.status).toBe(200);
  expect(response.headers['x-scheduler-index']).toBeDefined();
  return response.json() as ScanExplanation;
}

describe('explain=true', () => {
  it('reports which index found the rows, and what each clause did', async () => {
    const filter = 'Type == service and Name != charlie and Meta.owner == ops';
    const reported = await explain('/v1/jobs', { filter });
    expect(reported).toMatchObject({
      Filter: filter,
      Index: { Field: 'Type', Keys: ['service'] },
      Residual: 'Name != "charlie" and Meta.owner == "ops"',
      RowsExamined: 2,
      RowsMatched: 1,
      Clauses: [
        { Filter: 'Type == "service"', By: 'index', Rows: 2, Matched: 2, Duration: 0 },
        { Filter: 'Name != "charlie"', By: 'scan', Rows: 2, Matched: 1 },
        { Filter: 'Meta.owner == "ops"', By: 'scan', Rows: 1, Matched: 1 },
      ],
    });
    expect(reported.Duration).toBeGreaterThanOrEqual(0);
  });

  it.each<[path: string, query: Record<string, string>, reported: object]>([
    [
      '/v1/jobs',
      {},
      { Filter: '', Index: null, Residual: null, RowsExamined: 3, RowsMatched: 3, Clauses: [] },
    ],
    ['/v1/jobs', { filter: 'Name == a' }, { Index: null, Residual: 'Name == "a"', RowsExamined: 3 }],
    [
      '/v1/jobs',
      { filter: 'ID == nosuch' },
      { Index: { Field: 'ID', Range: 'ID == "nosuch"' }, RowsExamined: 0 },
    ],
    ['/v1/jobs', { filter: 'ID starts with "b"' }, { Index: { Field: 'ID', Keys: [] }, RowsExamined: 1 }],
    [
      '/v1/jobs',
      { filter: 'Priority > 50 and Meta.owner != x and Priority <= 70' },
      {
        Index: { Field: 'Priority', Keys: [], Range: 'Priority > 50 and Priority <= 70' },
        Residual: 'Meta.owner != "x"',
        RowsExamined: 1,
        RowsMatched: 1,
        Clauses: [{ By: 'index', Rows: 1 }, { By: 'scan', Rows: 1 }, { By: 'index' }],
      },
    ],
    ['/v1/jobs', { filter: 'Type in [service, batch]', namespace: '*' }, { Index: { Field: 'Type' } }],
    ['/v1/jobs', { filter: 'SubmitTime > now - 1h' }, { Index: { Field: 'SubmitTime' } }],
    ['/v1/jobs', { filter: 'Status == nosuch' }, { Index: { Field: 'Status' }, RowsExamined: 0 }],
    ['/v1/jobs', { filter: 'dc2 in Datacenters' }, { Index: { Field: 'Datacenters' }, RowsMatched: 1 }],
    ['/v1/jobs', { filter: 'Status == pending', per_page: '1' }, { RowsExamined: 2, RowsMatched: 1 }],
    ['/v1/nodes', { filter: 'Datacenter == dc1 or Datacenter == dc2' }, { RowsMatched: 2, Residual: null }],
    ['/v1/evaluations', { job: 'alpha' }, { Index: { Field: 'JobID', Keys: ['alpha'] }, RowsMatched: 1 }],
    ['/v1/deployments', { filter: 'JobID == bravo' }, { Index: { Field: 'JobID' }, RowsMatched: 1 }],
  ])('%s %j', async (path, query, reported) => expect(await explain(path, query)).toMatchObject(reported));

  it('says which literals no value of the kind equals', async () => {
    const filter = 'any TaskStates as name, state { state.FinishedAt == "2026-11-01 08:00" }';
    const { Notes } = await explain('/v1/allocations', { filter });
    expect(Notes).toEqual([
      {
        Text: 'no time equals "2026-11-01 08:00", so this is false for every one',
        Instead: 'any TaskStates as name, state { state.FinishedAt == "2026-11-01T08:00:00Z" }',
      },
    ]);
    const notes = async (clauses: readonly string[]): Promise<number> =>
      (await explain('/v1/allocations', { filter: clauses.join(' or ') })).Notes.length;
    expect(await notes(['CreateTime == 2026-11-01', 'ID == 1.10'])).toBe(0);
    expect(await notes(Array.from({ length: 20 }, (_, at) => filter.replace('08', String(at + 10))))).toBe(
      10,
    );
  });

  it('carries the token of the next page, and is refused like the list', async () => {
    const response = await call(agent, '/v1/jobs?explain=true&per_page=1');
    expect(response.headers['x-scheduler-nexttoken']).toBe('default.bravo');
    const pretty = await call(agent, '/v1/jobs?explain=1&pretty');
    expect(pretty.text).toContain('\n    "Filter": ""');
    for (const query of [{ explain: 'maybe' }, { explain: 'true', filter: 'Periodic.Enabled == true' }]) {
      expect((await call(agent, withQuery('/v1/jobs', query as Record<string, string>))).status).toBe(400);
    }
    expect((await call(agent, '/v1/jobs?explain=false&per_page=1')).json()).toHaveLength(1);
  });
});

describe('a list found by an index', () => {
  it.each<[path: string, query: Record<string, string>, ids: string[]]>([
    ['/v1/jobs', { filter: 'Status == pending', reverse: 'true' }, ['charlie', 'bravo', 'alpha']],
    ['/v1/jobs', { filter: 'Status == pending', namespace: '*' }, ['delta', 'alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { filter: 'Namespace == apps' }, []],
    ['/v1/jobs', { filter: 'Priority == 70' }, ['bravo']],
    ['/v1/jobs', { filter: 'dc1 in Datacenters or dc2 in Datacenters' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { filter: 'Status == pending', next_token: 'default.b' }, ['bravo', 'charlie']],
    ['/v1/jobs', { filter: 'Status == pending', next_token: 'zzz' }, []],
  ])('%s %j', async (path, query, ids) => {
    expect(idsOf(await call(agent, withQuery(path, query)))).toEqual(ids);
  });

  it('fails where a scan fails, and not where an index leaves the row out', async () => {
    const failing = 'Periodic.Enabled == true';
    const status = async (filter: string): Promise<number> =>
      (await call(agent, withQuery('/v1/jobs', { filter }))).status;
    expect(await status(`Type == service and ${failing}`)).toBe(400);
    expect(await status(`${failing} and Type == nosuch`)).toBe(400);
    expect(await status(`Type == nosuch and ${failing}`)).toBe(200);
  });

  it('reads the clock for each response, with an index and without', async () => {
    const clock = createFakeClock();
    const own = await createTestAgent({ clock });
    await call(own, '/v1/jobs', { method: 'PUT', body: { Job: minimalJob('a') } });
    const found = async (filter: string): Promise<string[]> =>
      idsOf(await call(own, withQuery('/v1/jobs', { filter })));
    const filters = ['SubmitTime > now - 1h', 'Name != x and not SubmitTime <= now - 1h'];
    for (const filter of filters) expect(await found(filter)).toEqual(['a']);
    clock.advance(2 * 3_600_000);
    for (const filter of filters) expect(await found(filter)).toEqual([]);
  });

  it('follows every write', async () => {
    const own = await createTestAgent();
    const put = (job: object): Promise<unknown> =>
      call(own, '/v1/jobs', { method: 'PUT', body: { Job: job } });
    const found = async (filter: string): Promise<string[]> =>
      idsOf(await call(own, withQuery('/v1/jobs', { filter })));
    await put(minimalJob('a', { Priority: 10 }));
    await put(minimalJob('b', { Priority: 20 }));
    expect(await found('Priority == 10')).toEqual(['a']);
    await put(minimalJob('a', { Priority: 20, Datacenters: ['dc7'] }));
    expect(await found('Priority == 10')).toEqual([]);
    expect(await found('Priority == 20')).toEqual(['a', 'b']);
    expect(await found('dc7 in Datacenters')).toEqual(['a']);
    await call(own, '/v1/job/a?purge=true', { method: 'DELETE' });
    expect(await found('Priority == 20')).toEqual(['b']);
    expect(await found('dc7 in Datacenters')).toEqual([]);
  });
});
