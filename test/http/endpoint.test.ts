import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { fromJSONSchema } from '../../src/entries/json-schema.js';
import { columns } from '../../src/entries/columns.js';
import { HttpError, listEndpoint } from '../../src/entries/http.js';
import { createList, createPool } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { openHosts, type Hosts } from './support/hosts.js';

const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Priority: t.int,
  Datacenters: t.list(t.string),
  Secret: t.string,
});

function tableOfJobs() {
  const table = createTable(schema, {
    key: 'ID',
    indexes: ['Status', 'Datacenters', 'Secret'],
    sorts: ['Priority', 'Secret'],
    firstIndex: 10,
  });
  table.putAll(
    ['api', 'etl', 'web'].map((ID, at) => ({
      ID,
      Status: at === 1 ? 'dead' : 'running',
      Priority: 50 + at,
      Datacenters: ['dc1', `dc${at}`],
      Secret: `s${at}`,
    })),
  );
  return table;
}

const table = tableOfJobs();
const endpoint = listEndpoint(table, {
  caller: (head) => {
    const name = head.header('authorization');
    if (name === null) throw new HttpError(401, 'Who are you?', { 'WWW-Authenticate': 'Basic' });
    return name;
  },
  cacheKey: (name) => name,
  visible: (name) => (name === 'bob' ? (job) => job.ID !== 'etl' : null),
  fields: ['ID', 'Status', 'Priority', 'Datacenters'],
  fieldParameters: { status: 'Status', dc: 'Datacenters', priority: 'Priority' },
  cors: { origins: ['https://a.example'] },
  maxPerPage: 2,
});

let hosts: Hosts;
beforeAll(async () => {
  hosts = await openHosts(endpoint);
});
afterAll(() => hosts.close());

const ann = { Authorization: 'ann' };

/** The response of all hosts, which is the same. */
async function evaluate(query: string, method = 'GET', headers: Readonly<Record<string, string>> = ann) {
  const got = await Promise.all(hosts.names.map((host) => hosts.run(host, query, { method, headers })));
  for (const each of got) expect(each).toEqual(got[0]);
  return got[0] as (typeof got)[number];
}

const ids = (text: string): readonly string[] => (JSON.parse(text) as { ID: string }[]).map(({ ID }) => ID);

describe('a list over HTTP', () => {
  it.each([
    ['', ['api', 'etl'], 'web'],
    ['?filter=Status+%3D%3D+"running"&per_page=1', ['api'], 'web'],
    ['?next_token=web', ['web'], undefined],
    ['?sort=-Priority', ['web', 'etl'], '-Priority:50.api'],
    ['?sort=-Priority&next_token=-Priority:50.api', ['api'], undefined],
    ['?reverse', ['web', 'etl'], 'api'],
    ['?prefix=e', ['etl'], undefined],
    ['?status=dead', ['etl'], undefined],
    ['?dc=dc2', ['web'], undefined],
    // A value is no part of a filter.
    ['?status=dead%22+or+ID+!%3D+%22x', [], undefined],
    ['?status=running&priority=52', ['web'], undefined],
    ['?index=3', ['api', 'etl'], 'web'],
    ['?index=11&wait=0s', ['api', 'etl'], 'web'],
    ['?index=999999&wait=5m', ['api', 'etl'], 'web'],
    ['?index=11&wait=5m&history=another', ['api', 'etl'], 'web'],
  ])('%s is a page', async (query, expected, next) => {
    const { status, headers, text } = await evaluate(query);
    expect([status, ids(text), headers['x-next-token']]).toEqual([200, expected, next]);
    expect(headers).toMatchObject({
      'x-index': '11',
      vary: 'Authorization, Origin',
      'content-type': 'application/json',
    });
    expect(text).not.toContain('s1');
    const head = await evaluate(query, 'HEAD');
    expect(head).toEqual({ status, headers, text: '' });
    const known = await evaluate(query, 'GET', { ...ann, 'If-None-Match': headers['etag'] ?? '' });
    expect([known.status, known.text, known.headers['etag']]).toEqual([304, '', headers['etag']]);
  });

  it.each([
    ['?count', { total: 3 }],
    ['?count=true&status=running', { total: 2 }],
    [
      '?facets=Status',
      {
        total: 3,
        facets: {
          Status: {
            values: [
              { value: 'running', count: 2 },
              { value: 'dead', count: 1 },
            ],
            others: 0,
          },
        },
      },
    ],
    ['?explain&filter=Status+%3D%3D+"runing"', { matched: 0, examined: 0, empty: { rowsWithout: 3 } }],
    ['?index=10&watch=result&changes', { entered: [{ ID: 'api' }, { ID: 'etl' }], left: [], changed: [] }],
    ['?index=11&watch=result&changes&wait=0s', { entered: [], left: [], changed: [] }],
  ])('%s gets a response', async (query, expected) => {
    const { status, text } = await evaluate(query);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject(expected);
  });

  it.each([
    ['?filter=Secret+%3D%3D+"s1"', 'the fields here are ID, Status, Priority, Datacenters'],
    ['?filter=Status+%3D', 'Status ='],
    ['?sort=Secret', 'The sorts of this list are Priority'],
    ['?sort=Priorty', 'did you mean Priority?'],
    ['?facets=Secret', 'Unknown facet "Secret"'],
    ['?priority=x', '`priority` is not a valid value of its field'],
    ['?filtr=a', 'did you mean filter?'],
    ['?filter=ID+%3D%3D+a&filter=ID+%3D%3D+b', '`filter` must be given once'],
    ['?filter=ID+%3D%3D+a&prefix=a', '`filter` cannot be combined with `prefix`'],
    ['?filter=ID+%3D%3D+a&status=a', '`filter` cannot be combined with `status`'],
    ['?watch=results', 'got "results"'],
    ['?watch', 'must be `result`, got ""'],
    ['?facets=', '`facets` must name at least one field'],
    ['?changes', 'needs `watch=result`'],
    ['?count&facets=ID', 'cannot be combined'],
    ['?count&per_page=1', 'remove `per_page`'],
    ['?explain&index=1', 'remove `index`'],
    ['?count&index=1', 'remove `index`'],
    ['?facets=Status&watch=result', 'remove `watch`'],
    ['?count=maybe', '`count` must be true or false'],
    ['?per_page=-1', '`per_page` must be an integer'],
    ['?index=x', '`index` must be the X-Index of a response'],
    ['?wait=5', '`wait` must be a duration such as 30s'],
    ['?reverse&sort=Priority', 'use sort=-Priority'],
    ['?sort=Priority&next_token=web', 'belongs to a list without `sort`'],
    ['?a=%', 'Invalid percent escape'],
    [`?prefix=${'a'.repeat(16_385)}`, 'is longer than 16,384'],
  ])('%s is refused with a reason', async (query, reason) => {
    // node:http itself refuses longer ones.
    const { status, headers, text } =
      query.length < 16_000 ? await evaluate(query) : await hosts.run('fetch', query, { headers: ann });
    expect([status, headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(text).toContain(reason);
    expect(text).not.toContain('s1"}');
  });

  it('responds to known callers, with the rows that they may see', async () => {
    const nobody = await evaluate('?filter=', 'GET', {});
    expect([nobody.status, nobody.text, nobody.headers['www-authenticate']]).toEqual([
      401,
      'Who are you?',
      'Basic',
    ]);
    const bob = await evaluate('', 'GET', { Authorization: 'bob' });
    expect(ids(bob.text)).toEqual(['api', 'web']);
    const all = await evaluate('');
    expect(bob.headers['etag']).not.toBe(all.headers['etag']);
  });

  it('reports its methods, and the origins that may read it', async () => {
    const options = await evaluate('', 'OPTIONS', { Origin: 'https://a.example' });
    expect([options.status, options.text]).toEqual([204, '']);
    expect(options.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    });
    const other = await evaluate('', 'OPTIONS', { Origin: 'https://b.example' });
    expect(Object.keys(other.headers).filter((name) => name.startsWith('access-'))).toEqual([]);
    const post = await evaluate('', 'POST');
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('is the same for pages of all origins if all may read it, and for other programs', async () => {
    const open = listEndpoint(tableOfJobs(), { cors: { origins: '*' } });
    const at = async (headers: Record<string, string>) =>
      [...(await open.fetch(new Request('http://a.example/', { headers }))).headers].filter(
        ([name]) => name === 'vary' || name.startsWith('access-'),
      );
    const exposed = 'X-Index, X-Next-Token, X-Previous-Token, X-Total-Count, X-History, ETag, Retry-After';
    for (const headers of [{}, { Origin: 'https://a.example' }, { Origin: 'https://b.example' }])
      expect(await at(headers)).toEqual([
        ['access-control-allow-origin', '*'],
        ['access-control-expose-headers', exposed],
      ]);
  });

  it('differs with the rights: in its tag, its response, its history, and its waiters', async () => {
    const rights = { unseen: 'etl', listeners: new Set<() => void>() };
    const pool = createPool();
    const options = {
      pool,
      visible: () => (row: { ID: string }) => row.ID !== rights.unseen,
      onPermissionsChange: (listener: () => void) => {
        rights.listeners.add(listener);
        return () => rights.listeners.delete(listener);
      },
    };
    const own = tableOfJobs();
    const list = createList(own);
    // A caller with a key of its rights, and one shared caller.
    for (const endpoint of [
      listEndpoint(list, options),
      listEndpoint(list, { ...options, caller: () => 'ann', cacheKey: () => rights.unseen }),
    ]) {
      const at = async (query: string, tag = '') => {
        const request = new Request(`http://a.example/${query}`, { headers: { 'If-None-Match': tag } });
        const response = await endpoint.fetch(request);
        const text = await response.text();
        const get = (name: string): string => response.headers.get(name) ?? '';
        return { rows: text === '' ? null : ids(text), tag: get('ETag'), history: get('X-History') };
      };
      rights.unseen = 'etl';
      const before = await at('');
      expect(before.rows).toEqual(['api', 'web']);
      expect(await at('', before.tag)).toEqual({ ...before, rows: null });
      const after = `?index=11&watch=result&changes&wait=10m&history=${before.history}`;
      const waiting = at(after);
      await expect.poll(() => pool.waiting).toBe(1);
      rights.unseen = 'web';
      for (const listener of rights.listeners) listener();
      const now = await at('', before.tag);
      expect(now.rows).toEqual(['api', 'etl']);
      expect(now.history).not.toBe(before.history);
      expect((await waiting).rows).toEqual(now.rows);
      // A client that is not waiting is notified immediately.
      expect((await at(after)).rows).toEqual(now.rows);
    }
    list.close();
    expect(rights.listeners.size).toBe(0);
    const closed = await listEndpoint(list).fetch(new Request('http://a.example/'));
    expect(closed.status).toBe(503);
  });

  it('identifies the caller again before responding to a request that has waited', async () => {
    const own = tableOfJobs();
    const pool = createPool();
    const caller = { canSee: 'etl' };
    const { fetch } = listEndpoint(own, {
      pool,
      caller: () => {
        if (caller.canSee === '') throw new HttpError(401, 'Who are you?');
        return caller.canSee;
      },
      cacheKey: (canSee) => canSee,
      visible: (canSee) => (row) => row.ID === canSee,
    });
    const at = async (query: string) => (await fetch(new Request(`http://a.example/${query}`))).text();
    for (const watch of ['', '&watch=result', '&watch=result&changes']) {
      for (const [now, response] of [
        ['web', /^\[\{"ID":"web"/],
        ['', /^Who are you\?$/],
      ] as const) {
        caller.canSee = 'etl';
        const waiting = at(`?index=${own.index}&wait=10m${watch}`);
        await expect.poll(() => pool.waiting).toBe(1);
        caller.canSee = now;
        own.put({ ID: 'etl', Status: 'dead', Priority: own.index, Datacenters: [], Secret: '' });
        expect(await waiting).toMatch(response);
      }
    }
  });

  it('has other tags where other fields are shown, and where the rows are of another table', async () => {
    const own = tableOfJobs();
    const tags = await Promise.all(
      [
        listEndpoint(own),
        listEndpoint(own, { fields: ['ID', 'Status'] }),
        listEndpoint(own, { fields: ['ID', 'Priority'] }),
        listEndpoint(tableOfJobs()),
        // Who sees what is another process's business, which has the same table.
        listEndpoint(own, { visible: () => null }),
        listEndpoint(own, { visible: () => null }),
      ].map(async ({ fetch }) => (await fetch(new Request('http://a.example/'))).headers.get('ETag')),
    );
    expect(new Set(tags).size).toBe(6);
  });

  it('waits ten minutes at most, and five where nothing is said', async () => {
    const own = tableOfJobs();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    for (const watch of ['', '&watch=result'])
      for (const [wait, maxLength] of [
        ['', 300_000],
        ['&wait=9m', 540_000],
        ['&wait=24h', 600_000],
      ] as const) {
        const pool = createPool();
        const { fetch, close } = listEndpoint(own, { pool });
        timers.mockClear();
        const waiting = fetch(new Request(`http://a.example/?index=11${watch}${wait}`));
        await expect.poll(() => pool.waiting).toBe(1);
        const [max] = timers.mock.calls.map(([, delay]) => delay ?? 0).toSorted((a, b) => b - a);
        // The time since the request arrived is not included.
        expect(Math.ceil((max ?? 0) / 60_000) * 60_000).toBe(maxLength);
        close();
        expect((await waiting).status).toBe(503);
      }
    timers.mockRestore();
  });

  it('reads the clock each time', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const timed = createTable(defineSchema({ ID: t.string, At: t.time }), { key: 'ID' });
    timed.put({ ID: 'a', At: '2026-06-01T00:00:00Z' });
    const { fetch } = listEndpoint(createList(timed, { now: () => now }));
    const at = async () =>
      ids(await (await fetch(new Request('http://a.example/?filter=At+%3C+now'))).text());
    expect(await at()).toEqual([]);
    now = new Date('2027-01-01T00:00:00Z');
    expect(await at()).toEqual(['a']);
  });

  it('waits for a write, or for another result, and returns the changes', async () => {
    const own = tableOfJobs();
    const watched = listEndpoint(own);
    const at = async (query: string) => {
      const response = await watched.fetch(new Request(`http://a.example/${query}`));
      return { status: response.status, text: await response.text(), index: response.headers.get('X-Index') };
    };
    const [next, result] = [
      at('?index=11&filter=Status+%3D%3D+dead'),
      at('?index=11&watch=result&changes&filter=Status+%3D%3D+dead'),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    own.put({ ID: 'x', Status: 'running', Priority: 1, Datacenters: [], Secret: '' });
    expect(await next).toMatchObject({ status: 200, index: '12' });
    own.batch((rows) => {
      rows.delete('etl');
      rows.put({ ID: 'x', Status: 'dead', Priority: 1, Datacenters: [], Secret: '' });
    });
    const { text, index } = await result;
    expect([index, JSON.parse(text)]).toEqual([
      '13',
      {
        entered: [{ ID: 'x', Status: 'dead', Priority: 1, Datacenters: [], Secret: '' }],
        left: [{ ID: 'etl' }],
        changed: [],
      },
    ]);
    const waiting = at('?index=13');
    await new Promise((resolve) => setImmediate(resolve));
    watched.close();
    expect((await waiting).status).toBe(503);
    expect((await at('')).status).toBe(503);
  });

  it('is a stream where it is long and has no bound', async () => {
    const own = createTable(schema, { key: 'ID' });
    own.putAll(
      Array.from({ length: 5_000 }, (_, at) => ({
        ID: `j${at}`,
        Status: 'é',
        Priority: at,
        Datacenters: [],
        Secret: '',
      })),
    );
    const long = await openHosts(listEndpoint(own));
    const [first, ...others] = await Promise.all(long.names.map((host) => long.run(host, '')));
    expect(ids(first?.text ?? '')).toHaveLength(5_000);
    for (const other of others) expect(other).toEqual(first);
    await long.close();
  });

  it('is whole where characters take more bytes than one', async () => {
    const own = tableOfJobs();
    own.put({ ID: 'é', Status: '日本 😀', Priority: 1, Datacenters: [], Secret: '' });
    const other = await openHosts(listEndpoint(own));
    for (const host of other.names) {
      const { headers, text } = await other.run(host, '?prefix=%C3%A9');
      expect(JSON.parse(text)).toMatchObject([{ ID: 'é', Status: '日本 😀' }]);
      expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    }
    await other.close();
  });

  it('says nothing of what a function of the program throws', async () => {
    const received: unknown[] = [];
    const failing = new Error('password');
    const broken = listEndpoint(tableOfJobs(), {
      serialize: () => {
        throw failing;
      },
      onError: (error) => received.push(error),
    });
    const response = await broken.fetch(new Request('http://a.example/'));
    expect([response.status, await response.text()]).toEqual([500, 'The list cannot be read']);
    expect(received).toEqual([failing]);
  });

  it('reads switches, and names what has left, as a host of another wire does', async () => {
    const own = tableOfJobs();
    const other = listEndpoint(own, {
      identity: ['Status', 'ID'],
      readSwitch: (value, name) => {
        if (value === 'yes' || value === 'no') return value === 'yes';
        throw new HttpError(400, `${name} is yes or no`);
      },
    });
    const at = async (query: string) => {
      const response = await other.fetch(new Request(`http://a.example/${query}`));
      return [response.status, await response.text()];
    };
    expect(await at('?count=yes')).toEqual([200, '{"total":3}']);
    expect(await at('?count=no&prefix=x')).toEqual([200, '[]']);
    for (const query of ['?count', '?count=true', '?reverse=1'])
      expect(await at(query)).toEqual([400, expect.stringContaining('is yes or no')]);
    own.delete('etl');
    expect(await at('?index=11&watch=result&changes=yes')).toEqual([
      200,
      '{"entered":[],"left":[{"ID":"etl","Status":"dead"}],"changed":[]}',
    ]);
  });

  it('is described in a document, with the schema of the rows', () => {
    const { paths, components } = endpoint.openapi('/v1/jobs', 'Job');
    expect(Object.keys(paths)).toEqual(['/v1/jobs']);
    const read = fromJSONSchema({ $ref: '#/components/schemas/Job', components });
    expect(Object.keys(read.toJSON().structs['Job']?.fields ?? {})).toEqual([
      'ID',
      'Status',
      'Priority',
      'Datacenters',
    ]);
    expect(endpoint.parameters.map(({ name }) => name)).toContain('status');
    const hiding = defineSchema({ ID: t.string, Secret: t.hidden(t.string) });
    const other = listEndpoint(createTable(hiding, { key: 'ID', sorts: ['ID'] }));
    expect(JSON.stringify(other.openapi('/'))).not.toContain('Secret');
  });

  it('shows a viewer its rows, and takes the keys of other endpoints for others', async () => {
    const many = createTable(schema, { key: 'ID', columns: columns() });
    many.putAll(
      Array.from({ length: 4_000 }, (_, at) => ({
        ...{ ID: `j${String(at)}`, Status: at % 3 === 0 ? 'dead' : 'running', Secret: '' },
        ...{ Priority: at % 2, Datacenters: [] },
      })),
    );
    const withPriority = (priority: number) =>
      listEndpoint(many, {
        caller: () => 'ann',
        visible: () => ({ key: 'ann', canSee: ({ Priority }) => Priority === priority }),
      });
    const both = [withPriority(0), withPriority(1)];
    for (let times = 0; times < 20; times += 1) {
      for (const [priority, each] of both.entries()) {
        const url = 'http://a.example/?filter=Status+%3D%3D+"dead"';
        const counted = await each.fetch(new Request(`${url}&count=true`));
        expect(await counted.json()).toEqual({ total: 667 });
        const rows = (await (await each.fetch(new Request(`${url}&per_page=5`))).json()) as {
          Priority: number;
        }[];
        expect(new Set(rows.map(({ Priority }) => Priority))).toEqual(new Set([priority]));
      }
    }
  });

  it.each([undefined, 7, {}, { key: 7, canSee: () => true }, { key: 'ann' }])(
    'shows nothing where visible returns %j',
    async (returned) => {
      const received: string[] = [];
      const broken = listEndpoint(table, {
        visible: () => returned as never,
        onError: (error) => received.push(String(error)),
      });
      expect((await broken.fetch(new Request('http://a.example/'))).status).toBe(500);
      expect(received).toEqual([
        expect.stringContaining('visible must be a function, or a viewer { key: string, canSee: function }'),
      ]);
    },
  );

  it.each([
    [
      'an async predicate',
      () => async () => Promise.resolve(false),
      'visible must return a boolean, got a promise',
    ],
    ['a predicate that rejects', () => () => Promise.reject(new Error('no')), 'got a promise'],
    ['an async canSee', () => ({ key: 'a', canSee: async () => Promise.resolve(false) }), 'got a promise'],
    ['a promise', async () => Promise.resolve(() => true), 'got a promise'],
    ['a promise that rejects', () => Promise.reject(new Error('no')), 'got a promise'],
  ])('shows nothing if visible returns %s', async (_, visible, reason) => {
    const received: string[] = [];
    const broken = listEndpoint(table, {
      visible: visible as never,
      onError: (error) => received.push(String(error)),
    });
    for (const query of ['', '?count=true', '?facets=Status', '?explain=true', '?per_page=1']) {
      const response = await broken.fetch(new Request(`http://a.example/${query}`));
      expect([response.status, await response.text()]).toEqual([500, 'The list cannot be read']);
      expect(received.pop()).toContain(reason);
    }
  });

  it.each([
    ['a promise', async () => Promise.resolve('ann')],
    ['a promise that rejects', () => Promise.reject(new Error('no'))],
    ['an object', () => ({ user: 'ann' })],
    ['undefined', () => undefined],
  ])('responds with 500 if cacheKey returns %s', async (_, cacheKey) => {
    const received: string[] = [];
    const broken = listEndpoint(table, {
      cacheKey: cacheKey as never,
      onError: (error) => received.push(String(error)),
    });
    expect((await broken.fetch(new Request('http://a.example/'))).status).toBe(500);
    expect(received).toEqual([expect.stringContaining('cacheKey must return a string, got ')]);
  });

  it.each([
    [{ fields: ['Status'] }, 'the key ID must be one of fields'],
    [{ fields: ['ID', 'Secrt'] }, 'did you mean Secret?'],
    [{ fieldParameters: { status: 'Nothing' } }, 'fieldParameters: unknown parameter "Nothing"'],
    [{ fieldParameters: { filter: 'Status' } }, 'two parameters have the name "filter"'],
    [{ rename: { per_pag: 'limit' } }, 'did you mean per_page?'],
    [{ maxPerPage: 0 }, 'maxPerPage must be a whole number'],
    [{ visible: true }, 'visible must be a function'],
    [{ cors: { origins: '*', credentials: true } }, 'cors.credentials cannot be combined with all origins'],
    [{ feilds: [] }, 'Did you mean fields?'],
  ])('refuses the options %j', (options, reason) => {
    expect(() => listEndpoint(table, options as never)).toThrow(reason);
  });
});
