import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import type { AgentConfig } from '../../src/agent/settings/agent-config.js';
import { RegionError } from '@tamis/scheduler-state/cluster/regions.js';
import { minimalJob } from '../support/base-cluster.js';
import { call, createTestAgent } from '../support/test-agent.js';
import { systemClock } from '@tamis/http';

const open: Agent[] = [];

async function serve(
  config: Partial<AgentConfig>,
): Promise<{ readonly agent: Agent; readonly address: string }> {
  const agent = await createTestAgent({ clock: systemClock, config });
  open.push(agent);
  return { agent, address: await agent.listen() };
}

/** East calls west, which knows no other region; `north` leads to a region with another name. */
let west: { readonly agent: Agent; readonly address: string };
let east: { readonly agent: Agent; readonly address: string };

beforeEach(async () => {
  west = await serve({ region: 'west', responseHeaders: new Map([['X-Region', 'west']]) });
  east = await serve({
    region: 'east',
    regions: new Map([
      ['west', [west.address]],
      ['north', [west.address]],
      ['south', ['http://127.0.0.1:1']],
    ]),
    responseHeaders: new Map([['X-Agent', 'east']]),
  });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((agent) => agent.close()));
});

const jobs = (agent: Agent): readonly string[] =>
  agent.state
    .snapshot()
    .tables.jobs.primary.chunks.flat()
    .map(({ ID }) => ID);

const put = (body: object): RequestInit => ({ method: 'PUT', body: JSON.stringify(body) });

async function reported(path: string, init?: RequestInit): Promise<readonly [status: number, text: string]> {
  const response = await fetch(east.address + path, init);
  return [response.status, await response.text()];
}

describe('a region that is known by gossip only', () => {
  it('is listed while its servers are alive, and no request with its token goes there', async () => {
    const roster = (name: string, status: 'alive' | 'failed') => ({
      ...{ name, status, address: '127.0.0.1:1' },
      tags: new Map([['http_addr', west.address]]),
    });
    const membership = {
      kind: 'local',
      roster: [roster('a.mars', 'alive'), roster('b.venus', 'failed')],
    } as const;
    const { agent, address } = await serve({ region: 'earth', membership });
    expect(await (await fetch(`${address}/v1/regions`)).json()).toEqual(['earth', 'mars']);
    const requests = await fetch(`${address}/v1/jobs?region=mars`, put({ Job: minimalJob('j') }));
    expect([requests.status, await requests.text()]).toEqual([500, 'No path to region']);
    expect([...jobs(agent), ...jobs(west.agent)]).toEqual([]);
    const { stats } = (await (await fetch(`${address}/v1/agent/self`)).json()) as {
      readonly stats: { readonly scheduler: Record<string, string> };
    };
    expect(stats.scheduler['known_regions']).toBe('2');
  });
});

describe('two regions', () => {
  it.each<[what: string, path: string, body: (job: object) => object, region: 'east' | 'west' | null]>([
    ['nothing', '/v1/jobs', (Job) => ({ Job }), 'east'],
    ['the query', '/v1/jobs?region=west', (Job) => ({ Job }), 'west'],
    ['the path and the query', '/v1/job/j?region=west', (Job) => ({ Job }), 'west'],
    ['the body', '/v1/jobs', (Job) => ({ Job, Region: 'west' }), 'west'],
    ['the body rather than the query', '/v1/jobs?region=nope', (Job) => ({ Job, Region: 'west' }), 'west'],
    ['the body rather than the query', '/v1/jobs?region=west', (Job) => ({ Job, Region: 'east' }), 'east'],
    [
      'the query rather than the job',
      '/v1/jobs?region=east',
      (Job) => ({ Job: { ...Job, Region: 'west' } }),
      'east',
    ],
    ['the job', '/v1/jobs', (Job) => ({ Job: { ...Job, Region: 'west' } }), 'west'],
    ['the job by habit', '/v1/jobs', (Job) => ({ Job: { ...Job, Region: 'global' } }), 'east'],
    ['the body by habit', '/v1/jobs?region=west', (Job) => ({ Job, Region: 'global' }), 'east'],
    ['a region that nobody knows', '/v1/jobs?region=nope', (Job) => ({ Job }), null],
  ])('a job goes where %s says: %s', async (_what, path, body, region) => {
    for (const method of ['PUT', 'POST']) {
      const id = path.includes('/job/') ? 'j' : method;
      const [status, text] = await reported(path, { ...put(body(minimalJob(id))), method });
      if (region === null) expect([status, text]).toEqual([500, 'No path to region']);
      else expect(status).toBe(200);
    }
    const expected = path.includes('/job/') ? ['j'] : ['POST', 'PUT'];
    expect([jobs(east.agent), jobs(west.agent)]).toEqual([
      region === 'east' ? expected : [],
      region === 'west' ? expected : [],
    ]);
  });

  it('are written to and read from either', async () => {
    await reported('/v1/namespace/apps?region=west', put({ Name: 'apps' }));
    await reported('/v1/jobs?region=west', put({ Job: minimalJob('far', { Namespace: 'apps' }) }));
    await reported('/v1/jobs', put({ Job: minimalJob('near') }));
    const response = await fetch(`${east.address}/v1/jobs?region=west&namespace=*`);
    expect(((await response.json()) as { ID: string }[]).map(({ ID }) => ID)).toEqual(['far']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-region': 'west',
      'x-scheduler-index': '3',
    });
    expect(response.headers.get('x-agent')).toBeNull();
    expect(await reported('/v1/job/far?region=west')).toEqual([404, 'job not found']);
    expect((await reported('/v1/job/far/versions?region=west&namespace=apps'))[0]).toBe(200);
    expect(await reported('/v1/status/leader?region=west')).toEqual([
      200,
      JSON.stringify(west.agent.rpcAddress()),
    ]);
    expect(
      (await reported('/v1/job/far?region=west&namespace=apps&purge=true', { method: 'DELETE' }))[0],
    ).toBe(200);
    expect(jobs(west.agent)).toEqual([]);
    expect(jobs(east.agent)).toEqual(['near']);
  });

  it('refuse what is wrong in their own words', async () => {
    expect(await reported('/v1/jobs?region=west&wait=5')).toEqual([400, 'Invalid wait time']);
    expect((await reported('/v1/jobs?region=west', put({})))[1]).toBe('Job must be specified');
    expect((await reported('/v1/jobs?region=west', { method: 'PUT', body: '{' }))[0]).toBe(400);
    expect(await reported('/v1/jobs?region=west', { method: 'DELETE' })).toEqual([405, 'Invalid method']);
  });

  it('compress once', async () => {
    await reported('/v1/jobs?region=west', put({ Job: minimalJob('far') }));
    const sent = httpRequest(`${east.address}/v1/jobs?region=west`, {
      headers: { 'accept-encoding': 'gzip' },
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece as Buffer);
    expect(response.headers['content-encoding']).toBe('gzip');
    const list = JSON.parse(gunzipSync(Buffer.concat(pieces)).toString()) as { ID: string }[];
    expect(list.map(({ ID }) => ID)).toEqual(['far']);
  });

  it('wait for each other, and no longer than the client does', async () => {
    const index = (await fetch(`${west.address}/v1/jobs`)).headers.get('x-scheduler-index') ?? '';
    const path = `/v1/jobs?region=west&index=${index}&wait=10m`;
    const blocked = fetch(east.address + path);
    while (west.agent.blocking.waiting === 0) await nextTurn();
    expect(east.agent.blocking.waiting).toBe(0);
    await reported('/v1/jobs?region=west', put({ Job: minimalJob('far') }));
    expect(((await (await blocked).json()) as { ID: string }[]).map(({ ID }) => ID)).toEqual(['far']);

    const controller = new AbortController();
    const left = fetch(`${east.address}/v1/jobs?region=west&index=999&wait=10m`, {
      signal: controller.signal,
    });
    while (west.agent.blocking.waiting === 0) await nextTurn();
    controller.abort();
    await expect(left).rejects.toThrow();
    while (west.agent.blocking.waiting > 0) await nextTurn();
  });

  it('serve requests that another agent has forwarded', async () => {
    await reported('/v1/jobs?region=west', put({ Job: minimalJob('far') }));
    const { status, headers, text } = await call(east.agent, '/v1/jobs?region=west');
    expect([status, headers['x-region']]).toEqual([200, 'west']);
    expect(text).toContain('"ID":"far"');
  });

  it('know each other by name', async () => {
    expect(await reported('/v1/regions')).toEqual([200, '["east","north","south","west"]']);
    expect(await reported('/v1/regions?region=west')).toEqual([200, '["east","north","south","west"]']);
    expect(await (await fetch(`${west.address}/v1/regions`)).text()).toBe('["west"]');
  });

  it('are one hop apart: where a server calls its region otherwise, there is no path', async () => {
    for (const init of [undefined, put({ Job: minimalJob('lost') })]) {
      expect(await reported('/v1/jobs?region=north', init)).toEqual([500, 'No path to region']);
    }
    const headers = { 'X-Scheduler-Forwarded': '1' };
    expect(await reported('/v1/jobs?region=west', { headers })).toEqual([500, 'No path to region']);
  });

  it('may be out of reach', async () => {
    const text = 'No server of region "south" can be reached';
    expect(await reported('/v1/jobs?region=south')).toEqual([500, text]);
    expect(await reported('/v1/jobs?region=south', put({ Job: minimalJob('lost') }))).toEqual([500, text]);
    expect(await reported('/v1/jobs?region=nope')).toEqual([500, 'No path to region']);
  });

  it.each(['self', 'members', 'servers', 'health'])('agent/%s describes the called agent', async (name) => {
    expect((await reported(`/v1/agent/${name}?region=south`))[1]).not.toContain('region "south"');
  });

  it.each(['host', 'monitor', 'pprof/cmdline'])('agent/%s is about the region', async (name) => {
    expect((await reported(`/v1/agent/${name}?region=south`))[1]).toContain('region "south"');
  });
});

describe('an agent', () => {
  it('does not start where it would send tokens over an open connection', async () => {
    const config = { regions: new Map([['west', ['http://west.example:4646']]]) };
    await expect(createTestAgent({ config })).rejects.toThrow(RegionError);
  });
});

const pem = (name: string): Buffer =>
  readFileSync(new URL(`../support/certificates/${name}`, import.meta.url));

describe('servers of another region with a certificate', () => {
  it('are reached once a reload brings the authority that signs it', async () => {
    const [cert, key] = [pem('cert.pem'), pem('key.pem')];
    const peer = createSecureServer({ cert, key }, (_request, response) => response.end('there'));
    await once(peer.listen(0, '127.0.0.1'), 'listening');
    const regions = new Map([['west', [`https://127.0.0.1:${(peer.address() as AddressInfo).port}`]]]);
    const tls = { cert, key, ca: pem('other-cert.pem') };
    const agent = await createTestAgent({ clock: systemClock, config: { region: 'east', regions }, tls });
    open.push(agent);
    const address = await agent.listen();
    const requests = async (method: string): Promise<string> =>
      (await fetch(`${address}/v1/job/web?region=west`, { method })).text();
    try {
      for (const method of ['GET', 'DELETE']) expect(await requests(method)).toContain('can be reached');
      agent.renew({ cert, key, ca: cert });
      for (const method of ['GET', 'DELETE', 'GET']) expect(await requests(method)).toBe('there');
      agent.renew(tls);
      for (const method of ['GET', 'DELETE']) expect(await requests(method)).toContain('can be reached');
    } finally {
      peer.closeAllConnections();
      peer.close();
    }
  });
});
