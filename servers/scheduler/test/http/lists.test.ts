import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createBaseAgent, minimalJob, nodeIds } from '../support/base-cluster.js';
import { call, createTestAgent, idsOf, withQuery } from '../support/test-agent.js';

type Query = Readonly<Record<string, string>>;

let agent: Agent;
beforeAll(async () => {
  agent = await createBaseAgent();
});

const plainText = 'text/plain; charset=utf-8';

describe('the lists', () => {
  it.each(['/v1/jobs', '/v1/nodes', '/v1/deployments'])(
    '%s returns a JSON array with the headers of a read',
    async (path) => {
      const response = await call(agent, path);
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('application/json');
      expect(response.headers['x-scheduler-index']).toMatch(/^[1-9][0-9]*$/);
      expect(response.headers['x-scheduler-lastcontact']).toBe('0');
      expect(response.headers['x-scheduler-knownleader']).toBe('true');
      expect(response.headers).not.toHaveProperty('x-scheduler-nexttoken');
      expect(response.headers).not.toHaveProperty('x-nomad-nexttoken');
      expect(response.headers['vary']).toBe('Accept-Encoding');
      expect(response.text).not.toMatch(/\s$/);
    },
  );

  it.each(['/v1/jobs', '/v1/nodes', '/v1/deployments'])(
    '%s of a new cluster is [] at index 1',
    async (path) => {
      const response = await call(await createTestAgent(), path);
      expect(response.text).toBe('[]');
      expect(response.headers['x-scheduler-index']).toBe('1');
      expect((await call(await createTestAgent(), `${path}?pretty`)).text).toBe('[]\n');
    },
  );

  it.each<[path: string, query: Query, ids: string[]]>([
    ['/v1/jobs', {}, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { namespace: 'default' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { namespace: 'apps' }, ['delta']],
    ['/v1/jobs', { namespace: '*' }, ['delta', 'alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { namespace: 'nowhere' }, []],
    ['/v1/jobs', { namespace: 'default.al' }, []],
    ['/v1/jobs', { reverse: 'true' }, ['charlie', 'bravo', 'alpha']],
    ['/v1/jobs', { reverse: 'true', namespace: '*' }, ['charlie', 'bravo', 'alpha', 'delta']],
    ['/v1/jobs', { reverse: '1' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { prefix: 'b' }, ['bravo']],
    ['/v1/jobs', { prefix: 'B' }, []],
    ['/v1/jobs', { prefix: 'd', namespace: '*' }, ['delta']],
    ['/v1/jobs', { prefix: 'a', namespace: '*', reverse: 'true' }, ['alpha']],
    ['/v1/jobs', { filter: 'Type == "batch"' }, ['bravo']],
    ['/v1/jobs', { filter: 'Datacenters contains "dc2"' }, ['bravo']],
    ['/v1/jobs', { filter: '"dc2" not in Datacenters' }, ['alpha', 'charlie']],
    ['/v1/jobs', { filter: 'ID matches "^(al|ch)"' }, ['alpha', 'charlie']],
    ['/v1/jobs', { filter: 'Meta.owner == "ops"' }, ['alpha']],
    ['/v1/jobs', { filter: 'Meta.nope == "x"' }, []],
    ['/v1/jobs', { filter: 'Meta.nope != "x"' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { filter: 'Priority == 70' }, ['bravo']],
    ['/v1/jobs', { filter: 'Priority == "70"' }, ['bravo']],
    ['/v1/jobs', { filter: 'TaskGroups.0.Name == web and not (ID == alpha or ID == bravo)' }, ['charlie']],
    ['/v1/jobs', { filter: 'any TaskGroups as g { g.Count == 1 }' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { filter: 'Namespace == "apps"' }, []],
    ['/v1/jobs', { filter: 'Namespace == "apps"', namespace: '*' }, ['delta']],
    ['/v1/jobs', { filter: '', prefix: 'alpha' }, ['alpha']],
    ['/v1/jobs', { bogus: '1', stale: '' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { region: 'global' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/nodes', {}, [...nodeIds]],
    ['/v1/nodes', { reverse: 'true' }, [...nodeIds]],
    ['/v1/nodes', { prefix: 'f74' }, [nodeIds[1]]],
    ['/v1/nodes', { filter: 'Attributes["kernel.name"] == "linux"' }, [...nodeIds]],
    ['/v1/nodes', { filter: 'Attributes["os.name"] == "alpine"' }, [nodeIds[1]]],
    ['/v1/nodes', { filter: 'HTTPAddr == "10.0.0.1:4646"', namespace: 'apps' }, [nodeIds[0]]],
    ['/v1/nodes', { filter: 'Drivers is empty and Status == ready' }, [nodeIds[0]]],
    ['/v1/deployments', {}, ['9f18b48c-b33b-4e96-8640-71e3f3000242', '58fd0616-ce64-414b-a917-03d0ab5af67e']],
    [
      '/v1/deployments',
      { reverse: 'true' },
      ['58fd0616-ce64-414b-a917-03d0ab5af67e', '9f18b48c-b33b-4e96-8640-71e3f3000242'],
    ],
    ['/v1/deployments', { prefix: '5' }, ['58fd0616-ce64-414b-a917-03d0ab5af67e']],
    ['/v1/deployments', { namespace: 'apps' }, []],
    [
      '/v1/deployments',
      { namespace: '*', filter: 'Status != "successful"' },
      ['58fd0616-ce64-414b-a917-03d0ab5af67e'],
    ],
    [
      '/v1/deployments',
      { filter: 'TaskGroups.cache.HealthyAllocs == 1' },
      ['9f18b48c-b33b-4e96-8640-71e3f3000242'],
    ],
  ])('%s %j', async (path, query, ids) => {
    const response = await call(agent, withQuery(path, query));
    expect(response.text).toMatch(/^\[/);
    expect(idsOf(response)).toEqual(ids);
  });

  it.each<[path: string, query: Query, status: number, text: string]>([
    ['/v1/jobs', { wait: '10' }, 400, 'Invalid wait time'],
    ['/v1/nodes', { wait: '10' }, 400, 'Invalid wait time'],
    ['/v1/deployments', { index: 'x' }, 400, 'Invalid index'],
    ['/v1/jobs', { per_page: '-1' }, 400, 'Expect a number for `per_page` query string parameter'],
    ['/v1/jobs', { region: 'nope' }, 500, 'No path to region'],
    [
      '/v1/jobs',
      { prefix: 'b', filter: 'Type == "batch"' },
      400,
      'Filter expression cannot be used with other filter parameters',
    ],
    [
      '/v1/nodes',
      { prefix: 'b', filter: 'ID ==' },
      400,
      'Filter expression cannot be used with other filter parameters',
    ],
    [
      '/v1/jobs',
      { meta: 'x' },
      400,
      'Failed to parse value of "meta" (x) as a bool: strconv.ParseBool: parsing "x": invalid syntax',
    ],
    [
      '/v1/nodes',
      { os: 'x' },
      400,
      'Failed to parse node list fields: Failed to parse value of "os" (x) as a bool: strconv.ParseBool: parsing "x": invalid syntax',
    ],
    [
      '/v1/jobs',
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, ''])),
      400,
      'More than 100 query parameters',
    ],
    [
      '/v1/jobs',
      { filter: `ID == "${'x'.repeat(70_000)}"` },
      400,
      'Query parameter "filter" is longer than 65,536 characters',
    ],
  ])('%s refuses %#', async (path, query, status, text) => {
    const response = await call(agent, withQuery(path, query));
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe(plainText);
    expect(response.headers).not.toHaveProperty('x-scheduler-index');
    expect(response.text).toBe(text);
  });

  const paginator = 'failed to create result paginator: failed to read filter expression: ';
  const page = 'failed to read result page: ';

  it.each<[path: string, filter: string, text: RegExp]>([
    ['/v1/jobs', 'ID ==', /no match found, expected: .*\n {2}1 \| ID ==\n {4}\| {6}\^/],
    ['/v1/jobs', ' ', /no match found/],
    ['/v1/jobs', '('.repeat(5_000), /\n {2}1 \| /],
    [
      '/v1/jobs',
      Array.from({ length: 3_000 }, () => 'ID == x').join(' or '),
      /more than 2000 terms\n {2}1 \| … or ID == x or /,
    ],
  ])('%s says where %.20s is no filter', async (path, filter, text) => {
    const response = await call(agent, withQuery(path, { filter }));
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe(plainText);
    expect(response.text.startsWith(paginator)).toBe(true);
    expect(response.text).toMatch(text);
  });

  it.each<[path: string, filter: string, text: RegExp]>([
    [
      '/v1/jobs',
      'Bogus == "x"',
      /^error finding value in datum: \/Bogus at part 0: couldn't find key: struct field with name "Bogus"\n {2}1 \| Bogus == "x"\n {4}\| \^{5}/,
    ],
    ['/v1/jobs', 'status == "running"', /^error finding value in datum.*\n[^]*Status/],
    ['/v1/jobs', 'ID is not empty or Bogus == "x"', /^error finding value in datum/],
    ['/v1/jobs', 'JobSummary is empty', /^error finding value in datum/],
    [
      '/v1/jobs',
      'Periodic is empty',
      /^cannot perform is-empty operations on type struct for selector: "Periodic"/,
    ],
    ['/v1/jobs', 'Periodic.Enabled == true', /^error finding value in datum: \/Periodic\/Enabled: at part 1/],
    [
      '/v1/jobs',
      'Priority == "abc"',
      /^error getting match value in expression: strconv.ParseInt: parsing "abc": invalid syntax/,
    ],
    ['/v1/jobs', 'ID matches "("', /error parsing regexp/],
    ['/v1/nodes', 'Address == "10.0.0.1"', /^error finding value in datum/],
    ['/v1/nodes', 'Drain == true', /^error finding value in datum/],
    ['/v1/nodes', 'SecretID is not empty', /^error finding value in datum/],
    ['/v1/deployments', 'TaskGroups.nope.Promoted == true', /^error finding value in datum/],
  ])('%s says why %s cannot hold', async (path, filter, text) => {
    const response = await call(agent, withQuery(path, { filter }));
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe(plainText);
    expect(response.text.startsWith(page)).toBe(true);
    expect(response.text.slice(page.length)).toMatch(text);
  });

  it.each(['Bogus == "x"', 'Bogus ==', 'Priority == abc'])(
    'refuses %s on an empty table too',
    async (filter) => {
      expect((await call(await createTestAgent(), withQuery('/v1/jobs', { filter }))).status).toBe(400);
    },
  );

  it('never shows the secret of a node, in a filter or in a response', async () => {
    const paths = [
      '/v1/nodes?resources=true&os=true',
      `/v1/node/${nodeIds[0]}`,
      withQuery('/v1/nodes', { filter: 'SecretI == x' }),
    ];
    for (const path of paths) expect((await call(agent, path)).text).not.toContain('set-but-never-shown');
    expect((await call(agent, withQuery('/v1/nodes', { filter: 'SecretI == x' }))).text).not.toContain(
      'SecretID',
    );
  });

  it('repeat their headers under the names that existing clients read', async () => {
    const { headers } = await call(agent, '/v1/jobs?per_page=1');
    for (const name of ['index', 'lastcontact', 'knownleader', 'nexttoken']) {
      expect(headers[`x-nomad-${name}`]).toBe(headers[`x-scheduler-${name}`]);
      expect(headers[`x-nomad-${name}`]).toBeDefined();
    }
  });

  it('can skip rows that lack a field of the filter', async () => {
    const lenient = await createBaseAgent({ config: { unresolved: 'absent' } });
    await call(lenient, '/v1/jobs', {
      method: 'PUT',
      body: { Job: minimalJob('cron', { Type: 'batch', Periodic: { Spec: '@daily' } }) },
    });
    const response = await call(lenient, withQuery('/v1/jobs', { filter: 'Periodic.Enabled == true' }));
    expect(idsOf(response)).toEqual(['cron']);
  });

  it('compares 64-bit stamps digit for digit', async () => {
    const stamp = /"SubmitTime":(\d+)/.exec((await call(agent, '/v1/jobs')).text)?.[1] ?? '';
    expect(stamp).toMatch(/^\d{19}$/);
    expect(idsOf(await call(agent, withQuery('/v1/jobs', { filter: `SubmitTime == ${stamp}` })))).toEqual([
      'alpha',
    ]);
    const next = String(BigInt(stamp) + 1n);
    expect(idsOf(await call(agent, withQuery('/v1/jobs', { filter: `SubmitTime == ${next}` })))).toEqual([]);
  });

  it('indents on request', async () => {
    for (const path of ['/v1/jobs?pretty', '/v1/jobs?pretty=1', '/v1/jobs?pretty=false']) {
      expect((await call(agent, path)).text).toMatch(/^\[\n {4}\{\n {8}"ID": "alpha",\n[^]*\}\n\]\n$/);
    }
    const pretty = await call(agent, '/v1/deployments?pretty');
    expect(JSON.parse(pretty.text)).toEqual((await call(agent, '/v1/deployments')).json());
    expect((await call(agent, '/v1/jobs?pretty=0')).text).not.toMatch(/\n/);
  });
});

describe('what an entry shows', () => {
  it('of a job', async () => {
    const [job] = (await call(agent, '/v1/jobs?prefix=bravo')).json() as [object];
    expect(job).toEqual({
      ID: 'bravo',
      ParentID: '',
      Name: 'bravo',
      Namespace: 'default',
      Datacenters: ['dc1', 'dc2'],
      NodePool: 'default',
      Multiregion: null,
      Type: 'batch',
      Priority: 70,
      Periodic: false,
      ParameterizedJob: false,
      Stop: false,
      Status: 'pending',
      StatusDescription: '',
      JobSummary: {
        JobID: 'bravo',
        Namespace: 'default',
        Summary: { web: { Queued: 0, Complete: 0, Failed: 0, Running: 0, Starting: 0, Lost: 0 } },
        Children: { Pending: 0, Running: 0, Dead: 0 },
        CreateIndex: 112,
        ModifyIndex: 112,
      },
      CreateIndex: 112,
      ModifyIndex: 112,
      JobModifyIndex: 112,
      SubmitTime: expect.any(Number) as number,
    });
  });

  it('of a job, with its meta data on request and where there are any', async () => {
    const [alpha, bravo] = (await call(agent, '/v1/jobs?meta=true')).json() as [object, object];
    expect(alpha).toHaveProperty('Meta', { owner: 'ops' });
    expect(bravo).not.toHaveProperty('Meta');
  });

  it('of a node', async () => {
    const [first, second] = (await call(agent, '/v1/nodes')).json() as [object, object];
    expect(first).toEqual({
      Address: '10.0.0.1',
      ID: nodeIds[0],
      Datacenter: 'dc1',
      Name: 'n1',
      NodePool: '',
      NodeClass: '',
      Version: '1.9.0',
      Drain: false,
      SchedulingEligibility: 'eligible',
      Status: 'ready',
      StatusDescription: '',
      Drivers: null,
      HostVolumes: null,
      LastDrain: null,
      CreateIndex: 6,
      ModifyIndex: 9,
    });
    expect(second).toHaveProperty('Version', '1.9.3');
  });

  it('of a node, with resources and system on request', async () => {
    const [node] = (await call(agent, '/v1/nodes?resources=true&os=true')).json() as [object];
    expect(node).toMatchObject({
      NodeResources: null,
      ReservedResources: null,
      Attributes: { 'os.name': 'debian' },
    });
  });

  it('of a deployment, which has no short form', async () => {
    const [deployment] = (await call(agent, '/v1/deployments')).json() as [object];
    expect(deployment).toMatchObject({
      JobID: 'bravo',
      IsMultiregion: false,
      EvalPriority: 0,
      TaskGroups: {
        cache: { PlacedCanaries: null, RequireProgressBy: null, ProgressDeadline: 600_000_000_000 },
      },
    });
  });
});

describe('pages', () => {
  it.each<[path: string, query: Query, pages: string[][], tokens: RegExp]>([
    ['/v1/jobs', { per_page: '2' }, [['alpha', 'bravo'], ['charlie']], /^default\.charlie$/],
    ['/v1/jobs', { per_page: '3' }, [['alpha', 'bravo', 'charlie']], /never/],
    [
      '/v1/jobs',
      { per_page: '1', reverse: 'true' },
      [['charlie'], ['bravo'], ['alpha']],
      /^default\.(bravo|alpha)$/,
    ],
    [
      '/v1/jobs',
      { per_page: '3', namespace: '*' },
      [['delta', 'alpha', 'bravo'], ['charlie']],
      /^default\.charlie$/,
    ],
    [
      '/v1/jobs',
      { per_page: '1', filter: 'Type == "service"' },
      [['alpha'], ['charlie']],
      /^default\.charlie$/,
    ],
    ['/v1/jobs', { per_page: '1', filter: 'Type == "batch"' }, [['bravo']], /never/],
    ['/v1/nodes', { per_page: '1' }, [[nodeIds[0]], [nodeIds[1]]], /^[0-9a-f-]{36}$/],
    [
      '/v1/deployments',
      { per_page: '1' },
      [['9f18b48c-b33b-4e96-8640-71e3f3000242'], ['58fd0616-ce64-414b-a917-03d0ab5af67e']],
      /^108\.58fd/,
    ],
  ])('%s %j', async (path, query, pages, tokens) => {
    const read: string[][] = [];
    let token: unknown = '';
    do {
      const response = await call(agent, withQuery(path, { ...query, next_token: String(token) }));
      read.push(idsOf(response));
      token = response.headers['x-scheduler-nexttoken'];
      if (token !== undefined) expect(token).toMatch(tokens);
    } while (token !== undefined);
    expect(read).toEqual(pages);
  });

  it.each<[path: string, query: Query, ids: number | string[]]>([
    ['/v1/jobs', { next_token: 'default.b' }, ['bravo', 'charlie']],
    ['/v1/jobs', { next_token: 'default.b', reverse: 'true' }, ['alpha']],
    ['/v1/jobs', { next_token: 'default.zzz' }, []],
    ['/v1/jobs', { next_token: 'apps.zzz', namespace: '*' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/jobs', { next_token: 'zzz.a' }, []],
    ['/v1/jobs', { next_token: 'zzz.a', reverse: 'true' }, ['charlie', 'bravo', 'alpha']],
    ['/v1/jobs', { next_token: 'apps.delta' }, ['alpha', 'bravo', 'charlie']],
    ['/v1/deployments', { next_token: '9.x' }, 2],
    ['/v1/deployments', { next_token: '44' }, 0],
    ['/v1/deployments', { next_token: '1' }, 2],
    ['/v1/deployments', { next_token: '44.0' }, 1],
    ['/v1/deployments', { next_token: '44.0', reverse: 'true' }, 1],
    ['/v1/deployments', { next_token: '99999999999999999999999.x' }, 0],
    ['/v1/deployments', { next_token: 'zzz' }, 0],
    ['/v1/deployments', { next_token: '6', prefix: '9' }, 1],
  ])('%s from %j on', async (path, query, ids) => {
    const found = idsOf(await call(agent, withQuery(path, query)));
    if (typeof ids === 'number') expect(found).toHaveLength(ids);
    else expect(found).toEqual(ids);
  });
});

describe('headers of the operator', () => {
  it.each(['/v1/jobs', '/v1/job/nope', '/v1/nothing', '/v1/jobs?wait=x', '/v1/status/leader'])(
    'come with every response, such as that of %s, and yield to those of the response',
    async (path) => {
      const responseHeaders = new Map([
        ['X-Frame-Options', 'DENY'],
        ['Vary', 'Cookie'],
        ['X-Scheduler-Index', 'mine'],
      ]);
      const { headers } = await call(await createTestAgent({ config: { responseHeaders } }), path);
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY', vary: 'Accept-Encoding' });
      if (path === '/v1/jobs') expect(headers['x-scheduler-index']).toBe('1');
    },
  );
});

describe('paths and methods', () => {
  it.each<[method: string, path: string]>([
    ['DELETE', '/v1/jobs'],
    ['HEAD', '/v1/jobs'],
    ['OPTIONS', '/v1/jobs'],
    ['PATCH', '/v1/job/alpha'],
    ['PUT', '/v1/nodes'],
    ['PUT', '/v1/job/alpha/summary'],
    ['DELETE', '/v1/job/alpha/versions'],
    ['GET', '/v1/namespace'],
    ['PUT', '/v1/regions'],
    ['POST', '/v1/deployments'],
    ['PROPFIND', '/v1/nodes'],
  ])('%s %s is refused', async (method, path) => {
    const response = await call(agent, path, { method });
    expect(response.status).toBe(405);
    expect(response.headers['content-type']).toBe(plainText);
    if (method !== 'HEAD') expect(response.text).toBe('Invalid method');
  });

  it.each(['/v1/jobs/', '/v1/unknown/endpoint', '/v2/jobs', '/v1/JOBS', '/v1', '/ui/none'])(
    'GET %s is unknown, without a word',
    async (path) => {
      const response = await call(agent, path);
      expect(response.status).toBe(404);
      expect(response.text).toBe('');
      expect(response.headers).not.toHaveProperty('content-type');
    },
  );

  it('leads browsers to the page', async () => {
    const response = await call(agent, '/?a=b');
    expect(response.status).toBe(307);
    expect(response.headers['location']).toBe('/ui/?a=b');
  });
});
