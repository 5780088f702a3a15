import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { listEndpoint, type Endpoint, type EndpointOptions } from '../../src/entries/http.js';
import { createTable, type Table } from '../../src/entries/table.js';
import { drawnLists, type DrawnRow } from './drawn-list.js';

type Options = EndpointOptions<DrawnRow, number | null>;

interface Evaluated {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

async function evaluate(endpoint: Endpoint, query: string, signal: AbortSignal): Promise<Evaluated> {
  const head = { method: 'GET', url: `/list?${query}`, header: () => null };
  const { status, headers, body } = await endpoint.respond(head, signal);
  if (typeof body !== 'string') throw new TypeError('These lists are short');
  return { status, headers, body: status === 200 ? JSON.parse(body) : body };
}

/** Turns of the event loop, many more than a write to such lists takes: woken requests are served within them. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

// What waits is loaded when the first one comes: turns are counted from then on.
beforeAll(async () => {
  const table = createTable(defineSchema({ ID: t.string }), { key: 'ID', firstIndex: 1 });
  const endpoint = listEndpoint(table);
  const { signal } = new AbortController();
  const result = await evaluate(endpoint, 'index=1&watch=result&wait=0s', signal);
  expect(result.body).toEqual([]);
});

const cases = drawnLists.chain((drawn) =>
  fc.record({
    drawn: fc.constant(drawn),
    rendered: fc.subarray([...drawn.schema.root.fields.keys()].filter((name) => name !== drawn.key)),
    rows: fc.array(drawn.row, { maxLength: 8 }),
    writes: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: drawn.row },
        { weight: 1, arbitrary: drawn.row.map((row) => String(row[drawn.key])) },
        // Changed rights: during a wait, or before.
        { weight: 1, arbitrary: fc.record({ unseen: fc.nat({ max: 3 }), isEarly: fc.boolean() }) },
      ),
      { minLength: 1, maxLength: 5 },
    ),
    queries: fc.array(
      fc.record({
        filter: drawn.filter,
        sort: drawn.sort,
        perPage: fc.constantFrom(0, 1, 2, 3),
        changes: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    unseen: fc.option(fc.nat({ max: 3 }), { nil: null }),
  }),
);

it('wakes a request that watches only if its response or its caller changes', () =>
  fc.assert(
    fc.asyncProperty(cases, async ({ drawn, rendered, rows, writes, queries: allQueries, unseen }) => {
      const { schema, key, indexes, sorts } = drawn;
      const options = { key, indexes, sorts, firstIndex: 1 } as never;
      const table = createTable(schema, options) as object as Table<DrawnRow>;
      table.putAll(rows);
      const fields = [key, ...rendered];
      const rights = { unseen, changed: (): void => undefined };
      const endpoint = listEndpoint(table, {
        fields,
        caller: () => rights.unseen,
        cacheKey: String,
        visible: (hidden) => (hidden === null ? null : (row) => String(row[key]).length % 4 !== hidden),
        onPermissionsChange: (listener) => {
          rights.changed = listener;
          return () => undefined;
        },
      } as Options);
      const stop = new AbortController();
      const queries = allQueries.map(({ filter, sort, perPage }) =>
        new URLSearchParams({
          ...(filter === undefined ? {} : { filter }),
          ...(sort === undefined ? {} : { sort }),
          per_page: String(perPage),
        }).toString(),
      );
      const poll = (query: string): Promise<Evaluated> => evaluate(endpoint, query, stop.signal);
      for (const write of writes) {
        const before = await Promise.all(queries.map(poll));
        const others = typeof write === 'object' && 'isEarly' in write ? write : null;
        const isOtherCaller = others !== null && others.unseen !== rights.unseen;
        const changeRights = (): void => {
          rights.unseen = others?.unseen as number;
          rights.changed();
        };
        if (others?.isEarly === true) changeRights();
        const started = await Promise.all(queries.map(poll));
        const reported: (Evaluated | null)[] = queries.map(() => null);
        const own = new AbortController();
        const waits = queries.map(async (query, at) => {
          const changes = allQueries[at]?.changes === true ? '&changes' : '';
          const history = before[at]?.headers['X-History'] ?? '';
          const after = `${query}&index=${table.index}&history=${history}&watch=result&wait=5m${changes}`;
          try {
            reported[at] = await evaluate(endpoint, after, own.signal);
          } catch (error) {
            if (!own.signal.aborted) throw error;
          }
        });
        await settle();
        // An invalid request does not wait, nor does one with the result of another caller.
        const isOther = isOtherCaller && others?.isEarly === true;
        const isReportedImmediately = started.map(
          // A client whose request was invalid has no result of another caller.
          ({ status }, at) => status !== 200 || (isOther && before[at]?.status === 200),
        );
        expect(reported.map((result) => result !== null)).toEqual(isReportedImmediately);
        if (others?.isEarly === false) changeRights();
        else if (typeof write === 'string') table.delete(write);
        else if (others === null) table.put(write as DrawnRow);
        await settle();
        const after = await Promise.all(queries.map(poll));
        for (const [at, result] of reported.entries()) {
          const [was, is] = [before[at] as Evaluated, after[at] as Evaluated];
          if (was.status !== 200) continue;
          expect([queries[at], result !== null]).toEqual([queries[at], isOtherCaller || !isSame(was, is)]);
          if (result !== null) expectToLead(was, is, result, key);
        }
        own.abort();
        await Promise.all(waits);
      }
      stop.abort();
      endpoint.close();
    }),
    { numRuns: 300 },
  ));

/** What a client knows of a response, except the index. */
function isSame(a: Evaluated, b: Evaluated): boolean {
  const known = ({ status, body, headers }: Evaluated): unknown => [status, body, headers['X-Next-Token']];
  return JSON.stringify(known(a)) === JSON.stringify(known(b));
}

/** A response is the current page, or the changes since the previous one. */
function expectToLead(was: Evaluated, is: Evaluated, result: Evaluated, key: string): void {
  if (result.status !== 200 || Array.isArray(result.body)) {
    expect({ ...result, headers: {} }).toEqual({ ...is, headers: {} });
    return;
  }
  const { entered, left, changed } = result.body as Readonly<Record<string, readonly DrawnRow[]>>;
  const rowsOf = ({ body }: Evaluated): Map<unknown, DrawnRow> =>
    new Map((body as readonly DrawnRow[]).map((row) => [row[key], row]));
  const [old, now] = [rowsOf(was), rowsOf(is)];
  expect(left?.map((row) => row)).toEqual(
    [...old.keys()].filter((each) => !now.has(each)).map((each) => ({ [key]: each })),
  );
  expect(entered).toEqual([...now].filter(([each]) => !old.has(each)).map(([, row]) => row));
  expect(changed).toEqual(
    [...now]
      .filter(([each, row]) => old.has(each) && JSON.stringify(old.get(each)) !== JSON.stringify(row))
      .map(([, row]) => row),
  );
  expect(result.headers['X-Next-Token']).toBe(is.headers['X-Next-Token']);
}
