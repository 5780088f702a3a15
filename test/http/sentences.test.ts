import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpError, listEndpoint, type EndpointOptions } from '../../src/entries/http.js';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import { createList, createPool } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { openHosts, type Got, type HostName, type Hosts, type TestQuery } from './support/hosts.js';

// Each sentence of the document that says what lists do, with the case that shows it.

const schema = defineSchema({ ID: t.string, Status: t.string, Priority: t.int, Secret: t.string });
type Job = RowOf<typeof schema>;
const job = (ID: string, Priority: number, Status = 'running'): Job => ({
  ...{ ID, Status, Priority },
  Secret: `s-${ID}`,
});

const opened: Hosts[] = [];
afterEach(async () => {
  for (const hosts of opened.splice(0)) await hosts.close();
});

/** A list of three jobs on one of the hosts. */
async function serve(host: HostName, options: EndpointOptions<Job, string> = {}) {
  const table = createTable(schema, {
    ...{ key: 'ID', indexes: ['Status'], sorts: ['Priority', 'Status'], firstIndex: 10 },
  });
  table.putAll([job('api', 50), job('etl', 51, 'dead'), job('web', 52)]);
  const endpoint = listEndpoint<Job, string>(table, options);
  const hosts = await openHosts(endpoint);
  opened.push(hosts);
  const evaluate = (query: string, parsedQuery?: TestQuery): Promise<Got> =>
    hosts.run(host, query, parsedQuery);
  return { table, endpoint, run: evaluate };
}

const json = ({ text }: Got): unknown => JSON.parse(text) as unknown;
const ids = (got: Got): readonly string[] => (json(got) as Job[]).map(({ ID }) => ID);

type Case = (host: HostName) => Promise<void>;

const cases: Readonly<Record<string, Case>> = {
  'The response is a JSON array of entries.': async (host) => {
    const { run: evaluate } = await serve(host);
    const got = await evaluate('');
    expect([got.status, got.headers['content-type'], ids(got)]).toEqual([
      ...[200, 'application/json'],
      ['api', 'etl', 'web'],
    ]);
  },
  '`GET` and `HEAD` read a list, `OPTIONS` returns 204 with `Allow`, and any other method returns 405.':
    async (host) => {
      const { run: evaluate } = await serve(host);
      for (const [method, status] of Object.entries({
        GET: 200,
        HEAD: 200,
        OPTIONS: 204,
        POST: 405,
        PUT: 405,
        DELETE: 405,
      })) {
        const { headers, ...got } = await evaluate('', { method });
        expect([method, got.status]).toEqual([method, status]);
        expect(headers['allow']).toBe(status === 200 ? undefined : 'GET, HEAD, OPTIONS');
      }
    },
  '`HEAD` returns the headers of `GET` without a body.': async (host) => {
    const { run: evaluate } = await serve(host);
    for (const query of ['', '?per_page=1', '?count', '?sort=Priorty', '?nothing']) {
      const [get, head] = [await evaluate(query), await evaluate(query, { method: 'HEAD' })];
      expect(head).toEqual({ ...get, text: '' });
      expect(get.text).not.toBe('');
    }
  },
  'If the server allows the origin (CORS), responses have the CORS headers, and those to `OPTIONS` list the allowed methods and headers.':
    async (host) => {
      const { run: evaluate } = await serve(host, {
        cors: { origins: ['https://a.example'], headers: ['X-User'] },
      });
      for (const query of ['', '?sort=Priorty']) {
        const { headers } = await evaluate(query, { headers: { Origin: 'https://a.example' } });
        const vary = query === '' ? 'Origin' : 'Accept, Origin';
        expect(headers).toMatchObject({ 'access-control-allow-origin': 'https://a.example', vary });
        expect(headers['access-control-expose-headers']).toContain('X-Next-Token');
      }
      const options = await evaluate('', { method: 'OPTIONS', headers: { Origin: 'https://a.example' } });
      expect(options.headers).toMatchObject({
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': expect.stringContaining('X-User') as string,
      });
      const closed = await serve(host);
      for (const list of [evaluate, closed.run])
        for (const method of ['GET', 'OPTIONS']) {
          const { headers } = await list('', { method, headers: { Origin: 'https://b.example' } });
          expect(Object.keys(headers).filter((name) => name.startsWith('access-'))).toEqual([]);
        }
    },
  'A switch is on if it has no value or the value `true`, and off with `false`.': async (host) => {
    const { run: evaluate } = await serve(host);
    for (const on of ['?count', '?count=', '?count=true'])
      expect(json(await evaluate(on))).toEqual({ total: 3 });
    expect(ids(await evaluate('?count=false'))).toHaveLength(3);
    expect((await evaluate('?count=maybe')).status).toBe(400);
  },
  'An unknown or repeated parameter is a 400, unless the server allows it.': async (host) => {
    const [strict, lenient] = [await serve(host), await serve(host, { strict: false })];
    for (const query of ['?filtr=a', '?per_page=1&per_page=1']) {
      expect((await strict.run(query)).status).toBe(400);
      expect((await lenient.run(query)).status).toBe(200);
    }
    expect((await strict.run('?filtr=a')).text).toContain('did you mean filter?');
  },
  '`_` and parameters that begin with `utm_` are ignored.': async (host) => {
    const { run: evaluate } = await serve(host, { ignoredParameters: ['ref', 'x-*'] });
    expect(ids(await evaluate('?_=123&_=4&utm_source=mail&utm_=&ref=a&x-a=1&per_page=1'))).toEqual(['api']);
    for (const query of ['__=1', 'utm=1', 'UTM_source=1', 'refs=1', 'x=1'])
      expect((await evaluate(`?${query}`)).status).toBe(400);
    const own = await serve(host, { parameters: { _: 'a parameter of this list' } });
    expect((await own.run('?_=1&_=2')).text).toBe('`_` must be given once, got 2 values');
  },
  'A query may have 100 parameters of 16,384 characters.': async (host) => {
    const { run: evaluate } = await serve(host, { strict: false });
    const many = (count: number): string => `?${'a=1&'.repeat(count - 1)}a=1`;
    expect([(await evaluate(many(100))).status, (await evaluate(many(101))).status]).toEqual([200, 400]);
    // Longer heads than 16 KiB are refused by node:http itself, with 431.
    const long = (count: number): string => `?prefix=${'a'.repeat(count)}`;
    expect((await evaluate(long(host === 'fetch' ? 16_384 : 12_000))).status).toBe(200);
    expect((await evaluate(long(16_385))).status).toBe(host === 'fetch' ? 400 : 431);
  },
  'A `per_page` above `maxPerPage`, and 0, are reduced to `maxPerPage`.': async (host) => {
    const { run: evaluate } = await serve(host, { maxPerPage: 2 });
    for (const query of ['', '?per_page=0', '?per_page=3'])
      expect(ids(await evaluate(query))).toEqual(['api', 'etl']);
  },
  '`per_page` is the maximum number of entries; 0, the default, means as many as the server allows.': async (
    host,
  ) => {
    const [all, bounded] = [await serve(host), await serve(host, { maxPerPage: 2 })];
    expect(ids(await all.run('?per_page=1'))).toEqual(['api']);
    for (const query of ['', '?per_page=0', '?per_page=9']) {
      expect(ids(await all.run(query))).toHaveLength(3);
      expect(ids(await bounded.run(query))).toHaveLength(2);
    }
  },
  '`X-Next-Token` is the token of the next page: send it as `next_token` with the same `filter`, `sort`, `reverse` and `prefix`.':
    async (host) => {
      const { run: evaluate, table } = await serve(host);
      table.put(job('etl-2', 7));
      for (const query of [
        'sort=-Priority',
        'reverse',
        'filter=Status+!%3D+dead',
        'prefix=etl',
        'sort=Status,-Priority',
        '',
      ]) {
        const whole = ids(await evaluate(`?${query}`));
        const found: string[] = [];
        for (let token: string | undefined = ''; token !== undefined;) {
          const next: string = token === '' ? '' : `&next_token=${encodeURIComponent(token)}`;
          const got: Got = await evaluate(`?${query}&per_page=1${next}`);
          found.push(...ids(got));
          token = got.headers['x-next-token'];
        }
        expect(found).toEqual(whole);
      }
      expect((await evaluate('?sort=Priority&next_token=-Priority:51.etl')).status).toBe(400);
      expect((await evaluate('?next_token=-Priority:51.etl')).status).toBe(400);
    },
  'The last page has no `X-Next-Token`.': async (host) => {
    const { run: evaluate } = await serve(host);
    for (const query of ['', '?per_page=3', '?next_token=web&per_page=1', '?filter=ID+%3D%3D+nothing'])
      expect((await evaluate(query)).headers['x-next-token']).toBeUndefined();
  },
  '`X-Previous-Token` is the token of the previous page: send it as `prev_token`, with `per_page`.': async (
    host,
  ) => {
    const { run: evaluate, table } = await serve(host);
    for (const id of ['etl-2', 'a', 'zz']) table.put(job(id, 51));
    for (const query of [
      '',
      'sort=-Priority',
      'reverse',
      'sort=Priority,-Status',
      'filter=Priority+>+50',
      'prefix=e',
    ]) {
      const all = ids(await evaluate(`?${query}`));
      for (const size of [1, 2, 5]) {
        const page = async (token: string) => evaluate(`?${query}&per_page=${size}${token}`);
        const token = (got: Got, name: string): string => encodeURIComponent(got.headers[name] ?? '');
        let got = await page('');
        const pages = [got];
        while (got.headers['x-next-token'] !== undefined)
          pages.push((got = await page(`&next_token=${token(got, 'x-next-token')}`)));
        expect(pages.flatMap(ids)).toEqual(all);
        // Back to the first page: the same pages, unless the list does not begin at a whole page.
        for (let at = pages.length - 1; at > 0; at -= 1) {
          got = await page(`&prev_token=${token(pages[at] as Got, 'x-previous-token')}`);
          expect(ids(got)).toEqual(ids(pages[at - 1] as Got));
          expect(got.headers['x-next-token']).toBe((pages[at - 1] as Got).headers['x-next-token']);
          expect('x-previous-token' in got.headers).toBe(at > 1);
        }
      }
    }
    for (const [query, message] of [
      ['prev_token=etl', '`prev_token` needs `per_page`, the size of the page'],
      [
        'prev_token=etl&next_token=etl&per_page=1',
        '`prev_token` cannot be combined with `next_token`: send one of them',
      ],
      [
        'prev_token=etl&per_page=1&sort=Status',
        'The `prev_token` belongs to a list without `sort`: use a token of a list with sort=Status',
      ],
      [
        'prev_token=etl&per_page=1&index=1&watch=result',
        '`watch` and `prev_token` cannot be combined: use `next_token`',
      ],
      ['prev_token=etl&count', '`count` counts all matching rows once: remove `prev_token`'],
    ])
      expect(await evaluate(`?${query}`)).toMatchObject({ status: 400, text: message });
  },
  'The first page has no `X-Previous-Token`.': async (host) => {
    const { run: evaluate } = await serve(host);
    expect((await evaluate('?per_page=1')).headers['x-previous-token']).toBeUndefined();
    expect((await evaluate('?per_page=9&next_token=web')).headers['x-previous-token']).toBe('web');
    expect((await evaluate('?per_page=9&prev_token=web')).headers['x-previous-token']).toBeUndefined();
  },
  'The page before may have fewer rows if rows were removed.': async (host) => {
    const { run: evaluate, table } = await serve(host);
    table.delete('etl');
    const got = await evaluate('?per_page=2&prev_token=web');
    expect([ids(got), got.headers['x-next-token']]).toEqual([['api'], 'web']);
    table.delete('web');
    expect(ids(await evaluate('?per_page=2&prev_token=web'))).toEqual(['api']);
    table.delete('api');
    expect(ids(await evaluate('?per_page=2&prev_token=web'))).toEqual([]);
  },
  '`sort` lists fields, separated by commas, with `-` for descending order; `reverse` reverses a list without `sort`.':
    async (host) => {
      const { run: evaluate } = await serve(host);
      expect(ids(await evaluate('?sort=-Priority'))).toEqual(['web', 'etl', 'api']);
      expect(ids(await evaluate('?sort=-Status,-Priority'))).toEqual(['web', 'api', 'etl']);
      expect(ids(await evaluate('?reverse'))).toEqual(['web', 'etl', 'api']);
      expect((await evaluate('?reverse&sort=Priority')).status).toBe(400);
      expect((await evaluate('?sort=Secret')).status).toBe(400);
    },
  '`sort`, `fields` and `facets` name fields as filters do, `sort=-["First Name"],Age`: a comma in quotes does not separate names.':
    async (host) => {
      const { run: evaluate } = await serve(host);
      expect(ids(await evaluate(`?sort=${encodeURIComponent('-["Priority"]')}`))).toEqual([
        'web',
        'etl',
        'api',
      ]);
      expect(ids(await evaluate(`?sort=${encodeURIComponent('-[`Status`],["Priority"]')}`))).toEqual([
        ...['api', 'web', 'etl'],
      ]);
      const fields = encodeURIComponent('["ID"],[`Status`]');
      expect(json(await evaluate(`?prefix=w&fields=${fields}`))).toEqual([{ ID: 'web', Status: 'running' }]);
      const refused = await evaluate(`?sort=${encodeURIComponent('["Status,Priority"]')}`);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Status,Priority')]);
    },
  'Responses have the plain names.': async (host) => {
    const { run: evaluate } = await serve(host);
    const counted = await evaluate(`?facets=${encodeURIComponent('["Status"]')}`);
    expect(json(counted)).toMatchObject({ facets: { Status: {} } });
  },
  '`prefix` selects rows whose key begins with it; it cannot be combined with `filter`.': async (host) => {
    const { run: evaluate } = await serve(host);
    expect(ids(await evaluate('?prefix=e'))).toEqual(['etl']);
    expect((await evaluate('?prefix=e&filter=ID+%3D%3D+etl')).status).toBe(400);
  },
  '`fields=ID,Status` returns entries with only these fields.': async (host) => {
    const { run: evaluate, table } = await serve(host, { fields: ['ID', 'Status', 'Priority'] });
    const entries = [
      { ID: 'etl', Status: 'dead' },
      { ID: 'api', Status: 'running' },
    ];
    expect(json(await evaluate('?fields=Status,ID,ID&sort=Status&per_page=2'))).toEqual(entries);
    expect(await evaluate('?fields=')).toMatchObject({ status: 200 });
    for (const [query, message] of [
      [
        'fields=Statos',
        '`fields`: unknown field "Statos": did you mean Status? the fields are ID, Status, Priority',
      ],
      ['fields=Secret', '`fields`: unknown field "Secret": the fields are ID, Status, Priority'],
      ['fields=ID,', '`fields`: unknown field "": the fields are ID, Status, Priority'],
      ['fields=__proto__', '`fields`: unknown field "__proto__": the fields are ID, Status, Priority'],
      ['fields=ID&count', '`count` counts all matching rows once: remove `fields`'],
    ])
      expect(await evaluate(`?${query}`)).toMatchObject({ status: 400, text: message });
    const watch = '?fields=ID,Status&index=11&watch=result&changes&wait=0s';
    table.put(job('api', 51));
    expect(json(await evaluate(watch))).toEqual({ entered: [], left: [], changed: [] });
    table.put(job('api', 51, 'lost'));
    expect(json(await evaluate(watch))).toEqual({
      ...{ entered: [], left: [] },
      changed: [{ ID: 'api', Status: 'lost' }],
    });
    const own = await serve(host, { serialize: ({ ID }) => ID });
    expect((await own.run('?fields=ID')).text).toContain('Unknown parameter "fields"');
  },
  'With `total`, `X-Total-Count` is the number of all matching rows, or a lower bound such as `100000+` if counting all takes too long.':
    async (host) => {
      const { run: evaluate } = await serve(host, { visible: () => (row) => row.ID !== 'api' });
      const total = async (query: string) => (await evaluate(query)).headers['x-total-count'];
      expect(await total('?total&per_page=1')).toBe('2');
      expect(await total('?total=true&filter=Priority+>+51&sort=Priority')).toBe('1');
      expect(await total('?total&per_page=1&next_token=web')).toBe('2');
      expect(await total('?total=false')).toBeUndefined();
      const table = createTable(schema, { key: 'ID' });
      table.putAll(Array.from({ length: 20 }, (_, at) => job(`j${at}`, at)));
      const hosts = await openHosts(listEndpoint(createList(table, { maxCounted: 10 })));
      opened.push(hosts);
      const bounded = await hosts.run(host, '?total&per_page=1&filter=Priority+>+0');
      expect(bounded.headers['x-total-count']).toMatch(/^\d+\+$/);
      // A bound on evaluated rows would reveal the hidden ones.
      const own = listEndpoint(createList(table, { maxCounted: 10 }), {
        visible: () => (row) => row.ID > 'j18',
      });
      const ownHosts = await openHosts(own);
      opened.push(ownHosts);
      const visible = await ownHosts.run(host, '?total&filter=Priority+>+0');
      expect(visible.headers['x-total-count']).toBe(String(ids(visible).length));
    },
  '`facets=Status` returns the value counts of fields over all matching rows: `total`, and for each field `values` and `others`.':
    async (host) => {
      const { run: evaluate } = await serve(host, { maxPerPage: 1 });
      const values = [
        { value: 'running', count: 2 },
        { value: 'dead', count: 1 },
      ];
      expect(json(await evaluate('?facets=Status'))).toEqual({
        total: 3,
        facets: { Status: { values, others: 0 } },
      });
      expect(json(await evaluate('?facets=Status&filter=Status+%3D%3D+dead'))).toMatchObject({ total: 1 });
      expect((await evaluate('?facets=Status&per_page=1')).status).toBe(400);
    },
  '`count` returns only the `total`.': async (host) => {
    const { run: evaluate } = await serve(host, { maxPerPage: 1 });
    expect(json(await evaluate('?count'))).toEqual({ total: 3 });
    expect(json(await evaluate('?count=false'))).toBeInstanceOf(Array);
    expect((await evaluate('?count=maybe')).status).toBe(400);
  },
  '`explain` returns how the rows are found and, if none match, which clauses exclude them.': async (
    host,
  ) => {
    const { run: evaluate } = await serve(host);
    const found = await evaluate('?explain&filter=Status+%3D%3D+running');
    expect(json(found)).toMatchObject({ matched: 2, index: { field: 'Status' }, empty: null });
    const empty = json(await evaluate('?explain&filter=Status+%3D%3D+runing')) as { empty: object };
    expect(JSON.stringify(empty.empty)).toContain('running');
  },
  'If rows are hidden from the caller, it says that an index is used, but not which.': async (host) => {
    const { run: evaluate } = await serve(host, { visible: () => (row) => row.ID !== 'web' });
    const explained = async (filter: string): Promise<unknown> =>
      (json(await evaluate(`?explain&filter=${filter}`)) as { readonly index: unknown }).index;
    expect(await explained('Status+%3D%3D+running')).toEqual({ field: null, keys: [], range: null });
    expect(await explained('Status+!%3D+dead')).toBeNull();
    const open = await serve(host);
    const { index } = json(await open.run('?explain&filter=Status+%3D%3D+dead')) as {
      readonly index: unknown;
    };
    expect(index).toMatchObject({ field: 'Status', keys: ['dead'] });
  },
  '`X-Index` is the index of the last write to the list.': async (host) => {
    const { run: evaluate, table } = await serve(host);
    const index = async (): Promise<string | undefined> => (await evaluate('')).headers['x-index'];
    expect(await index()).toBe('11');
    table.put(job('api', 50));
    table.batch((rows) => {
      rows.put(job('api', 1));
      rows.put(job('api', 50));
    });
    expect(await index()).toBe('11');
    table.delete('api');
    expect(await index()).toBe('12');
  },
  'With `index`, the response waits until the index is greater, or until `wait` (`30s`, `5m`) has passed.':
    async (host) => {
      const { run: evaluate, table } = await serve(host);
      const over = await evaluate('?index=11&wait=1ms');
      expect([over.status, over.headers['x-index']]).toEqual([200, '11']);
      const next = evaluate('?index=11&wait=5m');
      table.put(job('new', 1));
      expect((await next).headers['x-index']).toBe('12');
      expect((await evaluate('?index=11&wait=30s')).headers['x-index']).toBe('12');
      expect((await evaluate('?index=11&wait=30')).status).toBe(400);
    },
  'With `watch=result`, it waits until the result of the query changes, regardless of other writes.': async (
    host,
  ) => {
    const pool = createPool();
    const { run: evaluate, table } = await serve(host, { pool });
    const next = evaluate('?index=11&watch=result&filter=Status+%3D%3D+dead');
    await expect.poll(() => pool.waiting).toBe(1);
    table.put(job('new', 1));
    table.put(job('api', 99));
    // Requests woken by these would have got a response before this request does.
    await evaluate('');
    await evaluate('');
    expect(pool.waiting).toBe(1);
    table.put(job('new', 2, 'dead'));
    const got = await next;
    expect([got.headers['x-index'], ids(got)]).toEqual(['14', ['etl', 'new']]);
    const same = await evaluate('?index=14&watch=result&wait=1ms&filter=Status+%3D%3D+dead');
    expect(ids(same)).toEqual(['etl', 'new']);
  },
  'With `changes` as well, the response is an object with the changes of the result if they are known, otherwise the page.':
    async (host) => {
      const { run: evaluate, table } = await serve(host);
      table.put(job('api', 99));
      const known = await evaluate('?index=11&watch=result&changes');
      expect(json(known)).toEqual({ entered: [], left: [], changed: [job('api', 99)] });
      expect(known.headers['x-index']).toBe('12');
      expect(json(await evaluate('?index=1&watch=result&changes'))).toBeInstanceOf(Array);
      expect((await evaluate('?index=11&changes')).status).toBe(400);
    },
  'Entries under `left` have only their key.': async (host) => {
    const { run: evaluate, table } = await serve(host);
    table.delete('api');
    expect(json(await evaluate('?index=11&watch=result&changes'))).toMatchObject({ left: [{ ID: 'api' }] });
  },
  'With `positions`, there are also the positions of these rows in the old and the new page.': async (
    host,
  ) => {
    const { run: evaluate, table } = await serve(host);
    table.batch((rows) => {
      rows.put(job('b', 60));
      rows.put(job('api', 70));
      rows.delete('web');
    });
    const query = '?index=11&watch=result&changes&positions&sort=-Priority&fields=ID';
    expect(json(await evaluate(query))).toEqual({
      ...{ entered: [{ ID: 'b' }], left: [{ ID: 'web' }], changed: [{ ID: 'api' }] },
      positions: { removed: [0, 2], entered: [1], changed: [0] },
    });
    expect((await evaluate('?positions')).text).toBe('`positions` needs `changes`');
  },
  '`X-History` changes when the same index may refer to other rows.': async (host) => {
    const [one, other] = [await serve(host), await serve(host)];
    const history = async ({ run: evaluate }: typeof one): Promise<string | undefined> =>
      (await evaluate('')).headers['x-history'];
    expect(await history(one)).toBe(await history(one));
    expect(await history(one)).not.toBe(await history(other));
  },
  'If a request sends it as `history` and it has changed, the response is immediate.': async (host) => {
    const { run: evaluate, table } = await serve(host);
    const history = (await evaluate('')).headers['x-history'] ?? '';
    for (const watch of ['', '&watch=result', '&watch=result&changes']) {
      const other = await evaluate(`?index=${table.index}&wait=10m${watch}&history=${history}x`);
      expect(ids(other)).toContain('api');
      const same = evaluate(`?index=${table.index}&wait=10m${watch}&history=${history}`);
      table.put(job('new', table.index));
      expect((await same).headers['x-index']).toBe(String(table.index));
    }
  },
  "An index ahead of the server's is from an earlier process, so that the response is immediate.": async (
    host,
  ) => {
    const { run: evaluate } = await serve(host);
    for (const watch of ['', '&watch=result'])
      expect((await evaluate(`?index=999&wait=10m${watch}`)).headers['x-index']).toBe('11');
  },
  '`ETag` is weak, and a matching `If-None-Match` returns 304 without reading rows.': async (host) => {
    let looks = 0;
    const visible = () => () => (looks += 1) > 0;
    const { run: evaluate, table } = await serve(host, { visible });
    const { headers } = await evaluate('');
    const tag = headers['etag'] ?? '';
    expect(tag).toMatch(/^W\/".+"$/);
    const before = looks;
    for (const known of [tag, `"x", ${tag}`, tag.slice(2), '*']) {
      const got = await evaluate('', { headers: { 'If-None-Match': known } });
      expect([got.status, got.text, got.headers['etag']]).toEqual([304, '', tag]);
    }
    expect(looks).toBe(before);
    table.put(job('new', 1));
    expect((await evaluate('', { headers: { 'If-None-Match': tag } })).status).toBe(200);
  },
  'Responses to filters with `now` and to `changes` have no `ETag`.': async (host) => {
    const timed = defineSchema({ ID: t.string, At: t.time });
    const table = createTable(timed, { key: 'ID', firstIndex: 10 });
    table.put({ ID: 'a', At: '2026-01-01T00:00:00Z' });
    const hosts = await openHosts(listEndpoint(table));
    opened.push(hosts);
    const tag = async (query: string) => (await hosts.run(host, query)).headers['etag'];
    expect(await tag('?filter=At+%3C+now')).toBeUndefined();
    expect(await tag('?filter=At+%3C+"2027-01-01T00:00:00Z"')).toBeDefined();
    for (const index of [1, 10]) expect(await tag(`?index=${index}&watch=result&changes`)).toBeUndefined();
  },
  '`Vary` lists the headers that identify the caller.': async (host) => {
    const { run: evaluate } = await serve(host, {
      caller: (head) => head.header('x-user') ?? head.header('authorization') ?? '',
    });
    expect((await evaluate('')).headers['vary']).toBe('X-User, Authorization');
    expect((await evaluate('?sort=Priorty')).headers['vary']).toBe('X-User, Authorization, Accept');
    expect((await evaluate('', { headers: { 'X-User': 'ann' } })).headers['vary']).toBe('X-User');
    const open = await serve(host);
    expect((await open.run('')).headers['vary']).toBeUndefined();
  },
  'Rows and fields that the caller may not see do not affect any response.': async (host) => {
    const { run: evaluate } = await serve(host, {
      fields: ['ID', 'Status', 'Priority'],
      visible: () => (row) => row.ID !== 'etl',
    });
    expect(ids(await evaluate(''))).toEqual(['api', 'web']);
    expect((await evaluate('?per_page=1')).headers['x-next-token']).toBe('web');
    expect(json(await evaluate('?count'))).toEqual({ total: 2 });
    expect((await evaluate('?facets=Status')).text).not.toContain('dead');
    expect((await evaluate('?explain&filter=Status+%3D%3D+deed')).text).not.toContain('"dead');
    for (const query of ['?filter=Secret+%3D%3D+"s-api"', '?sort=Secret', '?facets=Secret']) {
      const { status, text } = await evaluate(query);
      expect(status).toBe(400);
      expect(text).not.toMatch(/did you mean|s-web/);
    }
    for (const query of ['', '?explain', '?index=1&watch=result&changes', '?index=10&watch=result&changes'])
      expect((await evaluate(query)).text).not.toMatch(/etl|s-api|Secret/);
  },
  'Errors are `text/plain`: 400 for the query, 401 and others as the server decides, 429 with `Retry-After` if its capacity is exceeded, 503 if the list is closed.':
    async (host) => {
      const { run: evaluate, endpoint } = await serve(host, {
        pool: createPool({ maxWaiters: 0 }),
        caller: (head) => {
          if (head.header('x-user') !== null) throw new HttpError(401, 'Who are you?');
          return '';
        },
      });
      const failures: [number, Got][] = [
        [400, await evaluate('?sort=Priorty')],
        [401, await evaluate('', { headers: { 'X-User': 'x' } })],
      ];
      const full = await evaluate('?index=11');
      failures.push([429, full]);
      expect(full.headers['retry-after']).toBe('1');
      endpoint.close();
      failures.push([503, await evaluate('')]);
      for (const [status, got] of failures)
        expect([got.status, got.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
    },
  'With `Accept: application/problem+json` an error is a problem document (RFC 9457) that also has `code`, `message` and `parameter`, and for a filter `span`, `hint` and `suggestions`.':
    async (host) => {
      const { run: evaluate } = await serve(host);
      const accept = { headers: { Accept: 'text/html, application/problem+json;q=0.5' } };
      const sorted = await evaluate('?sort=Priorty', accept);
      expect([sorted.status, sorted.headers['content-type'], sorted.headers['vary']]).toEqual([
        ...[400, 'application/problem+json', 'Accept'],
      ]);
      expect(json(sorted)).toEqual({
        ...{ title: 'Bad Request', status: 400, code: 'invalid-sort', parameter: 'sort' },
        detail: expect.stringContaining('did you mean Priority?') as string,
        message: expect.stringContaining('did you mean Priority?') as string,
      });
      expect(json(await evaluate('?filter=Stauts+%3D%3D+dead', accept))).toMatchObject({
        ...{ status: 400, code: 'find-no-field', parameter: 'filter', span: { start: 0, end: 6 } },
        hint: 'did you mean Status?',
        suggestions: [{ span: { start: 0, end: 6 }, replacement: 'Status' }],
      });
      expect(json(await evaluate('', { ...accept, method: 'POST' }))).toMatchObject({
        ...{ title: 'Method Not Allowed', status: 405, code: 'method-not-allowed' },
      });
      const closed = await serve(host, {
        caller: () => {
          throw new HttpError(401, 'Log in first');
        },
      });
      expect(json(await closed.run('', accept))).toEqual({
        ...{ title: 'Unauthorized', status: 401, code: 'unauthorized' },
        ...{ detail: 'Log in first', message: 'Log in first' },
      });
      for (const Accept of ['application/json', '*/*', 'application/problem+json;q=0', 'application/*'])
        expect((await evaluate('?sort=Priorty', { headers: { Accept } })).headers['content-type']).toBe(
          'text/plain; charset=utf-8',
        );
    },
};

/** The sentences about requests and responses that are neither heading, example, table nor introduction of an example. */
function sentencesOf(document: string): readonly string[] {
  return document
    .slice(document.indexOf('## Send a request'))
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/\n(?:\n|- )/)
    .map((block) => block.replace(/^- /, '').replace(/\s+/g, ' ').trim())
    .filter((block) => block !== '' && !/^[#|]|:$/.test(block))
    .flatMap((block) => block.split(/(?<=\.) (?!\.)/))
    .filter((sentence) => !sentence.startsWith('[Error codes]'));
}

const document = readFileSync(new URL('../../docs/http-lists.md', import.meta.url), 'utf8');

it('every sentence of the document has a case, and every case a sentence', () => {
  expect(sentencesOf(document)).toEqual(Object.keys(cases));
});

describe.each<HostName>(['fetch', 'node', 'fastify'])('on %s', (host) => {
  it.each(Object.entries(cases))('%s', async (_, render) => {
    await render(host);
  });
});
