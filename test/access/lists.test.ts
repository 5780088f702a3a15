import { isDeepStrictEqual as isSame } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { definePolicy } from '../../src/entries/access.js';
import { applyChanges, listClient, type ClientPage } from '../../src/entries/client.js';
import { columns } from '../../src/entries/columns.js';
import { listEndpoint, type EndpointOptions } from '../../src/entries/http.js';
import { createTable } from '../../src/entries/table.js';
import { arraySource, createList, type List, type Query } from '../../src/entries/query.js';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import type { Draw } from '../support/draw.js';
import { drawFrom } from './draw-from.js';

const schema = defineSchema({
  ...{ ID: t.string, Tenant: t.string, Owner: t.nullable(t.string), Level: t.int, Sealed: t.bool },
  Tags: t.list(t.string),
});
type Doc = RowOf<typeof schema>;

const policy = definePolicy({
  schema,
  caller: defineSchema({ tenants: t.list(t.string), id: t.string, level: t.int }),
  actions: ['read'],
  rules: [
    { effect: 'allow', actions: ['read'], when: '@Tenant in caller.tenants and Level <= @caller.level' },
    { effect: 'allow', actions: ['read'], when: 'Owner == @caller.id' },
    { effect: 'deny', actions: ['read'], when: 'Sealed == true' },
  ],
});

type Who = Parameters<typeof policy.access>[0];
const names = ['red', 'green', 'blue'] as const;

function drawDoc(draw: Draw, id: number): Doc {
  return {
    ID: `d${String(id).padStart(4, '0')}`,
    Tenant: draw.pick(names),
    Owner: draw.pick([null, 'ann', 'bob']),
    Level: draw.below(4),
    Sealed: draw.oneIn(4),
    Tags: draw.list(0, 2, () => draw.pick(names)),
  };
}

function drawWho(draw: Draw): Who {
  return {
    tenants: draw.list(0, 2, () => draw.pick(names)),
    id: draw.pick(['ann', 'eve']),
    level: draw.below(4),
  };
}

const filters = [
  '',
  'Tenant == "red"',
  'Level > 1 and Tenant != "blue"',
  '"red" in Tags',
  'Tenant in ["red", "green"] or Level == 0',
  'Owner is nil',
];

function drawQuery(draw: Draw): Query<Doc> {
  const [filter, sort] = [draw.pick(filters), draw.pick(['', 'Level', '-Tenant,Level', 'ID'])];
  return {
    ...(filter === '' ? {} : { filter }),
    ...(sort === '' ? {} : { sort }),
    perPage: draw.pick([0, 1, 2, 5]),
    total: draw.oneIn(2),
  };
}

function listOf(rows: readonly Doc[]): List<Doc> {
  return createList(arraySource(schema, () => rows, { key: 'ID', sorts: ['ID', 'Tenant', 'Level'] }));
}

/** Lists of the same rows, by the kind of source. */
function listsOf(rows: readonly Doc[]): ReadonlyMap<string, List<Doc>> {
  const sorts = ['ID', 'Tenant', 'Level'] as const;
  const plain = createTable(schema, { key: 'ID', sorts });
  const indexed = createTable(schema, { key: 'ID', sorts, indexes: ['Tenant', 'Level', 'Owner', 'Tags'] });
  const cached = createTable(schema, { key: 'ID', sorts, columns: columns(['Tenant', 'Level']) });
  for (const table of [plain, indexed, cached]) table.putAll(rows);
  return new Map<string, List<Doc>>([
    ['array', listOf(rows)],
    ['table', createList(plain) as unknown as List<Doc>],
    ['indexed table', createList(indexed) as unknown as List<Doc>],
    ['table with columns', createList(cached) as unknown as List<Doc>],
  ]);
}

/** Returns everything that a list returns for a query: all pages, the count, facets, and the explanation or the error. */
async function readAll(list: List<Doc>, query: Query<Doc>): Promise<unknown> {
  const pages: unknown[] = [];
  let nextToken: string | null = null;
  do {
    const { index: _, ...page } = await list.page({ ...query, nextToken });
    pages.push(page);
    ({ nextToken } = page);
  } while (nextToken !== null);
  const { total: _, ...counted } = query;
  const { filter, access } = counted;
  const reading = {
    ...(filter === undefined ? {} : { filter }),
    ...(access === undefined ? {} : { access }),
  };
  return { pages, count: await list.count(reading), facets: await list.facets(reading, ['Tenant', 'Level']) };
}

describe('Query.access', () => {
  it('gives what the list of the visible rows gives, for every source', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const draw = drawFrom(seed);
        const rows = Array.from({ length: draw.below(60) }, (_, id) => drawDoc(draw, id));
        const lists = listsOf(rows);
        for (let times = 0; times < 3; times += 1) {
          const access = policy.access(drawWho(draw), 'read');
          const query = drawQuery(draw);
          const visible = listOf(rows.filter(access.test));
          const expected = await readAll(visible, query);
          for (const [name, list] of lists)
            expect([name, await readAll(list, { ...query, access })]).toEqual([name, expected]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('chooses indexes by the access filter only', async () => {
    const table = createTable(schema, { key: 'ID', indexes: ['Tenant', 'Level'] });
    table.putAll(Array.from({ length: 2_000 }, (_, id) => drawDoc(drawFrom(id), id)));
    const list = createList(table);
    const nobody = policy.access({ tenants: [], id: 'x', level: 9 }, 'read');
    const { index, examined } = await list.explain({
      filter: 'Tenant == "red" and Level == 1',
      access: nobody,
    });
    expect(index).toEqual({ field: null, keys: [], range: null });
    expect(examined).toBe(0);
  });

  it('rejects access together with visible, filters that are not access filters, and other schemas', async () => {
    const list = listOf([]);
    const access = policy.access({ tenants: [], id: 'x', level: 9 }, 'read');
    await expect(list.page({ access, visible: () => true })).rejects.toThrow(
      'access cannot be combined with visible',
    );
    await expect(list.page({ access: { test: () => true } as never })).rejects.toThrow(
      'list.page: access must come from policy.access',
    );
    const other = createList(createTable(defineSchema({ ID: t.string }), { key: 'ID' }));
    await expect(other.page({ access: access as never })).rejects.toThrow('access belongs to another schema');
  });
});

it('evaluates claims that expire again for each query', async () => {
  const expiring = definePolicy({
    schema,
    caller: defineSchema({ until: t.time, tenant: t.string }),
    actions: ['read'],
    rules: [
      { effect: 'allow', actions: ['read'], when: 'caller.until > now' },
      { effect: 'allow', actions: ['read'], when: 'Tenant == @caller.tenant and caller.until <= now' },
    ],
  });
  const table = createTable(schema, { key: 'ID', indexes: ['Tenant'] });
  table.putAll(Array.from({ length: 30 }, (_, id) => drawDoc(drawFrom(id), id)));
  let now = new Date('2100-01-01');
  const list = createList(table, { now: () => now });
  const access = expiring.access({ until: '2200-01-01T00:00:00Z', tenant: 'red' }, 'read');
  expect([access.kind, access.usesNow, await list.count({ access })]).toEqual(['all', true, 30]);
  now = new Date('2300-01-01');
  const red = await list.count({ filter: 'Tenant == "red"' });
  expect([await list.count({ access }), red < 30]).toEqual([red, true]);
  expect((await list.page({ access })).items.every(({ Tenant }) => Tenant === 'red')).toBe(true);
});

it('keeps a client of a quiet list current', async () => {
  const { table, endpoint } = serve([], { quiet: true });
  const stop = new AbortController();
  const client = listClient<Doc>('http://list/', {
    headers: { who: JSON.stringify(ann) },
    fetch: (url, init) => endpoint.fetch(new Request(url, init)),
  });
  const pages: string[][] = [];
  let page: ClientPage<Doc> | null = null;
  for await (const change of client.watch({}, stop.signal)) {
    page = applyChanges(page, change);
    pages.push(page.items.map(({ ID }) => ID));
    if (pages.length === 3) stop.abort();
    // A row that the client may not see, and one that it may.
    table.put({ ...drawDoc(drawFrom(1), 10 + pages.length), Tenant: 'blue', Owner: 'bob' });
    table.put({ ...drawDoc(drawFrom(1), pages.length), Tenant: 'red', Level: 0, Sealed: false });
  }
  expect(pages).toEqual([[], ['d0001'], ['d0001', 'd0002']]);
});

/** Serves rows to the caller that the header `who` names. */
function serve(rows: readonly Doc[], options: EndpointOptions<Doc, Who> = {}) {
  const table = createTable(schema, { key: 'ID', sorts: ['Level'], indexes: ['Tenant', 'Level'] });
  table.putAll(rows);
  const endpoint = listEndpoint<Doc, Who>(table as never, {
    caller: ({ header }) => JSON.parse(header('who') ?? '{}') as Who,
    access: (who) => policy.access(who, 'read'),
    ...options,
  });
  const get = async (query: string, who: Who, headers: Record<string, string> = {}) => {
    const response = await endpoint.fetch(
      new Request(`http://list/?${query}`, { headers: { who: JSON.stringify(who), ...headers } }),
    );
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return { table, endpoint, get };
}

const ann: Who = { tenants: ['red'], id: 'ann', level: 2 };

describe('listEndpoint with access', () => {
  it('sends the same bytes whatever the rows are that the caller may not see', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const draw = drawFrom(seed);
        const rows = Array.from({ length: 30 }, (_, id) => drawDoc(draw, id));
        const who = drawWho(draw);
        const { test } = policy.access(who, 'read');
        const seen = rows.filter(test);
        const other = [...seen, ...rows.filter((row) => !test(row)).slice(0, draw.below(20))];
        const [all, some] = [rows, other].map((each) => serve(each, { quiet: true }));
        const filter = draw.pick([...filters, 'Ownr == 1', 'Level == "x"', 'Tenant =']);
        for (const kind of [
          'per_page=3',
          'per_page=3&sort=-Level&total=true',
          'count=true',
          'facets=Tenant',
          'explain=true',
        ]) {
          const query = `${kind}&filter=${encodeURIComponent(filter)}`;
          const [a, b] = await Promise.all([all?.get(query, who), some?.get(query, who)]);
          // Entity tags contain a random value of the endpoint.
          for (const each of [a, b]) each?.headers.delete('ETag');
          expect([a?.status, [...(a?.headers ?? [])], a?.body]).toEqual([
            b?.status,
            [...(b?.headers ?? [])],
            b?.body,
          ]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the ETag when rows change that the caller may not see', async () => {
    const { table, get } = serve(Array.from({ length: 40 }, (_, id) => drawDoc(drawFrom(id), id)));
    const before = await get('per_page=5', ann);
    const tag = before.headers.get('ETag') ?? '';
    expect(tag).toMatch(/^W\/"/);
    table.put({ ...drawDoc(drawFrom(1), 900), Tenant: 'blue', Owner: 'bob' });
    expect((await get('per_page=5', ann, { 'If-None-Match': tag })).status).toBe(304);
    table.put({ ...drawDoc(drawFrom(1), 0), ID: 'a', Tenant: 'red', Level: 0, Sealed: false });
    const after = await get('per_page=5', ann, { 'If-None-Match': tag });
    expect([after.status, after.headers.get('ETag') === tag]).toEqual([200, false]);
    // Other rights have another tag.
    expect((await get('per_page=5', { ...ann, level: 3 })).headers.get('ETag')).not.toBe(tag);
  });

  it('hides indexes if it is quiet, and lets clients wait with the ETag', async () => {
    const { table, get } = serve([], { quiet: true });
    const first = await get('', ann);
    expect([...first.headers.keys()]).not.toContain('x-index');
    const tag = first.headers.get('ETag') ?? '';
    expect((await get('index=1', ann)).body).toContain('wait with `watch=result` and the ETag');
    const waiting = get('watch=result&wait=60s', ann, { 'If-None-Match': tag });
    table.put({ ...drawDoc(drawFrom(1), 1), Tenant: 'blue', Owner: 'bob' });
    table.put({ ...drawDoc(drawFrom(1), 2), Tenant: 'red', Level: 0, Sealed: false });
    expect(JSON.parse((await waiting).body)).toMatchObject([{ ID: 'd0002' }]);
  });

  it('responds 500 without details or rows if the policy fails', async () => {
    const onError = vi.fn();
    const { get } = serve([drawDoc(drawFrom(1), 1)], { onError });
    const tenants = Array.from({ length: 3_000 }, (_, at) => `t${at}`);
    const failed = await get('', { ...ann, tenants });
    expect([failed.status, failed.body.includes('terms') || failed.body.includes('d0001')]).toEqual([
      500,
      false,
    ]);
    expect(String(onError.mock.calls[0]?.[0])).toContain('maxResidualTerms');
    const { get: wrong } = serve([], { onError, access: (() => ({})) as never });
    expect((await wrong('', ann)).status).toBe(500);
  });
});

describe('watches with access', () => {
  it('report rows that become visible or invisible to the caller, and nothing about others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const draw = drawFrom(seed);
        const table = createTable(schema, { key: 'ID', sorts: ['Level'], indexes: ['Tenant'] });
        table.putAll(Array.from({ length: 20 }, (_, id) => drawDoc(draw, id)));
        const list = createList(table);
        const stop = new AbortController();
        const query = {
          access: policy.access(drawWho(draw), 'read'),
          sort: 'Level',
          perPage: draw.pick([0, 3]),
        };
        const changes = list.watch(query, stop.signal)[Symbol.asyncIterator]();
        const next = async (): Promise<unknown> => ((await changes.next()) as { value: unknown }).value;
        let page = applyChanges(null, (await next()) as never);
        let pending = next();
        for (let times = 0; times < 8; times += 1) {
          if (draw.oneIn(4)) table.delete(`d${String(draw.below(20)).padStart(4, '0')}`);
          else table.put(drawDoc(draw, draw.below(24)));
          const now = await list.page(query);
          if (isSame(now.items, page.items) && now.nextToken === page.nextToken) continue;
          page = applyChanges(page, (await pending) as never);
          pending = next();
          expect(page.items).toEqual(now.items);
        }
        stop.abort();
        await pending;
      }),
      { numRuns: 40 },
    );
  });
});
