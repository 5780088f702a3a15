// Tenants of one PostgreSQL table with Fastify: each caller sees the documents of its tenants, by one policy.
//
//   DATABASE_URL=postgres://localhost/app node examples/postgres/serve-tenants.mjs
//   curl -H 'Authorization: Bearer ann' 'localhost:8080/docs?sort=-Level&per_page=10'
import { pathToFileURL } from 'node:url';
import fastify from 'fastify';
import { defineSchema, t } from 'tamis';
import { definePolicy } from 'tamis/access';
import { HttpError, listEndpoint, listPlugin } from 'tamis/http';
import { bool, int, poolRun, sqlListSource, sqlMapping, text, verifyAccess } from 'tamis/sql';

const schema = defineSchema({
  ID: t.string,
  Tenant: t.string,
  Title: t.string,
  Level: t.int,
  Sealed: t.bool,
});

export const tables = `
  CREATE TABLE IF NOT EXISTS docs (
    id text COLLATE "C" PRIMARY KEY,
    tenant text COLLATE "C" NOT NULL,
    title text COLLATE "C" NOT NULL,
    level bigint NOT NULL,
    sealed boolean NOT NULL
  );
  CREATE INDEX IF NOT EXISTS docs_tenant ON docs (tenant, id);`;

const column = { notNull: true };
const mapping = sqlMapping(schema, {
  dialect: 'postgres',
  table: 'docs',
  columns: {
    ID: text('id', { ...column, collation: 'C' }),
    Tenant: text('tenant', { ...column, collation: 'C' }),
    Title: text('title', { ...column, collation: 'C' }),
    Level: int('level', column),
    Sealed: bool('sealed', column),
  },
});

const policy = definePolicy({
  schema,
  caller: defineSchema({ tenants: t.list(t.string), level: t.int }),
  actions: ['read', 'update'],
  rules: [
    { effect: 'allow', actions: ['read'], when: '@Tenant in caller.tenants and Level <= @caller.level' },
    { effect: 'deny', actions: ['*'], when: 'Sealed == true' },
  ],
});
verifyAccess(policy, mapping); // every rule can be evaluated by the database

const callers = new Map([
  ['Bearer ann', { tenants: ['red', 'green'], level: 2 }],
  ['Bearer bob', { tenants: ['blue'], level: 9 }],
]);

/** Creates the program. `run` sends a statement to the database. */
export async function createApp(run) {
  const docs = sqlListSource(mapping, run, { key: 'ID', sorts: ['Level', 'Title'] });
  const list = listEndpoint(docs, {
    caller(head) {
      const caller = callers.get(head.header('authorization'));
      if (caller === undefined) throw new HttpError(401, 'Unknown caller', { 'WWW-Authenticate': 'Bearer' });
      return caller;
    },
    access: (caller) => policy.access(caller, 'read'),
    maxPerPage: 100,
  });
  const app = fastify();
  await app.register(listPlugin, { '/docs': list });
  return app;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { default: pg } = await import('pg');
  const connect = (max) => new pg.Pool({ connectionString: process.env.DATABASE_URL, max });
  const pool = connect(10);
  await pool.query(tables);
  const app = await createApp(poolRun(pool, connect(2))); // the second pool cancels statements of aborted requests
  console.log(`${await app.listen({ port: 8080 })}/docs`);
}
