import { compileFilter, defineSchema, t } from '../../src/index.js';
import { createList } from '../../src/entries/query.js';
import {
  array,
  int,
  jsonb,
  sqlListSource,
  sqlMapping,
  text,
  timestamptz,
  verifyMapping,
} from '../../src/entries/sql.js';
import type { Engine } from './engines.js';
import { connect } from './server.js';

const schema = defineSchema({
  ID: t.string,
  Name: t.string,
  Status: t.string,
  Priority: t.int,
  Region: t.nullable(t.string),
  Version: t.version,
  Submitted: t.time,
  Tags: t.list(t.string),
  Meta: t.map(t.string),
});

const jobs = sqlMapping(schema, {
  dialect: 'postgres',
  table: 'jobs',
  columns: {
    ID: text('id', { notNull: true, collation: 'C' }),
    Name: text('name', { notNull: true, collation: 'C' }),
    Status: text('status', { notNull: true, collation: 'C' }),
    Priority: int('priority', { notNull: true }),
    Region: text('region', { collation: 'C' }),
    Version: text('version', { notNull: true, collation: 'C' }),
    Submitted: timestamptz('submitted', { notNull: true, constrained: true }),
    Tags: array('tags', { notNull: true }),
    Meta: jsonb('meta', { notNull: true }),
  },
});

const setup = (rows: number): readonly string[] => [
  `CREATE TABLE jobs (id text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL, status text COLLATE "C" NOT NULL,
    priority int NOT NULL, region text COLLATE "C", version text COLLATE "C" NOT NULL,
    submitted timestamptz NOT NULL CHECK (submitted BETWEEN '0001-01-01Z' AND '9999-12-31 23:59:59.999999Z'),
    tags text[] NOT NULL, meta jsonb NOT NULL)`,
  `INSERT INTO jobs SELECT 'j' || lpad(i::text, 8, '0'),
    (ARRAY['web','api','etl','cache'])[1 + i % 4] || '-' || (i::bigint * 7919 % 5000),
    (ARRAY['running','pending','dead'])[1 + i % 3], i * 31 % 100,
    CASE WHEN i % 10 = 0 THEN NULL ELSE 'r' || i % 7 END,
    '1.' || i * 13 % 20 || '.' || i % 5,
    timestamptz '2026-01-01Z' + i * interval '17 seconds',
    ARRAY['t' || i % 10, 'u' || i % 97],
    jsonb_build_object('env', CASE WHEN i % 50 = 0 THEN 'prod' ELSE 'dev' END, 'team', 't' || i % 10)
    FROM generate_series(1, ${rows}) AS i`,
  ...[
    ...['name, id', 'status, id', 'priority, id', 'submitted, id', 'region, id', 'region DESC, id'],
    ...['status, priority DESC, id', 'region, submitted, id DESC', 'priority DESC'],
  ].map((columns) => `CREATE INDEX ON jobs (${columns})`),
  'CREATE INDEX ON jobs USING gin (tags)',
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE INDEX ON jobs USING gin (name gin_trgm_ops)',
  'VACUUM ANALYZE jobs',
];

/** The filters of pages that are measured. */
const paged = [
  'Status == "running"',
  'Name starts with "web-10"',
  '"t7" in Tags and Status == "dead"',
  'not (Region == "r1") and Name like "api-4*"',
  'Name matches "^web-[0-9]{2}$"',
  'Name == "WEB-100"i',
  'Name == "web-100"',
  'Meta.env == "prod" and Meta.team == "t7"',
  'Priority >= 95 and Region is nil',
  'Version > 1.18.0',
  'Version > 1.18.0 and Priority > 90',
];

/** Filters that find few rows, for which there is an index. */
const indexed = [
  'ID == "j00000500"',
  'ID starts with "j000005"',
  'ID > "j00999990"',
  'Name == "web-100"',
  'Name in ["web-100", "api-101"]',
  'Name starts with "web-100"',
  'Name contains "b-4999"',
  'Submitted < "2026-01-01T00:10:00Z"',
  '"u96" in Tags and Name == "web-100"',
  'Name == "web-100" and Version > 1.18.0',
];

const now = new Date('2026-11-02T00:00:00Z');

/** Orders of which pages are read: one column, nulls, and mixed directions. */
const sorts = [
  ...['', 'Submitted', '-Priority', 'Status', 'Region', '-Region', 'Status,-Priority', '-Region,ID'],
  'Region,Submitted,-ID',
];

/**
 * Reports the buffers that the statements of pages 2 and 1,000 read, and those of the previous page of the latter. Returns the number
 * of sorts for which a later page reads more than twice as many.
 */
async function measurePages({ run }: Engine, say: (text: string) => void): Promise<number> {
  let failures = 0;
  for (const sort of sorts) {
    let statements: (readonly [text: string, values: unknown[]])[] = [];
    const source = sqlListSource(
      jobs,
      (text, values) => {
        statements.push([text, values]);
        return run(text, values);
      },
      { key: 'ID', sorts: ['ID', 'Submitted', 'Priority', 'Status', 'Region'] },
    );
    const list = createList(source);
    const query = { perPage: 50, ...(sort === '' ? {} : { sort: sort as 'Status' }) };
    const measure = async (token: {
      nextToken?: string | null;
      prevToken?: string | null;
    }): Promise<number> => {
      statements = [];
      await list.page({ ...query, ...token });
      let buffers = 0;
      for (const [text, values] of statements) {
        const [row] = await run(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
        const [{ Plan: plan }] = row?.['QUERY PLAN'] as [{ Plan: Record<string, number> }];
        buffers += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      }
      return buffers;
    };
    const tokens: (string | null)[] = [null];
    for (let page = 1; page < 1_000; page += 1)
      tokens.push((await list.page({ ...query, nextToken: tokens.at(-1) ?? null })).nextToken);
    const [second, last] = [
      await measure({ nextToken: tokens[1] ?? null }),
      await measure({ nextToken: tokens[999] ?? null }),
    ];
    const count = statements.length;
    const previous = await measure({ prevToken: tokens[999] ?? null });
    const isCheap = Math.max(last, previous) <= 2 * second;
    say(
      `pages by ${sort === '' ? 'the key' : sort}: page 2 reads ${second} buffers, page 1,000 ${last} in ${count} statements, the previous one ${previous}${isCheap ? '' : ': too many'}`,
    );
    if (!isCheap) failures += 1;
  }
  return failures;
}

/**
 * Fills a table, and reports how long pages of 50 take compared with fetching all rows and filtering them. Returns the number of
 * failures.
 */
export async function measureMillion(
  host: string,
  rows: number,
  say: (text: string) => void,
): Promise<number> {
  const engine = await connect(host);
  const { run } = engine;
  let failures = 0;
  try {
    for (const statement of setup(rows)) await run(statement, []);
    const findings = await verifyMapping(jobs, run, { key: 'ID' });
    for (const { message } of findings) say(`verifyMapping: ${message}`);
    failures += findings.length;
    const source = sqlListSource(jobs, run, { key: 'ID', maxFetched: 200_000 });
    const list = createList(source, { unresolved: 'absent', now: () => now });
    for (const filter of paged) {
      const times: number[] = [];
      let [nextToken, found]: [string | null, number] = [null, 0];
      for (let page = 0; page < 5; page += 1) {
        const started = performance.now();
        const result = await list.page({ filter, perPage: 50, nextToken });
        times.push(performance.now() - started);
        found += result.items.length;
        ({ nextToken } = result);
      }
      times.sort((a, b) => a - b);
      say(`${filter}: p50 of a page ${times[2]?.toFixed(1) ?? ''} ms, ${found} rows on 5 pages`);
    }
    failures += await measurePages(engine, say);
    const started = performance.now();
    const test = compileFilter('Status == "running"', { schema });
    let [cached, last] = [0, ''];
    for (;;) {
      const batch = await run(
        `SELECT ${jobs.select} FROM ${jobs.from} WHERE "jobs"."id" > $1 ORDER BY "jobs"."id" LIMIT 10000`,
        [last],
      );
      const read = batch.map(jobs.decode);
      cached += test.count(read);
      last = read.at(-1)?.ID ?? '';
      if (batch.length < 10_000) break;
    }
    say(`all rows fetched and filtered: ${(performance.now() - started).toFixed(0)} ms, ${cached} rows`);
    for (const filter of indexed) {
      const query = jobs.where(filter, { unresolved: 'absent', now });
      const plan = (await run(`EXPLAIN SELECT * FROM jobs WHERE ${query.toSQL('$')}`, query.values))
        .map((row) => String(row['QUERY PLAN']))
        .join('\n');
      const usesIndex =
        /Index (Only )?(Cond|Scan)|Bitmap Index Scan/.test(plan) && !plan.includes('Seq Scan');
      say(`${filter}: ${usesIndex ? 'an index' : `no index\n${plan}`}`);
      if (!usesIndex) failures += 1;
    }
  } finally {
    await engine.close();
  }
  return failures;
}
