import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientError, listClient, type ClientChange, type ClientOptions } from '../../src/entries/client.js';
import { HttpError, listEndpoint } from '../../src/entries/http.js';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import { arraySource, createList } from '../../src/entries/query.js';
import { createTable, type Table } from '../../src/entries/table.js';
import { openHosts, type HostName, type Hosts } from '../http/support/hosts.js';

const schema = defineSchema({ ID: t.string, Status: t.string, Priority: t.int });
type Job = RowOf<typeof schema>;
const job = (ID: string, Priority: number, Status = 'running'): Job => ({ ID, Status, Priority });

let jobs: Table<Job>;
let hosts: Hosts;
/** While it is set, everybody is refused with it. */
let refusal: HttpError | null;

beforeEach(async () => {
  refusal = null;
  jobs = createTable(schema, { key: 'ID', indexes: ['Status'], sorts: ['Priority'], firstIndex: 10 });
  jobs.putAll([job('api', 50), job('etl', 51, 'dead'), job('web', 52)]);
  const endpoint = listEndpoint(jobs, {
    caller: (head) => {
      if (refusal !== null) throw refusal;
      return head.header('x-user') ?? '';
    },
    cacheKey: (user) => user,
    fieldParameters: { status: 'Status' },
    maxPerPage: 2,
  });
  hosts = await openHosts(endpoint);
});
afterEach(() => hosts.close());

const ids = (rows: readonly Partial<Job>[]): readonly (string | undefined)[] => rows.map(({ ID }) => ID);

describe.each<HostName>(['fetch', 'node', 'fastify'])('a client of %s', (host) => {
  function open(options: ClientOptions = {}) {
    const { url, fetch } = hosts.reach(host);
    return listClient<Job>(url, { fetch, backoff: () => 1, ...options });
  }

  it('reads a page, and gets it back without its rows while nothing is written', async () => {
    const client = open();
    const page = await client.page({ sort: '-Priority', perPage: 1 });
    expect(page).toMatchObject({ items: [job('web', 52)], nextToken: '-Priority:51.etl', index: 11 });
    expect(await client.page({ sort: '-Priority', perPage: 1 }, undefined, page)).toBe(page);
    jobs.put(job('api', 99));
    const next = await client.page({ sort: '-Priority', perPage: 1 }, undefined, page);
    expect([ids(next.items), next.index]).toEqual([['api'], 12]);
  });

  it.each([
    [{}, [['api', 'etl'], ['web']]],
    [{ perPage: 1 }, [['api'], ['etl'], ['web']]],
    [{ perPage: 1, nextToken: 'etl' }, [['etl'], ['web']]],
    [{ filter: 'Status == "running"', perPage: 1 }, [['api'], ['web']]],
    [{ prefix: 'w' }, [['web']]],
    [{ reverse: true }, [['web', 'etl'], ['api']]],
    [{ parameters: { status: 'dead' } }, [['etl']]],
    [{ filter: 'ID == "é&=+%"' }, [[]]],
  ])('reads the pages of %j one after the other', async (query, expected) => {
    const found: unknown[] = [];
    for await (const { items } of open().pages(query)) found.push(ids(items));
    expect(found).toEqual(expected);
  });

  it('counts and explains, whatever the page', async () => {
    const client = open();
    const query = { filter: 'Status == "running"', sort: 'Priority', perPage: 1 };
    expect(await client.count(query)).toBe(2);
    expect(await client.count()).toBe(3);
    expect(await client.facets(query, ['Status'])).toEqual({
      total: 2,
      facets: { Status: { values: [{ value: 'running', count: 2 }], others: 0 } },
    });
    expect(await client.explain({ filter: 'Status == "runing"' })).toMatchObject({
      matched: 0,
      empty: { rowsWithout: 3 },
    });
  });

  it('says what the server says', async () => {
    const client = open();
    const failure = await client.page({ sort: 'Priorty' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ClientError);
    expect(failure).toMatchObject({ status: 400, isPassing: false });
    expect((failure as ClientError).message).toContain('did you mean Priority?');
    expect(failure).toMatchObject({ code: 'invalid-sort', parameter: 'sort', span: null, suggestions: [] });
    const watch = client.watch({ filter: 'Status =' })[Symbol.asyncIterator]();
    await expect(watch.next()).rejects.toMatchObject({
      ...{ code: 'no-match', parameter: 'filter', span: { start: 7, end: 8 } },
      message: expect.stringContaining('1:8: expected an operator') as string,
      hint: expect.stringContaining('==') as string,
      suggestions: [{ replacement: '==' }],
    });
    refusal = new HttpError(429, 'Later', { 'Retry-After': '7' });
    await expect(client.count()).rejects.toMatchObject({
      ...{ status: 429, message: 'Later', retryAfter: 7_000, isPassing: true },
    });
    const gone = AbortSignal.abort(new Error('no more'));
    await expect(client.page({}, gone)).rejects.toThrow('no more');
  });

  it('sends the current headers', async () => {
    let user = 'ann';
    const client = open({ headers: () => Promise.resolve({ 'X-User': user }) });
    const page = await client.page();
    expect(await client.page({}, undefined, page)).toBe(page);
    user = 'bob';
    expect(await client.page({}, undefined, page)).not.toBe(page);
  });

  it('watches across broken connections, without repeating or missing a row', async () => {
    const errors: ClientError[] = [];
    const stop = new AbortController();
    const reported: ClientChange<Job>[] = [];
    const client = open({ onRetry: (error) => errors.push(error) });
    const watching = (async () => {
      for await (const change of client.watch({ filter: 'Status == "running"' }, stop.signal))
        reported.push(change);
    })();
    await expect.poll(() => reported.length).toBe(1);
    expect(reported[0]).toMatchObject({
      kind: 'page',
      index: 11,
      page: { items: [job('api', 50), job('web', 52)] },
    });

    jobs.put(job('api', 60));
    await expect.poll(() => reported.length).toBe(2);
    expect(reported[1]).toMatchObject({ kind: 'changes', entered: [], left: [], changed: [job('api', 60)] });

    const isReported = async (status: number): Promise<void> => {
      const poll = expect.poll(() => {
        hosts.cut();
        return errors.some((error) => error.status === status);
      });
      await poll.toBe(true);
    };
    await isReported(0);
    // Writes during a lost connection are still delivered, once.
    refusal = new HttpError(503, 'In a moment');
    await isReported(503);
    jobs.batch((rows) => {
      rows.delete('web');
      rows.put(job('etl', 51));
    });
    jobs.put(job('idle', 1, 'dead'));
    refusal = null;
    await expect.poll(() => reported.length).toBe(3);
    const last = reported[2];
    expect(last?.kind === 'page' ? ids(last.page.items) : last?.kind).toEqual(
      last?.kind === 'page' ? ['api', 'etl'] : 'changes',
    );
    if (last?.kind === 'changes')
      expect([ids(last.entered), last.left, last.changed]).toEqual([['etl'], [{ ID: 'web' }], []]);

    stop.abort();
    await watching;
    expect(reported).toHaveLength(3);
  });

  it('reports nothing without changes, and ends with a refusal', async () => {
    const reported: ClientChange<Job>[] = [];
    let requests = 0;
    const { fetch } = hosts.reach(host);
    const client = open({
      wait: 0,
      fetch: (url, init) => {
        requests += 1;
        return fetch(url, init);
      },
    });
    const watching = (async () => {
      for await (const change of client.watch()) reported.push(change);
    })();
    await expect.poll(() => requests).toBeGreaterThan(4);
    refusal = new HttpError(403, 'Not any more');
    await expect(watching).rejects.toThrow('Not any more');
    expect(reported).toHaveLength(1);
  });
});

describe('a client', () => {
  const responding = (text: string, init?: ResponseInit) => ({
    fetch: () => Promise.resolve(new Response(text, init)),
  });

  it('reloads the page when a server has restarted', async () => {
    const before = createTable(schema, { key: 'ID', firstIndex: 500 });
    const after = createTable(schema, { key: 'ID', firstIndex: 10 });
    before.put(job('a', 1));
    after.put(job('b', 1));
    let endpoint = listEndpoint(before);
    const client = listClient<Job>('http://list.example/', {
      fetch: (url, init) => endpoint.fetch(new Request(url, init)),
      backoff: () => 1,
    });
    const reported: unknown[] = [];
    for await (const change of client.watch()) {
      reported.push(change.kind === 'page' ? [change.index, ids(change.page.items)] : change.kind);
      if (reported.length === 2) break;
      const ended = endpoint;
      endpoint = listEndpoint(after);
      ended.close();
    }
    expect(reported).toEqual([
      [501, ['a']],
      [11, ['b']],
    ]);
  });

  it('waits longer after each failure, or for the requested delay, up to a maximum', async () => {
    const pauses: unknown[] = [];
    const limits = vi.spyOn(AbortSignal, 'timeout');
    vi.spyOn(Math, 'random').mockReturnValue(1);
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((done: () => void, milliseconds: number) => {
      pauses.push(milliseconds);
      queueMicrotask(done);
    }) as never);
    // The responses in order: a page, or a number of seconds for Retry-After; in the end nothing more is allowed.
    const results = ['7', '3600', null, null, null, null, 'page', null];
    const client = listClient<Job>('http://list.example/', {
      fetch: () => {
        const result = results.shift();
        if (result === undefined) return Promise.resolve(new Response('Not any more', { status: 403 }));
        if (result === 'page') {
          const headers = { 'X-Index': '5', 'X-History': 'a' };
          return Promise.resolve(new Response('[]', { headers }));
        }
        const headers = result === null ? [] : [['Retry-After', result] as [string, string]];
        return Promise.resolve(new Response('In a moment', { status: 503, headers }));
      },
    });
    try {
      const read = async () => {
        for await (const change of client.watch()) expect(change).toMatchObject({ index: 5 });
      };
      await expect(read()).rejects.toThrow('Not any more');
      expect(pauses).toEqual([7_000, 300_000, 2_000, 4_000, 8_000, 16_000, 500]);
      expect(limits.mock.calls).toEqual(Array.from({ length: 9 }, () => [85_000]));
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('ends a pause with the signal, whatever its length', async () => {
    const stop = new AbortController();
    let requests = 0;
    const client = listClient<Job>('http://list.example/', {
      fetch: () => {
        requests += 1;
        return Promise.resolve(new Response('', { status: 503, headers: { 'Retry-After': '3600' } }));
      },
      onRetry: () => setTimeout(() => stop.abort()),
    });
    for await (const change of client.watch({}, stop.signal)) expect(change).toBeNull();
    expect(requests).toBe(1);
  });

  it('forwards its signal, and resumes after its last position', async () => {
    const stop = new AbortController();
    const requests: URLSearchParams[] = [];
    const client = listClient<Job>('http://list.example/', {
      wait: 7,
      backoff: () => 1,
      fetch: (url, { signal }) => {
        requests.push(new URL(url).searchParams);
        if (requests.length === 1) {
          const headers = { 'X-Index': '12', 'X-History': 'a.1' };
          return Promise.resolve(new Response('[]', { headers }));
        }
        if (requests.length === 2) return Promise.reject(new TypeError('cut'));
        setTimeout(() => stop.abort());
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      },
    });
    for await (const change of client.watch({ filter: 'ID == a' }, stop.signal)) {
      expect(change).toMatchObject({ kind: 'page', index: 12 });
    }
    const after = {
      index: '12',
      history: 'a.1',
      watch: 'result',
      changes: 'true',
      positions: 'true',
      wait: '7s',
    };
    expect(requests.map((each) => Object.fromEntries(each))).toEqual([
      { filter: 'ID == a' },
      { filter: 'ID == a', ...after },
      { filter: 'ID == a', ...after },
    ]);
  });

  it('reports each change of its result, and nothing twice', async () => {
    const changes = (entered: string, next = ''): [string, string] => [
      `{"entered":[${entered}],"left":[],"changed":[]}`,
      next,
    ];
    // The response, and where the next page begins.
    const results: [text: string, next: string][] = [
      ['[{"ID":"a"}]', ''],
      ['[{"ID":"a"}]', ''],
      // Another place is another result, whether the rows or changes come.
      ['[{"ID":"a"}]', 'b'],
      changes('', 'b'),
      changes('', 'c'),
      changes('{"ID":"b"}', 'c'),
      // A page to which changes have come since is not the one before, even where it is the same.
      ['[{"ID":"a"}]', 'c'],
    ];
    let index = 0;
    const client = listClient<Job>('/', {
      backoff: () => 1,
      fetch: () => {
        const [text, next] = results[index] ?? ['', ''];
        if (text === '') return Promise.resolve(new Response('Not any more', { status: 403 }));
        const headers = { 'X-Index': String((index += 1)), ...(next === '' ? {} : { 'X-Next-Token': next }) };
        return Promise.resolve(new Response(text, { headers }));
      },
    });
    const reported: unknown[] = [];
    const read = async () => {
      for await (const change of client.watch())
        reported.push(
          change.kind === 'page'
            ? [change.index, ids(change.page.items), change.page.nextToken]
            : [change.index, 'entered', ids(change.entered), change.nextToken],
        );
    };
    await expect(read()).rejects.toThrow('Not any more');
    expect(reported).toEqual([
      [1, ['a'], null],
      [3, ['a'], 'b'],
      [5, 'entered', [], 'c'],
      [6, 'entered', ['b'], 'c'],
      [7, ['a'], 'c'],
    ]);
  });

  it('polls less and less often if a server never blocks, or two servers do not share state', async () => {
    const results = ['a 1', 'a 1', 'a 1', 'b 2', 'a 1', 'a 3', 'a 3'];
    const failures: number[] = [];
    const client = listClient<Job>('/', {
      backoff: (count) => {
        failures.push(count);
        return 1;
      },
      fetch: () => {
        const [history = '', ID] = results.shift()?.split(' ') ?? [];
        if (ID === undefined) return Promise.resolve(new Response('Not any more', { status: 403 }));
        const headers = { 'X-Index': '5', 'X-History': history };
        return Promise.resolve(new Response(JSON.stringify([{ ID }]), { headers }));
      },
    });
    const reported: unknown[] = [];
    const { signal } = new AbortController();
    const read = async () => {
      for await (const change of client.watch({}, signal))
        reported.push(change.kind === 'page' && ids(change.page.items));
    };
    await expect(read()).rejects.toThrow('Not any more');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(reported).toEqual([['1'], ['2'], ['1'], ['3']]);
    // Not after the first, nor after what is news of the same history.
    expect(failures).toEqual([1, 2, 3, 4, 1]);
  });

  it('knows the other names of an endpoint', async () => {
    const table = createTable(schema, { key: 'ID', firstIndex: 10 });
    table.putAll([job('a', 1), job('b', 2)]);
    const names = { per_page: 'limit', 'X-Index': 'X-Jobs-Index', 'X-Next-Token': 'X-After' };
    const { fetch } = listEndpoint(table, { rename: names });
    const client = listClient<Job>('http://list.example/?', {
      names,
      fetch: (url, init) => fetch(new Request(url, init)),
    });
    expect(await client.page({ perPage: 1 })).toMatchObject({ index: 11, nextToken: 'b' });
  });

  it('does not watch a source without changes', async () => {
    const source = arraySource(schema, () => [job('a', 1)], { key: 'ID' });
    const { fetch } = listEndpoint(createList(source));
    const client = listClient<Job>('http://list.example/', {
      fetch: (url, init) => fetch(new Request(url, init)),
    });
    const { items, index } = await client.page();
    expect([ids(items), index]).toEqual([['a'], null]);
    await expect(client.watch()[Symbol.asyncIterator]().next()).rejects.toThrow('reports no changes');
  });

  it.each([
    [responding('<html>'), 'The response is not that of a list', 200],
    [responding('{"a":1}'), 'The response is not that of a list', 200],
    [responding('', { status: 502 }), 'The list responded with 502', 502],
    [responding('a'.repeat(10_000), { status: 500 }), /^a{4000}$/, 500],
    [
      { fetch: () => Promise.reject(new TypeError('no route')) },
      'The list cannot be reached: TypeError: no route',
      0,
    ],
  ])('reports the mistake in an invalid response: %j', async (options, message, status) => {
    const client = listClient('http://list.example', options);
    await expect(client.page()).rejects.toThrow(message);
    await expect(client.page()).rejects.toMatchObject({ name: 'ClientError', status });
  });

  it.each([
    ['http://list.example/jobs', '?per_page=1'],
    ['/jobs?', '&per_page=1'],
    ['/jobs?a=b', '&per_page=1'],
    ['/jobs#top', '?per_page=1'],
    ['/jobs?a=b#top?', '&per_page=1'],
    [new URL('http://list.example/jobs#'), '?per_page=1'],
  ])('requests %s, for any base URL', async (address, requests) => {
    const urls: string[] = [];
    const client = listClient(address, {
      fetch: (url) => {
        urls.push(url);
        return Promise.resolve(new Response('[]'));
      },
    });
    await client.page({ perPage: 1 });
    expect(urls).toEqual([String(address).replace(/#.*/, '') + requests]);
  });

  it('does not follow a page that names itself as the next', async () => {
    const client = listClient('/', responding('[]', { headers: { 'X-Next-Token': 'a' } }));
    const read = async () => {
      for await (const page of client.pages()) expect(page.items).toEqual([]);
    };
    await expect(read()).rejects.toThrow('The next page is the same page');
  });

  it.each(['null', '5', '"text"', '{}', '{"entered":[]}', '[', '<html>'])(
    'rejects %s as a response of a list, and continues watching',
    async (odd) => {
      const received: unknown[] = [];
      let results: string[] = [];
      const client = listClient<Job>('/', {
        backoff: () => 1,
        fetch: () => Promise.resolve(new Response(results.shift() ?? odd, { headers: { 'X-Index': '1' } })),
        onRetry: (error) => received.push(error),
      });
      for (const evaluate of [
        () => client.page(),
        () => client.count(),
        () => client.facets({}, ['Status']),
        () => client.explain(),
      ]) {
        await expect(evaluate()).rejects.toBeInstanceOf(ClientError);
      }
      results = [odd, '[]', odd, '[{"ID":"a"}]'];
      const reported: unknown[] = [];
      for await (const change of client.watch()) {
        reported.push(change.kind === 'page' ? change.page.items : change);
        if (reported.length === 2) break;
      }
      expect(reported).toEqual([[], [{ ID: 'a' }]]);
      expect(received).toEqual([expect.any(ClientError), expect.any(ClientError)]);
    },
  );

  it.each([
    [() => listClient(5 as never), 'url must be an absolute URL .*, got 5'],
    [
      () => listClient('/', { feilds: 1 } as never),
      'unknown option "feilds". The options are fetch, headers',
    ],
    [() => listClient('/', { wait: 601 }), 'wait must be a number of seconds from 0 to 600'],
  ])('refuses wrong arguments (%#)', (call, message) => {
    expect(call).toThrow(new RegExp(`listClient: .*${message}`));
  });
});
