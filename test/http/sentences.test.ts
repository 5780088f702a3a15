import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpError, listEndpoint, type EndpointOptions } from '../../src/entries/http.js';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import { createPool } from '../../src/entries/query.js';
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
  'An answer is a JSON array of entries.': async (host) => {
    const { run: evaluate } = await serve(host);
    const got = await evaluate('');
    expect([got.status, got.headers['content-type'], ids(got)]).toEqual([
      ...[200, 'application/json'],
      ['api', 'etl', 'web'],
    ]);
  },
  '`GET` and `HEAD` read a list; `OPTIONS` is 204 with `Allow`; any other method is 405.': async (host) => {
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
  '`HEAD` has the headers of `GET` and no body.': async (host) => {
    const { run: evaluate } = await serve(host);
    for (const query of ['', '?per_page=1', '?count', '?sort=Priorty', '?nothing']) {
      const [get, head] = [await evaluate(query), await evaluate(query, { method: 'HEAD' })];
      expect(head).toEqual({ ...get, text: '' });
      expect(get.text).not.toBe('');
    }
  },
  'Pages of other origins may read a list whose server names them: its answers then have the headers of CORS, those to `OPTIONS` with the methods and headers that are allowed.':
    async (host) => {
      const { run: evaluate } = await serve(host, {
        cors: { origins: ['https://a.example'], headers: ['X-User'] },
      });
      for (const query of ['', '?sort=Priorty']) {
        const { headers } = await evaluate(query, { headers: { Origin: 'https://a.example' } });
        expect(headers).toMatchObject({ 'access-control-allow-origin': 'https://a.example', vary: 'Origin' });
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
  '`per_page` is the most entries of a page; 0, or none, is as many as the server allows.': async (host) => {
    const [all, bounded] = [await serve(host), await serve(host, { maxPerPage: 2 })];
    expect(ids(await all.run('?per_page=1'))).toEqual(['api']);
    for (const query of ['', '?per_page=0', '?per_page=9']) {
      expect(ids(await all.run(query))).toHaveLength(3);
      expect(ids(await bounded.run(query))).toHaveLength(2);
    }
  },
  '`X-Next-Token` names the next page: send it as `next_token`, with the same `filter`, `sort`, `reverse` and `prefix`.':
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
  'The last page has none.': async (host) => {
    const { run: evaluate } = await serve(host);
    for (const query of ['', '?per_page=3', '?next_token=web&per_page=1', '?filter=ID+%3D%3D+nothing'])
      expect((await evaluate(query)).headers['x-next-token']).toBeUndefined();
  },
  '`sort` has fields between commas, descending with `-` before them; `reverse` is for lists without it.':
    async (host) => {
      const { run: evaluate } = await serve(host);
      expect(ids(await evaluate('?sort=-Priority'))).toEqual(['web', 'etl', 'api']);
      expect(ids(await evaluate('?sort=-Status,-Priority'))).toEqual(['web', 'api', 'etl']);
      expect(ids(await evaluate('?reverse'))).toEqual(['web', 'etl', 'api']);
      expect((await evaluate('?reverse&sort=Priority')).status).toBe(400);
      expect((await evaluate('?sort=Secret')).status).toBe(400);
    },
  '`sort` and `facets` name fields as filters do, `sort=-["First Name"],Age`; a comma in quotes does not separate, and responses have the plain names.':
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
      const counted = await evaluate(`?facets=${encodeURIComponent('["Status"]')}`);
      expect(json(counted)).toMatchObject({ facets: { Status: {} } });
      const refused = await evaluate(`?sort=${encodeURIComponent('["Status,Priority"]')}`);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Status,Priority')]);
    },
  '`prefix` wants rows whose key begins so, and no `filter` beside it.': async (host) => {
    const { run: evaluate } = await serve(host);
    expect(ids(await evaluate('?prefix=e'))).toEqual(['etl']);
    expect((await evaluate('?prefix=e&filter=ID+%3D%3D+etl')).status).toBe(400);
  },
  '`facets=Status` counts the values of fields in all rows that match: `total`, and for each field `values` and `others`.':
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
  '`count` gives the `total` alone.': async (host) => {
    const { run: evaluate } = await serve(host, { maxPerPage: 1 });
    expect(json(await evaluate('?count'))).toEqual({ total: 3 });
    expect(json(await evaluate('?count=false'))).toBeInstanceOf(Array);
    expect((await evaluate('?count=maybe')).status).toBe(400);
  },
  '`explain` tells how rows are found and, where none match, which clauses are to blame.': async (host) => {
    const { run: evaluate } = await serve(host);
    const found = await evaluate('?explain&filter=Status+%3D%3D+running');
    expect(json(found)).toMatchObject({ matched: 2, index: { field: 'Status' }, empty: null });
    const empty = json(await evaluate('?explain&filter=Status+%3D%3D+runing')) as { empty: object };
    expect(JSON.stringify(empty.empty)).toContain('running');
  },
  '`X-Index` counts the writes to the list.': async (host) => {
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
  'With `index` the answer waits until it is greater, or `wait` (`30s`, `5m`) is over.': async (host) => {
    const { run: evaluate, table } = await serve(host);
    const over = await evaluate('?index=11&wait=1ms');
    expect([over.status, over.headers['x-index']]).toEqual([200, '11']);
    const next = evaluate('?index=11&wait=5m');
    table.put(job('new', 1));
    expect((await next).headers['x-index']).toBe('12');
    expect((await evaluate('?index=11&wait=30s')).headers['x-index']).toBe('12');
    expect((await evaluate('?index=11&wait=30')).status).toBe(400);
  },
  'With `watch=result` it waits until the result of the question is another one, whatever else is written.':
    async (host) => {
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
  'With `changes` too the answer is what has come to the result, an object, where that is known; else it is the page, an array.':
    async (host) => {
      const { run: evaluate, table } = await serve(host);
      table.put(job('api', 99));
      const known = await evaluate('?index=11&watch=result&changes');
      expect(json(known)).toEqual({ entered: [], left: [], changed: [job('api', 99)] });
      expect(known.headers['x-index']).toBe('12');
      expect(json(await evaluate('?index=1&watch=result&changes'))).toBeInstanceOf(Array);
      expect((await evaluate('?index=11&changes')).status).toBe(400);
    },
  'What has `left` is named by its key.': async (host) => {
    const { run: evaluate, table } = await serve(host);
    table.delete('api');
    expect(json(await evaluate('?index=11&watch=result&changes'))).toMatchObject({ left: [{ ID: 'api' }] });
  },
  '`X-History` is another text where the same index may mean other rows.': async (host) => {
    const [one, other] = [await serve(host), await serve(host)];
    const history = async ({ run: evaluate }: typeof one): Promise<string | undefined> =>
      (await evaluate('')).headers['x-history'];
    expect(await history(one)).toBe(await history(one));
    expect(await history(one)).not.toBe(await history(other));
  },
  'Who sends it back as `history` is answered at once when it is.': async (host) => {
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
  'Who is ahead of the server is answered at once: the index is one of another process.': async (host) => {
    const { run: evaluate } = await serve(host);
    for (const watch of ['', '&watch=result'])
      expect((await evaluate(`?index=999&wait=10m${watch}`)).headers['x-index']).toBe('11');
  },
  '`ETag` is weak; `If-None-Match` is answered 304 without a look at rows.': async (host) => {
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
  'There is none for filters with `now`, nor for `changes`.': async (host) => {
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
  '`Vary` names the headers that tell who asks.': async (host) => {
    const { run: evaluate } = await serve(host, {
      caller: (head) => head.header('x-user') ?? head.header('authorization') ?? '',
    });
    expect((await evaluate('')).headers['vary']).toBe('X-User, Authorization');
    expect((await evaluate('?sort=Priorty')).headers['vary']).toBe('X-User, Authorization');
    expect((await evaluate('', { headers: { 'X-User': 'ann' } })).headers['vary']).toBe('X-User');
    const open = await serve(host);
    expect((await open.run('')).headers['vary']).toBeUndefined();
  },
  'A row that the caller may not see, or a field that is not shown, is not there for anything.': async (
    host,
  ) => {
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
  'Errors are texts of `text/plain`: 400 for the query, 401 and the like as the server says, 429 with `Retry-After` where there is no room, 503 from a list that is closed.':
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
  'A parameter that the list does not know, or one that is given twice, is 400 (unless the server says otherwise).':
    async (host) => {
      const [strict, lenient] = [await serve(host), await serve(host, { strict: false })];
      for (const query of ['?filtr=a', '?per_page=1&per_page=1']) {
        expect((await strict.run(query)).status).toBe(400);
        expect((await lenient.run(query)).status).toBe(200);
      }
      expect((await strict.run('?filtr=a')).text).toContain('did you mean filter?');
    },
  '100 parameters of 16,384 characters are the most of a query.': async (host) => {
    const { run: evaluate } = await serve(host, { strict: false });
    const many = (count: number): string => `?${'a=1&'.repeat(count - 1)}a=1`;
    expect([(await evaluate(many(100))).status, (await evaluate(many(101))).status]).toEqual([200, 400]);
    // Longer heads than 16 KiB are refused by node:http itself, with 431.
    const long = (count: number): string => `?prefix=${'a'.repeat(count)}`;
    expect((await evaluate(long(host === 'fetch' ? 16_384 : 12_000))).status).toBe(200);
    expect((await evaluate(long(16_385))).status).toBe(host === 'fetch' ? 400 : 431);
  },
};

/** The sentences of a document that are neither introduction, heading, example nor table. */
function sentencesOf(document: string): readonly string[] {
  const [, ...rest] = document.split('```');
  const text = rest.slice(1).join('');
  return text
    .split(/\n(?:\n|- )/)
    .map((block) => block.replace(/^- /, '').replace(/\s+/g, ' ').trim())
    .filter((block) => block !== '' && !/^[#|]/.test(block))
    .flatMap((block) => block.split(/(?<=\.) /));
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
