import { expect, it } from 'vitest';
import { noteOfExtra, requireExtra, whyExtraMissing } from '../../support/extra.js';

const extra = 'extra/sql';

interface Database {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly object[] }>;
  exec(text: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Example {
  readonly tables: string;
  createApp(run: (text: string, values: readonly unknown[]) => Promise<readonly object[]>): Promise<{
    inject(request: object): Promise<{ statusCode: number; body: string; headers: Record<string, string> }>;
    close(): Promise<void>;
  }>;
}

const others = 20_000;

it.skipIf(whyExtraMissing(extra) !== null)(
  `examples/postgres serves each tenant its rows, by the index of tenants${noteOfExtra(extra)}`,
  async () => {
    const { PGlite } = requireExtra(extra, '@electric-sql/pglite') as { PGlite: new () => Database };
    const db = new PGlite();
    const { tables, createApp } = (await import('../../../examples/postgres/serve-tenants.mjs')) as Example;
    await db.exec(tables);
    await db.exec(`INSERT INTO docs SELECT 'b' || n, 'blue', 'Title', n % 3, false FROM generate_series(1, ${others}) n;
      INSERT INTO docs SELECT 'r' || n, 'red', 'Title', n % 4, n % 5 = 0 FROM generate_series(1, 20) n; ANALYZE docs;`);
    const sent: (readonly [string, readonly unknown[]])[] = [];
    const app = await createApp(async (text, values) => {
      sent.push([text, values]);
      return (await db.query(text, values)).rows;
    });
    const get = async (query: string, caller = 'ann') =>
      app.inject({ url: `/docs?${query}`, headers: { authorization: `Bearer ${caller}` } });
    try {
      const page = await get('per_page=5&total=true&sort=-Level');
      const items = JSON.parse(page.body) as { Tenant: string; Level: number; Sealed: boolean }[];
      expect(items).toHaveLength(5);
      expect(items.every(({ Tenant, Level, Sealed }) => Tenant === 'red' && Level <= 2 && !Sealed)).toBe(
        true,
      );
      // Of 20 rows, 5 have a level of 3, and 4 are sealed, one of them of level 3.
      expect(page.headers['x-total-count']).toBe('12');
      expect(JSON.parse((await get('facets=Tenant')).body)).toMatchObject({ total: 12 });
      // What the caller may not see cannot be found either.
      expect((await get('count=true&filter=Tenant+%3D%3D+blue')).body).toBe('{"total":0}');
      expect((await get('', 'eve')).statusCode).toBe(401);
      expect(sent.length).toBeGreaterThan(3);
      for (const [text, values] of sent) {
        const { rows } = await db.query(`EXPLAIN ${text}`, values);
        expect(rows.map((row) => Object.values(row).join()).join('\n')).toMatch(/docs_tenant/);
      }
    } finally {
      await app.close();
      await db.close();
    }
  },
);
