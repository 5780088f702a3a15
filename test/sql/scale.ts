// Measures pages, counts and facets of a large table in ClickHouse (in this process) and in PostgreSQL, for docs/scale.md.
//
//   node --import tsx test/sql/scale.ts                    20,000,000 rows
//   node --import tsx test/sql/scale.ts --rows 5000000 --runs 7
import { parseArgs } from 'node:util';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import * as clickhouse from '../../src/entries/clickhouse.js';
import { createList } from '../../src/entries/query.js';
import { int, sqlListSource, sqlMapping, text, timestamptz, type RunSql } from '../../src/entries/sql.js';
import { openChdb } from './chdb.js';
import { connect, startServer } from './server.js';

const { values: given } = parseArgs({
  options: { rows: { type: 'string', default: '20000000' }, runs: { type: 'string', default: '7' } },
});
const rows = Number(given.rows);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Region: t.string,
  Priority: t.int,
  Submitted: t.time,
});
const filter = 'Status == "running" and Region == "r3"';
const whole = { notNull: true, collation: 'C' } as const;
const columns = {
  ID: text('id', whole),
  Status: text('status', whole),
  Region: text('region', whole),
  Priority: int('priority', { notNull: true }),
};

async function timed(name: string, runs: number, action: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let at = 0; at < runs; at += 1) {
    const started = performance.now();
    await action();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  say(
    `${name}: p50 ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(1)} ms, maximum ${(times.at(-1) ?? 0).toFixed(1)} ms`,
  );
}

async function measure(name: string, source: ReturnType<typeof sqlListSource<typeof schema>>): Promise<void> {
  const list = createList(source, { unresolved: 'absent' });
  const runs = Number(given.runs);
  const sort = '-Priority' as const;
  // The token of a page in the middle.
  const first = await list.page({ sort, perPage: 1 });
  const half = String(first.nextToken).replace(
    /\d+\.j\d+$/,
    `50.j${String(Math.floor(rows / 2)).padStart(8, '0')}`,
  );
  await timed(`${name}: first page of all rows`, runs, () => list.page({ sort, perPage: 50 }));
  await timed(`${name}: deep page of all rows`, runs, () =>
    list.page({ sort, perPage: 50, nextToken: half }),
  );
  await timed(`${name}: first page of the filter`, runs, () => list.page({ filter, sort, perPage: 50 }));
  await timed(`${name}: deep page of the filter`, runs, () =>
    list.page({ filter, sort, perPage: 50, nextToken: half }),
  );
  say(`${name}: ${await list.count({ filter })} rows`);
  await timed(`${name}: count of the filter`, runs, () => list.count({ filter }));
  await timed(`${name}: facet of all rows`, runs, () => list.facets({}, ['Status']));
  await timed(`${name}: facet of the filter`, runs, () => list.facets({ filter }, ['Priority']));
}

const session = openChdb();
session.query(
  "CREATE TABLE jobs (id String, status LowCardinality(String), region LowCardinality(String), priority Int64, submitted DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY (priority, id)",
);
let started = performance.now();
session.query(
  `INSERT INTO jobs SELECT 'j' || leftPad(toString(number), 8, '0'), ['running', 'pending', 'dead', 'failed', 'done'][1 + intHash32(number) % 5], 'r' || toString(intHash32(number + 7) % 7), intHash32(number + 99) % 100, toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + number FROM numbers(${rows})`,
);
session.query('OPTIMIZE TABLE jobs FINAL');
say(`ClickHouse: ${rows} rows inserted in ${((performance.now() - started) / 1000).toFixed(0)} s`);
const [size] = (await clickhouse.chdbRun(session)(
  "SELECT formatReadableSize(sum(bytes_on_disk)) AS n FROM system.parts WHERE table = 'jobs' AND active",
  [],
  null,
)) as { n: string }[];
say(`ClickHouse: ${size?.n ?? ''} on disk`);
const inClickhouse = clickhouse.sqlMapping(schema, {
  dialect: 'clickhouse',
  table: 'jobs',
  columns: { ...columns, Submitted: clickhouse.datetime64('submitted', { notNull: true }) },
});
const options = { key: 'ID', sorts: ['Priority'] } as const;
await measure('ClickHouse', clickhouse.sqlListSource(inClickhouse, clickhouse.chdbRun(session), options));
session.query('DROP TABLE jobs');

const server = await startServer();
if (server !== null) {
  try {
    const engine = await connect(server.host);
    const run: RunSql = (statement, values) => engine.run(statement, values);
    started = performance.now();
    await engine.run(
      'CREATE UNLOGGED TABLE jobs (id text COLLATE "C" NOT NULL, status text COLLATE "C" NOT NULL, region text COLLATE "C" NOT NULL, priority bigint NOT NULL, submitted timestamptz NOT NULL)',
      [],
    );
    await engine.run(
      `INSERT INTO jobs SELECT 'j' || lpad(i::text, 8, '0'), (ARRAY['running','pending','dead','failed','done'])[1 + abs(hashint4(i)) % 5], 'r' || abs(hashint4(i + 7)) % 7, abs(hashint4(i + 99)) % 100, timestamptz '2026-01-01Z' + i * interval '1 second' FROM generate_series(0, ${rows - 1}) AS i`,
      [],
    );
    say(`PostgreSQL: ${rows} rows inserted in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    for (const names of ['id', 'priority, id', 'status, region, priority, id'])
      await engine.run(`CREATE ${names === 'id' ? 'UNIQUE ' : ''}INDEX ON jobs (${names})`, []);
    await engine.run('VACUUM ANALYZE jobs', []);
    const [sizes] = await engine.run(
      "SELECT pg_size_pretty(pg_table_size('jobs')) AS n, pg_size_pretty(pg_indexes_size('jobs')) AS i",
      [],
    );
    say(
      `PostgreSQL: indexes after ${((performance.now() - started) / 1000).toFixed(0)} s, ${JSON.stringify(sizes)}`,
    );
    const mapping = sqlMapping(schema, {
      dialect: 'postgres',
      table: 'jobs',
      columns: { ...columns, Submitted: timestamptz('submitted', { notNull: true, constrained: true }) },
    });
    await measure('PostgreSQL', sqlListSource(mapping, run, options));
    const { test } = compileFilter(filter, { schema });
    await timed('Node: fetch a million rows and filter them', 1, async () => {
      const found = await engine.run(`SELECT ${mapping.select} FROM ${mapping.from} LIMIT 1000000`, []);
      return found
        .map((row) => mapping.decode(row))
        .filter(test)
        .sort((a, b) => Number(b.Priority) - Number(a.Priority))
        .slice(0, 50);
    });
    await engine.close();
  } finally {
    await server.stop();
  }
}
process.exit(0);
