import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../src/entries/client.js';
import {
  arraySource,
  createList,
  createPool,
  type List,
  type ListOptions,
  type ListPage,
  type Query,
  type ResultChange,
} from '../../src/entries/query.js';
import { livePool } from '../../src/lists/query/source/pool.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';
import { scaled } from '../support/property-runs.js';

interface Row {
  readonly ID: string;
  readonly Rank: number;
}

const rowOf = (ID: string, Rank: number): Row => ({ ID, Rank });

function open(options: ListOptions = {}, retained: { changes?: number } = {}) {
  const table = createTable(defineSchema({ ID: t.string, Rank: t.int }), {
    key: 'ID',
    sorts: ['Rank'],
    retained,
  });
  table.putAll(Array.from({ length: 10 }, (_, at) => rowOf(`row-${at}`, at)));
  return { table, list: createList(table, options) as List<Row> };
}

function watch(list: List<Row>, query: Query<Row>, signal?: AbortSignal) {
  const changes = list.watch(query, signal)[Symbol.asyncIterator]();
  const next = async (): Promise<ResultChange<Row>> => {
    const { value, done } = await changes.next();
    if (done === true) throw new Error('The watch has ended');
    return value;
  };
  return { next, end: () => changes.return?.() };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a watched page', () => {
  it('loses a row that a batch put back to an equal one before', async () => {
    const { table, list } = open();
    const { next } = watch(list, { sort: 'Rank', perPage: 3, total: true });
    let page: ListPage<Row> | null = applyChanges(null, await next());
    table.batch((writer) => {
      writer.put(rowOf('row-0', 7));
      writer.put(rowOf('row-0', 0));
      writer.put(rowOf('row-9', 8));
    });
    table.delete('row-0');
    while (page.index < table.index) page = applyChanges(page, await next());
    expect(page).toMatchObject({
      items: [rowOf('row-1', 1), rowOf('row-2', 2), rowOf('row-3', 3)],
      total: 9,
    });
    list.close();
  });

  it('is opened while its rows are written and its filter depends on the clock', async () => {
    const table = createTable(defineSchema({ ID: t.string, At: t.time('s') }), { key: 'ID' });
    table.putAll(Array.from({ length: 5_000 }, (_, at) => ({ ID: `row-${at}`, At: at })));
    const list = createList(table, { pool: createPool({ sliceBudget: 0.01 }) });
    const changes = list.watch({ filter: 'At < now', total: true })[Symbol.asyncIterator]();
    let isOpen = false;
    const opening = changes.next().then(({ value }) => {
      isOpen = true;
      return value as ResultChange<object> | undefined;
    });
    for (let turn = 0; turn < 100_000 && !isOpen; turn += 1) {
      table.put({ ID: 'row-0', At: turn });
      await turns(1);
    }
    expect(isOpen).toBe(true);
    expect(await opening).toMatchObject({ kind: 'page', page: { total: 5_000 } });
    list.close();
  });

  it('is released when the signal is aborted between two reads', async () => {
    const { list } = open();
    const stop = new AbortController();
    const { next } = watch(list, { perPage: 3 }, stop.signal);
    await next();
    expect(list.stats.watched).toBe(1);
    stop.abort();
    expect(list.stats.watched).toBe(0);
    await expect(next()).rejects.toThrow('The watch has ended');
    list.close();
  });

  it('gives each reader its own list of rows', async () => {
    const { list } = open();
    const [first, second] = [watch(list, { perPage: 3 }), watch(list, { perPage: 3 })];
    const change = await first.next();
    if (change.kind === 'page') (change.page.items as Row[]).length = 0;
    expect(await second.next()).toMatchObject({ page: { items: [{}, {}, {}] } });
    list.close();
  });

  it('reports rows, their positions, the next token and the total', async () => {
    const { table, list } = open();
    const { next } = watch(list, { filter: 'Rank >= 2', sort: '-Rank', perPage: 3, total: true });
    expect(await next()).toMatchObject({
      kind: 'page',
      page: { total: 8, items: [{ Rank: 9 }, {}, { Rank: 7 }] },
    });
    table.put(rowOf('row-1', 8));
    expect(await next()).toEqual({
      kind: 'changes',
      index: table.index,
      since: table.index - 1,
      entered: [rowOf('row-1', 8)],
      left: [rowOf('row-7', 7)],
      changed: [],
      nextToken: expect.stringContaining('row-7') as string,
      total: 9,
      positions: { entered: [2], removed: [2], changed: [] },
    });
  });

  it('reports a total that changes on another page', async () => {
    const { table, list } = open();
    const { next } = watch(list, { filter: 'Rank >= 0', perPage: 1, total: true });
    await next();
    table.delete('row-9');
    expect(await next()).toMatchObject({ entered: [], left: [], changed: [], total: 9 });
  });

  it('reports facets of all pages, and in changes only if they differ', async () => {
    const { table, list } = open();
    const { next } = watch(list, { filter: 'Rank >= 7', perPage: 1, facets: ['Rank'] });
    const valuesOf = (...counts: readonly (readonly [number, number])[]): object => ({
      Rank: { values: counts.map(([value, count]) => ({ value: BigInt(value), count })), others: 0 },
    });
    expect(await next()).toMatchObject({ page: { total: null, facets: valuesOf([7, 1], [8, 1], [9, 1]) } });
    table.put(rowOf('row-8', 9));
    expect(await next()).toMatchObject({ entered: [], changed: [], facets: valuesOf([9, 2], [7, 1]) });
    table.batch((writer) => {
      writer.put(rowOf('row-7', 6));
      writer.put(rowOf('row-6', 7));
    });
    const moved = await next();
    expect(moved).toMatchObject({ entered: [{ ID: 'row-6' }], left: [{ ID: 'row-7' }] });
    expect(moved).not.toHaveProperty('facets');
  });

  it('counts all rows again after each change if there are more values than are counted', async () => {
    const { table, list } = open({}, { changes: 200_000 });
    const query = { perPage: 1, facets: ['ID'] };
    table.putAll(Array.from({ length: 10_000 }, (_, at) => rowOf(`row-${at}`, 1)));
    const { next } = watch(list, query);
    let page = applyChanges(null as ListPage<Row> | null, await next());
    const writes = [
      () => table.put(rowOf('a', 1)),
      () => table.put(rowOf('b', 1)),
      () => table.delete('row-1'),
      () => table.delete('a'),
      () => table.delete('b'),
    ];
    for (const write of writes) {
      write();
      page = applyChanges(page, await next());
      expect(page.facets).toEqual((await list.page(query)).facets);
    }
  });

  it('rejects facets that the list does not have', async () => {
    const { list } = open();
    await expect(watch(list, { facets: ['Rnk'] }).next()).rejects.toMatchObject({
      code: 'invalid-facets',
      message: 'Unknown facet "Rnk": did you mean Rank? The facets of this list are ID, Rank',
    });
    expect(list.stats.watched).toBe(0);
  });

  it('reports the total and the facets of an array', async () => {
    let rows: readonly Row[] = [rowOf('a', 1)];
    const list = createList(
      arraySource(defineSchema({ ID: t.string, Rank: t.int }), () => rows, { key: 'ID' }),
      { pollIntervalMs: 1 },
    ) as List<Row>;
    const { next, end } = watch(list, { total: true, facets: ['Rank'] });
    let page = applyChanges(null as ListPage<Row> | null, await next());
    expect(page).toMatchObject({ total: 1, facets: { Rank: { values: [{ value: 1n, count: 1 }] } } });
    rows = [...rows, rowOf('b', 1)];
    page = applyChanges(page, await next());
    expect(page).toMatchObject({ total: 2, facets: { Rank: { values: [{ value: 1n, count: 2 }] } } });
    await end();
  });

  it('reports the writes between two reads as one change', async () => {
    const { table, list } = open();
    const { next } = watch(list, { sort: 'Rank', perPage: 3 });
    let page: ListPage<Row> = applyChanges(null as ListPage<Row> | null, await next());
    for (let turn = 0; turn < 100; turn += 1) {
      table.put(rowOf(`row-${turn % 10}`, (turn * 7) % 11));
      await turns(1);
    }
    page = applyChanges(page, await next());
    const { items, nextToken } = await list.page({ sort: 'Rank', perPage: 3 });
    expect(page).toMatchObject({ items, nextToken });
    expect(list.stats.watched).toBe(1);
  });

  it('equals the page, the total and the facets that are fetched again after random writes', async () => {
    const write = fc.record({ at: fc.nat(12), rank: fc.option(fc.nat(6)), isRead: fc.boolean() });
    const query = fc.record({
      filter: fc.constantFrom('', 'Rank >= 2', 'Rank < 4 and ID != "row-3"', 'Rank == 5 or ID == "row-1"'),
      sort: fc.constantFrom('', 'Rank', '-Rank'),
      perPage: fc.constantFrom(0, 1, 3),
    });
    const property = fc.asyncProperty(query, fc.array(write, { maxLength: 40 }), async (drawn, writes) => {
      const { table, list } = open();
      const all = { ...drawn, total: true, facets: ['Rank'] };
      const { next, end } = watch(list, all);
      const current = async (): Promise<ListPage<Row>> => list.page(all);
      let page = applyChanges(null as ListPage<Row> | null, await next());
      for (const { at, rank, isRead } of [...writes, { at: 0, rank: 5, isRead: true }]) {
        if (rank === null) table.delete(`row-${at}`);
        else table.put(rowOf(`row-${at}`, rank));
        if (!isRead) continue;
        const { items, nextToken, total, facets } = await current();
        const isSame = (): boolean =>
          isDeepStrictEqual(
            [page.items, page.nextToken, page.total, page.facets],
            [items, nextToken, total, facets],
          );
        for (let turn = 0; turn < 2 && !isSame(); turn += 1) page = applyChanges(page, await next());
        expect(page).toMatchObject({ items, nextToken, total, facets });
      }
      await end();
    });
    await fc.assert(property, { numRuns: scaled(60) });
  });

  it('reports the page again if a write has more rows than the feed keeps', async () => {
    const { table, list } = open({}, { changes: 2 });
    const { next } = watch(list, { perPage: 2 });
    await next();
    table.putAll([rowOf('a', 1), rowOf('b', 2), rowOf('c', 3)]);
    expect(await next()).toMatchObject({
      kind: 'page',
      index: table.index,
      page: { items: [{ ID: 'a' }, { ID: 'b' }] },
    });
  });

  it('reports the page again if more changes are queued than are applied', async () => {
    const { table, list } = open({}, { changes: 200_000 });
    const { next } = watch(list, { perPage: 2 });
    await next();
    table.putAll(Array.from({ length: 70_000 }, (_, at) => rowOf(`a-${at}`, at)));
    expect(await next()).toMatchObject({
      kind: 'page',
      index: table.index,
      page: { items: [{ ID: 'a-0' }, {}] },
    });
  });

  it('reports the changes of a write of thousands of rows', async () => {
    const { table, list } = open();
    const { next } = watch(list, { perPage: 2 });
    await next();
    table.putAll(Array.from({ length: 2_000 }, (_, at) => rowOf(`a-${at}`, at)));
    expect(await next()).toMatchObject({
      kind: 'changes',
      entered: [{ ID: 'a-0' }, { ID: 'a-1' }],
      left: [{}, {}],
    });
  });

  it('is shared by watches of one query', async () => {
    const { table, list } = open();
    const watches = [1, 2, 3].map(() => watch(list, { filter: 'Rank > 3', perPage: 2 }));
    for (const { next } of watches) await next();
    expect(list.stats.watched).toBe(1);
    table.put(rowOf('row-4', 5));
    for (const { next } of watches)
      expect(await next()).toMatchObject({ changed: [{ ID: 'row-4', Rank: 5 }] });
    for (const { end } of watches) await end();
    expect(list.stats).toMatchObject({ watched: 0, waiting: 0 });
  });

  it('ends a pending read when the caller stops', async () => {
    const { list } = open();
    const { next, end } = watch(list, { perPage: 2 });
    await next();
    const pending = next();
    await turns(2);
    expect(list.stats).toMatchObject({ watched: 1, waiting: 1 });
    await end();
    await expect(pending).rejects.toThrow('The watch has ended');
    expect(list.stats).toMatchObject({ watched: 0, waiting: 0 });
  });

  it('rejects reads with the reason of a filter that fails, and ends', async () => {
    const table = createTable(defineSchema({ ID: t.string, In: t.nullable(t.struct({ A: t.int })) }), {
      key: 'ID',
    });
    table.put({ ID: 'a', In: { A: 1 } });
    const changes = createList(table).watch({ filter: 'In.A == 1' })[Symbol.asyncIterator]();
    await changes.next();
    const pending = changes.next();
    table.put({ ID: 'b', In: null });
    await expect(pending).rejects.toMatchObject({ name: 'FilterEvaluationError' });
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  it('reports the error of a function for visible rows', async () => {
    const { table, list } = open();
    const visible = (row: Row): boolean => {
      if (row.Rank > 50) throw new Error('unknown rank');
      return true;
    };
    const { next } = watch(list, { visible, perPage: 2 });
    await next();
    const pending = next();
    table.put(rowOf('a', 51));
    await expect(pending).rejects.toThrow('unknown rank');
  });

  it('reports rows that a filter with a clock matches later', async () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const table = createTable(defineSchema({ ID: t.string, At: t.time }), { key: 'ID' });
    table.put({ ID: 'a', At: '2030-01-01T00:30:00Z' });
    const list = createList(table, { now: () => now, pollIntervalMs: 1 });
    const changes = list.watch({ filter: 'At < now' })[Symbol.asyncIterator]();
    expect((await changes.next()).value).toMatchObject({ page: { items: [] } });
    const pending = changes.next();
    table.put({ ID: 'b', At: '2029-01-01T00:00:00Z' });
    expect((await pending).value).toMatchObject({ entered: [{ ID: 'b' }] });
    now = new Date('2030-01-01T01:00:00Z');
    expect((await changes.next()).value).toMatchObject({ entered: [{ ID: 'a' }] });
    await changes.return?.();
  });
});

describe('maxWatchedBytes', () => {
  it('rejects a watch that would exceed it', async () => {
    const { list } = open({ pool: createPool({ maxWatchedBytes: 5_000 }) });
    const first = watch(list, { perPage: 1 });
    await first.next();
    const pending = first.next();
    await turns(2);
    await expect(watch(list, { perPage: 2 }).next()).rejects.toMatchObject({ code: 'too-busy' });
    await first.end();
    await pending.catch(() => undefined);
    expect(await watch(list, { perPage: 2 }).next()).toMatchObject({ kind: 'page' });
  });

  it('closes pages that no reader waits for, which are read again later', async () => {
    const { table, list } = open({ pool: createPool({ maxWatchedBytes: 5_000 }) });
    const first = watch(list, { perPage: 1 });
    await first.next();
    const second = watch(list, { perPage: 2 });
    await second.next();
    expect(list.stats.watched).toBe(1);
    table.put(rowOf('a', 1));
    expect(await first.next()).toMatchObject({ kind: 'changes', entered: [{ ID: 'a' }] });
  });

  it('evicts the rows after each page before it rejects a watch', async () => {
    const pages = 10;
    const open100 = async (maxWatchedBytes?: number) => {
      const pool = livePool('test', createPool(maxWatchedBytes === undefined ? {} : { maxWatchedBytes }));
      const { table, list } = open({ pool });
      table.putAll(Array.from({ length: 100 }, (_, at) => rowOf(`row-${at}`, at)));
      const watches = Array.from({ length: pages }, (_, at) => watch(list, { perPage: 20 + at }));
      for (const { next } of watches) await next();
      const pending = watches.map(({ next }) => next());
      await turns(2);
      return { table, list, pool, pending };
    };
    const unlimited = await open100();
    expect(unlimited.list.stats.watched).toBe(pages);
    // With their reserves, the pages would exceed the limit.
    const maxWatchedBytes = unlimited.pool.watchedBytes - 100;
    const { table, list, pool, pending } = await open100(maxWatchedBytes);
    expect(list.stats.watched).toBe(pages);
    expect(pool.watchedBytes).toBeLessThanOrEqual(maxWatchedBytes - 100);
    // A page without a reserve reads the table again if rows leave it.
    table.batch((writer) => {
      for (const key of ['row-0', 'row-1', 'row-10']) writer.delete(key);
    });
    for (const each of pending)
      expect(await each).toMatchObject({ left: [{}, {}, {}], entered: [{}, {}, {}] });
    const ends = unlimited.pending.map((each) => expect(each).rejects.toThrow('The watch has ended'));
    unlimited.list.close();
    list.close();
    await Promise.all(ends);
    expect([pool.watchedBytes, unlimited.pool.watchedBytes]).toEqual([0, 0]);
  });

  it('counts rows that enter a page after its start', async () => {
    const pool = livePool('test', createPool());
    const { table, list } = open({ pool });
    const { next } = watch(list, { filter: 'Rank > 1000', perPage: 500 });
    await next();
    const before = pool.watchedBytes;
    table.putAll(Array.from({ length: 400 }, (_, at) => rowOf(`new-${at}`, 2_000 + at)));
    await next();
    expect(pool.watchedBytes).toBe(before + 400 * 16);
    list.close();
  });

  it('counts the values of facets', async () => {
    const pool = livePool('test', createPool({ maxWatchedBytes: 20_000 }));
    const { table, list } = open({ pool });
    await watch(list, { perPage: 1, facets: ['ID'] }).next();
    table.putAll(Array.from({ length: 500 }, (_, at) => rowOf(`new-${at}`, 1)));
    await expect(watch(list, { perPage: 1, facets: ['ID', 'Rank'] }).next()).rejects.toMatchObject({
      code: 'too-busy',
    });
    list.close();
    expect(pool.watchedBytes).toBe(0);
  });

  it('must be a number', () => {
    expect(() => createPool({ maxWatchedBytes: -1 })).toThrow('maxWatchedBytes');
  });
});
