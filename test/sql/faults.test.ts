import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { listEndpoint } from '../../src/entries/http.js';
import { createList } from '../../src/entries/query.js';
import {
  int,
  poolRun,
  sqlListSource,
  sqlMapping,
  SqlRunError,
  text,
  type RunSql,
  type SqlParts,
} from '../../src/entries/sql.js';
import { noteOfExtra, whyExtraMissing } from '../support/extra.js';
import { openPool, type Pool } from './pg-pool.js';
import { startServer, type Server } from './server.js';

const schema = defineSchema({ id: t.string, n: t.int });
const jobs = sqlMapping(schema, {
  ...{ dialect: 'postgres', table: 'jobs' },
  columns: { id: text('id', { notNull: true }), n: int('n', { notNull: true }) },
});

describe('a list whose database fails', () => {
  const listOf = (run: RunSql) => createList(sqlListSource(jobs, run, { key: 'id' }));

  it.each([
    [Object.assign(new Error('Connection terminated unexpectedly'), {}), 'unavailable'],
    [
      Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
      'unavailable',
    ],
    [Object.assign(new Error('column jobs.id does not exist'), { code: '42703' }), 'invalid-mapping'],
    [new Error('no such column: jobs.id'), 'invalid-mapping'],
    [new Error('Binder Error: Table "jobs" does not have a column named "id"'), 'invalid-mapping'],
    ['text', 'unavailable'],
    [undefined, 'unavailable'],
  ])('rejects with the cause: %s', async (cause, code) => {
    const fail = (): never => {
      throw cause;
    };
    for (const run of [fail, async () => Promise.resolve().then(fail)]) {
      const error: unknown = await listOf(run)
        .page({})
        .catch((each: unknown) => each);
      expect(error).toBeInstanceOf(SqlRunError);
      expect(error).toMatchObject({ code, cause });
      expect((error as Error).message.includes('verifyMapping')).toBe(code === 'invalid-mapping');
      await expect(listOf(run).facets({}, ['n'])).rejects.toMatchObject({ code });
    }
  });

  it('responds with 503 without the message of the driver, and reports it', async () => {
    const reported: unknown[] = [];
    const respond = async (cause: Error): Promise<Response> => {
      const source = sqlListSource(jobs, () => Promise.reject(cause), { key: 'id' });
      const endpoint = listEndpoint(source, { onError: (error) => reported.push(error) });
      return endpoint.fetch(new Request('http://localhost/?filter=n%3E1'));
    };
    const lost = await respond(new Error('password of tamis'));
    expect([lost.status, lost.headers.get('retry-after'), await lost.text()]).toEqual([
      503,
      '1',
      'The rows are not available now',
    ]);
    const wrong = await respond(Object.assign(new Error('relation jobs'), { code: '42P01' }));
    expect([wrong.status, await wrong.text()]).toEqual([500, 'The list cannot be read']);
    expect(reported.map(String)).toEqual([
      expect.stringContaining('password of tamis'),
      expect.stringContaining('relation jobs'),
    ]);
  });

  it('ends a request whose signal is aborted although the driver does not return', async () => {
    const aborter = new AbortController();
    let given: AbortSignal | null = null;
    const list = listOf((_text, _values, signal) => {
      given = signal;
      queueMicrotask(() => aborter.abort(new Error('gone')));
      return new Promise(() => undefined);
    });
    await expect(list.page({}, aborter.signal)).rejects.toThrow('gone');
    expect(given).toMatchObject({ aborted: true });
  });
});

const server: Server | null = whyExtraMissing('extra/sql') === null ? await startServer() : null;

describe.skipIf(server === null)(
  `a list over HTTP of PostgreSQL${noteOfExtra('extra/sql')}`,
  { shuffle: false },
  () => {
    const { host = '' } = server ?? {};
    let pool: Pool;
    let cancelPool: Pool;
    let admin: Pool;
    let http: HttpServer;
    let run: RunSql;
    let started: (() => void) | null = null;
    let scope: SqlParts = { strings: ['TRUE'], values: [] };
    const errors: unknown[] = [];

    beforeAll(async () => {
      [pool, cancelPool, admin] = [
        openPool(host, 8, { statement_timeout: 20_000 }),
        openPool(host, 4),
        openPool(host, 1),
      ];
      await admin.query('CREATE TABLE jobs (id text PRIMARY KEY, n bigint NOT NULL)');
      await admin.query(`INSERT INTO jobs SELECT 'j' || i, i FROM generate_series(1, 100) i`);
      run = poolRun(pool, cancelPool);
      const observed: RunSql = (...given) => {
        const rows = run(...given);
        started?.();
        return rows;
      };
      http = createServer((request, response) => {
        const source = sqlListSource(jobs, observed, { key: 'id', scope });
        listEndpoint(source, { onError: (error) => errors.push(error) }).node(request, response);
      });
      http.listen(0, '127.0.0.1');
      await once(http, 'listening');
    });

    afterAll(async () => {
      http.closeAllConnections();
      http.close();
      await Promise.all([pool, cancelPool, admin].map((each) => each.end()));
      await server?.stop();
    });

    const url = (): string => `http://127.0.0.1:${(http.address() as AddressInfo).port}/?filter=n%20%3E%203`;
    const active = async (): Promise<unknown> =>
      (
        await admin.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%jobs%'`,
        )
      ).rows[0]?.n;

    it('cancels the statements of 1,000 aborted requests and leaks no connection', async () => {
      scope = { strings: ['pg_sleep(10)::text IS NOT NULL'], values: [] };
      let aborted = 0;
      const one = async (at: number): Promise<void> => {
        const aborter = new AbortController();
        const stop = (): void => aborter.abort();
        const response = fetch(url(), { signal: aborter.signal });
        // Before the request is sent, once a statement of any request has started, and some time in between.
        if (at % 3 === 0) queueMicrotask(stop);
        else if (at % 3 === 1) setImmediate(stop);
        else started = stop;
        if (at % 3 === 2) setTimeout(stop, 50);
        await response.catch(() => (aborted += 1));
      };
      for (let at = 0; at < 1_000; at += 20)
        await Promise.all(Array.from({ length: 20 }, (_, each) => one(at + each)));
      started = null;
      expect(aborted).toBe(1_000);
      await expect.poll(active, { timeout: 15_000 }).toBe(0);
      await expect.poll(() => pool.waitingCount, { timeout: 5_000 }).toBe(0);
      await expect.poll(() => pool.totalCount - pool.idleCount, { timeout: 5_000 }).toBe(0);
      expect(pool.totalCount).toBeLessThanOrEqual(8);
      scope = { strings: ['TRUE'], values: [] };
      const response = await fetch(url());
      expect([response.status, ((await response.json()) as unknown[]).length]).toEqual([200, 97]);
      expect(errors).toEqual([]);
    }, 60_000);

    it('responds with 503 if the connection is lost or a timeout expires, and recovers', async () => {
      const hasty = openPool(host, 2, { statement_timeout: 100 });
      for (const [condition, from] of [
        ['pg_terminate_backend(pg_backend_pid())::text IS NOT NULL', pool],
        ['pg_sleep(10)::text IS NOT NULL', hasty],
      ] as const) {
        run = poolRun(from, cancelPool);
        scope = { strings: [condition], values: [] };
        const failed = await fetch(url());
        expect([failed.status, await failed.text()]).toEqual([503, 'The rows are not available now']);
        scope = { strings: ['TRUE'], values: [] };
        expect((await fetch(url())).status).toBe(200);
        expect([from.waitingCount, from.totalCount - from.idleCount]).toEqual([0, 0]);
      }
      await hasty.end();
      expect(errors.map((each) => (each as { cause: { code: unknown } }).cause.code)).toEqual([
        '57P01',
        '57014',
      ]);
    });
  },
);
