import { describe, expect, it } from 'vitest';
import { listClient } from '../../src/entries/client.js';
import { listEndpoint } from '../../src/entries/http.js';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import { arraySource, createList } from '../../src/entries/query.js';
import { sqlListSource, sqlMapping, text, int } from '../../src/entries/sql.js';

const schema = defineSchema({ id: t.string, rank: t.int });
type Row = RowOf<typeof schema>;

/** Reports that a program sends by calling `report`, as from LISTEN and NOTIFY. */
function createReports() {
  const waiting: ((result: IteratorResult<string>) => void)[] = [];
  const queued: string[] = [];
  let failure: Error | null = null;
  let fail: ((error: Error) => void) | null = null;
  return {
    report(key: string): void {
      const next = waiting.shift();
      if (next === undefined) queued.push(key);
      else next({ done: false, value: key });
    },
    fail(error: Error): void {
      failure = error;
      fail?.(error);
    },
    get isRead() {
      return waiting.length > 0;
    },
    changes: {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise<IteratorResult<string>>((resolve, reject) => {
            fail = reject;
            if (failure !== null) reject(failure);
            else if (queued.length > 0) resolve({ done: false, value: queued.shift() ?? '' });
            else waiting.push(resolve);
          }),
      }),
    } satisfies AsyncIterable<string>,
  };
}

type Reports = ReturnType<typeof createReports>;

/** Sources of rows that the test changes, each with the reports of it. */
const sources = {
  array: (rows: Row[], { changes }: Reports) =>
    arraySource(schema, () => rows, { key: 'id', sorts: ['rank'], changes }),
  SQL: (rows: Row[], { changes }: Reports) => {
    const columns = { id: text('id', { notNull: true }), rank: int('rank', { notNull: true }) };
    const mapping = sqlMapping(schema, { dialect: 'sqlite', table: 'rows', columns });
    const run = () =>
      [...rows].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, rank }) => ({ c0: id, c1: String(rank) }));
    return sqlListSource(mapping, run, { key: 'id', sorts: ['rank'], changes });
  },
};

describe.each(Object.entries(sources))('a watch of a source with reported changes: %s', (_, open) => {
  it('reports the difference at once, without polling', async () => {
    const rows: Row[] = [{ id: 'a', rank: 1 }];
    const reports = createReports();
    const list = createList(open(rows, reports), { pollIntervalMs: Infinity });
    const watch = list.watch({})[Symbol.asyncIterator]();
    expect((await watch.next()).value).toMatchObject({ kind: 'page', page: { items: [{ id: 'a' }] } });
    for (const id of ['b', 'c']) {
      const next = watch.next();
      rows.push({ id, rank: 2 });
      reports.report(id);
      expect((await next).value).toMatchObject({ kind: 'changes', entered: [{ id, rank: 2 }], left: [] });
    }
    await watch.return?.();
    list.close();
  });

  it('fails with the error of the reports', async () => {
    const reports = createReports();
    const list = createList(open([], reports), { pollIntervalMs: Infinity });
    const watch = list.watch({})[Symbol.asyncIterator]();
    await watch.next();
    const next = watch.next();
    reports.fail(new Error('connection lost'));
    await expect(next).rejects.toThrow('connection lost');
    list.close();
  });

  it('is served over HTTP, and its pages are not cached', async () => {
    const rows: Row[] = [{ id: 'a', rank: 1 }];
    const reports = createReports();
    const endpoint = listEndpoint(createList(open(rows, reports), { pollIntervalMs: Infinity }));
    const client = listClient<Row>('http://list/', {
      fetch: (url, init) => endpoint.fetch(new Request(url, init)),
    });
    const stop = new AbortController();
    const watch = client.watch({ filter: 'rank > 0' }, stop.signal)[Symbol.asyncIterator]();
    const first = (await watch.next()).value as { index: number };
    expect(first).toMatchObject({ kind: 'page', page: { items: [{ id: 'a' }], etag: null } });
    const next = watch.next();
    // A change of another row does not end the wait.
    rows.push({ id: 'z', rank: 0 });
    reports.report('z');
    rows.push({ id: 'b', rank: 1 });
    reports.report('b');
    const second = (await next).value as { index: number };
    expect(second).toMatchObject({ kind: 'page', page: { items: [{ id: 'a' }, { id: 'b' }] } });
    expect(second.index).toBeGreaterThan(first.index);
    stop.abort();
    rows.pop();
    expect((await client.page({ filter: 'rank > 0' })).items).toHaveLength(1);
    endpoint.close();
  });
});

it('rows with an integer that its type excludes are refused by name', async () => {
  const safe = defineSchema({ id: t.string, rank: t.int({ safe: true }) });
  const list = createList(
    arraySource(
      safe,
      () => [
        { id: 'a', rank: 1 },
        { id: 'b', rank: 2 ** 53 },
      ],
      { key: 'id' },
    ),
  );
  expect((await list.page({ filter: 'id == a' })).items).toHaveLength(1);
  await expect(list.page({})).rejects.toThrow('row "b": rank must be a safe int, got 9007199254740992');
});

it('changes that are not an async iterable are refused', () => {
  expect(() => arraySource(schema, () => [], { key: 'id', changes: [] as never })).toThrow(
    new TypeError('arraySource: changes must be an async iterable of keys, got an array'),
  );
});
