import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChanges, listClient, type ClientPage, type ClientQuery } from '../../src/entries/client.js';
import { listEndpoint } from '../../src/entries/http.js';
import { defineSchema, t, type RowOf } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';
import { scaled } from '../support/property-runs.js';

const schema = defineSchema({ id: t.string, rank: t.int, note: t.nullable(t.string) });
type Row = RowOf<typeof schema>;

const row: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  rank: fc.integer({ min: 0, max: 3 }),
  note: fc.constantFrom('x', 'y', null),
});
const writes = fc.array(
  fc.oneof(
    row,
    row.map(({ id }) => id),
  ),
  { minLength: 1, maxLength: 4 },
);
const query: fc.Arbitrary<ClientQuery<keyof Row & string>> = fc.record(
  {
    filter: fc.constantFrom('rank > 0', 'note != x', 'id > b'),
    sort: fc.constantFrom('rank', '-rank', 'note,-rank', '-note'),
    perPage: fc.integer({ min: 0, max: 4 }),
    fields: fc.constantFrom<readonly (keyof Row & string)[]>(['id'], ['note'], ['rank', 'id']),
    nextToken: fc.constant('c'),
  },
  { requiredKeys: [] },
);

/** A table over HTTP, without a socket. */
function serve() {
  const table = createTable(schema, { key: 'id', sorts: ['rank', 'note'], firstIndex: 1 });
  const endpoint = listEndpoint(createList(table, { unresolved: 'absent' }));
  const client = listClient<Row>('http://list/', {
    fetch: (url, init) => endpoint.fetch(new Request(url, init)),
  });
  return { table, client };
}

describe('applyChanges', () => {
  it('keeps a watched page equal to the page that is fetched again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row),
        query,
        fc.array(writes, { maxLength: 6 }),
        async (rows, drawn, batches) => {
          const { nextToken, ...rest } = drawn;
          const given = rest.sort === undefined && nextToken !== undefined ? drawn : rest;
          const { table, client } = serve();
          table.putAll(rows);
          const stop = new AbortController();
          const watch = client.watch(given, stop.signal)[Symbol.asyncIterator]();
          const next = async (before: ClientPage<Partial<Row>> | null) => {
            const { value } = await watch.next();
            return applyChanges<Partial<Row>>(before, value as never);
          };
          let page = await next(null);
          for (const batch of batches) {
            table.batch((all) => {
              for (const each of batch) {
                if (typeof each === 'string') all.delete(each);
                else all.put(each);
              }
            });
            const fetched = await client.page(given);
            const isSame = (): boolean =>
              JSON.stringify([page.items, page.nextToken]) ===
              JSON.stringify([fetched.items, fetched.nextToken]);
            if (isSame()) continue;
            page = await next(page);
            expect([page.items, page.nextToken]).toEqual([fetched.items, fetched.nextToken]);
          }
          stop.abort();
          await watch.return?.();
        },
      ),
      { numRuns: scaled(300) },
    );
  });

  it('refuses changes of another page', async () => {
    const { table, client } = serve();
    table.put({ id: 'a', rank: 1, note: null });
    const page = await client.page({});
    const positions = { removed: [], entered: [], changed: [] };
    const change = {
      kind: 'changes',
      index: 9,
      since: 8,
      entered: [],
      left: [],
      changed: [],
      nextToken: null,
      positions,
    } as const;
    expect(() => applyChanges(page, change)).toThrow(
      new TypeError('applyChanges: page must be the one at index 8, got index 2'),
    );
    expect(() => applyChanges(null, change)).toThrow('page must be the one at index 8, got index none');
    expect(() => applyChanges({ ...page, index: 8 }, { ...change, positions: undefined as never })).toThrow(
      TypeError,
    );
    expect(applyChanges({ ...page, index: 8 }, change)).toEqual({ ...page, index: 9, etag: null });
  });
});

it('quotes the names of fields', async () => {
  const odd = defineSchema({ id: t.string, 'a,b': t.string, 'x"y': t.string });
  const table = createTable(odd, { key: 'id' });
  table.put({ id: '1', 'a,b': 'A', 'x"y': 'X' });
  const endpoint = listEndpoint(table);
  const client = listClient<{ id: string; 'a,b': string; 'x"y': string }>('http://list/', {
    fetch: (url, init) => endpoint.fetch(new Request(url, init)),
  });
  expect((await client.page({ fields: ['a,b', 'x"y'] })).items).toEqual([{ 'a,b': 'A', 'x"y': 'X' }]);
});
