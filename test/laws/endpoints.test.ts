import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listEndpoint, type Endpoint, type EndpointOptions } from '../../src/entries/http.js';
import { arraySource } from '../../src/entries/query.js';
import { createTable, type Table } from '../../src/entries/table.js';
import { openHosts } from '../http/support/hosts.js';
import { drawnLists, cached, lastOfEach, type Drawn, type DrawnRow } from './drawn-list.js';
import { anyQueries, drawnQueries } from './drawn-query.js';

interface Evaluated {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The response of an endpoint, without data specific to the lifetime of one table. */
async function evaluate(endpoint: Endpoint, query: string): Promise<Evaluated> {
  const head = { method: 'GET', url: `/list${query}`, header: () => null };
  const { status, headers, body } = await endpoint.respond(head, new AbortController().signal);
  const pieces: string[] = [];
  if (typeof body === 'string') pieces.push(body);
  else for await (const piece of body()) pieces.push(Buffer.from(piece).toString());
  const { ETag: _tag, 'X-History': _history, ...reported } = headers;
  return { status, headers: reported, text: pieces.join('') };
}

function tableOf(drawn: Drawn, rows: readonly DrawnRow[], options: object = {}): Table<DrawnRow> {
  const { schema, key, indexes, sorts } = drawn;
  const table = createTable(schema, { key, indexes, sorts, firstIndex: 1, ...options } as never);
  table.putAll(rows as never);
  return table as object as Table<DrawnRow>;
}

function withoutIndex({ headers }: Evaluated): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'X-Index'));
}

type Options = EndpointOptions<DrawnRow, null>;

/** Endpoints of every source that there is, over the same rows. */
function endpointsOf(drawn: Drawn, rows: readonly DrawnRow[], options: Options): readonly Endpoint[] {
  const { schema, key, sorts } = drawn;
  const array = arraySource(schema, () => rows as never, { key, sorts } as never);
  return [
    listEndpoint(tableOf(drawn, rows), options),
    listEndpoint(tableOf(drawn, rows, { indexes: [], sorts }), options),
    listEndpoint(array as never, options),
  ];
}

const hiding = drawnLists.chain((drawn) =>
  fc.record({
    drawn: fc.constant(drawn),
    // None where the endpoint has all fields that the schema shows.
    rendered: fc.option(fc.subarray(fieldsOf(drawn).filter((name) => name !== drawn.key)), { freq: 3 }),
    pairs: fc.array(fc.tuple(drawn.row, drawn.row), { maxLength: 10 }),
    later: fc.array(fc.tuple(drawn.row, drawn.row), { maxLength: 4 }),
    marker: drawn.row,
    queries: fc.array(drawnQueries(drawn), { minLength: 1, maxLength: 6 }),
  }),
);

function fieldsOf({ schema }: Drawn): readonly string[] {
  return [...schema.root.fields.keys()];
}

/** A value with what another one hides deeper in it. */
function cacheOf(value: unknown, other: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(cached in value)) return value;
  return { ...value, [cached]: (other as Readonly<Record<string, unknown>> | null)?.[cached] ?? 'other' };
}

describe('a list over HTTP', () => {
  it('reveals nothing of hidden fields: rows that differ in them alone have equal responses', () =>
    fc.assert(
      fc.asyncProperty(hiding, async ({ drawn, rendered, pairs, later, marker, queries }) => {
        const fields = rendered === null ? fieldsOf(drawn) : [drawn.key, ...rendered];
        // The same but for what is hidden.
        const twin = ([row, other]: readonly [DrawnRow, DrawnRow]): DrawnRow =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              fields.includes(name) ? cacheOf(value, other[name]) : other[name],
            ]),
          );
        const rows = lastOfEach(
          pairs.map(([row]) => row),
          drawn.key,
        );
        const twins = lastOfEach(pairs.map(twin), drawn.key);
        const options = (rendered === null ? {} : { fields }) as Options;
        const both = [endpointsOf(drawn, rows, options), endpointsOf(drawn, twins, options)] as const;
        for (const [at, endpoint] of both[0].entries()) {
          for (const query of queries) {
            expect(await evaluate(endpoint, query)).toEqual(await evaluate(both[1][at] as Endpoint, query));
          }
          expect(endpoint.openapi('/list')).toEqual(both[1][at]?.openapi('/list'));
          expect(endpoint.parameters).toEqual(both[1][at]?.parameters);
        }
        // What comes to a result, too: a write that changes what is hidden changes nothing.
        const tables = [tableOf(drawn, rows), tableOf(drawn, twins)] as const;
        const endpoints = tables.map((table) => listEndpoint(table, options));
        const before = tables[0].index;
        // A row that is another one in any case: both tables have one more write.
        for (const [at, table] of tables.entries()) {
          table.batch((writer) => {
            for (const pair of later) writer.put(at === 0 ? pair[0] : twin(pair));
            writer.put({ ...marker, [drawn.key]: 'z' });
          });
        }
        for (const query of queries) {
          const [one, other] = await Promise.all(
            endpoints.map((endpoint) =>
              evaluate(endpoint, `${query}&index=${before}&watch=result&changes&wait=0s`),
            ),
          );
          expect(one).toEqual(other);
        }
      }),
      { numRuns: 300 },
    ));

  it('does not have what its caller may not see', () =>
    fc.assert(
      fc.asyncProperty(hiding, fc.nat({ max: 3 }), async ({ drawn, pairs, queries }, unseen) => {
        const rows = lastOfEach(
          pairs.map(([row]) => row),
          drawn.key,
        );
        const canSee = (row: DrawnRow): boolean => String(row[drawn.key]).length % 4 !== unseen;
        const all = endpointsOf(drawn, rows, { visible: () => canSee });
        const some = endpointsOf(drawn, rows.filter(canSee), { visible: () => () => true });
        for (const [at, endpoint] of all.entries()) {
          for (const query of queries) {
            const [one, other] = [
              await evaluate(endpoint, query),
              await evaluate(some[at] as Endpoint, query),
            ];
            const headers = withoutIndex(one);
            const others = withoutIndex(other);
            expect({ ...one, headers }).toEqual({ ...other, headers: others });
          }
        }
      }),
      { numRuns: 300 },
    ));

  it('is the same on every host, and rejects invalid queries', () =>
    fc.assert(
      fc.asyncProperty(
        drawnLists.chain((drawn) =>
          fc.record({
            drawn: fc.constant(drawn),
            rows: fc.array(drawn.row, { maxLength: 10 }),
            queries: fc.array(anyQueries(drawn), { minLength: 8, maxLength: 8 }),
            method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST'),
            known: fc.boolean(),
          }),
        ),
        async ({ drawn, rows, queries, method, known }) => {
          const endpoint = listEndpoint(tableOf(drawn, rows), { cors: { origins: ['https://a.example'] } });
          const hosts = await openHosts(endpoint);
          try {
            for (const written of queries) {
              // As requests of the Fetch API write it: some characters come escaped.
              const query = new URL(written, 'http://localhost').search;
              const first = await hosts.run('fetch', query);
              const headers = {
                Origin: 'https://a.example',
                ...(known && first.headers['etag'] !== undefined
                  ? { 'If-None-Match': first.headers['etag'] }
                  : {}),
              };
              const got = await Promise.all(
                hosts.names.map((host) => hosts.run(host, query, { method, headers })),
              );
              for (const each of got) expect(each).toEqual(got[0]);
              const head = { method: 'HEAD', url: query, header: () => null };
              expect((await endpoint.respond(head, new AbortController().signal)).body).toBe('');
              expect(got[0]?.status).toBeLessThan(500);
              if (first.status >= 400) expect([400, 429]).toContain(first.status);
              if (first.status === 200) JSON.parse(first.text);
              else expect(first.text).not.toBe('');
            }
          } finally {
            await hosts.close();
          }
        },
      ),
      { numRuns: 20 },
    ));
});
