// Runs the engines in this process, PostgreSQL, and better-sqlite3 if installed, on random filters and random rows, from a random
// seed, and hostile strings. The laws are numbered as the reports name them.
//
//   npm run proof:sql                          20,000 filters in each engine, or as many as it runs in
//                                              10 minutes, 20,000 hostile texts, a million rows in
//                                              PostgreSQL, and 120 s of filters on columns of PostgreSQL's own types
//   npm run proof:sql -- --only ClickHouse --filters 1000 --types 0 --million 0
//   npm run proof:sql -- --only MariaDB --seconds 3600 --filters 1000000 --types 0 --million 0
//   npm run proof:sql -- --filters 1000 --seconds 60 --types 20 --million 0 --seed 7
//
// PostgreSQL and MariaDB are Debian's. They run in folders of their own, as `postgres` and `mysql` if started by root.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createRandom } from '../fuzz/random.js';
import { Draw } from '../support/draw.js';
import { openChdb, whyNoClickhouse } from './chdb.js';
import { chdbEngine, dialects, mysqlEngine, openEngine, type Engine } from './engines.js';
import { hostileFilter } from './hostile.js';
import { testMappingOf } from './test-mapping.js';
import { proveFilters } from './laws.js';
import { startMariadb, whyNoMariadb } from './mariadb.js';
import { measureMillion } from './million.js';
import { proveTypes, setup } from './postgres-types.js';
import { connect, connectPostgresJs, openBetterSqlite, startServer } from './server.js';

const { values: given } = parseArgs({
  options: {
    filters: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '600' },
    only: { type: 'string', default: '' },
    hostile: { type: 'string', default: '20000' },
    million: { type: 'string', default: '1000000' },
    types: { type: 'string', default: '120' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
const seed = Number(given.seed);
let failures = 0;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
say(`seed ${seed}`);

const server = await startServer();
if (server === null) say('no PostgreSQL here: it is skipped');
const engines: [name: string, engine: Engine][] = [];
if (server !== null) {
  engines.push([`PostgreSQL ${server.version}`, await connect(server.host)]);
  engines.push(['PostgreSQL by postgres.js', await connectPostgresJs(server.host)]);
}
for (const dialect of dialects) {
  const engine = await openEngine(dialect);
  if (engine !== null) engines.push([`${dialect} in this process`, engine]);
}
const mariadb = whyNoMariadb === null ? await startMariadb() : null;
if (mariadb === null) say(`no MariaDB: ${whyNoMariadb ?? ''}`);
else {
  const connection = await mariadb.connect();
  await connection.query("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
  engines.push(['MariaDB', mysqlEngine(connection)]);
}
if (whyNoClickhouse !== null) say(`no ClickHouse: ${whyNoClickhouse}`);
else {
  const session = openChdb();
  // One session per process: both engines share it, and the last one ends it.
  engines.push(['ClickHouse', { ...chdbEngine(session), close: () => Promise.resolve() }]);
  engines.push(['ClickHouse with JSON', chdbEngine(session, 'clickhouse-json')]);
}
const better = openBetterSqlite();
if (better === null) say('no better-sqlite3 here: it is skipped');
else engines.push(['better-sqlite3', better]);

try {
  for (const [at, [name, engine]] of engines.entries()) {
    const { below } = createRandom(seed + at);
    if (!name.includes(given.only)) {
      await engine.close();
      continue;
    }
    const started = performance.now();
    const isOver = (): boolean => performance.now() - started > Number(given.seconds) * 1000;
    const report = (law: string, filter: string, detail: string): void => {
      failures += 1;
      if (failures <= 20) say(`${name}: law ${law}: ${filter}\n  ${detail}`);
    };
    const tally = await proveFilters(engine, new Draw(below), Number(given.filters), report, isOver);
    const seconds = Math.round((performance.now() - started) / 1000);
    say(`${name}: ${JSON.stringify(tally)}, ${failures} failures so far, ${seconds} s`);
    await engine.close();
  }
  if (server !== null && Number(given.types) > 0) {
    const engine = await connect(server.host);
    for (const statement of setup) await engine.run(statement, []);
    const end = performance.now() + Number(given.types) * 1000;
    const { below } = createRandom(seed);
    const bound = { filters: Infinity, until: () => performance.now() > end };
    let differences = 0;
    const tally = await proveTypes(engine, new Draw(below), bound, (filter, detail) => {
      differences += 1;
      if (differences <= 20) say(`types: ${filter}\n  ${detail}`);
    });
    say(`types of PostgreSQL: ${JSON.stringify(tally)}, ${differences} differences`);
    failures += differences;
    await engine.close();
  }
  if (server !== null && Number(given.million) > 0)
    failures += await measureMillion(server.host, Number(given.million), say);
} finally {
  await server?.stop();
  await mariadb?.stop();
}

const { below } = createRandom(seed);
const draw = new Draw(below);
let leaked = 0;
for (let count = 0; count < Number(given.hostile); count += 1) {
  const dialect = draw.pick([...dialects, 'mysql', 'clickhouse', 'clickhouse-json'] as const);
  const { filter, words } = hostileFilter(draw);
  const query = testMappingOf(dialect).source.where(filter, { unresolved: 'absent' });
  const text = query.toSQL('?');
  if (words.some((word) => text.includes(word)) || query.parts.strings.length !== query.values.length + 1) {
    leaked += 1;
    say(`${dialect}: law 7: ${filter}\n  ${text}`);
  }
}
say(`${given.hostile} hostile texts, ${leaked} in a statement`);
process.exitCode = failures + leaked > 0 ? 1 : 0;
