import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { createList, type List } from '../../src/entries/query.js';
import { createTable, type Table } from '../../src/entries/table.js';
import { drawnLists, type DrawnRow } from './drawn-list.js';

const cases = drawnLists.chain((drawn) =>
  fc.record({
    drawn: fc.constant(drawn),
    // If fewer changes are kept than a write has, no client is notified row by row.
    retention: fc.constantFrom({}, { retained: { changes: 1 } }),
    rows: fc.array(drawn.row, { maxLength: 8 }),
    batches: fc.array(
      fc.array(
        fc.oneof(
          { weight: 3, arbitrary: drawn.row },
          { weight: 1, arbitrary: drawn.row.map((row) => String(row[drawn.key])) },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      { minLength: 1, maxLength: 6 },
    ),
    queries: fc.array(
      fc.record({
        filter: drawn.filter,
        sort: drawn.sort,
        perPage: fc.constantFrom(0, 1, 2, 3),
        hidden: fc.option(fc.nat({ max: 3 }), { nil: null }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

type Polled = { readonly items: readonly DrawnRow[]; readonly nextToken: string | null } | null;

/** The page, or null where the filter fails for a row. */
async function poll(list: List<DrawnRow>, query: object): Promise<Polled> {
  try {
    const { items, nextToken } = await list.page(query);
    return { items, nextToken };
  } catch {
    return null;
  }
}

/** Waits until the condition holds, for 20,000 turns of the event loop at most, and for 12 more in which nothing may follow. */
async function settle(isReached: () => boolean = () => true): Promise<void> {
  for (let turn = 0; turn < 20_000 && !isReached(); turn += 1) await nextTurn();
  for (let turn = 0; turn < 12; turn += 1) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Those who watch, each with the page as it knows it. */
function watchAll(
  list: List<DrawnRow>,
  queries: readonly { readonly hidden: number | null }[],
  key: string,
  signal: AbortSignal,
) {
  return queries.map(({ hidden, ...requests }) => {
    const query = {
      ...requests,
      ...(hidden === null ? {} : { visible: (row: DrawnRow) => String(row[key]).length % 4 !== hidden }),
    };
    const state = { query, page: null as Polled, reported: 0, isDone: false };
    const run = async (): Promise<void> => {
      try {
        for await (const change of list.watch(query, signal)) {
          state.reported += 1;
          if (change.kind === 'page') {
            state.page = { items: change.page.items, nextToken: change.page.nextToken };
            continue;
          }
          const gone = new Set(change.left.map((row) => row[key]));
          const now = new Map(
            (state.page?.items ?? []).filter((row) => !gone.has(row[key])).map((row) => [row[key], row]),
          );
          for (const row of [...change.changed, ...change.entered]) now.set(row[key], row);
          state.page = { items: [...now.values()], nextToken: change.nextToken };
        }
      } catch {
        state.page = null;
      }
      state.isDone = true;
    };
    return { state, done: run() };
  });
}

/** A page whose rows may have any order. */
function asSet(page: Polled, key: string): unknown {
  return page === null
    ? null
    : { rows: new Map(page.items.map((row) => [row[key], row])), next: page.nextToken };
}

/** Whether both polls gave one page; a poll that failed is equal to no page. */
function isSamePage(page: Polled = null, previous: Polled = null): boolean {
  return page !== null && JSON.stringify(asText(page)) === JSON.stringify(asText(previous));
}

/** What watches is loaded when the first one comes: turns are counted from then on. */
beforeAll(async () => {
  const table = createTable(defineSchema({ ID: t.string }), { key: 'ID' });
  const stop = new AbortController();
  const changes = createList(table).watch({}, stop.signal)[Symbol.asyncIterator]();
  expect((await changes.next()).value).toMatchObject({ kind: 'page' });
  const next = changes.next();
  table.put({ ID: 'a' });
  expect((await next).value).toMatchObject({ kind: 'changes' });
  stop.abort();
});

it('reports a filter error on the first row of the next page to watchers', async () => {
  const schema = defineSchema({ ID: t.string, Deep: t.nullable(t.struct({ text: t.string })) });
  const table = createTable(schema, { key: 'ID' });
  table.putAll(['a', 'b'].map((ID) => ({ ID, Deep: { text: 'x' } })));
  const changes = createList(table).watch({ filter: 'Deep.text == x', perPage: 1 })[Symbol.asyncIterator]();
  expect((await changes.next()).value).toMatchObject({ page: { nextToken: 'b' } });
  const next = changes.next();
  await settle();
  table.put({ ID: 'b', Deep: null });
  await expect(next).rejects.toMatchObject({ goMessage: expect.stringContaining('Deep') as string });
});

it('notifies watchers exactly when pollers see another page', () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ drawn, retention, rows, batches, queries }) => {
      const { schema, key, indexes, sorts } = drawn;
      const table = createTable(schema, {
        key,
        indexes,
        sorts,
        ...retention,
      } as never) as object as Table<DrawnRow>;
      table.putAll(rows);
      const list = createList(table);
      const stop = new AbortController();
      const watchers = watchAll(list, queries, key, stop.signal);
      await settle(() => watchers.every(({ state }) => state.reported > 0 || state.isDone));
      const before = await Promise.all(watchers.map(({ state }) => poll(list, state.query)));
      for (const [at, { state }] of watchers.entries())
        expect(asSet(state.page, key)).toEqual(asSet(before[at] ?? null, key));
      for (const batch of batches) {
        const reported = watchers.map(({ state }) => state.reported);
        table.batch((writer) => {
          for (const each of batch) {
            if (typeof each === 'string') writer.delete(each);
            else writer.put(each);
          }
        });
        const pages = await Promise.all(watchers.map(({ state }) => poll(list, state.query)));
        const expected = watchers.map(
          (_, at) => (reported[at] ?? 0) + (isSamePage(pages[at], before[at]) ? 0 : 1),
        );
        await settle(() =>
          watchers.every(({ state }, at) => state.isDone || state.reported >= expected[at]!),
        );
        for (const [at, { state }] of watchers.entries()) {
          if (state.isDone) continue;
          const page = pages[at] ?? null;
          expect(asSet(state.page, key)).toEqual(asSet(page, key));
          expect(state.reported).toBe(expected[at]);
          before[at] = page;
        }
      }
      stop.abort();
      await Promise.all(watchers.map(({ done }) => done));
      expect(list.stats).toMatchObject({ waiting: 0, watched: 0 });
    }),
    { numRuns: 300 },
  ));

/** Bigints as strings, next to numbers. */
function asText(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asText(each)]));
}

it('wakes no watcher for unchanged rows, and repeats no unchanged result', () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ drawn, rows, queries }) => {
      const { schema, key, indexes, sorts } = drawn;
      const table = createTable(schema, { key, indexes, sorts } as never) as object as Table<DrawnRow>;
      table.putAll(rows);
      const list = createList(table);
      const stop = new AbortController();
      const reported: unknown[] = [];
      const [query] = queries;
      const done = (async () => {
        try {
          for await (const change of list.watch({ filter: query?.filter, sort: query?.sort }, stop.signal))
            reported.push(change);
        } catch {
          reported.push('failed');
        }
      })();
      await settle();
      for (const row of [...table.rows()]) table.put(structuredClone(row));
      table.batch((writer) => {
        for (const row of [...table.rows()]) {
          writer.delete(String(row[key]));
          writer.put(structuredClone(row));
        }
      });
      expect(table.delete('nobody')).toBe(false);
      await settle();
      expect(reported).toHaveLength(1);
      stop.abort();
      await done;
    }),
    { numRuns: 300 },
  ));

it('misses no write while a watch starts or is notified', () =>
  fc.assert(
    fc.asyncProperty(
      cases,
      fc.array(fc.nat({ max: 6 }), { minLength: 6, maxLength: 6 }),
      async ({ drawn, retention, rows, batches, queries }, turns) => {
        const { schema, key, indexes, sorts } = drawn;
        const table = createTable(schema, {
          key,
          indexes,
          sorts,
          ...retention,
        } as never) as object as Table<DrawnRow>;
        table.putAll(rows);
        const list = createList(table);
        const stop = new AbortController();
        const watchers = watchAll(list, queries, key, stop.signal);
        for (const [at, batch] of batches.entries()) {
          for (let turn = 0; turn < (turns[at] ?? 0); turn += 1) await Promise.resolve();
          if (at % 2 === 1) await new Promise((resolve) => setImmediate(resolve));
          table.batch((writer) => {
            for (const each of batch) {
              if (typeof each === 'string') writer.delete(each);
              else writer.put(each);
            }
          });
        }
        for (let each = 0; each < 5; each += 1) await settle();
        for (const { state } of watchers) {
          const page = await poll(list, state.query);
          // After a filter error for a row, a watcher gets nothing more.
          if (!state.isDone) expect(asSet(state.page, key)).toEqual(asSet(page, key));
        }
        stop.abort();
        await Promise.all(watchers.map(({ done }) => done));
      },
    ),
    { numRuns: 300 },
  ));
