import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import { columns } from '../../src/entries/columns.js';
import { ColumnCache } from '../../src/lists/columns/column-cache.js';
import { createList } from '../../src/entries/query.js';
import { createTable, type TableColumns } from '../../src/entries/table.js';
import { attachColumns } from '../../src/lists/columns/attach-columns.js';
import type { PageBits } from '../../src/lists/table/page-bits.js';
import type { PageResult } from '../../src/lists/table/row-matcher.js';
import { fromSortedRows, limit } from '../../src/lists/table/sorted-rows.js';

const schema = defineSchema({
  ID: t.string,
  Few: t.string,
  Name: t.string,
  At: t.time,
  Secret: t.hidden(t.string),
});

function tableOf(given: TableColumns | false) {
  const table = createTable(schema, { key: 'ID', columns: given });
  table.putAll(
    Array.from({ length: 5_000 }, (_, at) => ({
      ...{ ID: `k${String(at)}`, Few: at % 3 === 0 ? 'a' : 'b', Name: `name-${String(at)}`, Secret: '' },
      At: new Date(at * 1_000).toISOString(),
    })),
  );
  return table;
}

function watched() {
  const options = { hasColumns: () => true, isEager: false, budget: () => 1e7, minRows: 0 };
  const cache = new ColumnCache<object>(schema, options);
  return {
    cache,
    columns: { attach: (_: unknown, order: never) => attachColumns<object>(order, cache) } as TableColumns,
  };
}

describe('columns of a table', () => {
  it('report how each clause is evaluated, and why', async () => {
    const list = createList(tableOf(columns(['Few', 'Name'], { budget: 1e7 })));
    const query = { filter: 'Few == "a" and Name matches "9$" and At < now' };
    const results = async (): Promise<readonly object[] | null> => (await list.explain(query)).columns;
    expect(await results()).toEqual([
      { filter: 'Few == "a"', by: 'columns', why: 'by Few' },
      { filter: 'Name matches "9$"', by: 'rows', why: 'Name has too many different values' },
      { filter: 'At < now', by: 'rows', why: 'At is not among the columns' },
    ]);
    for (let times = 0; times < 3; times += 1) await list.count(query);
    expect((await results())?.[1]).toEqual({
      ...{ filter: 'Name matches "9$"', by: 'kept' },
      why: 'its result is cached',
    });
    expect((await createList(tableOf(false)).explain(query)).columns).toBeNull();
  });

  it('neither serve nor learn from callers who may not see all rows', async () => {
    const { cache, columns: given } = watched();
    const list = createList(tableOf(given));
    const query = { filter: 'Name matches "9$"', visible: (row: object) => 'ID' in row };
    for (let times = 0; times < 12; times += 1) expect(await list.count(query)).toBe(500);
    expect([cache.servedRows, cache.made]).toEqual([0, 0]);
    expect((await list.explain(query)).columns).toBeNull();
    for (let times = 0; times < 12; times += 1) expect(await list.count({ filter: query.filter })).toBe(500);
    const { servedRows: served, made } = cache;
    expect(made).toBeGreaterThan(0);
    expect(await list.count(query)).toBe(500);
    expect([cache.servedRows, cache.made]).toEqual([served, made]);
  });

  it('serve a viewer from the cache of the rows that it sees, and no other viewer', async () => {
    const list = createList(tableOf(columns()));
    const canSee = (row: object): boolean => (row as { readonly Name: string }).Name.charCodeAt(5) % 2 === 1;
    const requests = (key: string) => ({ filter: 'Few == "a"', visible: { key, canSee } });
    const expected = await list.count({ ...requests('odd'), visible: canSee });
    for (let times = 0; times < 40; times += 1) expect(await list.count(requests('odd'))).toBe(expected);
    const how = async (query: object): Promise<unknown> =>
      (await list.explain(query)).columns?.map(({ by }) => by) ?? null;
    expect(await how(requests('odd'))).toEqual(['columns']);
    expect(await how(requests('others'))).toEqual(['rows']);
    expect(await how({ ...requests('odd'), visible: canSee })).toBeNull();
    expect(await how({ filter: 'Few == "a"' })).toEqual(['rows']);
    const { items } = await list.page({ ...requests('odd'), perPage: 2, reverse: true });
    expect(items).toEqual((await list.page({ ...requests('others'), perPage: 2, reverse: true })).items);
  });

  it('distinguish similar values', () => {
    const loose = defineSchema({
      ...{ ID: t.string, Any: t.any, Bag: t.map(t.any), Parts: t.list(t.struct({ A: t.any })) },
    });
    const odd = Object.create({ A: 'b' }) as object;
    const values: readonly unknown[] = [
      ...['', 'a', '1', 'true', 'null', '[s1:a', '{s1:a;', 'b', '"a"', -0, 0, 1, NaN, true, false, null],
      ...[['a'], ['a', 'b'], ['as1:b'], ['as:b'], [1], ['1'], [true], [null], [], [[]], [undefined], {}],
      ...[{ A: undefined }, { A: null }, { A: 'a' }, odd, undefined, new Date(0), 1n, 'x'.repeat(2_000)],
    ];
    const rows = values
      .flatMap((value) => [
        { Any: value, Bag: {}, Parts: [] },
        { Any: 0, Bag: { A: value }, Parts: [{ A: value }] },
        { Any: 0, Bag: { B: value }, Parts: [{ A: value }, { A: 'b' }] },
      ])
      .concat([{} as never, { Bag: odd, Parts: [odd] } as never, { Bag: null, Parts: null } as never])
      .map((row, at) => ({ ...row, ID: `k${String(at)}` }));
    const literals = ['""', '"a"', '"1"', '"true"', '"[s1:a"', '"b"', '"as1:b"', '1', '0'];
    const texts = [
      ...literals.flatMap((each) => [`Any == ${each}`, `Bag.A == ${each}`, `Bag.A != ${each}`]),
      ...literals.flatMap((each) => [`${each} in Any`, `any Parts as p { p.A == ${each} }`]),
      ...['Any is nil', 'Any is empty', 'Bag is empty', 'Bag.A is nil', 'all Parts as p { p.A is not nil }'],
      ...['Any < 1', 'Any >= "a"', 'Bag.A is empty', '"constructor" in Bag', 'Bag.constructor is nil'],
    ];
    const wrong: unknown[] = [];
    let served = 0;
    const standing = fromSortedRows<object>({ text: (row) => (row as { ID: string }).ID }, rows);
    for (const unresolved of ['error', 'absent'] as const) {
      const options = { hasColumns: () => true, isEager: true, budget: () => 1e7, minRows: 0 };
      const cache = new ColumnCache<object>(loose, options);
      for (const text of texts) {
        const filter = compileFilter<object>(text, { schema: loose, unresolved });
        const outcome = (row: object): boolean | null => {
          try {
            return filter.test(row);
          } catch {
            return null;
          }
        };
        for (const page of standing.pages) {
          const making = cache.open(standing, filter)?.make(page);
          let step = making?.next();
          while (step?.done === false) step = making?.next();
          const result = step?.value as PageResult | null;
          if (result === null) continue;
          served += 1;
          const { bits, uncertain } = result;
          const has = (of: PageBits | null, at: number): boolean =>
            of !== null && bits.length > 0 && ((of[at >> 5] ?? 0) & (1 << (at & 31))) !== 0;
          for (const [chunk, each] of page.entries()) {
            for (const [at, row] of each.entries()) {
              const position = chunk * limit + at;
              // Undecided rows are evaluated.
              if (has(uncertain, position) || has(bits, position) === outcome(row)) continue;
              wrong.push([text, row, outcome(row)]);
            }
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(served).toBeGreaterThan(100);
  });

  it('read the clock each time', async () => {
    let now = new Date(1_000_000);
    const list = createList(tableOf(columns(['At', 'Few'], { budget: 1e7 })), { now: () => now });
    const count = (): Promise<number> => list.count({ filter: 'At < now and Few == "a"' });
    for (let times = 0; times < 4; times += 1) expect(await count()).toBe(334);
    now = new Date(2_000_000);
    expect(await count()).toBe(667);
  });

  it('keep within a budget that is small compared to the cached clauses', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ({
      ID: `k${String(at)}`,
      A: `a${String(at)}`,
      B: `b${String(at)}`,
    }));
    const pair = defineSchema({ ID: t.string, A: t.string, B: t.string });
    for (const budget of [0, 10_000, 500_000, 800_000, 1_000_000, 2_000_000]) {
      const table = createTable(pair, { key: 'ID', columns: columns(['A', 'B'], { budget }) });
      table.putAll(rows);
      const list = createList(table);
      for (const filter of [
        'A matches "9$" and B matches "9$"',
        'A != "a1" and B != "b2"',
        'A == "a1" or B == "b2"',
      ]) {
        const expected = await createList(() => rows, { schema: pair, key: 'ID' }).count({ filter });
        for (let times = 0; times < 3; times += 1) expect(await list.count({ filter })).toBe(expected);
      }
    }
  });

  it.each([
    [() => columns('all' as never), "columns: fields are 'auto' or an array of names, not"],
    [() => columns('auto', { budget: -1 }), 'columns: the budget must be a number of bytes, got -1'],
    [() => tableOf(columns(['Fow'])), 'columns: fields name "Fow", and the schema has no such field'],
    [() => tableOf(columns(['Secret'])), 'columns: fields name "Secret", and the schema has no such field'],
    [
      () => tableOf('auto' as never),
      'createTable: columns must be created with columns() of tamis/columns, got',
    ],
  ])('are refused where they cannot be: %#', (make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});
